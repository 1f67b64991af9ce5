import './billing.css';
import { billingCalls, type BillingInvoice } from '@evenkeel/contract/billing';
import { formatDate } from '@evenkeel/core/dates';
import { billingStatuses } from '@evenkeel/core/invoice';
import { type Cents, cents, formatAmount, sum } from '@evenkeel/core/money';
import { useRead } from '../api.ts';
import { InvoiceBadge } from '../badges.tsx';
import { DocumentTotals } from '../documents/DocumentTotals.tsx';
import type { OpenRecord } from '../records/openRecord.ts';
import { RecordPanel } from '../records/RecordPanel.tsx';
import { useOne } from '../records/records.ts';
import { useMay } from '../session.ts';
import { Amount } from '../ui/show/Amount.tsx';
import { DateText } from '../ui/show/DateText.tsx';
import { Facts } from '../ui/show/Facts.tsx';
import { Figure } from '../ui/show/Figure.tsx';
import { NameLink } from '../ui/show/NameLink.tsx';
import { MiniTable } from '../ui/table/MiniTable.tsx';
import { CustomerLink } from './invoiceColumns.tsx';
import { INVOICES } from './records.ts';
import { useDeletion } from './useDeletion.tsx';
import { useInvoicePreview } from './useInvoicePreview.tsx';

export interface InvoicePanelProps {
  id: number;
  onClose: () => void;
  /** Open Billing Invoice. */
  onOpen: (invoiceId: number) => void;
  /** Opens a payment of the customer. */
  payment: OpenRecord;
}

/** The read-only side panel of a billing invoice (Specification part 1 §2). */
export function InvoicePanel({ id, onClose, onOpen, payment }: InvoicePanelProps) {
  const read = useOne(INVOICES, id);
  const manages = useMay()('Manage Billing');
  const deletion = useDeletion(INVOICES, { id, what: `invoice ${read.value?.invoiceNumber ?? ''}`, onDone: onClose });
  const preview = useInvoicePreview(read.value);
  const open = manages ? [{ label: 'Open Billing Invoice', onClick: () => onOpen(id) }] : [];
  return (
    <RecordPanel
      read={read}
      kind="Invoice"
      title={(invoice) => `Invoice ${invoice.invoiceNumber}`}
      beside={badgeOf}
      onClose={onClose}
      footer={{ actions: [preview.action, ...open], remove: manages ? deletion.action : undefined }}
    >
      {(invoice) => (
        <>
          {deletion.trouble}
          <Figure note={unpaidNote(invoice)}>
            <Amount value={invoice.openAmount} sign />
          </Figure>
          <InvoiceFacts invoice={invoice} />
          <Lines invoice={invoice} />
          <DocumentTotals
            subtotal={sum(invoice.lineItems.map((line) => line.lineItemAmount))}
            taxItems={invoice.taxItems}
            total={invoice.invoiceAmount}
          />
          {paidSoFar(invoice) !== 0 && <CustomerPayments customerId={invoice.customerId} payment={payment} />}
          {preview.panel}
        </>
      )}
    </RecordPanel>
  );
}

const badgeOf = (invoice: BillingInvoice) => <InvoiceBadge invoice={invoice} />;

function paidSoFar(invoice: BillingInvoice): Cents {
  return invoice.badge === 'Void' ? cents(0) : cents(invoice.invoiceAmount - invoice.openAmount);
}

function unpaidNote(invoice: BillingInvoice): string {
  if (invoice.openAmount === 0 && invoice.badge === 'Paid') return 'paid in full';
  return invoice.dueDate === null ? 'unpaid' : `unpaid, due ${formatDate(invoice.dueDate)}`;
}

function InvoiceFacts({ invoice }: { invoice: BillingInvoice }) {
  const { customerId, customerDisplayName, invoiceDate, dueDate, arBillingStatus } = invoice;
  const may = useMay()('View Customers');
  const status = billingStatuses.find((each) => each.id === arBillingStatus)?.displayName;
  return (
    <Facts
      facts={[
        { label: 'Customer', value: <CustomerLink may={may} id={customerId} name={customerDisplayName} /> },
        { label: 'Invoice Date', value: <DateText value={invoiceDate} /> },
        { label: 'Due Date', value: dueDate === null ? '–' : <DateText value={dueDate} /> },
        { label: 'Billing Status', value: status },
        { label: 'Paid so far', value: <Amount value={paidSoFar(invoice)} zero="dash" /> },
      ]}
    />
  );
}

type Line = BillingInvoice['lineItems'][number];

const lineText = (line: Line) => (
  <>
    {line.description}
    <div className="ek-muted ek-small ek-num">
      {line.quantity.toString()} × {formatAmount(line.itemPrice)}
      {line.taxable ? '' : ', not taxable'}
    </div>
  </>
);

function Lines({ invoice }: { invoice: BillingInvoice }) {
  return (
    <MiniTable<Line>
      columns={[
        { header: 'Line items', render: lineText },
        { header: 'Amount', right: true, render: (line) => <Amount value={line.lineItemAmount} /> },
      ]}
      rows={invoice.lineItems}
      keyOf={(line) => line.id}
    />
  );
}

/** The customer's newest payments: what stands on an invoice is found, opened and taken back from here. */
function CustomerPayments({ customerId, payment }: { customerId: number; payment: OpenRecord }) {
  const { data } = useRead(billingCalls.customerHistory, { params: { customerId } });
  const rows = (data ?? [])
    .filter((row) => row.kind === 'payment')
    .toSorted((a, b) => (a.historyDate < b.historyDate ? 1 : -1))
    .slice(0, 8);
  if (rows.length === 0) return null;
  return (
    <MiniTable<(typeof rows)[number]>
      columns={[
        {
          header: 'Payments of this customer',
          render: (row) => <NameLink {...payment.link(row.id)}>Payment {row.refNumber}</NameLink>,
        },
        { header: 'Date', className: 'ek-muted', render: (row) => <DateText value={row.historyDate} /> },
        { header: 'Amount', right: true, render: (row) => <Amount value={cents(Math.abs(row.amount))} /> },
      ]}
      rows={rows}
      keyOf={(row) => row.id}
    />
  );
}
