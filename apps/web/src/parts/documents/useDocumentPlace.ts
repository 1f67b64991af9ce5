import { useMemo, useRef } from 'react';
import { idInAddress, idInState, useAskedByState, useOpenRecord } from '../../records/openRecord.ts';
import { besideAsked, nothingBeside, useBeside } from './beside.ts';
import { type Change, usePlace } from '../../records/place.ts';

/** The subject of a payment dialog: a posted payment, or a new one of an invoice or of a customer or vendor. */
export type PayOne =
  | { kind: 'payment' | 'invoice'; id: number }
  /** `chosen` are the ids of its invoices that are to be paid. */
  | { kind: 'entity'; id: number; chosen?: readonly number[] };
/** Or the new payments of several invoices, one for each customer or vendor. */
export type PaySeveral = { kind: 'several'; ids: readonly number[] };
/** Or a refund of a customer or vendor, of one credit (a document, or a payment by its id below zero) or of all. */
export type PayBack = { kind: 'refund'; id: number; of?: number };
export type PayFor = PayOne | PaySeveral | PayBack;

/** Its name in the address: `i36`, `e5.36.38`, `s36.38`, `r5`, `r5.p12`. */
export function payText(pay: PayFor): string {
  if (pay.kind === 'refund') return `r${pay.id}${creditText(pay.of)}`;
  const ids = pay.kind === 'several' ? pay.ids : [pay.id, ...(pay.kind === 'entity' ? (pay.chosen ?? []) : [])];
  return `${pay.kind.charAt(0)}${ids.join('.')}`;
}

/** The credit of a refund: `.c36` a document, `.p12` a payment. */
const creditText = (of: number | undefined): string =>
  of === undefined ? '' : of < 0 ? `.p${negative(of)}` : `.c${of}`;
const negative = (id: number): number => -id;

function refundFor(text: string): PayBack {
  const [entity = '', credit] = text.slice(1).split('.');
  const id = idInAddress(entity, false);
  if (credit === undefined) return { kind: 'refund', id };
  const of = idInAddress(credit.slice(1), false);
  return { kind: 'refund', id, of: credit.startsWith('p') ? negative(of) : of };
}

function payFor(text: string | null): PayFor | undefined {
  if (text === null) return undefined;
  if (text.startsWith('r')) return refundFor(text);
  const ids = text.slice(1).split('.');
  const [id = 0, ...chosen] = ids.map((each) => idInAddress(each, false));
  if (text.startsWith('s')) return { kind: 'several', ids: [id, ...chosen].filter((each) => each > 0) };
  if (text.startsWith('e')) return { kind: 'entity', id, chosen };
  if (text.startsWith('p')) return { kind: 'payment', id };
  return text.startsWith('i') ? { kind: 'invoice', id } : undefined;
}

/** Navigation state that opens something here, as the address says it. */
function asked(state: unknown) {
  const payer = idInState(state, 'payCustomerId') ?? idInState(state, 'payVendorId');
  const change: Change = {
    ...besideAsked((name) => idInState(state, name)),
    pay: payer === undefined ? undefined : payText({ kind: 'entity', id: payer }),
  };
  return Object.values(change).every((one) => one === undefined) ? undefined : change;
}

/** The payment dialog in the address: over a page, or instead of its form, by whose name that is there. */
export function usePayPlace(form: string) {
  const place = usePlace();
  const text = place.query.get('pay');
  const afterPosting = useRef<() => void>(undefined);
  return useMemo(
    () => ({
      pay: payFor(text),
      /** `onPosted` is called once it is posted. */
      openPay: (what: PayFor, onPosted?: () => void) => {
        afterPosting.current = onPosted;
        place.go({ [form]: undefined, copy: undefined, pay: payText(what) }, { step: [form, 'pay'] });
      },
      closePay: () => place.go({ pay: undefined }),
      tellPosted: () => afterPosting.current?.(),
    }),
    [place, text, form],
  );
}

/**
 * The open parts of billing or expenses, all of them in the address: `invoice` or `payment` beside the list, over it
 * `edit` (the form of an invoice, 0 a new one), `copy` (a new one like that) or `pay` (`i36` pays invoice 36, `s36.38`
 * invoices 36 and 38, `e5` is of customer or vendor 5, `e5.36.38` of 5 for these invoices, `p9` is payment 9, `r5` a
 * refund of 5).
 */
export function useDocumentPlace() {
  useAskedByState(asked);
  const place = usePlace();
  const invoice = useBeside('invoice');
  const payment = useBeside('payment');
  const edit = useOpenRecord('edit');
  const copy = useOpenRecord('copy', { hasNew: false });
  const paying = usePayPlace('edit');
  return useMemo(
    () => ({
      ...paying,
      invoice,
      payment,
      edit,
      copy,
      /** The form has saved: its invoice stands beside the list, under its e-mail where it is sent. */
      saved: (id: number, isSent = false) =>
        place.go({
          ...nothingBeside(),
          edit: undefined,
          copy: undefined,
          invoice: id,
          ...(isSent ? { send: id } : {}),
        }),
      deleted: () => place.go({ edit: undefined, invoice: undefined }),
      /** A payment that stands beside the list is shown as it is now; of several posted ones none is shown. */
      posted: (id?: number) => {
        paying.tellPosted();
        place.go((newest) => ({
          pay: undefined,
          ...(id !== undefined && newest.has('payment') ? { payment: id } : {}),
        }));
      },
      backToInvoice: (id: number) => place.go({ pay: undefined, edit: id }),
      closePanel: () => place.go(nothingBeside()),
    }),
    [copy, edit, invoice, payment, place, paying],
  );
}
export type DocumentPlace = ReturnType<typeof useDocumentPlace>;
