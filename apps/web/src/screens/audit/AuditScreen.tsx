import './audit.css';
import type { AuditEntry } from '@evenkeel/contract/audit';
import { authCalls } from '@evenkeel/contract/auth';
import { actWord, auditKindOf, auditKinds } from '@evenkeel/core/words/audit';
import { formatAmount } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { ask, inAlert, useRead } from '../../client/api.ts';
import { whoWords } from '../../records/History.tsx';
import { ListScreen } from '../../records/ListScreen.tsx';
import { useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { wholeList } from '../../records/reads.ts';
import { RecordPanel } from '../../records/RecordPanel.tsx';
import { useList } from '../../records/records.ts';
import { DateField } from '../../ui/fields/DateField.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { Chips } from '../../ui/page/Chips.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { WholeParts } from '../../ui/show/WholeParts.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { type MiniColumn, MiniTable } from '../../ui/table/MiniTable.tsx';
import type { PhoneRow } from '../../ui/table/RowList.tsx';
import {
  addressOf,
  askEntry,
  byWords,
  changesText,
  type Filters,
  filtersIn,
  logOf,
  narrowing,
  phoneSummaryOf,
  recordName,
  summaryOf,
  WORDS,
} from './audit.ts';
import { UndoChange } from './UndoChange.tsx';

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    id: 'at',
    header: 'When',
    value: (entry) => entry.at,
    render: (entry) => <MomentText value={entry.at} />,
    width: '184px',
    rank: 0,
  },
  { id: 'person', header: 'Who', value: whoWords, width: '184px', sortable: false },
  { id: 'action', header: 'What', value: (entry) => actWord(entry.action), width: '110px', sortable: false },
  {
    id: 'title',
    header: 'Record',
    value: recordName,
    render: (entry) => <RecordLink entry={entry} />,
    width: '24%',
    sortable: false,
  },
  {
    id: 'change',
    header: 'Change',
    value: (entry) => summaryOf(entry).join(''),
    render: (entry) => <WholeParts parts={summaryOf(entry)} />,
    sortable: false,
  },
];

/** An exported file includes who made each change and every changed field. */
const IN_FILES: readonly Column<AuditEntry>[] = [
  { id: 'id', header: 'Entry', value: (entry) => entry.id },
  { id: 'at', header: 'When (UTC)', value: (entry) => entry.at },
  { id: 'person', header: 'Who', value: whoWords },
  { id: 'by', header: 'By', value: byWords },
  { id: 'action', header: 'What', value: (entry) => actWord(entry.action) },
  { id: 'title', header: 'Record', value: recordName },
  { id: 'amount', header: 'Amount', kind: 'amount', value: (entry) => entry.amount },
  { id: 'reason', header: 'Reason', value: (entry) => entry.reason },
  { id: 'changes', header: 'Changes', value: changesText },
];

function RecordLink({ entry }: { entry: AuditEntry }) {
  const to = addressOf(entry);
  // Selecting the row opens the change, and this link opens the record.
  const isLost = entry.action === 'delete' && auditKindOf(entry.kind).of === undefined;
  if (to === undefined || isLost) return <>{recordName(entry)}</>;
  return (
    <Link to={to} onClick={(event) => event.stopPropagation()}>
      {recordName(entry)}
    </Link>
  );
}

const phoneRow = (entry: AuditEntry): PhoneRow => ({
  title: `${actWord(entry.action)} ${recordName(entry)}`,
  amount: entry.amount === null ? undefined : formatAmount(entry.amount),
  detail: <WholeParts parts={phoneSummaryOf(entry)} />,
  aside: (
    <span className="ek-muted">
      <MomentText value={entry.at} />
    </span>
  ),
});

/** The read-only audit log, newest first. Its filters are stored in the URL. */
export function AuditScreen() {
  const place = usePlace();
  const filters = filtersIn(place.query);
  const text = place.query.toString();
  // Memoized, so that the list is loaded again only when a filter changes.
  const log = useMemo(() => logOf(filtersIn(new URLSearchParams(text))), [text]);
  const open = useOpenRecord('change', { hasNew: false });
  return (
    <ListScreen<AuditEntry>
      title="Audit Log"
      read={useList(log)}
      words={WORDS}
      columns={COLUMNS}
      inFiles={IN_FILES}
      rowId={(entry) => String(entry.id)}
      sort="-at"
      search="Search Audit Log..."
      hint="Changes to your records appear here."
      chips={<FilterFields filters={filters} />}
      onOpen={(entry) => open.open(entry.id)}
      onEscape={open.close}
      selectedId={open.id === undefined ? undefined : String(open.id)}
      phoneRow={phoneRow}
      panel={open.id !== undefined && <ChangePanel key={open.id} id={open.id} onClose={open.close} />}
    />
  );
}

