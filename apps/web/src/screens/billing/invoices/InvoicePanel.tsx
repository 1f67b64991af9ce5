import { type BillingInvoice, invoiceCalls } from '@evenkeel/contract/billing';
import { PERCENTAGE } from '@evenkeel/core/documents/discounts';
import { billingStatuses, posts, sendingFault, VOID } from '@evenkeel/core/documents/invoice';
import { documentKinds } from '@evenkeel/core/documents/side';
import { type Cents, formatAmount, sum } from '@evenkeel/core/money';
import { DocumentPanel, type DocumentPanelProps } from '../../../parts/documents/panel/DocumentPanel.tsx';
import { reminderSubject } from '../../../parts/sending/subjects.ts';
import { useSending } from '../../../parts/sending/useSending.tsx';
import { useSentDocument } from '../../../parts/sending/useSentDocument.tsx';
import { useMay } from '../../../client/session.ts';
import { useOpenRecord } from '../../../records/openRecord.ts';
import { useBeside } from '../../../parts/documents/beside.ts';
import { useOne } from '../../../records/records.ts';
import { NameLink } from '../../../ui/show/NameLink.tsx';
import { INVOICE_ENTRY } from './invoiceForm.ts';
import { ESTIMATES } from '../estimates/records.ts';
import { BILLING, INVOICES } from '../records.ts';

const SENT = { kind: documentKinds.invoice, calls: invoiceCalls };

/** The read-only side panel of a billing invoice. */
export function InvoicePanel(props: DocumentPanelProps) {
  const { value: invoice } = useOne(INVOICES, props.id);
  const { preview, ...sent } = useSentDocument(SENT, {
    id: props.id,
    number: invoice?.invoiceNumber,
    isSendable: invoice !== undefined && sendingFault(invoice.arBillingStatus) === '',
  });
  const manages = useMay()('Manage Billing');
  const { open } = useOpenRecord('creditof', { hasNew: false });
  const writeOff = useOpenRecord('writeoff');
  const isOpen = invoice !== undefined && manages && posts(invoice.arBillingStatus) && invoice.openAmount > 0;
  const isCreditable = invoice !== undefined && manages && posts(invoice.arBillingStatus) && invoice.invoiceAmount > 0;
  const estimate = useOne(ESTIMATES, invoice?.estimateId ?? 0).value;
  const { link } = useBeside(documentKinds.estimate.screen.key);
  const madeOf = estimate && <NameLink {...link(estimate.id)}>{estimate.invoiceNumber}</NameLink>;
  const ofEstimate = madeOf === undefined ? [] : [{ label: 'Estimate', value: madeOf }];
  const isOverdue = isOpen && invoice.daysOverdue > 0;
  const remind = useSending(props.id, isOverdue ? reminderSubject(props.id) : undefined, 'remind');
  const credit = { label: 'Credit this invoice', onClick: () => open(props.id), quiet: true };
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
      actions={[
        ...(remind.action === undefined ? [] : [{ ...remind.action, quiet: true }]),
        { ...preview, label: 'Preview Invoice' },
        ...(isCreditable ? [credit] : []),
        ...(isOpen ? [{ label: 'Write Off', onClick: () => writeOff.open(props.id), quiet: true }] : []),
      ]}
      statusOf={statusOf}
      voiding={voiding}
      facts={(one) => [...factsOf(one), ...moreFacts(one), ...ofEstimate]}
      lineNotes={lineNotes}
      totals={totalsOf}
    />
  );
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

const voiding = INVOICE_ENTRY.saving({ status: VOID });
const statusOf = ({ arBillingStatus }: BillingInvoice): number => arBillingStatus;

export function factsOf({ arBillingStatus }: Pick<BillingInvoice, 'arBillingStatus'>) {
  const status = billingStatuses.find((each) => each.id === arBillingStatus)?.displayName;
  return [{ label: 'Billing Status', value: status }];
}

/** The terms, the number of the purchase order, and the note to the customer, unless they are empty. */
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
