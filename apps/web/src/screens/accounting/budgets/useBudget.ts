import { Budget, budgetCalls } from '@evenkeel/contract/budgets';
import { useQueryClient } from '@tanstack/react-query';
import { decode } from '@evenkeel/contract/wire';
import { useLayoutEffect, useRef, useState } from 'react';
import { ask, asKey, messageOf, send, useStale } from '../../../client/api.ts';
import { ApiError } from '../../../client/transport.ts';
import { useAlerts } from '../../../ui/alerts/Alerts.tsx';
import { useDraft } from '../../../ui/hooks/draft.ts';
import {
  afterSave,
  cellsIn,
  type Change,
  type Conflict,
  conflictsIn,
  Edits,
  type Pasted,
  rebased,
  withChanges,
  without,
} from './budgetGrid.ts';

/** The call for a budget. Without a year, it is the current fiscal year. */
export function budgetAsk({ year, profitCenterId }: { year: number | undefined; profitCenterId: number | null }) {
  return ask(budgetCalls.getBudget, {
    query: { ...(year === undefined ? {} : { year }), ...(profitCenterId === null ? {} : { profitCenterId }) },
  });
}

/** The number of changes that Undo remembers. */
const MOST_UNDO = 50;

/**
 * The unsaved months of a budget. They are kept on this device until they are saved. If another user has changed one of
 * them in the meantime, nothing is saved until the user has chosen an amount.
 */
export function useBudgetEdits(budget: Budget, asked: { year: number | undefined; profitCenterId: number | null }) {
  const client = useQueryClient();
  const stale = useStale();
  const alerts = useAlerts();
  const draft = useDraft<Edits>({
    name: `budget:${budget.year}:${budget.profitCenterId ?? 'all'}`,
    initial: {},
    read: (stored) => Edits.safeParse(stored).data,
  });
  const past = useRef<Edits[]>([]);
  const [told, setTold] = useState<readonly string[]>([]);
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const [busy, setBusy] = useState(false);
  const latest = useRef(draft.value);
  useLayoutEffect(() => {
    latest.current = draft.value;
  }, [draft.value]);
  const set = (next: Edits) => {
    if (Object.keys(next).length === 0) draft.clear(next);
    else draft.set(next);
  };
  const change = (changes: readonly Change[]) => {
    if (changes.length === 0) return;
    past.current = [...past.current.slice(1 - MOST_UNDO), draft.value];
    set(withChanges(budget, draft.value, changes));
  };
  const show = (newest: Budget) => client.setQueryData(asKey(budgetAsk(asked)), newest);
  const save = async () => {
    const sent = draft.value;
    const cells = cellsIn(budget, sent);
    if (busy || cells.length === 0) return;
    setBusy(true);
    try {
      const { year, profitCenterId } = budget;
      const saved = await send(ask(budgetCalls.saveBudget, { body: { year, profitCenterId, cells } }));
      show(saved);
      stale();
      past.current = [];
      setConflicts([]);
      setTold([]);
      set(afterSave(sent, latest.current));
      alerts.success('Budget saved');
    } catch (error) {
      const newest = newestIn(error);
      if (newest === undefined) alerts.error(messageOf(error));
      else {
        // With the newest amounts as a basis, saving again replaces them.
        setConflicts(conflictsIn(newest, latest.current));
        set(rebased(newest, latest.current));
        show(newest);
      }
    } finally {
      setBusy(false);
    }
  };
  return {
    edits: draft.value,
    count: Object.keys(draft.value).length,
    restored: draft.restored,
    busy,
    change,
    save,
    told,
    clearTold: () => setTold([]),
    paste: ({ changes, told: sentences }: Pasted) => {
      change(changes);
      setTold([...new Set(sentences)]);
    },
    undo: () => {
      const before = past.current.pop();
      if (before !== undefined) set(before);
    },
    discard: () => {
      past.current = [];
      setConflicts([]);
      setTold([]);
      set({});
    },
    conflicts,
    closeConflicts: () => setConflicts([]),
    /** Takes the amounts of the other user. */
    takeTheirs: () => {
      set(
        without(
          draft.value,
          conflicts.map(({ key }) => key),
        ),
      );
      setConflicts([]);
    },
  };
}
export type BudgetEdits = ReturnType<typeof useBudgetEdits>;

/** Returns the newest saved budget from the error for an outdated edit. */
function newestIn(error: unknown): Budget | undefined {
  if (!(error instanceof ApiError) || error.body.code !== 'stale') return undefined;
  const { current } = error.body;
  return current === undefined ? undefined : decode(Budget, current);
}
