import { type Cards, dashboardCalls } from '@evenkeel/contract/dashboard';
import type { ReplyOf } from '@evenkeel/contract/endpoint';
import { type CardKey, type CardSettings, chosenOn, customRange } from '@evenkeel/core/cards';
import { type DateRange, formatDate, type IsoDate } from '@evenkeel/core/dates';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type Ask, asKey, ask, messageOf, useAsk } from '../../client/api.ts';
import { useLoadAlert } from '../../records/reads.ts';

/** Specification part 2 §9. */
const REFRESH_MS = 60_000;

type Answer = ReplyOf<typeof dashboardCalls.getDashboard>;

const whole = ask(dashboardCalls.getDashboard, { query: {} });
export const DASHBOARD = asKey(whole);

/** The answer that is known stands when the server says that nothing has changed: then nothing is drawn again. */
function askedOf(client: QueryClient): Ask<Answer> {
  const read = async (signal: AbortSignal): Promise<Answer> => {
    const known = client.getQueryData<Answer>(DASHBOARD);
    if (known === undefined) return whole.read(signal);
    const next = await ask(dashboardCalls.getDashboard, { query: { version: known.version } }).read(signal);
    return next.dashboard === null ? known : next;
  };
  return { ...whole, read };
}

/** All figures of the start page: one small answer, whatever the size of the books; undefined while it loads. */
export function useDashboard() {
  const read = useAsk(askedOf(useQueryClient()), { everyMs: REFRESH_MS });
  const error = useLoadAlert(read.error, 'Error Loading Dashboard');
  return { dashboard: read.data?.dashboard ?? undefined, error, retry: async () => void (await read.refetch()) };
}

/** When the figures were last asked for, epoch milliseconds; 0 before the first answer. */
export function useUpdatedAt(): number {
  return useAsk(askedOf(useQueryClient()), { enabled: false }).dataUpdatedAt;
}

/** What is chosen on a card. */
export interface CardChoice {
  period: number;
  plType: number;
  /** Of the period Custom. */
  range: DateRange | undefined;
}

/** What is chosen on a card, as it is asked for. */
export function choiceOf(card: Pick<CardSettings, 'settings'>): CardChoice {
  return { period: chosenOn(card, 'periodType'), plType: chosenOn(card, 'pltype'), range: customRange(card) };
}

/** One card by its own call (Specification part 2 §7): while another period is chosen than that of the whole answer. */
export function useCard(
  key: CardKey,
  { period, plType, range }: CardChoice,
  { today, enabled }: { today: IsoDate; enabled: boolean },
) {
  const start = range && { paramType: 1, paramName: 'startdate', paramvalue: formatDate(range.from) };
  const reportParams = [
    ...(start === undefined ? [] : [start]),
    { paramType: 1, paramName: 'reportdate', paramvalue: formatDate(range?.to ?? today) },
    { paramType: 3, paramName: 'periodType', paramvalue: period },
    { paramType: 3, paramName: 'pltype', paramvalue: plType },
  ];
  const read = useAsk(ask(dashboardCalls[key], { body: { reportParams } }), { enabled, keep: true });
  const cards: Cards = read.data === undefined ? {} : { [key]: read.data };
  return {
    cards,
    isBusy: read.isFetching,
    error: read.error === null ? undefined : messageOf(read.error),
    retry: async () => void (await read.refetch()),
  };
}
