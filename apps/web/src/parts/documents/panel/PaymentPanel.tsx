import { formatDate } from '@evenkeel/core/dates';
import { receiptCalls } from '@evenkeel/contract/billing';
import { type Cents, negate, sum, ZERO } from '@evenkeel/core/money';
import { capital, documentKinds, RECEIVABLE, REFUND } from '@evenkeel/core/documents/side';
import { useState } from 'react';
import { ask, inAlert } from '../../../client/api.ts';
import { DepositModal } from '../../banking/DepositModal.tsx';
import { receiptKey, useUndeposited } from '../../banking/moves.ts';
import { NOTHING, orNothing } from '@evenkeel/core/nothing';
import { attachmentsFormOf } from '../../attachments/attachmentForm.ts';
import { AttachedFiles } from '../../attachments/AttachmentList.tsx';
import { labelOf } from '../../choices/choice.ts';
import { useDimensions } from '../../choices/dimensions.ts';
import type { OpenRecord } from '../../../records/openRecord.ts';
import { RecordPanel } from '../../../records/RecordPanel.tsx';
import { useOne } from '../../../records/records.ts';
import { useMay } from '../../../client/session.ts';
import { SendHistory } from '../../sending/SendHistory.tsx';
import { documentSubject } from '../../sending/subjects.ts';
import { useSending } from '../../sending/useSending.tsx';
import { usePdf } from './usePdf.tsx';
import { Amount } from '../../../ui/show/Amount.tsx';
import { DateText } from '../../../ui/show/DateText.tsx';
import { Facts } from '../../../ui/show/Facts.tsx';
import { Figure } from '../../../ui/show/Figure.tsx';
import { NameLink } from '../../../ui/show/NameLink.tsx';
import { MiniTable } from '../../../ui/table/MiniTable.tsx';
import { useBeside } from '../beside.ts';
import { EntityLink } from '../list/documentColumns.tsx';
import { moneyKey, moneyLabel, usePaymentChoices } from '../payment/moneyAccounts.ts';
import { PanelTabs } from './PanelTabs.tsx';
import { refundWords } from '../payment/refundForm.ts';
import { type AnyPayment, type DocumentSide, entityOf } from '../side.ts';
import { useDeletion } from './useDeletion.tsx';

export interface PaymentPanelProps {
  side: DocumentSide;
  id: number;
  onClose: () => void;
  /** Called when the user selects Open Billing Payment. */
  onOpen: (paymentId: number) => void;
  /** Refunds the unapplied amount. */
  onRefund: (entityId: number, of: number) => void;
  /** Opens another payment: a refund of this payment, or the payment that this refund pays back. */
  payment: OpenRecord;
  /** Opens a paid invoice. */
  invoice: OpenRecord;
}

/** The read-only side panel of a payment. */
export function PaymentPanel({ side, id, onClose, onOpen, onRefund, payment: other, invoice }: PaymentPanelProps) {
  const read = useOne(side.payments, id);
  const { creditmemo, expense } = documentKinds;
  const credit = useBeside((side.core === RECEIVABLE ? creditmemo : expense).screen.key);
  const manages = useMay()(side.manage);
  const isRefund = read.value !== undefined && read.value.paymentAmount < 0;
  const isCredit = read.value?.paymentAmount === 0;
  const name = isRefund ? REFUND : side.core.payment.label;
  const what = isCredit ? 'this credit' : `${name.toLowerCase()} ${read.value?.paymentNumber ?? ''}`;
  const deletion = useDeletion(side.payments, { id, what, as: isCredit ? UNAPPLY : undefined, onDone: onClose });
  const open = { label: isRefund ? `Open ${REFUND}` : 'Open Billing Payment', onClick: () => onOpen(id) };
  const refund = { label: REFUND, onClick: () => read.value && onRefund(entityOf(read.value).id, -id) };
  const isRefundable = read.value !== undefined && read.value.unappliedAmount > 0;
  const receipt = useReceipt(side, isCredit ? 0 : id, { number: read.value?.paymentNumber ?? '', isRefund });
  const deposit = useDepositing(side, id);
  const actions = [...receipt.actions, ...(manages && isRefundable ? [refund] : [])];
  const remove = manages ? deletion.action : undefined;
  return (
    <RecordPanel
      read={deposit.isAnswered ? read : { ...read, value: undefined }}
      kind="Payment"
      title={(payment) => titleOf(payment, name)}
      // An applied credit has no amount to edit. To change it, the user removes it and applies the credit again.
      edit={manages && !isCredit ? open : undefined}
      onClose={onClose}
      footer={
        actions.length === 0 && remove === undefined && deposit.action === undefined
          ? undefined
          : { primary: deposit.action, actions, remove }
      }
    >
      {(payment) => (
        <>
          {deletion.trouble}
          <Figure note={`${pastOf(side, payment)} ${formatDate(payment.paymentDate)}`}>
            <Amount value={figureOf(payment)} sign />
          </Figure>
          <PanelTabs
            label={titleOf(payment, name)}
            source={{ type: side.core.payment.source, id }}
            sending={receipt.history}
          >
            <PaymentFacts side={side} payment={payment} />
            <PaidDocuments {...{ side, payment }} openOf={(amount) => (isMemo(side, amount) ? credit : invoice)} />
            <Refunds payment={payment} other={other} />
            <AttachedFiles links={attachmentsFormOf(payment.documentLinks)} />
          </PanelTabs>
          {receipt.parts}
          {deposit.dialog}
        </>
      )}
    </RecordPanel>
  );
}

