import './billing.css';
import { billingCalls, type BillingInvoice } from '@evenkeel/contract/billing';
import { formatDate } from '@evenkeel/core/dates';
import { billingStatuses } from '@evenkeel/core/invoice';
import { type Cents, cents, formatAmount, sum } from '@evenkeel/core/money';
import { useRead, useWrite } from '../api.ts';
import { useMay } from '../session.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { SidePanel } from '../ui/overlay/SidePanel.tsx';
import { Amount } from '../ui/show/Amount.tsx';
import { DateText } from '../ui/show/DateText.tsx';
import { ErrorState } from '../ui/show/EmptyState.tsx';
import { Facts } from '../ui/show/Facts.tsx';
import { Figure } from '../ui/show/Figure.tsx';
import { InvoiceBadge } from '../badges.tsx';
import { DocumentTotals } from '../documents/DocumentTotals.tsx';
import { useFiguresChanged, useInvoice } from './queries.ts';
import { RemoveTrouble } from './SaveTrouble.tsx';
import { useInvoicePreview } from './useInvoicePreview.tsx';
import { removeQuery, useRemove } from './useRemove.ts';

export interface InvoicePanelProps {
  invoiceId: number;
  onClose: () => void;
  /** Open Billing Invoice; absent: no such button. */
  onOpen?: ((invoiceId: number) => void) | undefined;
  /** The customer's name is a link with it. */
  onCustomer?: ((customerId: number) => void) | undefined;
  /** Opens a payment of the customer. */
  onPayment?: ((paymentId: number) => void) | undefined;
}

/** The read-only side panel of a billing invoice (Specification part 1 §2). */
export function InvoicePanel(props: InvoicePanelProps) {
  const { invoice, error, retry } = useInvoice(props.invoiceId);
  if (invoice !== undefined) return <Loaded key={invoice.id} {...props} invoice={invoice} />;
  return (
    <SidePanel title="Invoice" onClose={props.onClose}>
      {error === undefined ? <p role="status">Loading...</p> : <ErrorState message={error} onRetry={retry} />}
    </SidePanel>
  );
}

function Loaded(props: InvoicePanelProps & { invoice: BillingInvoice }) {
  const { invoice, onOpen } = props;
  const remove = useInvoiceRemove(invoice, props.onClose);
  const preview = useInvoicePreview(invoice);
  const manages = useMay()('Manage Billing');
  const open =
    manages && onOpen !== undefined ? [{ label: 'Open Billing Invoice', onClick: () => onOpen(invoice.id) }] : [];
  return (
    <SidePanel
      title={`Invoice ${invoice.invoiceNumber}`}
      beside={<InvoiceBadge invoice={invoice} />}
      onClose={props.onClose}
      footer={{ actions: [preview.action, ...open], remove: manages ? remove.action : undefined }}
    >
      <RemoveTrouble remove={remove} />
      <Figure note={unpaidNote(invoice)}>
        <Amount value={invoice.openAmount} sign />
      </Figure>
      <InvoiceFacts {...props} />
      <Lines invoice={invoice} />
      <DocumentTotals
        subtotal={sum(invoice.lineItems.map((line) => line.lineItemAmount))}
        taxItems={invoice.taxItems}
        total={invoice.invoiceAmount}
      />
      {paidSoFar(invoice) !== 0 && <CustomerPayments {...props} />}
      {preview.panel}
    </SidePanel>
  );
}

/** Two-step Delete of an invoice; also used by the Billing Entry modal. */
export function useInvoiceRemove(invoice: Pick<BillingInvoice, 'id' | 'invoiceNumber'>, onDone: () => void) {
  const write = useWrite(billingCalls.deleteInvoice);
  const changed = useFiguresChanged();
  const alerts = useAlerts();
  return useRemove({
    question: `Delete invoice ${invoice.invoiceNumber}?`,
    busy: write.isPending,
    send: (reason) => write.mutateAsync({ params: { id: invoice.id }, query: removeQuery(reason) }),
    onDone: () => {
      alerts.success(`Invoice ${invoice.invoiceNumber} deleted`);
      onDone();
      void changed();
    },
  });
}

function paidSoFar(invoice: BillingInvoice): Cents {
  return invoice.badge === 'Void' ? cents(0) : cents(invoice.invoiceAmount - invoice.openAmount);
}

function unpaidNote(invoice: BillingInvoice): string {
  if (invoice.openAmount === 0 && invoice.badge === 'Paid') return 'paid in full';
  return invoice.dueDate === null ? 'unpaid' : `unpaid, due ${formatDate(invoice.dueDate)}`;
}

function InvoiceFacts({ invoice, onCustomer }: InvoicePanelProps & { invoice: BillingInvoice }) {
  const customer =
    onCustomer === undefined ? (
      invoice.customerDisplayName
    ) : (
      <button type="button" className="ek-link" onClick={() => onCustomer(invoice.customerId)}>
        {invoice.customerDisplayName}
      </button>
    );
  const status = billingStatuses.find((each) => each.id === invoice.arBillingStatus)?.displayName;
  return (
    <Facts
      facts={[
        { label: 'Customer', value: customer },
        { label: 'Invoice Date', value: <DateText value={invoice.invoiceDate} /> },
        { label: 'Due Date', value: invoice.dueDate === null ? '–' : <DateText value={invoice.dueDate} /> },
        { label: 'Billing Status', value: status },
        { label: 'Paid so far', value: <Amount value={paidSoFar(invoice)} zero="dash" /> },
      ]}
    />
  );
}

function Lines({ invoice }: { invoice: BillingInvoice }) {
  return (
    <table className="ek-mini">
      <thead>
        <tr>
          <th scope="col">Line items</th>
          <th scope="col" data-right="">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {invoice.lineItems.map((line) => (
          <tr key={line.id}>
            <td>
              {line.description}
              <div className="ek-muted ek-small ek-num">
                {line.quantity.toString()} × {formatAmount(line.itemPrice)}
                {line.taxable ? '' : ', not taxable'}
              </div>
            </td>
            <td data-right="">
              <Amount value={line.lineItemAmount} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The customer's newest payments: what stands on an invoice is found, opened and taken back from here. */
function CustomerPayments({ invoice, onPayment }: InvoicePanelProps & { invoice: BillingInvoice }) {
  const { data } = useRead(billingCalls.customerHistory, { params: { customerId: invoice.customerId } });
  const payments = (data ?? [])
    .filter((row) => row.kind === 'payment')
    .toSorted((a, b) => (a.historyDate < b.historyDate ? 1 : -1))
    .slice(0, 8);
  if (onPayment === undefined || payments.length === 0) return null;
  return (
    <table className="ek-mini">
      <thead>
        <tr>
          <th scope="col">Payments of this customer</th>
          <th scope="col" data-right="">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {payments.map((row) => (
          <tr key={row.id}>
            <td>
              <button type="button" className="ek-link" onClick={() => onPayment(row.id)}>
                Payment {row.refNumber}
              </button>{' '}
              <span className="ek-muted">
                <DateText value={row.historyDate} />
              </span>
            </td>
            <td data-right="">
              <Amount value={cents(Math.abs(row.amount))} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
