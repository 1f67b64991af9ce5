import '../../ui/theme/overlayStyles.ts';
import '../../ui/theme/fieldStyles.ts';
import { ActionIcon, Button, Checkbox, Popover } from '@mantine/core';
import { type CardKey, CARDS, type CardSettings } from '@evenkeel/core/cards';
import { IconArrowDown, IconArrowUp, IconRefresh } from '@tabler/icons-react';
import { type OpenerButton, usePopOverAtOnce } from '../../ui/lazy/Opener.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';

export interface CardsBoxProps {
  /** All cards that the user can see, in display order. */
  cards: readonly CardSettings[];
  onShow: (key: CardKey, visible: boolean) => void;
  onMove: (key: CardKey, to: CardKey) => void;
  onReset: () => void;
}

/** The card list with a checkbox for each card and buttons to reorder the cards without dragging. */
export function CardsBox({ cards, onShow, onMove, onReset, ...props }: CardsBoxProps & { button: OpenerButton }) {
  const { opened, onChange, button } = usePopOverAtOnce(props.button);
  return (
    <Popover position="bottom-end" width={300} trapFocus returnFocus opened={opened} onChange={onChange}>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown>
        <h2 className="db-list-title">Cards</h2>
        <ul className="db-list">
          {cards.map(({ key, visible }, index) => (
            <li key={key}>
              <Checkbox
                label={CARDS[key].title}
                checked={visible}
                onChange={(event) => onShow(key, event.currentTarget.checked)}
              />
              <MoveButton card={key} to={cards[index - 1]?.key} words="up" onMove={onMove} />
              <MoveButton card={key} to={cards[index + 1]?.key} words="down" onMove={onMove} />
            </li>
          ))}
        </ul>
        <Button variant="default" fullWidth leftSection={<IconRefresh {...ICON_SMALL} />} onClick={onReset}>
          Reset cards
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

interface MoveButtonProps {
  card: CardKey;
  /** The card whose position this card takes. Undefined for the last position. */
  to: CardKey | undefined;
  words: 'up' | 'down';
  onMove: (key: CardKey, to: CardKey) => void;
}

/** The button stays focusable when its card is last, so that the focus isn't lost when the user moves a card there. */
function MoveButton({ card, to, words, onMove }: MoveButtonProps) {
  const Icon = words === 'up' ? IconArrowUp : IconArrowDown;
  return (
    <ActionIcon
      size={28}
      aria-label={`Move ${CARDS[card].title} ${words}`}
      aria-disabled={to === undefined ? 'true' : undefined}
      onClick={() => {
        if (to !== undefined) onMove(card, to);
      }}
    >
      <Icon {...ICON_SMALL} />
    </ActionIcon>
  );
}
