import { billingCalls, type BillingInvoice } from '@evenkeel/contract/billing';
import { ask } from '../../../client/api.ts';
import { usePdf } from '../../../parts/documents/panel/usePdf.tsx';

/** Preview Invoice: the saved invoice as PDF in its panel; what is typed and not saved is not in it, and it says so. */
export function useInvoicePreview(saved: Pick<BillingInvoice, 'id' | 'invoiceNumber'> | undefined, dirty = false) {
  const number = saved?.invoiceNumber ?? '';
  const { open, panel } = usePdf(saved && ask(billingCalls.viewInvoice, { params: { id: saved.id } }), {
    title: dirty ? `Invoice ${number}, as last saved` : `Invoice ${number}`,
    fileName: `invoice-${number}.pdf`,
  });
  return { action: { label: 'Preview Invoice', onClick: open, quiet: true }, panel };
}
