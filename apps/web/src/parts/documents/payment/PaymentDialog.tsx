import '../documents.css';
import { bankingCalls } from '@evenkeel/contract/banking';
import type { OpenDocument } from '@evenkeel/contract/subledger';
import { formatAmount, formatUsd, negate, ZERO } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ask, useRead } from '../../../client/api.ts';
import { AttachmentPane, AttachmentTabs } from '../../attachments/AttachmentTabs.tsx';
import { LoadedModal, RecordModal, Waiting } from '../../../records/RecordModal.tsx';
import { useOne } from '../../../records/records.ts';
import { AppModal } from '../../../ui/overlay/AppModal.tsx';
import { InlineAlert } from '../../../ui/alerts/InlineAlert.tsx';
import { Choice } from '../../../ui/show/Choice.tsx';
import { ErrorState } from '../../../ui/show/EmptyState.tsx';
import { Applications, headsFor } from './Applications.tsx';
import { Footing } from './Footing.tsx';
import { Kept } from '../entry/Kept.tsx';
import {
  canTakeDiscounts,
  filled,
  hasDiscounts,
  paymentSums,
  takingDiscounts,
  withApplied,
  withDiscount,
} from './paymentForm.ts';
import { useLastChoice } from './moneyAccounts.ts';
import { PaymentHead } from './PaymentHead.tsx';
import { RefundDialog } from './RefundDialog.tsx';
import { SeveralPayments } from './SeveralPayments.tsx';
import { type DocumentSide, entityOf } from '../side.ts';
import type { PayFor, PayOne, PaySeveral } from '../useDocumentPlace.ts';
import { type Chosen, type PaymentEntry, type PaymentEntryOptions, usePaymentEntry } from './usePaymentEntry.ts';
import { useDimensions } from '../../choices/dimensions.ts';

export interface PaymentDialogProps {
  side: DocumentSide;
  pay: PayFor;
  onClose: () => void;
  /** Called with the payment's ID after a payment is posted. */
  onPosted: (paymentId?: number) => void;
  /** Opens another payment, so that the user can apply its unapplied amount. */
  onOther: (paymentId: number) => void;
  /** Called when the user selects Back To Invoice. Omit this function to hide the button. */
  onBackToInvoice?: (() => void) | undefined;
}

/** Returns the title for a new payment. */
const newTitle = ({ words }: DocumentSide): string => `Add ${words.payment}`;

/**
 * The dialog for Add Billing Payment or Add Expense Payment. It edits a posted payment, or creates a payment or refund
 * for a customer or vendor, one invoice, or several invoices.
 */
export function PaymentDialog({ pay, ...props }: PaymentDialogProps) {
  if (pay.kind === 'refund') return <RefundDialog {...props} entityId={pay.id} of={pay.of} />;
  return pay.kind === 'several' ? <OfSeveral {...props} pay={pay} /> : <OfOne {...props} pay={pay} />;
}

function OfOne(props: PaymentDialogProps & { pay: PayOne }) {
  const { side, pay, onClose } = props;
  const idOf = (kind: PayOne['kind']) => (pay.kind === kind ? pay.id : 0);
  const payment = useOne(side.payments, idOf('payment'));
  const invoice = useOne(side.documents, idOf('invoice'));
  const modal = { title: newTitle(side), size: 'xl' as const, onClose };
  return (
    <LoadedModal {...modal} id={idOf('payment')} read={payment}>
      {(saved) =>
        saved !== undefined && saved.paymentAmount < 0 ? (
          <RefundDialog {...props} saved={saved} entityId={entityOf(saved).id} />
        ) : (
          <LoadedModal {...modal} id={idOf('invoice')} read={invoice}>
            {(paid) => (
              <PayerModal
                {...props}
                saved={saved}
                chosen={paid && { entityId: entityOf(paid).id, documents: [paid] }}
              />
            )}
          </LoadedModal>
        )
      }
    </LoadedModal>
  );
}

/** Creates one payment for each customer or vendor on the selected invoices. */
function OfSeveral({ pay, ...props }: PaymentDialogProps & { pay: PaySeveral }) {
  const { side, onClose, onPosted } = props;
  const read = useRead(side.payments.payable(pay.ids));
  // The data is loaded before the dialog opens, as it is for a single payment.
  const banks = useRead(ask(bankingCalls.listBankingAccounts, { query: {} }));
  const { isAnswered } = useDimensions();
  const last = useLastChoice(side, 'payment');
  const shown = banks.isAnswered && isAnswered && last.isAnswered ? read : { ...read, value: undefined };
  return (
    <LoadedModal title={`${newTitle(side)}s`} size="xl" onClose={onClose} read={shown}>
      {(value) => (
        <SeveralPayments
          {...{ side, pay, onClose }}
          documents={value?.documents ?? []}
          onPosted={() => onPosted()}
          readAgain={() => void read.retry()}
        />
      )}
    </LoadedModal>
  );
}

const asChosen = ({ invoiceId: id, openAmount }: OpenDocument): Chosen['documents'][number] => ({ id, openAmount });

type PaymentModalProps = PaymentDialogProps & Omit<PaymentEntryOptions, 'onSaved'>;

/**
 * Waits for the payer's open documents and remaining credits, because fields that appear later would move the other
 * fields. Also waits for the bank accounts, because an account is selected automatically if it is the only one. Without
 * a payer, the dialog waits only for locations. A failed read counts as loaded: the dialog shows the error with Retry.
 */
