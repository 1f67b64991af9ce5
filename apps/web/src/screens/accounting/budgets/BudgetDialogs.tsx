import { type Budget, budgetCalls } from '@evenkeel/contract/budgets';
import { budgetYearName } from '@evenkeel/core/books/budgets';
import { useState } from 'react';
import { ask, messageOf, useReadNow } from '../../../client/api.ts';
import { useBooksSettings } from '../../../parts/choices/booksSettings.ts';
import { Picker } from '../../../ui/fields/Picker.tsx';
import { SwitchField } from '../../../ui/fields/SwitchField.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { AppModal } from '../../../ui/overlay/AppModal.tsx';
import { Choice } from '../../../ui/show/Choice.tsx';
import {
  budgeted,
  type Change,
  changePercent,
  copyAmounts,
  type Edits,
  lastActuals,
  monthsIn,
  type Range,
} from './budgetGrid.ts';

interface DialogProps {
  budget: Budget;
  edits: Edits;
  onChange: (changes: readonly Change[]) => void;
  onClose: () => void;
}

/** The largest change that makes sense, in percent. */
const MOST_PERCENT = 1000;

/**
 * Parses a percentage, such as `3` or `-2.5%`. Empty text means 0. Returns undefined if the text isn't a percentage.
 */
export function readPercent(text: string): number | undefined {
  const plain = text.replace(/[%\s]/g, '').replace('−', '-');
  if (plain === '') return 0;
  const percent = /^[+-]?\d{1,4}(\.\d{1,3})?$/.test(plain) ? Number(plain) : undefined;
  return percent === undefined || percent < -100 || percent > MOST_PERCENT ? undefined : percent;
}

const PERCENT_ERROR = 'Please enter a percentage';

/** Copies actual amounts or another year's budget into the grid, increased or decreased by a percentage. */
export function CopyDialog({ budget, edits, onChange, onClose }: DialogProps) {
  const { fyStartMonth } = useBooksSettings();
  const readNow = useReadNow();
  const nameOf = (year: number) => budgetYearName(year, fyStartMonth);
  // Every budget includes the previous year's actual amounts. An earlier year's actual amounts therefore come from the
  // following year's budget.
  const sources = [
    ...[1, 2].map((before) => ({
      id: `actual ${budget.year - before}`,
      label: `Actual amounts for ${nameOf(budget.year - before)}`,
      year: budget.year - before + 1,
      take: lastActuals,
    })),
    ...budget.years
      .filter(({ year }) => year !== budget.year)
      .map(({ year, name }) => ({ id: `budget ${year}`, label: `${name} Budget`, year, take: budgeted })),
  ];
  const [from, setFrom] = useState<string>(sources[0]?.id ?? '');
  const [percent, setPercent] = useState('');
  const [onlyEmpty, setOnlyEmpty] = useState(false);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const grow = readPercent(percent);
  const copy = async () => {
    const source = sources.find(({ id }) => id === from);
    if (source === undefined || grow === undefined) return;
    setBusy(true);
    try {
      const { profitCenterId } = budget;
      const query = { year: source.year, ...(profitCenterId === null ? {} : { profitCenterId }) };
      const other = source.year === budget.year ? budget : await readNow(ask(budgetCalls.getBudget, { query }));
      const changes = copyAmounts(budget, edits, { from: source.take(other), percent: grow, onlyEmpty });
      if (changes.length === 0) return setError('The source has no amounts to copy');
      onChange(changes);
      onClose();
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <AppModal
      opened
      title="Copy From Actuals"
      onClose={onClose}
      size="sm"
      enterSaves
      footer={{
        error,
        actions: [{ label: 'Cancel', quiet: true, onClick: onClose }],
        primary: { label: 'Copy', onClick: () => void copy(), busy, disabled: grow === undefined },
      }}
    >
      <div className="ek-stack">
        <Picker
          label="From"
          options={sources}
          value={from}
          onChange={(id) => setFrom(id ?? from)}
          hint="The amounts are rounded to whole dollars. Save the budget to keep them."
        />
        <TextField
          label="Change by Percent"
          hint="Optional. For example, 3 raises the amounts and -3 lowers them."
          value={percent}
          onChange={setPercent}
          error={grow === undefined ? PERCENT_ERROR : undefined}
          maxLength={10}
        />
        <SwitchField label="Only months without a budget" value={onlyEmpty} onChange={setOnlyEmpty} />
      </div>
    </AppModal>
  );
}

/** Increases or decreases the whole budget or the selected cells by a percentage. */
export function PercentDialog({ budget, edits, range, onChange, onClose }: DialogProps & { range: Range }) {
  const selected = monthsIn(budget, range);
  const isRange = selected.length > 1;
  const [scope, setScope] = useState<'all' | 'range'>(isRange ? 'range' : 'all');
  const [percent, setPercent] = useState('');
  const [error, setError] = useState<string>();
  const grow = readPercent(percent);
  const apply = () => {
    if (grow === undefined || grow === 0) return setError(PERCENT_ERROR);
    const all = budget.rows.flatMap((row) => budget.months.map((_, at) => ({ row, at })));
    const changes = changePercent(budget, edits, { cells: scope === 'range' ? selected : all, percent: grow });
    if (changes.length === 0) return setError('The selection has no amounts to change');
    onChange(changes);
    onClose();
  };
  return (
    <AppModal
      opened
      title="Change by Percent"
      onClose={onClose}
      size="sm"
      enterSaves
      footer={{
        actions: [{ label: 'Cancel', quiet: true, onClick: onClose }],
        primary: { label: 'Change', onClick: apply },
      }}
    >
      <div className="ek-stack">
        {isRange && (
          <Choice
            label="Months"
            options={[
              { value: 'range', label: 'Selected cells' },
              { value: 'all', label: 'Whole budget' },
            ]}
            value={scope}
            onChange={setScope}
          />
        )}
        <TextField
          label="Percent"
          hint="3 raises the amounts and -3 lowers them. The new amounts are rounded to whole dollars."
          value={percent}
          onChange={(text) => {
            setPercent(text);
            setError(undefined);
          }}
          error={error ?? (grow === undefined ? PERCENT_ERROR : undefined)}
          maxLength={10}
          autoFocus
        />
      </div>
    </AppModal>
  );
}