const KIND_OPTIONS = Object.entries(auditKinds)
  .map(([id, { label }]) => ({ id, label }))
  .toSorted((a, b) => a.label.localeCompare(b.label));

const PARTS = [
  { value: 'all', label: 'All' },
  { value: 'exceptions', label: 'Changes to closed books' },
] as const;

function FilterFields({ filters }: { filters: Filters }) {
  const place = usePlace();
  const narrow = narrowing(place);
  const users = useRead(ask(authCalls.listUsers, { query: {} }), inAlert('Error Loading Users'));
  const people = (wholeList(users.value) ?? []).map(({ id, displayName, email }) => {
    return { id, label: displayName === '' ? email : displayName };
  });
  const isNarrowed = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <Chips
        label="Log filters"
        chips={PARTS}
        value={filters.exceptions === undefined ? 'all' : 'exceptions'}
        onChange={(part) => narrow.exceptions(part === 'exceptions')}
      />
      <div className="au-filters">
        <Picker
          inRow
          label="Person"
          placeholder="Anyone"
          options={people}
          value={filters.person ?? null}
          onChange={narrow.number('person')}
          noneLabel="Anyone"
        />
        <Picker
          inRow
          label="Kind"
          placeholder="All types"
          options={KIND_OPTIONS}
          value={filters.kind ?? null}
          onChange={narrow.word('kind')}
          noneLabel="All types"
        />
        <DateField inRow label="From" placeholder="From" value={filters.from ?? null} onChange={narrow.word('from')} />
        <DateField inRow label="To" placeholder="To" value={filters.to ?? null} onChange={narrow.word('to')} />
        <MoneyField
          inRow
          label="Minimum amount"
          placeholder="Minimum"
          value={filters.least ?? null}
          onChange={narrow.amount('least')}
        />
        <MoneyField
          inRow
          label="Maximum amount"
          placeholder="Maximum"
          value={filters.most ?? null}
          onChange={narrow.amount('most')}
        />
        {/* The space is always reserved, so that the list doesn't move when this element appears or disappears. */}
        <Button variant="subtle" onClick={narrow.all} data-idle={isNarrowed ? undefined : ''}>
          Clear filters
        </Button>
      </div>
    </>
  );
}

type Changed = AuditEntry['changes'][number];
const FIELD: MiniColumn<Changed> = { header: 'Field', className: 'au-field', render: ({ field }) => field };
const BEFORE: MiniColumn<Changed> = { header: 'Before', render: ({ before }) => <s className="ek-muted">{before}</s> };
const AFTER: MiniColumn<Changed> = { header: 'After', render: ({ after }) => after };

/** A created or deleted record has only one value for each field. */
function columnsOf({ changes }: AuditEntry): MiniColumn<Changed>[] {
  const has = (side: 'before' | 'after') => changes.some((change) => change[side] !== null);
  return [FIELD, ...(has('before') ? [BEFORE] : []), ...(has('after') ? [AFTER] : [])];
}

/** The details of a change: who made it, when, how, and why, with the old and new value of every field. */
function ChangePanel({ id, onClose }: { id: number; onClose: () => void }) {
  const read = useRead(askEntry(id), { alert: 'Error Loading Audit Log' });
  const place = usePlace();
  return (
    <RecordPanel
      read={read}
      kind="Change"
      title={(entry) => `${actWord(entry.action)} ${recordName(entry)}`}
      onClose={onClose}
    >
      {(entry) => (
        <div className="ek-stack">
          <Facts
            facts={[
              { label: 'When', value: <MomentText value={entry.at} /> },
              { label: 'Who', value: whoWords(entry) },
              { label: 'By', value: byWords(entry) },
              { label: 'Record', value: <RecordLink entry={entry} /> },
              ...(entry.reason === null ? [] : [{ label: 'Reason', value: entry.reason }]),
              { label: 'Entry', value: `Entry ${entry.id.toLocaleString('en-US')} in the log` },
            ]}
          />
          <MiniTable
            label="Changes"
            className="au-changes"
            columns={columnsOf(entry)}
            rows={entry.changes.map((change, at) => ({ ...change, at }))}
            keyOf={(change) => change.at}
          />
          <div>
            <Button variant="default" onClick={() => place.go({ kind: entry.kind, record: entry.recordId })}>
              All changes to this record
            </Button>
          </div>
          {entry.canUndo && <UndoChange entry={entry} onDone={onClose} />}
        </div>
      )}
    </RecordPanel>
  );
}
