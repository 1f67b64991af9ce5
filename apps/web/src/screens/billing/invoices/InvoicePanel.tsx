import { type BillingInvoice, invoiceCalls } from '@evenkeel/contract/billing';
import { PERCENTAGE } from '@evenkeel/core/documents/discounts';
import {
  billingStatuses,
  DRAFT,
  ON_HOLD,
  OPEN,
  posts,
  SENT as SENT_STATUS,
  sendingFault,
  VOID,
} from '@evenkeel/core/documents/invoice';
import { documentKinds } from '@evenkeel/core/documents/side';
import { type Cents, formatAmount, sum } from '@evenkeel/core/money';
import { DocumentPanel, type DocumentPanelProps } from '../../../parts/documents/panel/DocumentPanel.tsx';
import { reminderSubject } from '../../../parts/sending/subjects.ts';
import { useSending } from '../../../parts/sending/useSending.tsx';
import { useSaving } from '../../../parts/documents/panel/useDeletion.tsx';
import { usePayPlace } from '../../../parts/documents/useDocumentPlace.ts';
import { useSentDocument } from '../../../parts/sending/useSentDocument.tsx';
import { useMay } from '../../../client/session.ts';
import { useOpenRecord } from '../../../records/openRecord.ts';
import { usePlace } from '../../../records/place.ts';
import { useBeside } from '../../../parts/documents/beside.ts';
import { useOne } from '../../../records/records.ts';
import type { FooterAction } from '../../../ui/overlay/FooterBar.tsx';
import { NameLink } from '../../../ui/show/NameLink.tsx';
import { INVOICE_ENTRY } from './invoiceForm.ts';
import { ESTIMATES } from '../estimates/records.ts';
import { BILLING, INVOICES } from '../records.ts';

const SENT = { kind: documentKinds.invoice, calls: invoiceCalls };

/** The read-only side panel of a billing invoice. */
export function InvoicePanel(props: DocumentPanelProps) {
  const { value: invoice } = useOne(INVOICES, props.id);
  const status = invoice?.arBillingStatus ?? DRAFT;
  const { preview, send, ...sent } = useSentDocument(SENT, {
    id: props.id,
    number: invoice?.invoiceNumber,
    isSendable: invoice !== undefined && sendingFault(status) === '',
    isSent: status === SENT_STATUS,
  });
  const estimate = useOne(ESTIMATES, invoice?.estimateId ?? 0).value;
  const { link } = useBeside(documentKinds.estimate.screen.key);
  const madeOf = estimate && <NameLink {...link(estimate.id)}>{estimate.invoiceNumber}</NameLink>;
  const ofEstimate = madeOf === undefined ? [] : [{ label: 'Estimate', value: madeOf }];
  const posting = usePosting(invoice);
  const other = useInvoiceActions(props.id, invoice);
  const isOverdue = other.pay !== undefined && invoice !== undefined && invoice.daysOverdue > 0;
  const remind = useSending(props.id, isOverdue ? reminderSubject(props.id) : undefined, 'remind');
  const papers = [{ ...preview, label: 'Preview Invoice' }];
  return (
    <DocumentPanel<BillingInvoice>
      {...props}
      {...sent}
      side={BILLING}
      below={
        <>
          {sent.below}
          {remind.dialog}
        </>
      }
      {...nextSteps({ invoice, papers, send, remind: remind.action, posting, other })}
      trouble={
        <>
          {posting.trouble}
          {other.trouble}
        </>
      }
      statusOf={statusOf}
      voiding={voiding}
      facts={(one) => [...factsOf(one), ...moreFacts(one), ...ofEstimate]}
      lineNotes={lineNotes}
      totals={totalsOf}
    />
  );
}

/** Returns the actions that post a draft. `mayPost` is false if the invoice isn't a draft or the user can't post it. */
function usePosting(invoice: BillingInvoice | undefined) {
  const { go } = usePlace();
  const mayPost = useMay()('Manage Billing') && invoice?.arBillingStatus === DRAFT;
  const what = `invoice ${invoice?.invoiceNumber ?? ''}`;
  const { run, busy, trouble } = useSaving(posted, { what, done: 'posted', one: invoice });
  const postAndSend = async () => {
    if (await run()) go({ send: invoice?.id }, { step: ['send'] });
  };
  return {
    mayPost,
    trouble,
    post: { label: 'Post', onClick: () => void run(), busy },
    postAndSend: { label: 'Post and Send', onClick: () => void postAndSend(), busy },
  };
}