/** Returns the action that deposits a customer's payment while it is in Undeposited Funds. */
function useDepositing({ core }: DocumentSide, id: number) {
  const [isOpen, setOpen] = useState(false);
  const enabled = useMay()('Manage Banking') && core === RECEIVABLE;
  const { value, isAnswered } = useUndeposited({ ...inAlert('Error Loading Receipts'), enabled });
  const isWaiting = enabled && value?.some(({ paymentId }) => paymentId === id) === true;
  const close = () => setOpen(false);
  const receipts = [receiptKey({ paymentId: id, lineId: null })];
  return {
    isAnswered: isAnswered || !enabled,
    action: isWaiting ? { label: 'Deposit', onClick: () => setOpen(true) } : undefined,
    dialog: isOpen && <DepositModal id={0} starts={{ receipts }} onClose={close} onDone={close} />,
  };
}

const UNAPPLY = { label: 'Unapply', done: 'was unapplied' };

/** Returns "Payment 12", "Bill payment 12", "Refund 12", or "Credit Applied" for a payment of 0.00. */
const titleOf = ({ paymentAmount, paymentNumber }: AnyPayment, name: string): string =>
  paymentAmount === 0 ? 'Credit Applied' : `${name} ${paymentNumber}`;

function pastOf(side: DocumentSide, { paymentAmount }: AnyPayment): string {
  if (paymentAmount === 0) return 'applied';
  return paymentAmount < 0 ? refundWords(side).date : side.words.paid;
}

/** Returns the amount as a positive number. For an applied credit, this is the applied amount. */
function figureOf({ paymentAmount, paymentApplications }: AnyPayment): Cents {
  if (paymentAmount !== 0) return paymentAmount < 0 ? negate(paymentAmount) : paymentAmount;
  return sum(paymentApplications.map(({ amount }) => amount).filter((amount) => amount > 0));
}

const RECEIPT = { kind: documentKinds.payment, calls: receiptCalls };

/** Returns the receipt for a payment from a customer. Payments to vendors have no receipt. */
function useReceipt(side: DocumentSide, id: number, { number, isRefund }: { number: string; isRefund: boolean }) {
  const paper = isRefund ? REFUND : 'Receipt';
  const subject = side.core === RECEIVABLE ? documentSubject(RECEIPT, id) : undefined;
  const { action, dialog } = useSending(id, subject);
  const { open, panel } = usePdf(ask(receiptCalls.view, { params: { id } }), {
    title: `${paper} ${number}`,
    fileName: `${paper.toLowerCase()}-${number}.pdf`,
  });
  if (subject === undefined || id === 0) return { actions: [], parts: undefined, history: undefined };
  return {
    actions: [
      { label: `Preview ${paper}`, onClick: open, quiet: true },
      ...(action === undefined ? [] : [{ ...action, label: `Send ${paper}` }]),
    ],
    parts: (
      <>
        {panel}
        {dialog}
      </>
    ),
    history: <SendHistory subject={subject} />,
  };
}

