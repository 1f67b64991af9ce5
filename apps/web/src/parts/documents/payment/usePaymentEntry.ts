import type { Cents } from '@evenkeel/core/money';
import { useMemo, useState } from 'react';
import { useRead } from '../../../client/api.ts';
import { useAttachments } from '../../attachments/useAttachments.ts';
import { useSave } from '../../../records/records.ts';
import { telling, useRecordForm } from '../../../records/useRecordForm.ts';
import { useToday } from '../../../ui/hooks/today.tsx';
import { useLastChoice } from './moneyAccounts.ts';
import {
  blankPayment,
  followed,
  listedOpen,
  paymentFaults,
  PaymentForm,
  paymentFormOf,
  paymentInput,
} from './paymentForm.ts';
import { type AnyPayment, type DocumentSide, entityOf } from '../side.ts';
import { type PayFor, payText } from '../useDocumentPlace.ts';

/** The documents of one customer or vendor that were selected for payment. */
export interface Chosen {
  entityId: number;
  documents: readonly { id: number; openAmount: Cents }[];
}

export interface PaymentEntryOptions {
  side: DocumentSide;
  pay: PayFor;
  saved: AnyPayment | undefined;
  /** The documents to pay. Their open balances are prefilled, and they come first in the list. */
  chosen: Chosen | undefined;
  onSaved: (payment: AnyPayment) => void;
}

/** Maps request paths to form field names. */
export const PLACES: Readonly<Record<string, string>> = {
  customerId: 'entityId',
  vendorId: 'entityId',
  paymentAmount: 'amount',
  bankAccountId: 'money',
  paymentAccountId: 'money',
  paymentRefNo: 'refNumber',
  paymentCheckNo: 'checkNumber',
};

const SHOWN = ['entityId', 'paymentDate', 'paymentTypeId', 'amount', 'money', 'refNumber', 'checkNumber', 'locationId'];

/** Loads the open documents for a payment. Loads nothing until a customer or vendor is selected. */
function useOpenDocuments(side: DocumentSide, entityId: number | null, paymentId: number) {
  const asked = side.openDocuments(entityId ?? 0, paymentId);
  return useRead(asked, { enabled: entityId !== null, alert: side.documents.words.loadAll });
}

/** Manages a payment dialog: the form, the open documents, and posting. */
export function usePaymentEntry({ side, pay, saved, chosen, onSaved }: PaymentEntryOptions) {
  const today = useToday();
  const id = saved?.id ?? 0;
  const last = useLastChoice(side, 'payment');
  const { choices } = last;
  const asked = pay.kind === 'entity' && pay.id > 0 ? pay.id : undefined;
  const entityId = chosen?.entityId ?? asked;
  const documents = chosen?.documents ?? [];
  const ofSaved = (one: AnyPayment) => entityOf(one).id;
  const save = useSave(side.payments);
  const hasCheck = ({ paymentTypeId }: PaymentForm) =>
    !side.core.hasPaymentTypes || choices.types.find((type) => type.id === paymentTypeId)?.displayName === 'Check';
  const [payer, setPayer] = useState((saved && ofSaved(saved)) ?? entityId ?? null);
  const invoices = useOpenDocuments(side, payer, id);
  const [firstIds] = useState(() => documents.map((document) => document.id));
  const open = useMemo(() => listedOpen(invoices.value ?? [], firstIds), [invoices.value, firstIds]);
  const withDefaults = (typed: PaymentForm): PaymentForm => {
    if (saved !== undefined) return typed;
    const form = last.filledIn(typed);
    const check = last.checkAfter(form.money);
    return { ...form, checkNumber: form.checkNumber ?? (check.isFilledIn ? check.number : null) };
  };
  const whole = (typed: PaymentForm) => followed(withDefaults(typed), invoices.value && open);
  const files = useAttachments();
  const name = side.draft;
  const typedForm = useRecordForm<AnyPayment, PaymentForm>({
    name: saved === undefined ? `${name}:${payText(pay)}` : name,
    id,
    saved,
    formOf: (one) =>
      one === undefined ? blankPayment({ today, entityId, chosen: documents }) : paymentFormOf(one, ofSaved(one)),
    schema: PaymentForm,
    check: (typed) => paymentFaults(whole(typed), open, side),
    placed: (fields) => Object.fromEntries(Object.entries(fields).map(([path, text]) => [PLACES[path] ?? path, text])),
    send: (typed, { place, reason }) =>
      save(id, paymentInput(whole(typed), open, { saved, reason, hasCheck: hasCheck(whole(typed)) }), place),
    reply: side.paymentReply,
    posts: true,
    before: files.before,
    onFaults: (wrong) => {
      files.onFaults(wrong);
      // Another user may have paid a document in the meantime. If an earlier request got no response, that payment may
      // also be this user's own.
      if (payer !== null && !typedForm.isTried()) void invoices.retry();
    },
    words: { saved: (one) => `Payment ${one.paymentNumber} posted` },
    onSaved,
  });
  // The form determines whose invoices are loaded, and the invoices determine the form's errors.
  if (typedForm.values.entityId !== payer) setPayer(typedForm.values.entityId);
  const form = telling(typedForm, SHOWN);
  const payment = whole(form.values);
  const isWaiting = payment.entityId !== null && invoices.value === undefined;
  return {
    side,
    form,
    files,
    /** The form with its derived values: the applied amounts, and the account if there is only one. */
    payment,
    open,
    invoices,
    choices,
    hint: saved === undefined ? last.hintFor(payment) : undefined,
    nextCheck: last.checkAfter(payment.money).number,
    hasCheck: hasCheck(payment),
    post: () => (isWaiting ? undefined : form.save()),
  };
}
export type PaymentEntry = ReturnType<typeof usePaymentEntry>;
