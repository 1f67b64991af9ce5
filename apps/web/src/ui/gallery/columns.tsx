import { IconCashBanknote } from '@tabler/icons-react';
import { Amount } from '../show/Amount.tsx';
import { DateText } from '../show/DateText.tsx';
import { ICON } from '../show/icons.ts';
import { Status } from '../show/Status.tsx';
import type { Column } from '../table/columns.ts';
import type { PhoneRow } from '../table/RowList.tsx';
import type { SampleInvoice } from './samples.ts';

const pay = (row: SampleInvoice) => (
  <button type="button" className="ek-icon-btn" aria-label={`Post Payment for invoice ${row.number}`}>
    <IconCashBanknote {...ICON} />
  </button>
);

export const SAMPLE_COLUMNS: readonly Column<SampleInvoice>[] = [
  { id: 'pay', header: 'Post Payment', kind: 'action', render: pay },
  {
    id: 'number',
    header: 'Invoice Number',
    value: (row) => row.number,
    width: '150px',
    render: (row) => (
      <button type="button" className="ek-link ek-num">
        {row.number}
      </button>
    ),
  },
  { id: 'customer', header: 'Customer', value: (row) => row.customer },
  {
    id: 'status',
    header: 'Billing Status',
    kind: 'status',
    value: (row) => row.status,
    render: (row) => <Status look={row.look}>{row.status}</Status>,
  },
  { id: 'date', header: 'Invoice Date', kind: 'date', value: (row) => row.date },
  { id: 'amount', header: 'Amount', kind: 'amount', value: (row) => row.amount, total: 'sum' },
];

export const SHORT_COLUMNS = SAMPLE_COLUMNS.filter((column) => ['number', 'customer', 'amount'].includes(column.id));

export const samplePhoneRow = (row: SampleInvoice): PhoneRow => ({
  lead: pay(row),
  title: row.customer,
  amount: <Amount value={row.amount} />,
  detail: (
    <>
      {row.number} · <DateText value={row.date} />
    </>
  ),
  aside: <Status look={row.look}>{row.status}</Status>,
});

export const sampleId = (row: SampleInvoice): string => row.number;