function PayerModal(props: PaymentModalProps) {
  const { side, pay, saved, chosen, onClose } = props;
  const asked = pay.kind === 'entity' ? pay.id : 0;
  const payer = saved === undefined ? (chosen?.entityId ?? asked) : entityOf(saved).id;
  const open = useRead(side.openDocuments(payer, saved?.id ?? 0), { enabled: payer > 0 });
  const history = useRead(side.history(payer), { enabled: payer > 0 && saved === undefined });
  const banks = useRead(ask(bankingCalls.listBankingAccounts, { query: {} }));
  const dimensions = useDimensions();
  const { isAnswered } = useLastChoice(side, 'payment');
  const isOpenKnown = open.isAnswered && banks.isAnswered && isAnswered && (saved !== undefined || history.isAnswered);
  const ids = (pay.kind === 'entity' ? pay.chosen : undefined) ?? [];
  const picked = (open.value ?? []).filter(({ invoiceId }) => ids.includes(invoiceId));
  const of = picked.length === 0 ? chosen : { entityId: payer, documents: picked.map(asChosen) };
  if (dimensions.isAnswered && (payer === 0 || isOpenKnown)) return <PaymentModal {...props} chosen={of} />;
  return (
    <AppModal opened title={newTitle(side)} size="xl" onClose={onClose}>
      <Waiting />
    </AppModal>
  );
}

function PaymentModal(props: PaymentModalProps) {
  const { side, saved, onClose, onPosted, onBackToInvoice } = props;
  const entry = usePaymentEntry({ ...props, onSaved: ({ id }) => onPosted(id) });
  const { form, files } = entry;
  const amount = entry.payment.amount ?? ZERO;
  const back = onBackToInvoice === undefined ? [] : [{ label: 'Back To Invoice', onClick: onBackToInvoice }];
  return (
    <RecordModal
      form={form}
      title={saved === undefined ? newTitle(side) : `${side.words.payment} ${saved.paymentNumber}`}
      size="xl"
      beside={<Kept at={form.savedAt} />}
      head={<AttachmentTabs main="Payment" form={form} files={files} />}
      onClose={onClose}
      footer={{
        primary: {
          label: amount > 0 ? `Post Payment ${formatAmount(amount)}` : 'Post Payment',
          onClick: entry.post,
          busy: form.busy,
        },
        actions: back,
        total: <Sums entry={entry} />,
      }}
    >
      <AttachmentPane form={form} files={files}>
        <PaymentHead entry={entry} saved={saved} />
        {saved === undefined && <CreditLeft entry={entry} onOther={props.onOther} />}
        <OpenInvoicesPart entry={entry} />
      </AttachmentPane>
    </RecordModal>
  );
}

/** Suggests the unapplied amount of an earlier payment. The user applies it by editing that payment. */
function CreditLeft({ entry, onOther }: { entry: PaymentEntry; onOther: (paymentId: number) => void }) {
  const { side, payment } = entry;
  const history = useRead(side.history(payment.entityId ?? 0), { enabled: payment.entityId !== null });
  if (history.error !== undefined) {
    const retry = { label: 'Retry', run: () => void history.retry() };
    return <InlineAlert kind="Error" action={retry}>{`Error! ${history.error}`}</InlineAlert>;
  }
  const credit = (history.value ?? []).find((row) => row.kind === 'payment' && row.balance !== 0);
  if (payment.entityId === null || credit === undefined || entry.open.length === 0) return null;
  const amount = formatUsd(credit.balance < 0 ? negate(credit.balance) : credit.balance);
  return (
    <InlineAlert kind="Info" action={{ label: 'Apply Credit', run: () => onOther(credit.id) }}>
      {`Payment ${credit.refNumber} for this ${side.core.words.entity} has a credit of ${amount}.`}
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
  const { side, payment, open, invoices, form } = entry;
  const { entity: who, document } = side.core.words;
  const isTaking = hasDiscounts(open);
  if (payment.entityId === null) return <p className="ek-muted">{`Choose a ${who} to see the open ${document}s.`}</p>;
  if (invoices.error !== undefined) return <ErrorState message={invoices.error} onRetry={invoices.retry} />;
  if (invoices.value === undefined) {
    return (
      <p className="dc-apply-wait" role="status">
        Loading...
      </p>
    );
  }
  return (
    <div>
      <div className="dc-apply-head">
        <Choice label="Application view" labelHidden options={VIEWS} value={view} onChange={setView} />
        {canTakeDiscounts(open, payment.paymentDate) && (
          <Button variant="subtle" onClick={() => form.onChange(takingDiscounts(payment, open))}>
            Take Discounts
          </Button>
        )}
        <Button variant="subtle" onClick={() => form.onChange(filled(payment, open))}>
          Fill in List Order
        </Button>
        <Button variant="subtle" onClick={() => form.patch({ applied: {}, discounts: {} })}>
          Clear
        </Button>
      </div>
      <Applications
        label={`Open ${document}s for this ${who}`}
        heads={headsFor(side)}
        form={payment}
        open={open}
        detail={view === 'detail'}
        onApply={(invoice, amount) => form.onChange(withApplied(payment, invoice, amount))}
        onDiscount={isTaking ? (invoice, amount) => form.onChange(withDiscount(payment, invoice, amount)) : undefined}
      />
    </div>
  );
}

/** The amount, the applied total, and the remaining credit. */
function Sums({ entry }: { entry: PaymentEntry }) {
  const { applied, discounts, credit } = paymentSums(entry.payment, entry.open);
  const total = entry.payment.amount ?? ZERO;
  return (
    <Footing verb="Applied" part={applied} {...{ total, discounts }} rest={{ label: 'unapplied', amount: credit }} />
  );
}
