import type { DocumentPlace } from '../../../parts/documents/useDocumentPlace.ts';
import { useOpenRecord } from '../../../records/openRecord.ts';
import { NOTHING_BESIDE, useBeside } from '../../../parts/documents/beside.ts';
import { usePlace } from '../../../records/place.ts';
import { EstimateEntry } from './EstimateEntry.tsx';
import { EstimatePanel } from './EstimatePanel.tsx';
import { InvoiceEstimate } from './InvoiceEstimate.tsx';

/**
 * The open parts of estimates, all stored in the URL: `estimate` next to the list, and over it `editestimate` (the
 * form, 0 for a new one), `copyestimate` (a new one copied from that estimate), or `invoiceof` (creates an invoice from
 * that estimate).
 */
export function useEstimatePlace({ invoice, payment }: DocumentPlace) {
  const { go } = usePlace();
  const estimate = useBeside('estimate');
  const edit = useOpenRecord('editestimate');
  const copy = useOpenRecord('copyestimate', { hasNew: false });
  const of = useOpenRecord('invoiceof', { hasNew: false });
  const closed = { editestimate: undefined, copyestimate: undefined };
  const saved = ({ id }: { id: number }) => go({ ...NOTHING_BESIDE, ...closed, estimate: id });
  const shared = {
    onSaved: saved,
    onDeleted: () => go({ ...closed, estimate: undefined }),
    onPay: saved,
    onSend: ({ id }: { id: number }) => go({ ...NOTHING_BESIDE, ...closed, estimate: id, send: id }),
  };
  const panel =
    estimate.id === undefined ? undefined : (
      <EstimatePanel
        id={estimate.id}
        onClose={estimate.close}
        onOpen={edit.open}
        onCopy={copy.open}
        onInvoice={of.open}
        payment={payment}
        invoice={invoice}
      />
    );
  const forms = (
    <>
      {edit.id !== undefined && <EstimateEntry key={edit.id} {...shared} invoiceId={edit.id} onClose={edit.close} />}
      {copy.id !== undefined && (
        <EstimateEntry key={`copy ${copy.id}`} {...shared} invoiceId={0} copyOf={copy.id} onClose={copy.close} />
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
