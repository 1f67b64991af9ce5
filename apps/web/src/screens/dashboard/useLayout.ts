import {
  type CardLayout,
  type Dashboard,
  dashboardCalls,
  type FirstStep,
  FirstSteps,
  WaitingWork,
} from '@evenkeel/contract/dashboard';
import { type CardKey, CARDS, type CardSettings, moveCard, wholeLayout } from '@evenkeel/core/cards';
import { hashKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import * as z from 'zod';
import { isClearNo, messageOf, onNetwork } from '../../client/api.ts';
import { call } from '../../client/transport.ts';
import { useMay } from '../../client/session.ts';
import { alerts } from '../../ui/alerts/store.ts';
import { readLocal, writeLocal } from '../../ui/hooks/localState.ts';
import { DASHBOARD } from './queries.ts';

/** Local storage keys: order and visibility, and what is chosen on the cards. */
const CARDS_KEY = 'dashboardCards';
const SETTINGS_KEY = 'dashboardCardSettings';

/** The choices on a card, by the names of its settings. */
export type Chosen = Partial<Record<'periodType' | 'pltype' | 'startDate' | 'endDate', number | string>>;

/** The dashboard as this device knows it before the server has answered. */
export interface Remembered {
  layout: CardSettings[];
  firstSteps: readonly FirstStep[];
  waiting: readonly WaitingWork[];
}

/** The dashboard kept by `remember`; undefined where there is none that can be read. */
export function recall(): Remembered | undefined {
  try {
    const kept: unknown = JSON.parse(readLocal(CARDS_KEY) ?? '');
    const chosen: unknown = JSON.parse(readLocal(SETTINGS_KEY) ?? '{}');
    if (!isDictionary(kept) || !Array.isArray(kept['cards']) || !isDictionary(chosen)) return undefined;
    const cards = kept['cards'].filter(isCard).map((card) => ({ ...card, settings: settingsOf(chosen[card.key]) }));
    return { layout: wholeLayout(cards), ...stepsOf(kept) };
  } catch {
    return undefined;
  }
}

function isDictionary(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isCard(value: unknown): value is Pick<CardLayout, 'key' | 'visible' | 'order'> {
  if (!isDictionary(value)) return false;
  return (
    typeof value['key'] === 'string' && typeof value['visible'] === 'boolean' && typeof value['order'] === 'number'
  );
}

function settingsOf(value: unknown): CardLayout['settings'] {
  const pairs = isDictionary(value) ? Object.entries(value) : [];
  return pairs.map(([settingName, chosen]) => ({ settingName, settingValue: String(chosen) }));
}

type Steps = Pick<Remembered, 'firstSteps' | 'waiting'>;

const NO_STEPS: Steps = { firstSteps: [], waiting: [] };
const Steps = z.object({ firstSteps: FirstSteps, waiting: z.array(WaitingWork) });

/** None of an earlier version's device. */
function stepsOf(value: unknown): Steps {
  const tried = Steps.safeParse(value);
  return tried.success ? tried.data : NO_STEPS;
}

export function remember({ layout, firstSteps, waiting }: Remembered): void {
  const cards = layout.map(({ key, visible, order }) => ({ key, visible, order }));
  const chosen = layout.map(({ key, settings }) => [
    key,
    Object.fromEntries(settings.map(({ settingName, settingValue }) => [settingName, settingValue])),
  ]);
  writeLocal(CARDS_KEY, JSON.stringify({ cards, firstSteps, waiting }));
  writeLocal(SETTINGS_KEY, JSON.stringify(Object.fromEntries(chosen)));
}

/**
 * The cards in their order, and what changes them. The server's layout holds; what is changed here stands at once, is
 * saved one after the other, the last one surely, and holds until the server has answered with it. If nothing is known
 * and the server failed, the cards stand in their first order and say so.
 */
export function useLayout(dashboard: Dashboard | undefined, isFailed: boolean) {
  const may = useMay();
  const answered = useMemo(() => {
    if (dashboard === undefined) return undefined;
    const { layout, firstSteps, waiting } = dashboard;
    return { layout: wholeLayout(layout), firstSteps, waiting };
  }, [dashboard]);
  const [known] = useState(recall);
  const [edited, setEdited] = useState<CardSettings[]>();
  const save = useSaved(() => setEdited(undefined));
  const { firstSteps, waiting } = answered ?? known ?? NO_STEPS;
  const adopted = useOtherTab(answered);
  const layout = edited ?? adopted ?? answered?.layout ?? known?.layout ?? (isFailed ? wholeLayout([]) : undefined);
  useEffect(() => {
    if (answered !== undefined) remember({ ...answered, layout: edited ?? answered.layout });
  }, [answered, edited]);
  const change = (next: CardSettings[]) => {
    setEdited(next);
    remember({ layout: next, firstSteps, waiting });
    save(next);
  };
  const cards = (layout ?? []).filter(({ key }) => CARDS[key].areas.some((area) => may(`View ${area}`)));
  const patched = (key: CardKey, patch: (card: CardSettings) => Partial<CardSettings>) =>
    change((layout ?? []).map((card) => (card.key === key ? { ...card, ...patch(card) } : card)));
  return {
    /** Those that the person may view; undefined until they are known. */
    cards: layout === undefined ? undefined : cards,
    /** As this device knows them until the server has answered: no card moves then. */
    firstSteps,
    waiting,
    show: (key: CardKey, visible: boolean) => patched(key, () => ({ visible })),
    /** The cards named, in this order. */
    arrange: (keys: readonly CardKey[]) => {
      const placeOf = new Map(keys.map((key, index) => [key, index - keys.length]));
      change(wholeLayout((layout ?? []).map((card) => ({ ...card, order: placeOf.get(card.key) ?? card.order }))));
    },
    move: (key: CardKey, to: CardKey) => change(moveCard(layout ?? [], key, to)),
    choose: (key: CardKey, chosen: Chosen) =>
      patched(key, ({ settings }) => ({
        settings: [
          ...settings.filter((one) => !(one.settingName in chosen)),
          ...Object.entries(chosen).map(([settingName, value]) => ({ settingName, settingValue: String(value) })),
        ],
      })),
    reset: () => change(wholeLayout([])),
  };
}

/**
 * The layout as another tab of this browser changed it, until the server answers anew: a change here is added to it
 * instead of taking it back.
 */
function useOtherTab(answered: object | undefined): CardSettings[] | undefined {
  const [adopted, setAdopted] = useState<{ layout: CardSettings[]; since: object | undefined }>();
  useEffect(() => {
    const listening = new AbortController();
    const adopt = ({ key }: StorageEvent) => {
      if (key?.endsWith(CARDS_KEY) !== true && key?.endsWith(SETTINGS_KEY) !== true) return;
      const layout = recall()?.layout;
      setAdopted(layout && { layout, since: answered });
    };
    window.addEventListener('storage', adopt, { signal: listening.signal });
    return () => listening.abort();
  }, [answered]);
  return adopted?.since === answered ? adopted?.layout : undefined;
}

/** Layouts are sent one after the other, by whichever part of the screen. */
const SCOPE = { id: 'dashboardCards' };

/**
 * Saves layouts one after the other, of those that wait the last; then reads the dashboard as it is now. One that could
 * not be saved goes again when the network is back or the dashboard has been read; one that is refused is taken back.
 */
function useSaved(onSettled: () => void): (layout: CardSettings[]) => void {
  const client = useQueryClient();
  /** The layout to be kept; `isFailed`: sending it has failed; `isTold`: that was told. */
  const last = useRef<{ layout: CardSettings[]; isFailed: boolean; isTold: boolean }>(undefined);
  const isLast = (layout: CardSettings[]) => last.current?.layout === layout;
  const settle = async (layout: CardSettings[], isRefused: boolean) => {
    last.current = { layout, isFailed: false, isTold: false };
    await client.invalidateQueries({ queryKey: DASHBOARD });
    const isRead = client.getQueryState(DASHBOARD)?.isInvalidated === false;
    if (isLast(layout) && (isRefused || isRead)) onSettled();
  };
  const { mutate } = useMutation({
    scope: SCOPE,
    // A layout that was changed while it waited is not sent: the next one holds it.
    mutationFn: async (body: CardSettings[]) => {
      if (isLast(body)) await call(dashboardCalls.saveDashboardCards, { body });
    },
    onSuccess: (_, layout) => {
      if (isLast(layout)) void settle(layout, false);
    },
    onError: (error, layout) => {
      if (!isLast(layout)) return;
      if (isClearNo(error)) {
        alerts.error(`Your cards could not be saved, so nothing changed: ${messageOf(error)}`);
        return void settle(layout, true);
      }
      const words = 'Your cards could not be saved. Evenkeel will try again later.';
      if (last.current?.isTold !== true) alerts.error(words);
      last.current = { layout, isFailed: true, isTold: true };
    },
  });
  const whole = hashKey(DASHBOARD);
  useEffect(() => {
    const again = () => {
      if (last.current?.isFailed !== true) return;
      last.current.isFailed = false;
      mutate(last.current.layout);
    };
    const stop = onNetwork(again);
    const ignore = client.getQueryCache().subscribe((event) => {
      if (event.query.queryHash !== whole || event.type !== 'updated') return;
      if (event.action.type === 'success') again();
    });
    return () => {
      stop();
      ignore();
    };
  }, [client, mutate, whole]);
  return (layout) => {
    last.current = { layout, isFailed: false, isTold: last.current?.isTold === true };
    mutate(layout);
  };
}
