import { type Cards, dashboardCalls } from '@evenkeel/contract/dashboard';
import type { ReplyOf } from '@evenkeel/contract/endpoint';
import { type CardKey, type CardSettings, chosenOn, customRange } from '@evenkeel/core/cards';
import { type DateRange, formatDate, type IsoDate } from '@evenkeel/core/dates';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type Ask, asKey, ask, type Read, useRead, useReadAt } from '../../client/api.ts';

/** The interval between reads of the dashboard, in ms. */
const REFRESH_MS = 60_000;

type Answer = ReplyOf<typeof dashboardCalls.getDashboard>;

const whole = ask(dashboardCalls.getDashboard, { query: {} });
export const DASHBOARD = asKey(whole);

/** If the server says that nothing has changed, the known response stays the same object and nothing renders again. */
function askedOf(client: QueryClient): Ask<Answer> {
  const read = async (signal: AbortSignal): Promise<Answer> => {
    const known = client.getQueryData<Answer>(DASHBOARD);
    if (known === undefined) return whole.read(signal);
    const next = await ask(dashboardCalls.getDashboard, { query: { version: known.version } }).read(signal);
    return next.dashboard === null ? known : next;
  };
  return { ...whole, read };
}

/** Loads all dashboard amounts in one small response, regardless of the size of the books. Undefined while loading. */
export function useDashboard() {
  const told = { everyMs: REFRESH_MS, alert: 'Error Loading Dashboard' };
  const { value, ...read } = useRead(askedOf(useQueryClient()), told);
  return { ...read, value: value?.dashboard ?? undefined };
}

/** Returns the time of the last read in epoch milliseconds, or 0 before the first response. */
export function useUpdatedAt(): number {
  return useReadAt(askedOf(useQueryClient()));
}

/** The settings of a card. */
export interface CardChoice {
  period: number;
  plType: number;
  /** The dates of a Custom period. */
  range: DateRange | undefined;
}

/** Returns a card's settings in the format of its API call. */
export function choiceOf(card: Pick<CardSettings, 'settings'>): CardChoice {
  return { period: chosenOn(card, 'periodType'), plType: chosenOn(card, 'pltype'), range: customRange(card) };
}

const NO_CARDS: Cards = {};

/** Loads one card separately if its period differs from the combined response's period. */
export function useCard(
  key: CardKey,
  { period, plType, range }: CardChoice,
  { today, enabled }: { today: IsoDate; enabled: boolean },
): Read<Cards> & { value: Cards } {
  const start = range && { paramType: 1, paramName: 'startdate', paramvalue: formatDate(range.from) };
  const reportParams = [
    ...(start === undefined ? [] : [start]),
    { paramType: 1, paramName: 'reportdate', paramvalue: formatDate(range?.to ?? today) },
    { paramType: 3, paramName: 'periodType', paramvalue: period },
    { paramType: 3, paramName: 'pltype', paramvalue: plType },
  ];
  const { value, ...read } = useRead(ask(dashboardCalls[key], { body: { reportParams } }), { enabled, keep: true });
  return { ...read, value: value === undefined ? NO_CARDS : { [key]: value } };
}
