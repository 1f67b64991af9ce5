import type { Cents } from '@evenkeel/core/money';
import { useMemo, useState } from 'react';
import { useRead } from '../../../client/api.ts';
import { useAttachments } from '../../attachments/useAttachments.ts';
import { useSave } from '../../../records/records.ts';
import { telling, useRecordForm } from '../../../records/useRecordForm.ts';
import { useToday } from '../../../ui/hooks/today.tsx';
import { onlyMoneyKey, usePaymentChoices } from './moneyAccounts.ts';
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

/** The documents of one customer or vendor that were chosen to be paid. */
export interface Chosen {
  entityId: number;
  documents: readonly { id: number; openAmount: Cents }[];
}

export interface PaymentEntryOptions {
  side: DocumentSide;
  pay: PayFor;
  saved: AnyPayment | undefined;
  /** The documents to pay: their open amounts are prefilled, and they stand first in the list. */
  chosen: Chosen | undefined;
  onSaved: (payment: AnyPayment) => void;
}

/** The form's names of the request's paths. */
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

/** The open documents for a payment; nothing is read before somebody is chosen. */
function useOpenDocuments(side: DocumentSide, entityId: number | null, paymentId: number) {
  const asked = side.openDocuments(entityId ?? 0, paymentId);
  return useRead(asked, { enabled: entityId !== null, alert: side.documents.words.loadAll });
}

/** The state of one payment dialog: the form, the open documents, posting. */
export function usePaymentEntry({ side, pay, saved, chosen, onSaved }: PaymentEntryOptions) {
  const today = useToday();
  const id = saved?.id ?? 0;
  const choices = usePaymentChoices();
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
  const whole = (typed: PaymentForm) =>
    followed({ ...typed, money: typed.money ?? onlyMoneyKey(choices, side.takes) }, invoices.value && open);
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
      save(id, paymentInput(whole(typed), open, { saved, reason, hasCheck: hasCheck(typed) }), place),
    reply: side.paymentReply,
    before: files.before,
    onFaults: (wrong) => {
      files.onFaults(wrong);
      // Somebody may have paid one of them meanwhile; after a try without an answer it may have been this try.
      if (payer !== null && !typedForm.isTried()) void invoices.retry();
    },
    words: { saved: (one) => `Payment ${one.paymentNumber} posted` },
    onSaved,
  });
  // The form decides whose invoices are listed, and the list what is wrong with the form.
  if (typedForm.values.entityId !== payer) setPayer(typedForm.values.entityId);
  const form = telling(typedForm, SHOWN);
  const payment = whole(form.values);
  const isWaiting = payment.entityId !== null && invoices.value === undefined;
  return {
    side,
    form,
    files,
    /** The form with what follows from the rest: the applications in figures, the only account there is. */
    payment,
    open,
    invoices,
    choices,
    hasCheck: hasCheck(payment),
    post: () => (isWaiting ? undefined : form.save()),
  };
}
export type PaymentEntry = ReturnType<typeof usePaymentEntry>;
