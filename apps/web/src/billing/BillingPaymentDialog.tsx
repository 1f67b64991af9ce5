import './billing.css';
import { type BillingPayment, billingCalls } from '@evenkeel/contract/billing';
import { type Cents, formatUsd, negate, ZERO } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useRead } from '../api.ts';
import { StaleChoice } from '../records/StaleChoice.tsx';
import { InlineAlert } from '../ui/alerts/InlineAlert.tsx';
import { AppModal } from '../ui/overlay/AppModal.tsx';
import { Choice } from '../ui/show/Choice.tsx';
import { ErrorState } from '../ui/show/EmptyState.tsx';
import { FormErrorSummary } from '../ui/show/FormErrorSummary.tsx';
import { Applications } from './Applications.tsx';
import { keptWords } from '../ui/hooks/draft.ts';
import { filled, paymentSums, withApplied } from './paymentForm.ts';
import { PaymentHead } from './PaymentHead.tsx';
import { usePayment } from './queries.ts';
import { ClosingReason } from './SaveTrouble.tsx';
import { type PaymentEntry, type PostedPayment, usePaymentEntry } from './usePaymentEntry.ts';

export interface BillingPaymentDialogProps {
  /** 0 or absent: a new payment. */
  paymentId?: number | undefined;
  /** Preselected on a new payment. */
  customerId?: number | undefined;
  /** The invoice to pay: its open amount is prefilled and applied to it. */
  invoice?: { id: number; openAmount: Cents } | undefined;
  onClose: () => void;
  onPosted?: ((payment: PostedPayment) => void) | undefined;
  /** Back To Invoice; absent: no such button. */
  onBackToInvoice?: (() => void) | undefined;
}

/** The Add Billing Payment dialog (Specification part 1 §2); needs nothing around it but a session. */
export function BillingPaymentDialog(props: BillingPaymentDialogProps) {
  const { onClose } = props;
  const [paymentId, setPaymentId] = useState(props.paymentId ?? 0);
  const { payment, error } = usePayment(paymentId);
  useEffect(() => {
    if (error !== undefined && payment === undefined) onClose();
  }, [error, payment, onClose]);
  if (paymentId > 0 && payment === undefined) {
    return (
      <p role="status" className="ek-vh">
        Loading...
      </p>
    );
  }
  return <PaymentModal key={paymentId} {...props} saved={payment} onOther={setPaymentId} />;
}

interface PaymentModalProps extends BillingPaymentDialogProps {
  saved: BillingPayment | undefined;
  /** Goes over to another payment, to use its credit. */
  onOther: (paymentId: number) => void;
}

function PaymentModal(props: PaymentModalProps) {
  const { onClose, onPosted, onBackToInvoice } = props;
  const [saved] = useState(props.saved);
  const entry = usePaymentEntry({ saved, customerId: props.customerId, invoice: props.invoice });
  const post = async () => {
    const payment = await entry.post();
    if (payment === undefined) return;
    onClose();
    onPosted?.(payment);
  };
  const back = onBackToInvoice === undefined ? [] : [{ label: 'Back To Invoice', onClick: onBackToInvoice }];
  return (
    <AppModal
      opened
      onClose={onClose}
      title={saved === undefined ? 'Add Billing Payment' : `Billing Payment ${saved.paymentNumber}`}
      size="xl"
      beside={
        <span className="ek-muted ek-small bl-kept" role="status">
          {keptWords(entry.draft.savedAt)}
        </span>
      }
      dirty={entry.draft.dirty}
      onDiscard={entry.discard}
      footer={{
        primary: { label: 'Post Payment', onClick: () => void post(), busy: entry.busy },
        actions: back,
        total: <Sums entry={entry} />,
      }}
    >
      <div className="ek-stack">
        <PaymentTrouble entry={entry} />
        <PaymentHead entry={entry} saved={saved} />
        {saved === undefined && <CreditLeft entry={entry} onOther={props.onOther} />}
        <OpenInvoicesPart entry={entry} />
      </div>
    </AppModal>
  );
}

function PaymentTrouble({ entry }: { entry: PaymentEntry }) {
  const { theirs, asksReason } = entry.trouble;
  return (
    <>
      <FormErrorSummary problems={entry.problems.map((message) => ({ message }))} />
      {theirs !== undefined && (
        <StaleChoice onTheirs={() => entry.takeTheirs(theirs)} onMine={() => entry.keepMine(theirs)} />
      )}
      {asksReason && <ClosingReason value={entry.reason} onChange={entry.setReason} />}
    </>
  );
}

/** Credit left on an earlier payment is offered (decisions: Billing); it is applied by editing that payment. */
function CreditLeft({ entry, onOther }: { entry: PaymentEntry; onOther: (paymentId: number) => void }) {
  const { customerId } = entry.form;
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
  const { form, open, invoices, draft } = entry;
  if (form.customerId === null) return <p className="ek-muted">Choose a customer to see what is open.</p>;
  if (invoices.error !== undefined) return <ErrorState message={invoices.error} onRetry={invoices.retry} />;
  if (invoices.open === undefined) return <p role="status">Loading...</p>;
  return (
    <div>
      <div className="bl-apply-head">
        <Choice label="Application view" labelHidden options={VIEWS} value={view} onChange={setView} />
        <Button variant="subtle" onClick={() => draft.set({ ...form, applied: {} })}>
          Clear
        </Button>
        <Button variant="default" onClick={() => draft.set(filled(form, open))}>
          Fill in list order
        </Button>
      </div>
      <Applications
        form={form}
        open={open}
        detail={view === 'detail'}
        onApply={(invoice, amount) => draft.set(withApplied(form, invoice, amount))}
      />
    </div>
  );
}

/** Amount, what is applied, what stays as credit. */
function Sums({ entry }: { entry: PaymentEntry }) {
  const { applied, count, credit } = paymentSums(entry.form, entry.open);
  const over = credit < 0;
  return (
    <dl className="bl-sums">
      <div>
        <dt>Amount</dt>
        <dd>{formatUsd(entry.form.amount ?? ZERO)}</dd>
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
