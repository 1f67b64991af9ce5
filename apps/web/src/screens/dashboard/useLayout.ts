import {
  type CardLayout,
  type Dashboard,
  dashboardCalls,
  type FirstStep,
  FirstSteps,
  WaitingWork,
} from '@evenkeel/contract/dashboard';
import { type CardKey, CARDS, type CardSettings, moveCard, wholeLayout } from '@evenkeel/core/cards';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import * as z from 'zod';
import { ask, cacheHash, isClearNo, messageOf, onNetwork, send } from '../../client/api.ts';
import { useMay } from '../../client/session.ts';
import { alerts } from '../../ui/alerts/store.ts';
import { readLocal, writeLocal } from '../../ui/hooks/localState.ts';
import { DASHBOARD } from './queries.ts';

/** The local storage keys for the order and visibility of cards, and for their settings. */
const CARDS_KEY = 'dashboardCards';
const SETTINGS_KEY = 'dashboardCardSettings';

/** A card's settings, by their API names. */
export type Chosen = Partial<Record<'periodType' | 'pltype' | 'startDate' | 'endDate', number | string>>;

/** The dashboard as stored on this device until the server responds. */
export interface Remembered {
  layout: CardSettings[];
  firstSteps: readonly FirstStep[];
  waiting: readonly WaitingWork[];
}

/** Returns the dashboard stored by `remember`, or undefined if no valid dashboard is stored. */
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

/** Returns no steps if an earlier version of the app stored the dashboard without them. */
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
 * Manages the cards, their order, and their settings. The server's layout is authoritative. Changes appear immediately,
 * and stay until the server returns them. They are saved one by one, and the last one is always saved. If nothing is
 * stored and the server fails, the cards appear in their default order with an error.
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
    /** The cards that the user can see, or undefined if not yet known. */
    cards: layout === undefined ? undefined : cards,
    /** Taken from this device until the server responds, so that no card moves. */
    firstSteps,
    waiting,
    show: (key: CardKey, visible: boolean) => patched(key, () => ({ visible })),
    /** Arranges the given cards in this order. */
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
 * Returns the layout changed in another tab of this browser, until the server responds again. Changes here then add to
 * that layout instead of reverting it.
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

/** All parts of the screen send layouts through one queue, one by one. */
const SCOPE = { id: 'dashboardCards' };

/**
 * Saves layouts one by one, skips all pending layouts except the last, and then reloads the dashboard. A layout that
 * could not be saved is sent again when the connection is restored or the dashboard has loaded. A rejected layout is
 * reverted.
 */
function useSaved(onSettled: () => void): (layout: CardSettings[]) => void {
  const client = useQueryClient();
  /** The layout to save. `isFailed` means that sending it has failed, and `isTold` that the user has seen the error. */
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
    // A pending layout that has since been changed isn't sent, because the next layout includes its changes.
    mutationFn: async (body: CardSettings[]) => {
      if (isLast(body)) await send(ask(dashboardCalls.saveDashboardCards, { body }));
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
  const whole = cacheHash(DASHBOARD);
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
