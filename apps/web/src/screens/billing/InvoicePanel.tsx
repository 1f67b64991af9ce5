import type { BillingInvoice } from '@evenkeel/contract/billing';
import { PERCENTAGE } from '@evenkeel/core/discounts';
import { billingStatuses, sendingFault } from '@evenkeel/core/invoice';
import { formatAmount, sum } from '@evenkeel/core/money';
import { DocumentPanel, type DocumentPanelProps } from '../../parts/documents/DocumentPanel.tsx';
import { SendButton } from '../../parts/sending/SendButton.tsx';
import { SendHistory } from '../../parts/sending/SendHistory.tsx';
import { invoiceSubject } from '../../parts/sending/subjects.ts';
import { useSending } from '../../parts/sending/useSending.tsx';
import { useOne } from '../../records/records.ts';
import { BILLING, INVOICES } from './records.ts';
import { useInvoicePreview } from './useInvoicePreview.tsx';

/** The read-only side panel of a billing invoice. */
export function InvoicePanel(props: DocumentPanelProps) {
  const { value: invoice } = useOne(INVOICES, props.id);
  const preview = useInvoicePreview(invoice);
  const subject = invoiceSubject(props.id);
  const { action, dialog } = useSending(props.id, subject);
  const isSendable = invoice !== undefined && sendingFault(invoice.arBillingStatus) === '';
  return (
    <DocumentPanel<BillingInvoice>
      {...props}
      side={BILLING}
      actions={[preview.action]}
      tools={action !== undefined && isSendable && <SendButton action={action} />}
      statusOf={statusOf}
      facts={factsOf}
      lineNotes={lineNotes}
      totals={totalsOf}
      sending={<SendHistory subject={subject} />}
      below={
        <>
          {preview.panel}
          {dialog}
        </>
      }
    />
  );
}

const totalsOf = ({ lineItems, taxItems }: BillingInvoice) => ({
  subtotal: sum(lineItems.map((line) => line.lineItemAmount)),
  taxItems,
});

const statusOf = ({ arBillingStatus }: BillingInvoice): number => arBillingStatus;

function factsOf({ arBillingStatus }: BillingInvoice) {
  const status = billingStatuses.find((each) => each.id === arBillingStatus)?.displayName;
  return [{ label: 'Billing Status', value: status }];
}

const lineNotes = (line: BillingInvoice['lineItems'][number]) => (
  <>
    <div className="ek-muted ek-small ek-num">
      {line.discountTerms?.discountType === PERCENTAGE
        ? `${line.discountTerms.discountPercentage.toString()}%`
        : `${line.quantity.toString()} × ${formatAmount(line.itemPrice)}`}
      {line.taxable ? '' : ', not taxable'}
    </div>
    {line.packageParts?.map((part) => (
      // A package holds a product or a discount once.
      <div key={`${part.productID ?? 'discount'} ${part.name}`} className="ek-muted ek-small ek-num">
        {part.productID === null ? part.name : `${part.quantity.times(line.quantity).toString()} × ${part.name}`}{' '}
        {formatAmount(part.amount)}
      </div>
    ))}
  </>
);
