import type { Cards } from '@evenkeel/contract/dashboard';
import { type CardKey, type CardSettings, isCardKey } from '@evenkeel/core/cards';
import type { Explained } from '../../parts/ledger/explained.ts';
import { figureDates } from '../../parts/ledger/figureDates.ts';
import { FigureDrawer } from '../../parts/ledger/FigureDrawer.tsx';
import { useMay } from '../../client/session.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import { choiceOf, useCard } from './queries.ts';
import { CARD_KINDS } from './cards/cards.ts';
import { reportAddress } from '../../parts/ledger/reportAddress.ts';

export interface CardDrawerProps {
  /** The card and amount, in the format used in the URL: `revenue.total`. */
  name: string;
  cards: readonly CardSettings[];
  onOpen: (name: string) => void;
  onClose: () => void;
}

/** A drawer with the source of a card's amount, for the period selected on the card. */
export function CardDrawer({ name, cards, onOpen, onClose }: CardDrawerProps) {
  const [key = '', ...rest] = name.split('.');
  const card = cards.find((one) => one.key === key);
  if (!isCardKey(key) || card === undefined) return null;
  // The key resets the state, because data loaded for one card doesn't apply to another.
  return <Drawer key={key} {...{ card, figure: rest.join('.'), onOpen, onClose }} />;
}

interface DrawerProps extends Pick<CardDrawerProps, 'onOpen' | 'onClose'> {
  card: CardSettings;
  figure: string;
}

function Drawer({ card, figure, onOpen, onClose }: DrawerProps) {
  const { key } = card;
  const today = useToday();
  const mayReport = useMay()('View Reports');
  const own = useCard(key, choiceOf(card), { today, enabled: true });
  const found = own.value[key];
  const { explain, report } = CARD_KINDS[key];
  const explained = explain(figure, own.value);
  const isUnknown = found !== undefined && explained === undefined;
  return (
    <FigureDrawer
      key={figure}
      title={explained?.title ?? 'Loading...'}
      note={found && explained && datesOf(explained.what, found)}
      what={explained?.what}
      error={isUnknown ? 'This amount is no longer on the card' : own.error}
      onRetry={own.retry}
      onClose={onClose}
      onEntity={(entityId) => onOpen(`${key}.of-${entityId}`)}
      onPart={(part) => onOpen(`${key}.${part}`)}
      link={mayReport && found ? { to: reportAddress(report, found), label: `Open ${report.title}` } : undefined}
    />
  );
}

/** Returns the dates and accounting basis of an amount. For a ratio, also returns how it is calculated. */
function datesOf(what: Explained, card: NonNullable<Cards[CardKey]>): string {
  if (what.kind === 'parts') return what.how;
  const [from, to] = what.kind === 'entries' ? [what.ask.from ?? null, what.ask.to ?? card.to] : [card.from, card.to];
  return figureDates(from, to, card.basis);
}
