import { useMemo, useRef } from 'react';
import { idInAddress, idInState, useAskedByState, useOpenRecord } from '../../records/openRecord.ts';
import { besideAsked, nothingBeside, useBeside } from './beside.ts';
import { type Change, usePlace } from '../../records/place.ts';

/**
 * The purpose of a payment dialog: it shows a posted payment, or a new payment for an invoice, a customer, or a vendor.
 */
export type PayOne =
  | { kind: 'payment' | 'invoice'; id: number }
  /** `chosen` contains the IDs of the invoices to pay. */
  | { kind: 'entity'; id: number; chosen?: readonly number[] };
/** New payments for several invoices, one for each customer or vendor. */
export type PaySeveral = { kind: 'several'; ids: readonly number[] };
/**
 * A refund to a customer or from a vendor. `of` identifies one credit (a document's ID, or a payment's ID as a negative
 * number). Without `of`, the refund covers all credits.
 */
export type PayBack = { kind: 'refund'; id: number; of?: number };
export type PayFor = PayOne | PaySeveral | PayBack;

/** Returns the URL value for a payment dialog: `i36`, `e5.36.38`, `s36.38`, `r5`, or `r5.p12`. */
export function payText(pay: PayFor): string {
  if (pay.kind === 'refund') return `r${pay.id}${creditText(pay.of)}`;
  const ids = pay.kind === 'several' ? pay.ids : [pay.id, ...(pay.kind === 'entity' ? (pay.chosen ?? []) : [])];
  return `${pay.kind.charAt(0)}${ids.join('.')}`;
}

/** Returns the part of the URL value that identifies a refund's credit: `.c36` for a document, `.p12` for a payment. */
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
  // A new payment can begin without a customer or vendor: `e0`.
  if (text === 'e0') return { kind: 'entity', id: 0 };
  const [id = 0, ...chosen] = ids.map((each) => idInAddress(each, false));
  if (text.startsWith('s')) return { kind: 'several', ids: [id, ...chosen].filter((each) => each > 0) };
  if (text.startsWith('e')) return { kind: 'entity', id, chosen };
  if (text.startsWith('p')) return { kind: 'payment', id };
  return text.startsWith('i') ? { kind: 'invoice', id } : undefined;
}

/** Converts navigation state that opens a record into URL parameters. */
function asked(state: unknown) {
  const payer = idInState(state, 'payCustomerId') ?? idInState(state, 'payVendorId');
  const change: Change = {
    ...besideAsked((name) => idInState(state, name)),
    pay: payer === undefined ? undefined : payText({ kind: 'entity', id: payer }),
  };
  return Object.values(change).every((one) => one === undefined) ? undefined : change;
}

/** The payment dialog in the URL. It opens on top of a page, or replaces the page's form, whose parameter is `form`. */
export function usePayPlace(form: string) {
  const place = usePlace();
  const text = place.query.get('pay');
  const afterPosting = useRef<() => void>(undefined);
  return useMemo(
    () => ({
      pay: payFor(text),
      /** `onPosted` is called after the payment is posted. */
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
 * The open panels and dialogs of billing or expenses, all stored in the URL. `invoice` or `payment` is next to the
 * list. On top of it are
 * `edit` (the invoice form, 0 for a new one), `copy` (a new invoice copied from that one), or `pay` (`i36` pays invoice
 * 36, `s36.38` pays invoices 36 and 38, `e5` is for customer or vendor 5, `e5.36.38` for 5 and these invoices, `e0`
 * lets the user choose one, `p9` is payment 9, `r5` is a refund for 5).
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
      /**
       * Called after an invoice is saved. Opens the invoice next to the list. If the invoice is being sent by email,
       * the email opens on top.
       */
      saved: (id: number, isSent = false) =>
        place.go({
          ...nothingBeside(),
          edit: undefined,
          copy: undefined,
          invoice: id,
          ...(isSent ? { send: id } : {}),
        }),
      deleted: () => place.go({ edit: undefined, invoice: undefined }),
      /**
       * Shows the current version of a payment next to the list. If several payments were posted, doesn't show any of
       * them.
       */
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
