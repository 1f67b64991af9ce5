import type { ExpenseInvoiceRow } from '@evenkeel/contract/expenses';
import { AMOUNT, OPEN_AMOUNT, statusColumn } from '../../parts/documents/list/documentColumns.tsx';
import { useMay } from '../../client/session.ts';
import { ApplyCreditById } from '../../parts/documents/payment/ApplyCredit.tsx';
import { DocumentScreen } from '../../parts/documents/list/DocumentScreen.tsx';
import { useOpenRecord } from '../../records/openRecord.ts';
import { DateText } from '../../ui/show/DateText.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { BillPanel } from './BillPanel.tsx';
import { ExpenseEntry } from './ExpenseEntry.tsx';
import { useScheduled } from '../../parts/scheduled/useScheduled.tsx';
import { BILLS, EXPENSES } from './records.ts';
import { ScheduledBill } from './ScheduledBill.tsx';
import { SCHEDULED_BILLS } from './scheduledForm.ts';

type Row = ExpenseInvoiceRow;

const openAmount = (row: Row) => row.openAmount;
const canPay = (row: Row): boolean => row.openAmount > 0;

const COLUMNS: readonly Column<Row>[] = [
  { id: 'dueDate', header: 'Due Date', kind: 'date', value: (row) => row.dueDate },
  statusColumn('badge', 'Status'),
  AMOUNT,
  OPEN_AMOUNT,
];

const detail = ({ dueDate, invoiceNumber }: Row) => (
  <>
    due <DateText value={dueDate} /> · <span title={invoiceNumber}>{invoiceNumber}</span>
  </>
);

const HINT = 'Schedule recurring bills, such as rent. Evenkeel creates each bill on its date.';

/** /expenses: open bills and vendor credits, next to the panel of the selected one. */
export function ExpensesScreen() {
  const scheduled = useScheduled(SCHEDULED_BILLS, { Entry: ScheduledBill, hint: HINT });
  const apply = useOpenRecord('apply', { hasNew: false });
  const manages = useMay()('Manage Expenses');
  return (
    <>
      <DocumentScreen
        title="Expenses"
        side={EXPENSES}
        kind={BILLS}
        parts={['overdue', 'credit']}
        canPay={canPay}
        columns={COLUMNS}
        phone={{ amount: openAmount, detail }}
        add="Add Expense"
        hint="Add the bills you receive. They stay here until they are paid."
        Panel={BillPanel}
        Entry={ExpenseEntry}
        takesFiles
        scheduled={scheduled}
      />
      {apply.id !== undefined && manages && (
        <ApplyCreditById key={apply.id} side={EXPENSES} records={BILLS} id={apply.id} onClose={apply.close} />
      )}
    </>
  );
}
