import { type BillingCredit, creditMemoCalls } from '@evenkeel/contract/credits';
import { sendingFault } from '@evenkeel/core/documents/invoice';
import { negate } from '@evenkeel/core/money';
import { documentKinds, REFUND } from '@evenkeel/core/documents/side';
import { useMay } from '../../../client/session.ts';
import { useBeside } from '../../../parts/documents/beside.ts';
import { DocumentPanel, type DocumentPanelProps } from '../../../parts/documents/panel/DocumentPanel.tsx';
import { usePayPlace } from '../../../parts/documents/useDocumentPlace.ts';
import { useSentDocument } from '../../../parts/sending/useSentDocument.tsx';
import { useOpenRecord } from '../../../records/openRecord.ts';
import { useOne } from '../../../records/records.ts';
import { NameLink } from '../../../ui/show/NameLink.tsx';
import { factsOf, lineNotes, totalsOf } from '../invoices/InvoicePanel.tsx';
import { voidCredit } from './creditForm.ts';
import { INVOICES } from '../records.ts';
import { CREDIT_SIDE, CREDITS } from './records.ts';

const SENT = { kind: documentKinds.creditmemo, calls: creditMemoCalls };

/** The read-only side panel of a credit memo. */
export function CreditPanel(props: DocumentPanelProps) {
  const { id } = props;
  const { value } = useOne(CREDITS, id);
  const origin = useOne(INVOICES, value?.creditedInvoiceId ?? 0).value;
  const manages = useMay()('Manage Billing');
  const invoice = useBeside(documentKinds.invoice.screen.key);
  const apply = useOpenRecord('apply', { hasNew: false });
  const { openPay } = usePayPlace('edit');
  const { preview, send, ...sent } = useSentDocument(SENT, {
    id,
    number: value?.invoiceNumber,
    isSendable: value !== undefined && sendingFault(value.arBillingStatus) === '',
  });
  const isOpen = value !== undefined && manages && value.openAmount < 0;
  const ofInvoice = origin && (
    <NameLink {...invoice.link(origin.id)} isNumber>
      {origin.invoiceNumber}
    </NameLink>
  );
  return (
    <DocumentPanel<BillingCredit>
      {...props}
      {...sent}
      side={CREDIT_SIDE}
      papers={send === undefined ? [preview] : [preview, { ...send, quiet: true }]}
      primary={isOpen ? { label: 'Apply', onClick: () => apply.open(id) } : undefined}
      actions={
        isOpen ? [{ label: REFUND, onClick: () => openPay({ kind: 'refund', id: value.customerId, of: id }) }] : []
      }
      statusOf={(memo) => memo.arBillingStatus}
      voiding={voidCredit}
      facts={(memo) => [
        ...factsOf(memo),
        ...(memo.creditedInvoiceId === null ? [] : [{ label: 'For Invoice', value: ofInvoice }]),
        ...(memo.reason === '' ? [] : [{ label: 'Reason', value: memo.reason }]),
      ]}
      lineNotes={lineNotes}
      totals={(memo) => ({ ...totalsOf(memo), total: negate(memo.invoiceAmount), label: 'Credit' })}
    />
  );
}
