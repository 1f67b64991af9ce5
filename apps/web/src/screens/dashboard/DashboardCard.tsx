import type { Cards, Dashboard } from '@evenkeel/contract/dashboard';
import { type CardKey, cardPeriods, CARDS, type CardSettings, CUSTOM_PERIOD } from '@evenkeel/core/cards';
import { IconChevronDown, IconGripVertical, IconInfoCircle, IconX } from '@tabler/icons-react';
import { type HTMLAttributes, type ReactNode, Suspense, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useMay } from '../../client/session.ts';
import { useSettled } from '../../ui/hooks/settled.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import { lazyPart } from '../../ui/lazy/lazyPart.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { CARD_KINDS } from './cards/cards.ts';
import { type CardChoice, choiceOf, useCard } from './queries.ts';
import { reportAddress } from '../../parts/ledger/reportAddress.ts';
import type { Chosen } from './useLayout.ts';
import { shortDate } from './words.ts';
import { isKey } from '../../ui/keys/keys.ts';

const CustomPeriod = lazyPart(async () => (await import('./CustomPeriod.tsx')).CustomPeriod);

/** The delay in ms before a changed period is loaded. */
const DEBOUNCE_MS = 200;

export interface DashboardCardProps {
  card: CardSettings;
  dashboard: Dashboard | undefined;
  /** The reason why the dashboard failed to load. */
  error: string | undefined;
  onRetry: () => Promise<void>;
  onChoose: (chosen: Chosen) => void;
  onClose: () => void;
  isDragged: boolean;
  /** The card's position while it is dragged. */
  place: number;
  head: Pick<HTMLAttributes<HTMLElement>, 'onPointerDown'>;
  grip: Pick<HTMLAttributes<HTMLElement>, 'onKeyDown'>;
}

/** A dashboard card with its title, period, and amounts. */
export function DashboardCard(props: DashboardCardProps) {
  const { card, isDragged, place } = props;
  const { key } = card;
  const { title } = CARDS[key];
  const id = useId();
  const figures = useFigures(props);
  return (
    <section
      className="ek-card db-card"
      aria-labelledby={id}
      aria-busy={figures.isBusy}
      data-card={key}
      data-dragged={isDragged ? '' : undefined}
      style={{ order: place }}
    >
      <div className="ek-card-head db-head" {...props.head}>
        <button
          type="button"
          className="db-grip"
          aria-label={`Move ${title}`}
          title="Drag to move, or use the arrow keys"
          {...props.grip}
        >
          <IconGripVertical size={16} stroke={1.6} aria-hidden />
        </button>
        <h2 id={id}>
          <Title card={key} of={figures.cards[key]} />
        </h2>
        <Tip card={key} title={title} />
        {CARD_KINDS[key].isAsOf !== true && <Period title={title} choice={figures.choice} onChoose={props.onChoose} />}
        <button type="button" className="db-close" aria-label={`Close ${title}`} onClick={props.onClose}>
          <IconX size={14} stroke={1.8} aria-hidden />
        </button>
      </div>
      <div className="db-body">
        {body(
          figures,
          CARD_KINDS[key].body(figures.cards, { choosePlType: (plType) => props.onChoose({ pltype: plType }) }),
        )}
      </div>
    </section>
  );
}

/** The card's title, which links to the report with the same amounts and can also be used to drag the card. */
function Title({ card, of }: { card: CardKey; of: Cards[CardKey] }) {
  const { title } = CARDS[card];
  const { report } = CARD_KINDS[card];
  if (!useMay()('View Reports') || of === undefined) return title;
  return (
    <Link className="db-title" to={reportAddress(report, of)} title={`Open ${report.title}`} draggable={false}>
      {title}
    </Link>
  );
}

function body({ error, retry }: Figures, content: ReactNode): ReactNode {
  if (error !== undefined) return <ErrorState message={error} onRetry={retry} />;
  return content ?? <span className="db-wait" aria-hidden="true" />;
}

interface Figures {
  choice: CardChoice;
  /** The card's amounts for the selected period. While they load, shows the previous amounts. */
  cards: Cards;
  isBusy: boolean;
  error: string | undefined;
  retry: () => void;
}

/**
 * Returns the amounts from the combined response if its period matches, or the error of that response. Otherwise, loads
 * the card separately.
 */
