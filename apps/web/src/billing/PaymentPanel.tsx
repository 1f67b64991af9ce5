import './billing.css';
import { billingCalls, type BillingPayment } from '@evenkeel/contract/billing';
import { formatDate } from '@evenkeel/core/dates';
import { useWrite } from '../api.ts';
import { useMay } from '../session.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { SidePanel } from '../ui/overlay/SidePanel.tsx';
import { Amount } from '../ui/show/Amount.tsx';
import { DateText } from '../ui/show/DateText.tsx';
import { ErrorState } from '../ui/show/EmptyState.tsx';
import { Facts } from '../ui/show/Facts.tsx';
import { Figure } from '../ui/show/Figure.tsx';
import { depositLabel } from './deposits.ts';
import { depositKey } from './paymentForm.ts';
import { useFiguresChanged, usePayment, usePaymentChoices } from './queries.ts';
import { RemoveTrouble } from './SaveTrouble.tsx';
import { removeQuery, useRemove } from './useRemove.ts';

export interface PaymentPanelProps {
  paymentId: number;
  onClose: () => void;
  /** Open Billing Payment; absent: no such button. */
  onOpen?: ((paymentId: number) => void) | undefined;
  /** Paid invoices are links with it. */
  onInvoice?: ((invoiceId: number) => void) | undefined;
  /** The customer's name is a link with it. */
  onCustomer?: ((customerId: number) => void) | undefined;
}

/** The read-only side panel of a customer payment (Specification part 1 §2). */
export function PaymentPanel(props: PaymentPanelProps) {
  const { payment, error, retry } = usePayment(props.paymentId);
  if (payment !== undefined) return <Loaded key={payment.id} {...props} payment={payment} />;
  return (
    <SidePanel title="Payment" onClose={props.onClose}>
      {error === undefined ? <p role="status">Loading...</p> : <ErrorState message={error} onRetry={retry} />}
    </SidePanel>
  );
}

function Loaded(props: PaymentPanelProps & { payment: BillingPayment }) {
  const { payment, onOpen } = props;
  const remove = usePaymentRemove(payment, props.onClose);
  const manages = useMay()('Manage Billing');
  const footer = {
    ...(onOpen === undefined
      ? {}
      : { actions: [{ label: 'Open Billing Payment', onClick: () => onOpen(payment.id) }] }),
    remove: remove.action,
  };
  return (
    <SidePanel title={`Payment ${payment.paymentNumber}`} onClose={props.onClose} footer={manages ? footer : undefined}>
      <RemoveTrouble remove={remove} />
      <Figure note={`received ${formatDate(payment.paymentDate)}`}>
        <Amount value={payment.paymentAmount} sign />
      </Figure>
      <PaymentFacts {...props} />
      <PaidInvoices {...props} />
    </SidePanel>
  );
}

/** Two-step Delete of a payment; its invoices are open again. */
export function usePaymentRemove(payment: Pick<BillingPayment, 'id' | 'paymentNumber'>, onDone: () => void) {
  const write = useWrite(billingCalls.deletePayment);
  const changed = useFiguresChanged();
  const alerts = useAlerts();
  return useRemove({
    question: `Delete payment ${payment.paymentNumber}?`,
    busy: write.isPending,
    send: (reason) => write.mutateAsync({ params: { id: payment.id }, query: removeQuery(reason) }),
    onDone: () => {
      alerts.success(`Payment ${payment.paymentNumber} deleted`);
      onDone();
      void changed();
    },
  });
}

function PaymentFacts({ payment, onCustomer }: PaymentPanelProps & { payment: BillingPayment }) {
  const choices = usePaymentChoices();
  const type = choices.types.find((one) => one.id === payment.paymentTypeId)?.displayName;
  const customer =
    onCustomer === undefined ? (
      payment.customerDisplayName
    ) : (
      <button type="button" className="ek-link" onClick={() => onCustomer(payment.customerId)}>
        {payment.customerDisplayName}
      </button>
    );
  const facts = [
    { label: 'Customer', value: customer },
    { label: 'Payment Date', value: <DateText value={payment.paymentDate} /> },
    { label: 'Payment Type', value: type ?? '–' },
    { label: 'Ref Number', value: payment.paymentRefNo || '–' },
    { label: 'Check Number', value: payment.paymentCheckNo },
    { label: 'Deposit Account', value: depositLabel(choices, depositKey(payment)) },
    { label: 'Description', value: payment.paymentDescription },
    { label: 'Remaining credit', value: <Amount value={payment.unappliedAmount} zero="dash" /> },
  ];
  return <Facts facts={facts.filter((fact) => fact.value !== '')} />;
}

function PaidInvoices({ payment, onInvoice }: PaymentPanelProps & { payment: BillingPayment }) {
  if (payment.paymentApplications.length === 0) return <p className="ek-muted">Not applied to an invoice yet.</p>;
  return (
    <table className="ek-mini">
      <thead>
        <tr>
          <th scope="col">Paid invoices</th>
          <th scope="col" data-right="">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {payment.paymentApplications.map((each) => (
          <tr key={each.invoiceId}>
            <td>
              {onInvoice === undefined ? (
                each.invoiceDescription
              ) : (
                <button type="button" className="ek-link" onClick={() => onInvoice(each.invoiceId)}>
                  {each.invoiceDescription}
                </button>
              )}
            </td>
            <td data-right="">
              <Amount value={each.amount} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
