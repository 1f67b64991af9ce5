import type { PayableDocument } from '@evenkeel/contract/subledger';
import { capital } from '@evenkeel/core/documents/side';
import { formatUsd, sum } from '@evenkeel/core/money';
import { send, useStale } from '../../../client/api.ts';
import { telling, useRecordForm } from '../../../records/useRecordForm.ts';
import { useToday } from '../../../ui/hooks/today.tsx';
import { counted } from '../../../ui/show/words.ts';
import { useLastChoice } from './moneyAccounts.ts';
import {
  blankSeveral,
  ofCheck,
  ofDocument,
  ofPayer,
  payersOf,
  paying,
  placedSeveral,
  SeveralForm,
  severalFaults,
  severalInput,
  withChecks,
  withDocuments,
} from './severalForm.ts';
import type { DocumentSide } from '../side.ts';
import { type PaySeveral, payText } from '../useDocumentPlace.ts';
import { PLACES } from './usePaymentEntry.ts';

export interface SeveralOptions {
  side: DocumentSide;
  pay: PaySeveral;
  /** The selected documents that are open now. */
  documents: readonly PayableDocument[];
  onPosted: () => void;
  /** Loads the open documents again. */
  readAgain: () => void;
}

export const PAYMENTS = { one: 'payment', many: 'payments' };
const SHOWN = ['paymentDate', 'paymentTypeId', 'money'];

/** Manages the dialog for several payments: the form, its customers or vendors, and posting. */
export function useSeveral({ side, pay, documents, onPosted, readAgain }: SeveralOptions) {
  const today = useToday();
  const last = useLastChoice(side, 'payment');
  const { choices } = last;
  const stale = useStale();
  // A request that got no response may have paid the documents. Until its result is known, the dialog shows the
  // documents that were sent.
  const openNow = (form: SeveralForm, isTried: boolean) => (isTried ? form.documents : documents);
  const hasCheck = ({ paymentTypeId }: SeveralForm) =>
    !side.core.hasPaymentTypes || choices.types.find(({ id }) => id === paymentTypeId)?.displayName === 'Check';
  /** The form with the last payment's type and account and the next check numbers, for the documents in `open`. */
  const whole = (given: SeveralForm, open: readonly PayableDocument[]): SeveralForm => {
    const form = last.filledIn(given);
    return withChecks(form, payersOf(open), (place) => {
      const { number, isFilledIn } = last.checkAfter(form.money, place);
      return isFilledIn ? number : '';
    });
  };
  const typed = useRecordForm<Posted, SeveralForm>({
    name: `${side.draft}:${payText(pay)}`,
    id: 0,
    saved: undefined,
    formOf: () => blankSeveral(today, documents),
    schema: SeveralForm,
    check: (form, isTried) => {
      const open = openNow(form, isTried);
      return severalFaults(whole(form, open), payersOf(open), side);
    },
    placed: (fields, form) => placedSeveral(fields, form, PLACES),
    before: {
      run: async (form, keep) => {
        const open = openNow(form, typed.isTried());
        // A repeated request has the same check numbers, even if the account has used other numbers in the meantime.
        const sent = withDocuments(whole(form, open), open);
        keep(() => sent);
        return sent;
      },
      failed: 'Error Posting Payments',
    },
    send: async (form, { place, reason }) => {
      const bodies = severalInput(form, hasCheck(form));
      await send(side.payments.createAll(bodies, reason), place);
      stale();
      return { count: bodies.length, total: sum(bodies.map(({ paymentAmount }) => paymentAmount)) };
    },
    words: { saved: ({ count, total }) => `${counted(count, PAYMENTS)} posted, ${formatUsd(total)}` },
    onSaved: onPosted,
    onFaults: () => (typed.isTried() ? undefined : readAgain()),
  });
  const payers = payersOf(openNow(typed.values, typed.isTried()));
  const shown = payers.flatMap(({ id, open }) => [
    ofPayer(id),
    ofCheck(id),
    ...open.map(({ invoiceId }) => ofDocument(invoiceId)),
  ]);
  const values = whole(typed.values, openNow(typed.values, typed.isTried()));
  return {
    side,
    form: telling(typed, [...SHOWN, ...shown], (path, text) => `${nameOf(side, typed.values, path)}${text}`),
    values,
    payers,
    paid: paying(values, payers),
    gone: typed.isTried() ? undefined : goneOf(pay, typed.values, documents),
    choices,
    hint: last.hintFor(values),
    hasCheck: hasCheck(values),
  };
}
export type Several = ReturnType<typeof useSeveral>;

interface Posted {
  count: number;
  total: ReturnType<typeof sum>;
}

/** Returns the name of the document, customer, or vendor that a message refers to, if it is no longer on the screen. */
function nameOf({ core }: DocumentSide, { documents }: SeveralForm, path: string): string {
  const document = documents.find(({ invoiceId }) => ofDocument(invoiceId) === path);
  if (document !== undefined) {
    return `${capital(core.words.document)} ${document.invoiceNumber} (${document.entityDisplayName}): `;
  }
  const payer = documents.find(({ entityId }) => ofPayer(entityId) === path || ofCheck(entityId) === path);
  return payer === undefined ? '' : `${payer.entityDisplayName}: `;
}

/** Returns the selected documents that are no longer open. Documents that the dialog never loaded are only counted. */
function goneOf(pay: PaySeveral, { documents: known }: SeveralForm, open: readonly PayableDocument[]) {
  const isOpen = (id: number) => open.some(({ invoiceId }) => invoiceId === id);
  const isKnown = (id: number) => known.some(({ invoiceId }) => invoiceId === id);
  return {
    known: known.filter(({ invoiceId }) => !isOpen(invoiceId)),
    others: pay.ids.filter((id) => !isOpen(id) && !isKnown(id)).length,
  };
}
