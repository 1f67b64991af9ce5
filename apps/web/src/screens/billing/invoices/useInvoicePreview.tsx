import { billingCalls, type BillingInvoice } from '@evenkeel/contract/billing';
import { ask } from '../../../client/api.ts';
import { usePdf } from '../../../parts/documents/panel/usePdf.tsx';

/** Previews the saved invoice as a PDF in a panel, with a notice that unsaved changes are not included. */
export function useInvoicePreview(saved: Pick<BillingInvoice, 'id' | 'invoiceNumber'> | undefined, dirty = false) {
  const number = saved?.invoiceNumber ?? '';
  const { open, panel } = usePdf(saved && ask(billingCalls.viewInvoice, { params: { id: saved.id } }), {
    title: dirty ? `Invoice ${number}, as last saved` : `Invoice ${number}`,
    fileName: `invoice-${number}.pdf`,
  });
  return { action: { label: 'Preview Invoice', onClick: open, quiet: true }, panel };
}
