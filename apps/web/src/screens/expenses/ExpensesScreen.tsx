import type { ExpenseInvoiceRow } from '@evenkeel/contract/expenses';
import {
  AMOUNT,
  entityColumn,
  numberColumn,
  payColumn,
  phoneRowOf,
  type RowLinks,
  statusColumn,
} from '../../parts/documents/documentColumns.tsx';
import { DocumentScreen } from '../../parts/documents/DocumentScreen.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { BillPanel } from './BillPanel.tsx';
import { ExpenseEntry } from './ExpenseEntry.tsx';
import { BILLS, EXPENSES } from './records.ts';

type Row = ExpenseInvoiceRow;

const canPay = (row: Row): boolean => row.openAmount > 0;

/** Post Payment, Invoice Number, Vendor, Due Date, its state, Amount, Unpaid Amount. */
const columnsOf = ({ invoice, onPay }: RowLinks<Row>): readonly Column<Row>[] => [
  ...payColumn(onPay, canPay),
  numberColumn(invoice),
  entityColumn(EXPENSES),
  { id: 'dueDate', header: 'Due Date', kind: 'date', value: (row) => row.dueDate },
  statusColumn('badge', 'Status'),
  AMOUNT,
  {
    id: 'openAmount',
    header: 'Unpaid Amount',
    kind: 'amount',
    value: (row) => row.openAmount,
    total: 'sum',
    width: '130px',
  },
];

const phoneRow = ({ onPay }: RowLinks<Row>) =>
  phoneRowOf<Row>({
    onPay,
    canPay,
    amount: (row) => row.openAmount,
    detail: (row) => (
      <>
        due <DateText value={row.dueDate} /> · <span title={row.invoiceNumber}>{row.invoiceNumber}</span>
      </>
    ),
  });

/** /expenses: bills with an open amount beside the panel of one. */
export function ExpensesScreen() {
  return (
    <DocumentScreen
      title="Expenses"
      side={EXPENSES}
      kind={BILLS}
      columnsOf={columnsOf}
      phoneRowOf={phoneRow}
      add="Add Expense"
      hint="Add what vendors bill you: an invoice stays here until it is paid."
      Panel={BillPanel}
      Entry={ExpenseEntry}
    />
  );
}