function useFigures({ card, dashboard, error, onRetry }: DashboardCardProps): Figures {
  const { key } = card;
  const choice = choiceOf(card);
  const text = textOf(choice);
  const isSettled = useSettled(text, DEBOUNCE_MS) === text;
  const today = useToday();
  const failure = dashboard && failureOf(dashboard, key, text);
  const fits = dashboard !== undefined && isFor(dashboard.cards[key], choice);
  const isAnswered = fits || failure !== undefined;
  const own = useCard(key, choice, { today, enabled: dashboard !== undefined && !isAnswered && isSettled });
  const [isTrying, retry] = useTry(onRetry);
  if (fits) return { choice, cards: dashboard.cards, isBusy: false, error: undefined, retry };
  if (failure !== undefined) return { choice, cards: {}, isBusy: isTrying, error: failure, retry };
  if (dashboard === undefined) return { choice, cards: {}, isBusy: isTrying || error === undefined, error, retry };
  const cards = own.value[key] === undefined ? dashboard.cards : own.value;
  return {
    choice,
    cards,
    isBusy: !isSettled || own.isLoading || own.isStale,
    error: own.error,
    retry: () => void own.retry(),
  };
}

const textOf = ({ period, plType, range }: CardChoice): string => `${period} ${plType} ${range?.from} ${range?.to}`;

/**
 * Returns the error for a card from the combined response. Returns undefined if the response is for other card
 * settings.
 */
function failureOf({ failed, layout }: Dashboard, key: CardKey, text: string): string | undefined {
  const asked = layout.find((one) => one.key === key);
  if (asked === undefined || textOf(choiceOf(asked)) !== text) return undefined;
  return failed.find((one) => one.key === key)?.message;
}

/** Returns a retry function and whether the retry is running. */
function useTry(again: () => Promise<void>): [isTrying: boolean, retry: () => void] {
  const [isTrying, setTrying] = useState(false);
  const retry = () => {
    setTrying(true);
    void again().finally(() => setTrying(false));
  };
  return [isTrying, retry];
}

function isFor(figures: Cards[CardKey], { period, plType, range }: CardChoice): boolean {
  if (figures === undefined) return false;
  if ('pltype' in figures && figures.pltype !== plType) return false;
  if (range !== undefined && hasDates(figures) && (figures.from !== range.from || figures.to !== range.to))
    return false;
  return figures.periodType === null || figures.periodType === period;
}

const hasDates = ({ periodType }: NonNullable<Cards[CardKey]>): boolean => periodType !== null;

interface PeriodProps {
  title: string;
  choice: CardChoice;
  onChoose: (chosen: Chosen) => void;
}

/** The menu item for changing the dates while Custom is selected. */
const OTHER_DATES = 'Change dates...';

function Period({ title, choice: { period, range }, onChoose }: PeriodProps) {
  const [asks, setAsks] = useState(false);
  const select = useRef<HTMLSelectElement>(null);
  const choose = (value: string) => {
    const next = Number(value);
    if (next >= CUSTOM_PERIOD) setAsks(true);
    else onChoose({ periodType: next });
  };
  return (
    <span className="db-period">
      <span aria-hidden="true">
        {range === undefined ? cardPeriods[period] : `${shortDate(range.from)} – ${shortDate(range.to)}`}
      </span>
      <IconChevronDown size={14} stroke={1.8} aria-hidden />
      <select
        ref={select}
        aria-label={`Period for ${title}`}
        value={period}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {cardPeriods.map((name, each) => (
          <option key={name} value={each}>
            {name}
          </option>
        ))}
        {range !== undefined && <option value={cardPeriods.length}>{OTHER_DATES}</option>}
      </select>
      {asks && (
        <Suspense>
          <CustomPeriod
            title={title}
            range={range}
            onChoose={({ from, to }) => onChoose({ periodType: CUSTOM_PERIOD, startDate: from, endDate: to })}
            onClose={() => {
              setAsks(false);
              select.current?.focus();
            }}
          />
        </Suspense>
      )}
    </span>
  );
}

/**
 * The explanation for a card. It appears after 250 ms of hovering or focusing and disappears after 400 ms
 * (dashboard.css). Escape hides it immediately.
 */
function Tip({ card, title }: { card: CardKey; title: string }) {
  const id = useId();
  return (
    <span className="db-tip">
      <button
        type="button"
        aria-label={`About ${title}`}
        aria-describedby={id}
        onKeyDown={(event) => {
          if (isKey(event, 'close')) event.currentTarget.blur();
        }}
      >
        <IconInfoCircle size={15} stroke={1.6} aria-hidden />
      </button>
      <span className="db-tip-box" id={id} role="tooltip">
        {CARD_KINDS[card].about}
      </span>
    </span>
  );
}
