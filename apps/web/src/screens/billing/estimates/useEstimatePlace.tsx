import type { DocumentPlace } from '../../../parts/documents/useDocumentPlace.ts';
import { useOpenRecord } from '../../../records/openRecord.ts';
import { NOTHING_BESIDE, useBeside } from '../../../parts/documents/beside.ts';
import { usePlace } from '../../../records/place.ts';
import { EstimateEntry } from './EstimateEntry.tsx';
import { EstimatePanel } from './EstimatePanel.tsx';
import { InvoiceEstimate } from './InvoiceEstimate.tsx';

/**
 * The open parts of estimates, all in the address: `estimate` beside the list, over it `editestimate` (the form, 0 a
 * new one) or `invoiceof` (makes an invoice of that estimate).
 */
export function useEstimatePlace({ invoice, payment }: DocumentPlace) {
  const { go } = usePlace();
  const estimate = useBeside('estimate');
  const edit = useOpenRecord('editestimate');
  const of = useOpenRecord('invoiceof', { hasNew: false });
  const saved = ({ id }: { id: number }) => go({ ...NOTHING_BESIDE, editestimate: undefined, estimate: id });
  const panel =
    estimate.id === undefined ? undefined : (
      <EstimatePanel
        id={estimate.id}
        onClose={estimate.close}
        onOpen={edit.open}
        onInvoice={of.open}
        payment={payment}
        invoice={invoice}
      />
    );
  const forms = (
    <>
      {edit.id !== undefined && (
        <EstimateEntry
          key={edit.id}
          invoiceId={edit.id}
          onClose={edit.close}
          onSaved={saved}
          onDeleted={() => go({ editestimate: undefined, estimate: undefined })}
          onPay={saved}
          onSend={({ id }) => go({ ...NOTHING_BESIDE, editestimate: undefined, estimate: id, send: id })}
        />
      )}
      {of.id !== undefined && (
        <InvoiceEstimate
          key={of.id}
          estimateId={of.id}
          onClose={of.close}
          onSaved={({ id }) => go({ ...NOTHING_BESIDE, invoiceof: undefined, invoice: id })}
        />
      )}
    </>
  );
  return { estimate, edit, panel, forms };
}
