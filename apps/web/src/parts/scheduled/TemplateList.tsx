import type { TemplateRow } from '@evenkeel/contract/scheduled';
import { addDays, formatDate } from '@evenkeel/core/dates';
import { formatUsd, sum } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { type OpenRecord, useAddressSort } from '../../records/openRecord.ts';
import { useList } from '../../records/records.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { counted } from '../../ui/show/words.ts';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import type { PhoneRow } from '../../ui/table/RowList.tsx';
import { comingSoon, MAKES_WORDS, ruleWords, STATES, stateWords, type AnyTemplates } from './templates.ts';

function columnsOf(open: OpenRecord): readonly Column<TemplateRow>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      value: (row) => row.name,
      render: (row) => <NameLink {...open.link(row.id)}>{row.name}</NameLink>,
    },
    { id: 'every', header: 'Every', value: (row) => ruleWords(row.schedule) },
    { id: 'nextDate', header: 'Next', kind: 'date', value: (row) => row.nextDate, width: '110px' },
    { id: 'makes', header: 'Makes', value: (row) => MAKES_WORDS[row.makes], width: '84px' },
    {
      id: 'state',
      header: 'State',
      value: stateWords,
      render: (row) => <Status look={STATES[row.state].look}>{stateWords(row)}</Status>,
      width: '120px',
    },
    { id: 'amount', header: 'Amount', kind: 'amount', value: (row) => row.amount, width: '120px' },
  ];
}

const phoneRow = (row: TemplateRow): PhoneRow => ({
  title: row.name,
  amount: <Amount value={row.amount} />,
  detail: (
    <>
      {ruleWords(row.schedule)}
      {row.nextDate !== null && (
        <>
          , next <DateText value={row.nextDate} />
        </>
      )}
    </>
  ),
  aside: <Status look={STATES[row.state].look}>{stateWords(row)}</Status>,
});

const BY_NAME = { id: 'name' };
const rowId = ({ id }: TemplateRow): string => String(id);

interface TemplateListProps {
  kind: Pick<AnyTemplates, 'list' | 'words'>;
  open: OpenRecord;
  filter: string;
  onAdd: (() => void) | undefined;
  hint: string;
}

/** The schedules, sorted by name, followed by the documents that are due in the next 30 days. */
export function TemplateList({ kind, open, filter, onAdd, hint }: TemplateListProps) {
  const { value, error, retry } = useList<TemplateRow>(kind);
  const columns = useMemo(() => columnsOf(open), [open]);
  const today = useToday();
  const note = (rows: readonly TemplateRow[]): string => {
    const { count, amount } = comingSoon(rows, today);
    const until = formatDate(addDays(today, 30));
    return `${count.toLocaleString('en-US')} more through ${until}: ${formatUsd(sum(amount))}`;
  };
  return (
    <DataTable<TemplateRow>
      label="Scheduled"
      columns={columns}
      rows={value}
      rowId={rowId}
      {...useAddressSort(BY_NAME)}
      filter={filter}
      error={error}
      onRetry={retry}
      onOpen={(row) => open.open(row.id)}
      onEscape={open.close}
      selectedId={open.id === undefined ? undefined : String(open.id)}
      count={(rows) => counted(rows, kind.words)}
      note={note}
      empty={{
        title: 'No schedules',
        hint,
        action: onAdd === undefined ? undefined : <Button onClick={onAdd}>Add Schedule</Button>,
      }}
      phoneRow={phoneRow}
    />
  );
}
