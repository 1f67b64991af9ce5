import type { BillingCredit } from '@evenkeel/contract/credits';
import { creditCalls } from '@evenkeel/contract/credits';
import { sendingFault } from '@evenkeel/core/documents/invoice';
import { negate } from '@evenkeel/core/money';
import { REFUND } from '@evenkeel/core/documents/side';
import { ask } from '../../../client/api.ts';
import { useMay } from '../../../client/session.ts';
import { DocumentPanel, type DocumentPanelProps } from '../../../parts/documents/panel/DocumentPanel.tsx';
import { usePdf } from '../../../parts/documents/panel/usePdf.tsx';
import { SendButton } from '../../../parts/sending/SendButton.tsx';
import { SendHistory } from '../../../parts/sending/SendHistory.tsx';
import { creditSubject } from '../../../parts/sending/subjects.ts';
import { useSending } from '../../../parts/sending/useSending.tsx';
import type { OpenRecord } from '../../../records/openRecord.ts';
import { useOne } from '../../../records/records.ts';
import { NameLink } from '../../../ui/show/NameLink.tsx';
import { factsOf, lineNotes, totalsOf } from '../invoices/InvoicePanel.tsx';
import { voidCredit } from './creditForm.ts';
import { CREDIT_SIDE, CREDITS, INVOICES } from '../records.ts';

interface CreditPanelProps extends DocumentPanelProps {
  invoice: OpenRecord;
  /** Opens the dialog that applies the credit memo. */
  onApply: (creditId: number) => void;
  onRefund: (customerId: number, creditId: number) => void;
}

/** The read-only side panel of a credit memo. */
export function CreditPanel({ invoice, onApply, onRefund, ...props }: CreditPanelProps) {
  const { id } = props;
  const { value } = useOne(CREDITS, id);
  const origin = useOne(INVOICES, value?.creditedInvoiceId ?? 0).value;
  const manages = useMay()('Manage Billing');
  const number = value?.invoiceNumber ?? '';
  const preview = usePdf(value && ask(creditCalls.viewCredit, { params: { id } }), {
    title: `Credit Memo ${number}`,
    fileName: `credit-memo-${number}.pdf`,
  });
  const subject = creditSubject(id);
  const { action, dialog } = useSending(id, subject);
  const isSendable = value !== undefined && sendingFault(value.arBillingStatus) === '';
  const isOpen = value !== undefined && manages && value.openAmount < 0;
  const ofInvoice = origin && (
    <NameLink {...invoice.link(origin.id)} isNumber>
      {origin.invoiceNumber}
    </NameLink>
  );
  return (
    <DocumentPanel<BillingCredit>
      {...props}
      side={CREDIT_SIDE}
      actions={[
        { label: 'Preview', onClick: preview.open, quiet: true },
        ...(isOpen
          ? [
              { label: REFUND, onClick: () => onRefund(value.customerId, id) },
              { label: 'Apply', onClick: () => onApply(id) },
            ]
          : []),
      ]}
      tools={action !== undefined && isSendable && <SendButton action={action} />}
      sending={<SendHistory subject={subject} />}
      statusOf={(memo) => memo.arBillingStatus}
      voiding={voidCredit}
      facts={(memo) => [
        ...factsOf(memo),
        ...(memo.creditedInvoiceId === null ? [] : [{ label: 'For Invoice', value: ofInvoice }]),
        ...(memo.reason === '' ? [] : [{ label: 'Reason', value: memo.reason }]),
      ]}
      lineNotes={lineNotes}
      totals={(memo) => ({ ...totalsOf(memo), total: negate(memo.invoiceAmount), label: 'Credit' })}
      below={
        <>
          {preview.panel}
          {dialog}
        </>
      }
    />
  );
}
