import './dashboard.css';
import { type CardKey, CARDS, type CardSettings } from '@evenkeel/core/cards';
import { Button } from '@mantine/core';
import { IconLayoutDashboard, IconRefresh } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useOpenFigure } from '../../records/place.ts';
import { useNarrow } from '../../ui/hooks/media.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import { lazyPart } from '../../ui/lazy/lazyPart.tsx';
import { Opener } from '../../ui/lazy/Opener.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { EmptyState } from '../../ui/show/EmptyState.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { DashboardCard } from './DashboardCard.tsx';
import { AdministratorLines } from './AdministratorLines.tsx';
import { NextSteps, type NextStepsProps } from './NextSteps.tsx';
import { useDashboard, useUpdatedAt } from './queries.ts';
import { useDrag } from './useDrag.ts';
import { useLayout } from './useLayout.ts';
import { formatDay } from './words.ts';

const CardDrawer = lazyPart(async () => (await import('./CardDrawer.tsx')).CardDrawer);
const load = async () => (await import('./CardsBox.tsx')).CardsBox;

interface DashboardProps extends Pick<NextStepsProps, 'opens'> {
  /** Whether the menu has other pages. */
  hasOthers: boolean;
}

/** The dashboard with the next steps and nine cards, each based on a report. */
export function Dashboard({ hasOthers, opens }: DashboardProps) {
  const today = useToday();
  const narrow = useNarrow();
  const read = useDashboard();
  const layout = useLayout(read.value, read.error !== undefined);
  const { cards } = layout;
  const keys = (cards ?? []).map(({ key }) => key);
  const [said, say] = useState('');
  const reset = () => {
    layout.reset();
    say('All cards are back in their default order');
  };
  const move = (among: readonly CardKey[], key: CardKey, to: CardKey) => {
    layout.move(key, to);
    say(`${CARDS[key].title} is now ${among.indexOf(to) + 1} of ${among.length}`);
  };
  const figure = useOpenFigure();
  const hasCards = cards !== undefined && cards.length > 0;
  const aside = hasCards && (
    <>
      <Updated />
      {!narrow && (
        <Button variant="default" leftSection={<IconRefresh {...ICON_SMALL} />} onClick={reset}>
          Reset cards
        </Button>
      )}
      <Opener
        popup="dialog"
        load={load}
        box={{
          cards,
          onShow: layout.show,
          onMove: (key, to) => move(keys, key, to),
          onReset: reset,
        }}
        button={
          <Button variant="default" leftSection={<IconLayoutDashboard {...ICON_SMALL} />}>
            Cards
          </Button>
        }
      />
    </>
  );
  return (
    <Page title="Dashboard" meta={<span className="db-day">{formatDay(today)}</span>} aside={aside} scroll>
      <div className="ek-page-pad">
        <AdministratorLines />
        {read.value === undefined && read.error === undefined && (
          <p role="status" className={cards === undefined ? 'ek-muted' : 'ek-vh'}>
            Loading...
          </p>
        )}
        <NextSteps steps={layout.firstSteps} waiting={layout.waiting} opens={opens} />
        <Grid read={read} layout={{ ...layout, move, reset }} say={say} hasOthers={hasOthers} />
        <p className="ek-vh" aria-live="polite">
          {said}
        </p>
        {figure.name !== undefined && cards !== undefined && (
          <Suspense>
            <CardDrawer name={figure.name} cards={cards} onOpen={figure.open} onClose={figure.close} />
          </Suspense>
        )}
      </div>
    </Page>
  );
}

/** The time of the last refresh. If the amounts have not changed, only this component renders again. */
function Updated() {
  const at = useUpdatedAt();
  if (at === 0) return null;
  const time = new Date(at).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
  return <span className="db-updated ek-muted ek-small">Updated {time}</span>;
}

interface GridProps {
  read: ReturnType<typeof useDashboard>;
  layout: Omit<ReturnType<typeof useLayout>, 'move'> & {
    move: (keys: readonly CardKey[], key: CardKey, to: CardKey) => void;
  };
  /** Announces a change to screen readers. */
  say: (words: string) => void;
  hasOthers: boolean;
}

function Grid({ read, layout: { cards, ...layout }, say, hasOthers }: GridProps) {
  const shown = (cards ?? []).filter(({ visible }) => visible);
  const keys = shown.map(({ key }) => key);
  const drag = useDrag({
    keys,
    move: (key, to) => layout.move(keys, key, to),
    restore: layout.arrange,
  });
  const close = (key: CardKey) => {
    const at = keys.indexOf(key);
    const next = keys[at + 1] ?? keys[at - 1];
    layout.show(key, false);
    say(`${CARDS[key].title} card closed`);
    // The selected button disappears with its card, so the focus moves to the next card.
    drag.grid.current?.querySelector<HTMLElement>(`[data-card="${next}"] .db-close`)?.focus({ preventScroll: true });
  };
  if (cards === undefined) return null;
  if (shown.length === 0) return <NoCards hasAny={cards.length > 0} hasOthers={hasOthers} onReset={layout.reset} />;
  const byKey = new Map<CardKey, CardSettings>(shown.map((card) => [card.key, card]));
  return (
    <div className="db-cards" ref={drag.grid} data-dragging={drag.dragged === undefined ? undefined : ''}>
      {drag.drawn.flatMap((key) => {
        const card = byKey.get(key);
        if (card === undefined) return [];
        return (
          <DashboardCard
            key={key}
            card={card}
            dashboard={read.value}
            error={read.error}
            onRetry={read.retry}
            onChoose={(chosen) => layout.choose(key, chosen)}
            onClose={() => close(key)}
            isDragged={drag.dragged === key}
            place={drag.orderOf(key)}
            head={{ onPointerDown: drag.press(key) }}
            grip={{ onKeyDown: drag.arrow(key) }}
          />
        );
      })}
    </div>
  );
}

function NoCards({ hasAny, hasOthers, onReset }: { hasAny: boolean; hasOthers: boolean; onReset: () => void }) {
  if (!hasAny) {
    const none = "Your role doesn't give you access to any amounts on this page.";
    const hint = hasOthers ? `${none} Use the menu to open other pages.` : none;
    return <EmptyState title="Nothing to show" hint={hint} />;
  }
  return (
    <EmptyState
      title="All cards are hidden"
      hint="Choose cards to show, or reset to show all of them."
      action={
        <Button variant="default" onClick={onReset}>
          Reset cards
        </Button>
      }
    />
  );
}
