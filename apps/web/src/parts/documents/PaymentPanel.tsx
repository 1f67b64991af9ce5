import { formatDate } from '@evenkeel/core/dates';
import { billingCalls } from '@evenkeel/contract/billing';
import type { Cents } from '@evenkeel/core/money';
import { capital, RECEIVABLE } from '@evenkeel/core/side';
import { ask } from '../../client/api.ts';
import { NOTHING, orNothing } from '@evenkeel/core/nothing';
import { attachmentsFormOf } from '../attachments/attachmentForm.ts';
import { AttachedFiles } from '../attachments/AttachmentList.tsx';
import { labelOf } from '../choices/choice.ts';
import { useDimensions } from '../choices/dimensions.ts';
import type { OpenRecord } from '../../records/openRecord.ts';
import { RecordPanel } from '../../records/RecordPanel.tsx';
import { useOne } from '../../records/records.ts';
import { useMay } from '../../client/session.ts';
import { SendButton } from '../sending/SendButton.tsx';
import { SendHistory } from '../sending/SendHistory.tsx';
import { receiptSubject } from '../sending/subjects.ts';
import { useSending } from '../sending/useSending.tsx';
import { usePdf } from './usePdf.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { Figure } from '../../ui/show/Figure.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { MiniTable } from '../../ui/table/MiniTable.tsx';
import { EntityLink } from './documentColumns.tsx';
import { moneyKey, moneyLabel, usePaymentChoices } from './moneyAccounts.ts';
import { PanelTabs } from './PanelTabs.tsx';
import { type AnyPayment, type DocumentSide, entityOf } from './side.ts';
import { useDeletion } from './useDeletion.tsx';

export interface PaymentPanelProps {
  side: DocumentSide;
  id: number;
  onClose: () => void;
  /** Open Billing Payment. */
  onOpen: (paymentId: number) => void;
  /** Opens a paid invoice, and a credit memo that was used with it. */
  invoice: OpenRecord;
  credit?: OpenRecord | undefined;
}

/** The read-only side panel of a payment. */
export function PaymentPanel({ side, id, onClose, onOpen, invoice, credit }: PaymentPanelProps) {
  const read = useOne(side.payments, id);
  const manages = useMay()(side.manage);
  const what = `payment ${read.value?.paymentNumber ?? ''}`;
  const deletion = useDeletion(side.payments, { id, what, onDone: onClose });
  const open = { label: 'Open Billing Payment', onClick: () => onOpen(id) };
  const receipt = useReceipt(side, id, read.value?.paymentNumber ?? '');
  const actions = [...receipt.actions, ...(manages ? [open] : [])];
  return (
    <RecordPanel
      read={read}
      kind="Payment"
      title={(payment) => `Payment ${payment.paymentNumber}`}
      tools={receipt.tools}
      onClose={onClose}
      footer={actions.length === 0 ? undefined : { actions, remove: manages ? deletion.action : undefined }}
    >
      {(payment) => (
        <>
          {deletion.trouble}
          <Figure note={`${side.words.paid} ${formatDate(payment.paymentDate)}`}>
            <Amount value={payment.paymentAmount} sign />
          </Figure>
          <PanelTabs
            label={`Payment ${payment.paymentNumber}`}
            source={{ type: side.core.payment.source, id }}
            sending={receipt.history}
          >
            <PaymentFacts side={side} payment={payment} />
            <PaidInvoices
              payment={payment}
              openOf={(amount) => (isMemo(side, amount) ? credit : undefined) ?? invoice}
            />
            <AttachedFiles links={attachmentsFormOf(payment.documentLinks)} />
          </PanelTabs>
          {receipt.parts}
        </>
      )}
    </RecordPanel>
  );
}

/** The receipt of a customer's payment; a vendor gives us one. */
function useReceipt(side: DocumentSide, id: number, number: string) {
  const subject = side.core === RECEIVABLE ? receiptSubject(id) : undefined;
  const { action, dialog } = useSending(id, subject);
  const { open, panel } = usePdf(ask(billingCalls.viewReceipt, { params: { id } }), {
    title: `Receipt ${number}`,
    fileName: `receipt-${number}.pdf`,
  });
  if (subject === undefined) return { actions: [], tools: undefined, parts: undefined, history: undefined };
  return {
    actions: [{ label: 'Preview Receipt', onClick: open, quiet: true }],
    tools: action === undefined ? undefined : <SendButton action={action} />,
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
  const facts = [
    { label: capital(side.core.words.entity), value: <EntityLink side={side} {...entityOf(payment)} /> },
    { label: 'Payment Date', value: <DateText value={payment.paymentDate} /> },
    ...types,
    { label: 'Ref Number', value: orNothing(payment.paymentRefNo) },
    { label: 'Check Number', value: payment.paymentCheckNo },
    { label: side.words.moneyAccount, value: moneyLabel(choices, side.takes, moneyKey(payment)) },
    { label: 'Location', value: labelOf(locations, locationId) },
    { label: 'Description', value: payment.paymentDescription },
    { label: 'Remaining credit', value: <Amount value={payment.unappliedAmount} zero="dash" /> },
  ];
  return <Facts facts={facts.filter((fact) => fact.value !== '')} />;
}

type Application = AnyPayment['paymentApplications'][number];

/** A customer's amount below zero is of a credit memo; a vendor's credit is a bill. */
const isMemo = ({ core }: DocumentSide, amount: Cents): boolean => core.name === 'receivable' && amount < 0;

function PaidInvoices({ payment, openOf }: { payment: AnyPayment; openOf: (amount: Cents) => OpenRecord }) {
  const rows = payment.paymentApplications;
  if (rows.length === 0) return <p className="ek-muted">Not applied to an invoice yet.</p>;
  const link = (each: Application) => (
    <NameLink {...openOf(each.amount).link(each.invoiceId)}>{each.invoiceDescription}</NameLink>
  );
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
