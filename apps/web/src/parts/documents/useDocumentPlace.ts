import { useMemo, useRef } from 'react';
import { idInAddress, idInState, useAskedByState, useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';

/** The subject of a payment dialog: a posted payment, or a new one of a customer or vendor, or of an invoice. */
export interface PayOne {
  kind: 'payment' | 'entity' | 'invoice';
  id: number;
}
/** Or the new payments of several invoices, one for each customer or vendor. */
export type PayFor = PayOne | { kind: 'several'; ids: readonly number[] };

const KINDS = { p: 'payment', e: 'entity', i: 'invoice' } as const;
/** Its name in the address: `i36`, `s36.38`. */
export const payText = (pay: PayFor): string =>
  `${pay.kind.charAt(0)}${pay.kind === 'several' ? pay.ids.join('.') : pay.id}`;

function payFor(text: string | null): PayFor | undefined {
  const letter = text?.charAt(0);
  if (letter === 's') {
    const ids = text?.slice(1).split('.').map((id) => idInAddress(id, false)) ?? [];
    return { kind: 'several', ids: ids.filter((id) => id > 0) };
  }
  if (letter !== 'p' && letter !== 'e' && letter !== 'i') return undefined;
  return { kind: KINDS[letter], id: idInAddress(text?.slice(1) ?? '', false) };
}

/** Navigation state that opens something here, as the address says it. */
function asked(state: unknown) {
  const payer = idInState(state, 'payCustomerId') ?? idInState(state, 'payVendorId');
  const change = {
    invoice: idInState(state, 'itemId'),
    payment: idInState(state, 'paymentId'),
    pay: payer === undefined ? undefined : payText({ kind: 'entity', id: payer }),
  };
  return Object.values(change).every((one) => one === undefined) ? undefined : change;
}

/**
 * The open parts of billing or expenses, all of them in the address: `invoice` or `payment` beside the list, over it
 * `edit` (the form of an invoice, 0 a new one) or `pay` (`i36` pays invoice 36, `s36.38` invoices 36 and 38, `e5` is of
 * customer or vendor 5, `p9` is payment 9).
 */
export function useDocumentPlace() {
  useAskedByState(asked);
  const place = usePlace();
  const invoice = useOpenRecord('invoice', { other: 'payment', hasNew: false });
  const payment = useOpenRecord('payment', { other: 'invoice', hasNew: false });
  const edit = useOpenRecord('edit');
  const text = place.query.get('pay');
  const afterPosting = useRef<() => void>(undefined);
  return useMemo(
    () => ({
      invoice,
      payment,
      edit,
      pay: payFor(text),
      /** Instead of the form where that is open. */
      openPay: (what: PayFor, onPosted?: () => void) => {
        afterPosting.current = onPosted;
        place.go({ edit: undefined, pay: payText(what) }, { step: ['edit', 'pay'] });
      },
      closePay: () => place.go({ pay: undefined }),
      /** The form has saved: its invoice stands beside the list. */
      saved: (id: number) => place.go({ edit: undefined, payment: undefined, invoice: id }),
      deleted: () => place.go({ edit: undefined, invoice: undefined }),
      /** A payment that stands beside the list is shown as it is now; of several posted ones none is shown. */
      posted: (id?: number) => {
        afterPosting.current?.();
        place.go((newest) => ({
          pay: undefined,
          ...(id !== undefined && newest.has('payment') ? { payment: id } : {}),
        }));
      },
      backToInvoice: (id: number) => place.go({ pay: undefined, edit: id }),
      closePanel: () => (invoice.id === undefined ? payment.close() : invoice.close()),
    }),
    [edit, invoice, payment, place, text],
  );
}
export type DocumentPlace = ReturnType<typeof useDocumentPlace>;
