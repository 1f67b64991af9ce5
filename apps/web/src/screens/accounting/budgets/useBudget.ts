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

/** The budget in the URL. */
export interface Asked {
  /** Undefined for the current fiscal year. */
  year: number | undefined;
  /** Null for all profit centers, and 0 for amounts without a profit center. */
  profitCenterId: number | null;
}

/** The call for a budget. Without a year, the call reads the current fiscal year. */
export function budgetAsk({ year, profitCenterId }: Asked) {
  return ask(budgetCalls.getBudget, {
    query: { ...(year === undefined ? {} : { year }), ...(profitCenterId === null ? {} : { profitCenterId }) },
  });
}

/** The maximum number of changes that can be undone. */
const MOST_UNDO = 50;

/**
 * The unsaved months of a budget, which are kept on this device until they are saved. If another user has changed one
 * of the months in the meantime, nothing is saved until the user has chosen an amount.
 */
export function useBudgetEdits(budget: Budget, asked: Asked) {
  const draft = useDraft<Edits>({
    name: `budget:${budget.year}:${budget.profitCenterId ?? 'all'}`,
    initial: {},
    read: (stored) => Edits.safeParse(stored).data,
  });
  const past = useRef<Edits[]>([]);
  const [told, setTold] = useState<readonly string[]>([]);
  const set = (next: Edits) => {
    if (Object.keys(next).length === 0) draft.clear(next);
    else draft.set(next);
  };
  const forget = () => {
    past.current = [];
    setTold([]);
  };
  const saving = useSaving({ budget, asked, edits: draft.value, onEdits: set, onSaved: forget });
  const change = (changes: readonly Change[]) => {
    if (changes.length === 0) return;
    past.current = [...past.current.slice(1 - MOST_UNDO), draft.value];
    set(withChanges(budget, draft.value, changes));
  };
  return {
    ...saving,
    edits: draft.value,
    count: Object.keys(draft.value).length,
    change,
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
      forget();
      saving.closeConflicts();
      set({});
    },
  };
}
export type BudgetEdits = ReturnType<typeof useBudgetEdits>;

interface Saving {
  budget: Budget;
  asked: Asked;
  edits: Edits;
  onEdits: (edits: Edits) => void;
  onSaved: () => void;
}

/** Saves the unsaved months, and lists the months that another user has changed. */
function useSaving({ budget, asked, edits, onEdits, onSaved }: Saving) {
  const client = useQueryClient();
  const stale = useStale();
  const alerts = useAlerts();
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const [busy, setBusy] = useState(false);
  const latest = useRef(edits);
  useLayoutEffect(() => {
    latest.current = edits;
  }, [edits]);
  const show = (newest: Budget) => client.setQueryData(asKey(budgetAsk(asked)), newest);
  const save = async () => {
    const cells = cellsIn(budget, edits);
    if (busy || cells.length === 0) return;
    setBusy(true);
    try {
      const { year, profitCenterId } = budget;
      const saved = await send(ask(budgetCalls.saveBudget, { body: { year, profitCenterId, cells } }));
      show(saved);
      stale();
      onSaved();
      setConflicts([]);
      onEdits(afterSave(edits, latest.current));
      alerts.success('Budget saved');
    } catch (error) {
      const newest = newestIn(error);
      if (newest === undefined) alerts.error(messageOf(error));
      else {
        // The changes are now based on the newest amounts, so saving again replaces those amounts.
        setConflicts(conflictsIn(newest, latest.current));
        onEdits(rebased(newest, latest.current));
        show(newest);
      }
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    save,
    conflicts,
    closeConflicts: () => setConflicts([]),
    /** Uses the other user's amounts. */
    takeTheirs: () => {
      const keys = conflicts.map(({ key }) => key);
      onEdits(without(edits, keys));
      setConflicts([]);
    },
  };
}

/** Returns the newest saved budget from the error for an outdated edit. */
function newestIn(error: unknown): Budget | undefined {
  if (!(error instanceof ApiError) || error.body.code !== 'stale') return undefined;
  const { current } = error.body;
  return current === undefined ? undefined : decode(Budget, current);
}
