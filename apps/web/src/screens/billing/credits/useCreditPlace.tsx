import { ApplyCreditById } from '../../../parts/documents/payment/ApplyCredit.tsx';
import type { DocumentPlace } from '../../../parts/documents/useDocumentPlace.ts';
import { useOpenRecord } from '../../../records/openRecord.ts';
import { NOTHING_BESIDE, useBeside } from '../../../parts/documents/beside.ts';
import { usePlace } from '../../../records/place.ts';
import { CreditEntry, FreeEntry } from './CreditEntry.tsx';
import { CreditInvoice } from './CreditInvoice.tsx';
import { CreditPanel } from './CreditPanel.tsx';
import { BILLING, CREDITS } from '../records.ts';

/**
 * The open parts of credit memos, all stored in the URL: `credit` next to the list, and over it `creditmemo` (the form,
 * 0 for a new one), `copycredit` (a new one copied from that memo), `creditof` (credits that invoice), or `apply`
 * (applies that credit memo).
 */
export function useCreditPlace({ invoice, payment, openPay }: DocumentPlace) {
  const { go } = usePlace();
  const credit = useBeside('credit');
  const apply = useOpenRecord('apply', { hasNew: false });
  const edit = useOpenRecord('creditmemo');
  const copy = useOpenRecord('copycredit', { hasNew: false });
  const of = useOpenRecord('creditof', { hasNew: false });
  const saved = ({ id }: { id: number }) =>
    go({ ...NOTHING_BESIDE, creditmemo: undefined, copycredit: undefined, creditof: undefined, credit: id });
  const deleted = () => go({ creditmemo: undefined, creditof: undefined, credit: undefined });
  const shared = { onSaved: saved, onDeleted: deleted };
  const panel =
    credit.id === undefined ? undefined : (
      <CreditPanel
        id={credit.id}
        onClose={credit.close}
        onOpen={edit.open}
        onCopy={copy.open}
        onApply={apply.open}
        onRefund={(customerId, of) => openPay({ kind: 'refund', id: customerId, of })}
        payment={payment}
        invoice={invoice}
      />
    );
  const forms = (
    <>
      {edit.id !== undefined && (
        <CreditEntry key={edit.id} {...shared} invoiceId={edit.id} onClose={edit.close} onPay={saved} />
      )}
      {copy.id !== undefined && (
        <FreeEntry
          key={`copy ${copy.id}`}
          {...shared}
          invoiceId={0}
          copyOf={copy.id}
          onClose={copy.close}
          onPay={saved}
        />
      )}
      {of.id !== undefined && <CreditInvoice key={of.id} {...shared} invoiceId={of.id} onClose={of.close} />}
      {apply.id !== undefined && (
        <ApplyCreditById key={apply.id} side={BILLING} records={CREDITS} id={apply.id} onClose={apply.close} />
      )}
    </>
  );
  return { credit, edit, panel, forms };
}
