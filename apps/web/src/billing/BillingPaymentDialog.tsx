import './billing.css';
import { type BillingPayment, billingCalls } from '@evenkeel/contract/billing';
import { formatUsd, negate, ZERO } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../api.ts';
import { LoadedModal, RecordModal } from '../records/RecordModal.tsx';
import { useOne } from '../records/records.ts';
import { InlineAlert } from '../ui/alerts/InlineAlert.tsx';
import { keptWords } from '../ui/hooks/draft.ts';
import { Choice } from '../ui/show/Choice.tsx';
import { ErrorState } from '../ui/show/EmptyState.tsx';
import { Applications } from './Applications.tsx';
import { filled, paymentSums, withApplied } from './paymentForm.ts';
import { PaymentHead } from './PaymentHead.tsx';
import { INVOICES, PAYMENTS } from './records.ts';
import type { PayFor } from './useBillingPlace.ts';
import { type PaymentEntry, type PaymentEntryOptions, usePaymentEntry } from './usePaymentEntry.ts';

export interface BillingPaymentDialogProps {
  pay: PayFor;
  onClose: () => void;
  onPosted: (payment: BillingPayment) => void;
  /** Goes over to another payment, to use its credit. */
  onOther: (paymentId: number) => void;
  /** Back To Invoice; absent: no such button. */
  onBackToInvoice?: (() => void) | undefined;
}

/** The Add Billing Payment dialog (Specification part 1 §2): of a posted payment, a customer, or an invoice. */
export function BillingPaymentDialog(props: BillingPaymentDialogProps) {
  const { pay, onClose } = props;
  const idOf = (kind: PayFor['kind']) => (pay.kind === kind ? pay.id : 0);
  const payment = useOne(PAYMENTS, idOf('payment'));
  const invoice = useOne(INVOICES, idOf('invoice'));
  const modal = { title: TITLE, size: 'xl' as const, onClose };
  return (
    <LoadedModal {...modal} id={idOf('payment')} read={payment}>
      {(saved) => (
        <LoadedModal {...modal} id={idOf('invoice')} read={invoice}>
          {(paid) => <PaymentModal {...props} saved={saved} invoice={paid} />}
        </LoadedModal>
      )}
    </LoadedModal>
  );
}

const TITLE = 'Add Billing Payment';

function PaymentModal(props: BillingPaymentDialogProps & Omit<PaymentEntryOptions, 'onSaved'>) {
  const { pay, saved, invoice, onClose, onPosted, onBackToInvoice } = props;
  const entry = usePaymentEntry({ pay, saved, invoice, onSaved: onPosted });
  const { form } = entry;
  const back = onBackToInvoice === undefined ? [] : [{ label: 'Back To Invoice', onClick: onBackToInvoice }];
  return (
    <RecordModal
      form={form}
      title={saved === undefined ? TITLE : `Billing Payment ${saved.paymentNumber}`}
      size="xl"
      beside={
        <span className="ek-muted ek-small bl-kept" role="status">
          {keptWords(form.savedAt)}
        </span>
      }
      onClose={onClose}
      footer={{
        primary: { label: 'Post Payment', onClick: entry.post, busy: form.busy },
        actions: back,
        total: <Sums entry={entry} />,
      }}
    >
      <PaymentHead entry={entry} saved={saved} />
      {saved === undefined && <CreditLeft entry={entry} onOther={props.onOther} />}
      <OpenInvoicesPart entry={entry} />
    </RecordModal>
  );
}

/** Credit left on an earlier payment is offered (decisions: Billing); it is applied by editing that payment. */
function CreditLeft({ entry, onOther }: { entry: PaymentEntry; onOther: (paymentId: number) => void }) {
  const { customerId } = entry.payment;
  const { data } = useRead(
    billingCalls.customerHistory,
    { params: { customerId: customerId ?? 0 } },
    { enabled: customerId !== null },
  );
  const credit = (data ?? []).find((row) => row.kind === 'payment' && row.balance !== 0);
  if (customerId === null || credit === undefined || entry.open.length === 0) return null;
  const amount = formatUsd(credit.balance < 0 ? negate(credit.balance) : credit.balance);
  return (
    <InlineAlert kind="Info" action={{ label: 'Apply it', run: () => onOther(credit.id) }}>
      {`Payment ${credit.refNumber} of this customer has ${amount} credit left.`}
    </InlineAlert>
  );
}

type View = 'summary' | 'detail';
const VIEWS: readonly { value: View; label: string }[] = [
  { value: 'summary', label: 'Application Summary' },
  { value: 'detail', label: 'Application Detail' },
];

function OpenInvoicesPart({ entry }: { entry: PaymentEntry }) {
  const [view, setView] = useState<View>('summary');
  const { payment, open, invoices, form } = entry;
  if (payment.customerId === null) return <p className="ek-muted">Choose a customer to see what is open.</p>;
  if (invoices.error !== undefined) return <ErrorState message={invoices.error} onRetry={invoices.retry} />;
  if (invoices.open === undefined) return <p role="status">Loading...</p>;
  return (
    <div>
      <div className="bl-apply-head">
        <Choice label="Application view" labelHidden options={VIEWS} value={view} onChange={setView} />
        <Button variant="subtle" onClick={() => form.patch({ applied: {} })}>
          Clear
        </Button>
        <Button variant="default" onClick={() => form.onChange(filled(payment, open))}>
          Fill in list order
        </Button>
      </div>
      <Applications
        form={payment}
        open={open}
        detail={view === 'detail'}
        onApply={(invoice, amount) => form.onChange(withApplied(payment, invoice, amount))}
      />
    </div>
  );
}

/** Amount, what is applied, what stays as credit. */
function Sums({ entry }: { entry: PaymentEntry }) {
  const { applied, count, credit } = paymentSums(entry.payment, entry.open);
  const over = credit < 0;
  return (
    <dl className="bl-sums">
      <div>
        <dt>Amount</dt>
        <dd>{formatUsd(entry.payment.amount ?? ZERO)}</dd>
      </div>
      <div>
        <dt>
          Applied to {count} {count === 1 ? 'invoice' : 'invoices'}
        </dt>
        <dd>−{formatUsd(applied)}</dd>
      </div>
      <div>
        <dt>{over ? 'Applied too much' : 'Remaining credit'}</dt>
        <dd data-good={credit > 0 ? '' : undefined} data-bad={over ? '' : undefined}>
          {formatUsd(over ? negate(credit) : credit)}
        </dd>
      </div>
    </dl>
  );
}
