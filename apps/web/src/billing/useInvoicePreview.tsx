import { billingCalls, type BillingInvoice } from '@evenkeel/contract/billing';
import { useState } from 'react';
import { ask, useReadNow } from '../api.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { PdfPanel } from '../ui/overlay/PdfPanel.tsx';

/** Preview Invoice: the saved invoice as PDF in its panel; what is typed and not saved is not in it, and it says so. */
export function useInvoicePreview(saved: Pick<BillingInvoice, 'id' | 'invoiceNumber'> | undefined, dirty = false) {
  const alerts = useAlerts();
  const readNow = useReadNow();
  const [file, setFile] = useState<Blob | null>(null);
  const open = () => {
    if (saved === undefined) return;
    readNow(ask(billingCalls.viewInvoice, { params: { id: saved.id } })).then(
      (bytes) => setFile(new Blob([new Uint8Array(bytes)], { type: 'application/pdf' })),
      () => alerts.error('Error Loading Document'),
    );
  };
  const number = saved?.invoiceNumber ?? '';
  const panel = (
    <PdfPanel
      file={file}
      title={dirty ? `Invoice ${number}, as last saved` : `Invoice ${number}`}
      fileName={`invoice-${number}.pdf`}
      onClose={() => setFile(null)}
    />
  );
  return { action: { label: 'Preview Invoice', onClick: open, quiet: true }, panel };
}