function PaymentFacts({ side, payment }: { side: DocumentSide; payment: AnyPayment }) {
  const choices = usePaymentChoices();
  const typeId = 'paymentTypeId' in payment ? payment.paymentTypeId : null;
  const type = choices.types.find((one) => one.id === typeId)?.displayName;
  const locationId = 'locationId' in payment ? payment.locationId : null;
  const { locations } = useDimensions();
  const types = side.core.hasPaymentTypes ? [{ label: 'Payment Type', value: type ?? NOTHING }] : [];
  const isRefund = payment.paymentAmount < 0;
  const words = refundWords(side);
  const money = isRefund
    ? { label: words.money, value: moneyLabel(choices, words.takes, moneyKey(payment)) }
    : { label: side.words.moneyAccount, value: moneyLabel(choices, side.takes, moneyKey(payment)) };
  const entity = { label: capital(side.core.words.entity), value: <EntityLink side={side} {...entityOf(payment)} /> };
  if (payment.paymentAmount === 0) {
    return (
      <Facts
        facts={[
          entity,
          { label: 'Date', value: <DateText value={payment.paymentDate} /> },
          { label: 'Description', value: orNothing(payment.paymentDescription) },
        ]}
      />
    );
  }
  const facts = [
    entity,
    { label: isRefund ? 'Refund Date' : 'Payment Date', value: <DateText value={payment.paymentDate} /> },
    ...types,
    { label: 'Ref Number', value: orNothing(payment.paymentRefNo) },
    { label: 'Check Number', value: payment.paymentCheckNo },
    money,
    { label: 'Location', value: labelOf(locations, locationId) },
    { label: 'Description', value: payment.paymentDescription },
    ...(isRefund ? [] : [{ label: 'Remaining credit', value: <Amount value={payment.unappliedAmount} zero="dash" /> }]),
  ];
  return <Facts facts={facts.filter((fact) => fact.value !== '')} />;
}

type Application = AnyPayment['paymentApplications'][number];

/**
 * Returns whether an amount belongs to a credit memo: a negative amount on the customer side. Vendor credits are bills.
 */
const isMemo = ({ core }: DocumentSide, amount: Cents): boolean => core.name === 'receivable' && amount < 0;

const DISCOUNT = {
  header: 'Discount',
  right: true,
  render: ({ discountAmount = ZERO }: Application) => <Amount value={discountAmount} zero="dash" />,
};

interface PaidDocumentsProps {
  side: DocumentSide;
  payment: AnyPayment;
  openOf: (amount: Cents) => OpenRecord;
}

function PaidDocuments({ side, payment, openOf }: PaidDocumentsProps) {
  const { document } = side.core.words;
  const rows = payment.paymentApplications;
  const isRefund = payment.paymentAmount < 0;
  if (isRefund && rows.length === 0) return null;
  if (rows.length === 0) return <p className="ek-muted">Not applied to any {document} yet.</p>;
  const link = (each: Application) => (
    <NameLink {...openOf(each.amount).link(each.invoiceId)}>{each.invoiceDescription}</NameLink>
  );
  return (
    <MiniTable<Application>
      columns={[
        {
          header: isRefund ? 'Refunded credits' : payment.paymentAmount === 0 ? 'Applied' : `Paid ${document}s`,
          render: link,
        },
        ...(rows.some(({ discountAmount }) => discountAmount !== undefined) ? [DISCOUNT] : []),
        { header: 'Amount', right: true, render: (each) => <Amount value={each.amount} /> },
      ]}
      rows={rows}
      keyOf={(each) => each.invoiceId}
    />
  );
}

type Part = AnyPayment['paymentRefunds'][number];

/** The payments that a refund pays back, or the refunds of a payment. */
function Refunds({ payment, other }: { payment: AnyPayment; other: OpenRecord }) {
  const isRefund = payment.paymentAmount < 0;
  const rows = isRefund ? payment.paymentRefunds : payment.refundedBy;
  if (rows.length === 0) return null;
  const name = isRefund ? 'Payment' : REFUND;
  return (
    <MiniTable<Part>
      columns={[
        {
          header: isRefund ? 'Refunded payments' : 'Refunds',
          render: (each) => (
            <NameLink {...other.link(each.paymentId)}>
              {name} {each.paymentNumber}
            </NameLink>
          ),
        },
        { header: 'Amount', right: true, render: (each) => <Amount value={each.amount} /> },
      ]}
      rows={rows}
      keyOf={(each) => each.paymentId}
    />
  );
}
