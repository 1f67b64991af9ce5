import type { GlEntry } from '@evenkeel/contract/ledger';
import { formatDate } from '@evenkeel/core/dates';
import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { FilterBox } from '../../ui/page/FilterBox.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { NOTHING } from '@evenkeel/core/nothing';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import type { PhoneRow } from '../../ui/table/RowList.tsx';
import { useSelection } from '../../ui/table/useSelection.tsx';
import { amountOf, wholeAmount } from './reconcileForm.ts';

export interface EntryTicksProps {
  /** `Receivables` or `Payables`. */
  label: string;
  entries: readonly GlEntry[];
  ticked: readonly number[];
  /**
   * `on` contains the IDs of entries that are now cleared, and `off` contains the IDs of entries that are no longer
   * cleared.
   */
  onTick: (on: readonly number[], off: readonly number[]) => void;
  isReadOnly: boolean;
}

const COLUMNS: readonly Column<GlEntry>[] = [
  { id: 'postingDate', header: 'Post Date', kind: 'date', value: (one) => one.postingDate },
  { id: 'number', header: 'Reference', value: (one) => one.number ?? '', width: '140px', quiet: true },
  { id: 'description', header: 'Description', value: descriptionOf },
  { id: 'amount', header: 'Amount', kind: 'amount', value: (one) => wholeAmount(amountOf(one)), total: 'sum' },
];

/** Includes the entry's customer or vendor, if it has one. */
function descriptionOf({ entityName, description }: GlEntry): string {
  return entityName === '' || description.includes(entityName) ? description : `${entityName} – ${description}`;
}

const phoneRow = (one: GlEntry): PhoneRow => ({
  title: descriptionOf(one),
  amount: <Amount value={wholeAmount(amountOf(one))} />,
  detail: [formatDate(one.postingDate), one.number ?? NOTHING].join(' · '),
});

const WORDS = { one: 'entry', many: 'entries' };
const SUMS = ['amount'];
const rowId = ({ glid }: GlEntry): string => String(glid);

/** The entries on one side. The user marks entries as cleared with Space, Shift+Space for a range, or a click. */
export function EntryTicks({ label, entries, ticked, onTick, isReadOnly }: EntryTicksProps) {
  const [filter, setFilter] = useState('');
  const ids = useMemo(() => ticked.map(String), [ticked]);
  const onChange = (next: readonly string[]) => {
    const on = new Set(next);
    const own = entries.map(rowId);
    onTick(own.filter((id) => on.has(id)).map(Number), own.filter((id) => !on.has(id)).map(Number));
  };
  const selection = useSelection<GlEntry>({
    rows: entries,
    columns: COLUMNS,
    rowId,
    filter,
    words: WORDS,
    sums: SUMS,
    kept: { ids, onChange },
  });
  const every = entries.map(({ glid }) => glid);
  return (
    <>
      <div className="ek-filter-row">
        <FilterBox placeholder={`Filter ${label}...`} value={filter} onChange={setFilter} />
        {!isReadOnly && (
          <div className="bk-ticks">
            <Button variant="subtle" onClick={() => onTick(every, [])}>
              Select all
            </Button>
            <Button variant="subtle" onClick={() => onTick([], every)}>
              Clear
            </Button>
          </div>
        )}
      </div>
      <DataTable<GlEntry>
        label={label}
        columns={COLUMNS}
        rows={entries}
        rowId={rowId}
        filter={filter}
        defaultSort={{ id: 'postingDate' }}
        selection={isReadOnly ? undefined : selection}
        phoneRow={phoneRow}
        empty={{
          title: `No ${label.toLowerCase()}`,
          hint: 'There are no entries to reconcile through the statement date.',
        }}
        count={(count) => `${count} ${count === 1 ? WORDS.one : WORDS.many}`}
      />
    </>
  );
}
