import './billing.css';
import type { BillingPayment } from '@evenkeel/contract/billing';
import { formatDate } from '@evenkeel/core/dates';
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
import { depositLabel } from './deposits.ts';
import { CustomerLink } from './invoiceColumns.tsx';
import { depositKey } from './paymentForm.ts';
import { usePaymentChoices } from './queries.ts';
import { PAYMENTS } from './records.ts';
import { useDeletion } from './useDeletion.tsx';

export interface PaymentPanelProps {
  id: number;
  onClose: () => void;
  /** Open Billing Payment. */
  onOpen: (paymentId: number) => void;
  /** Opens a paid invoice. */
  invoice: OpenRecord;
}

/** The read-only side panel of a customer payment (Specification part 1 §2). */
export function PaymentPanel({ id, onClose, onOpen, invoice }: PaymentPanelProps) {
  const read = useOne(PAYMENTS, id);
  const manages = useMay()('Manage Billing');
  const deletion = useDeletion(PAYMENTS, { id, what: `payment ${read.value?.paymentNumber ?? ''}`, onDone: onClose });
  const open = { label: 'Open Billing Payment', onClick: () => onOpen(id) };
  return (
    <RecordPanel
      read={read}
      kind="Payment"
      title={(payment) => `Payment ${payment.paymentNumber}`}
      onClose={onClose}
      footer={manages ? { actions: [open], remove: deletion.action } : undefined}
    >
      {(payment) => (
        <>
          {deletion.trouble}
          <Figure note={`received ${formatDate(payment.paymentDate)}`}>
            <Amount value={payment.paymentAmount} sign />
          </Figure>
          <PaymentFacts payment={payment} />
          <PaidInvoices payment={payment} invoice={invoice} />
        </>
      )}
    </RecordPanel>
  );
}

function PaymentFacts({ payment }: { payment: BillingPayment }) {
  const choices = usePaymentChoices();
  const may = useMay()('View Customers');
  const type = choices.types.find((one) => one.id === payment.paymentTypeId)?.displayName;
  const customer = <CustomerLink may={may} id={payment.customerId} name={payment.customerDisplayName} />;
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

type Application = BillingPayment['paymentApplications'][number];

function PaidInvoices({ payment, invoice }: { payment: BillingPayment; invoice: OpenRecord }) {
  const rows = payment.paymentApplications;
  if (rows.length === 0) return <p className="ek-muted">Not applied to an invoice yet.</p>;
  const link = (each: Application) => <NameLink {...invoice.link(each.invoiceId)}>{each.invoiceDescription}</NameLink>;
  return (
    <MiniTable<Application>
      columns={[
        { header: 'Paid invoices', render: link },
        { header: 'Amount', right: true, render: (each) => <Amount value={each.amount} /> },
      ]}
      rows={rows}
      keyOf={(each) => each.invoiceId}
    />
  );
}