/** Returns the actions that settle an invoice, if its state and the user's permissions allow them. */
function useInvoiceActions(id: number, invoice: BillingInvoice | undefined) {
  const manages = useMay()('Manage Billing');
  const { open } = useOpenRecord('creditof', { hasNew: false });
  const writeOff = useOpenRecord('writeoff');
  const { openPay } = usePayPlace('edit');
  const isPosted = invoice !== undefined && manages && posts(invoice.arBillingStatus);
  const isOpen = isPosted && invoice.openAmount > 0;
  const isCreditable = isPosted && invoice.invoiceAmount > 0;
  const hold = useHold(invoice);
  const credit = { label: 'Credit This Invoice', onClick: () => open(id), quiet: true, divided: true };
  return {
    pay: isOpen ? { label: 'Take Payment', onClick: () => openPay({ kind: 'invoice', id }) } : undefined,
    rare: [
      ...(isCreditable ? [credit] : []),
      ...(isOpen ? [{ label: 'Write Off', onClick: () => writeOff.open(id), quiet: true }, hold.action] : []),
    ],
    trouble: hold.trouble,
  };
}

/** Returns the action that puts an open invoice on hold, or takes it off hold. */
function useHold(invoice: BillingInvoice | undefined) {
  const isHeld = invoice?.arBillingStatus === ON_HOLD;
  const what = `invoice ${invoice?.invoiceNumber ?? ''}`;
  const done = isHeld ? 'is open again' : 'is on hold';
  const { run, busy, trouble } = useSaving(isHeld ? posted : held, { what, done, one: invoice });
  const label = isHeld ? 'Take Off Hold' : 'Put On Hold';
  return { action: { label, onClick: () => void run(), quiet: true, busy }, trouble };
}

interface StepsInput {
  invoice: BillingInvoice | undefined;
  papers: readonly FooterAction[];
  send: FooterAction | undefined;
  /** Sends a reminder about an overdue invoice. */
  remind: FooterAction | undefined;
  posting: ReturnType<typeof usePosting>;
  other: ReturnType<typeof useInvoiceActions>;
}

/**
 * Returns the actions in the footer. The last action is the user's next step: posting a draft, sending an open invoice,
 * or posting the payment for a sent or overdue invoice. A reminder can be sent for an overdue invoice. A paid or void
 * invoice has no next step.
 */
function nextSteps({ invoice, papers, send, remind, posting, other: { pay, rare } }: StepsInput) {
  if (posting.mayPost) return { papers, primary: posting.postAndSend, actions: [posting.post] };
  const sending = send === undefined ? [] : [send];
  if (pay === undefined) return { papers, actions: [...rare, ...sending] };
  if (invoice?.badge === 'Open' && send !== undefined) return { papers, primary: send, actions: [...rare, pay] };
  if (remind === undefined) return { papers, primary: pay, actions: [...rare, ...sending] };
  const again = sending.map((action) => ({ ...action, quiet: true }));
  return { papers, primary: pay, actions: [...again, ...rare, remind] };
}

export const totalsOf = ({
  lineItems,
  taxItems,
}: Pick<BillingInvoice, 'taxItems'> & {
  lineItems: readonly { lineItemAmount: Cents }[];
}) => ({
  subtotal: sum(lineItems.map((line) => line.lineItemAmount)),
  taxItems,
});

const posted = INVOICE_ENTRY.saving({ status: OPEN });
const held = INVOICE_ENTRY.saving({ status: ON_HOLD });
const voiding = INVOICE_ENTRY.saving({ status: VOID });
const statusOf = ({ arBillingStatus }: BillingInvoice): number => arBillingStatus;

export function factsOf({ arBillingStatus }: Pick<BillingInvoice, 'arBillingStatus'>) {
  const status = billingStatuses.find((each) => each.id === arBillingStatus)?.displayName;
  return [{ label: 'Billing Status', value: status }];
}

/** The terms, the purchase order number, and the note to the customer, unless they are empty. */
function moreFacts({ terms = '', poNumber = '', customerNote = '' }: BillingInvoice) {
  const facts = [
    { label: 'Terms', value: terms },
    { label: 'PO Number', value: poNumber },
    { label: 'Note to Customer', value: customerNote },
  ];
  return facts.filter(({ value }) => value !== '');
}

export const lineNotes = (line: Omit<BillingInvoice['lineItems'][number], 'workItemId'>) => (
  <>
    <div className="ek-muted ek-small ek-num">
      {line.discountTerms?.discountType === PERCENTAGE
        ? `${line.discountTerms.discountPercentage.toString()}%`
        : `${line.quantity.toString()} × ${formatAmount(line.itemPrice)}`}
      {line.taxable ? '' : ', not taxable'}
    </div>
    {line.packageParts?.map((part) => (
      // A package contains each product or discount only once, so this key is unique.
      <div key={`${part.productID ?? 'discount'} ${part.name}`} className="ek-muted ek-small ek-num">
        {part.productID === null ? part.name : `${part.quantity.times(line.quantity).toString()} × ${part.name}`}{' '}
        {formatAmount(part.amount)}
      </div>
    ))}
  </>
);
