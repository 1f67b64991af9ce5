import { type BillingInvoice, BillingPayment } from '@evenkeel/contract/billing';
import { useMemo, useState } from 'react';
import { useSave } from '../records/records.ts';
import { telling, useRecordForm } from '../records/useRecordForm.ts';
import { useToday } from '../ui/hooks/today.tsx';
import {
  blankPayment,
  followed,
  listedOpen,
  paymentFaults,
  PaymentForm,
  paymentFormOf,
  paymentInput,
} from './paymentForm.ts';
import { type PaymentChoices, useCustomerOpenInvoices, usePaymentChoices } from './queries.ts';
import { PAYMENTS } from './records.ts';
import type { PayFor } from './useBillingPlace.ts';

export interface PaymentEntryOptions {
  pay: PayFor;
  saved: BillingPayment | undefined;
  /** The invoice to pay: its open amount is prefilled, and it stands first in the list. */
  invoice: BillingInvoice | undefined;
  onSaved: (payment: BillingPayment) => void;
}

/** The form's names of the request's paths. */
const PLACES: Readonly<Record<string, string>> = {
  paymentAmount: 'amount',
  bankAccountId: 'deposit',
  paymentAccountId: 'deposit',
  paymentRefNo: 'refNumber',
  paymentCheckNo: 'checkNumber',
};

const SHOWN = ['customerId', 'paymentDate', 'paymentTypeId', 'amount', 'deposit', 'refNumber', 'checkNumber'];

/** The state of one Add Billing Payment dialog: the form, the open invoices, posting. */
export function usePaymentEntry({ pay, saved, invoice, onSaved }: PaymentEntryOptions) {
  const today = useToday();
  const id = saved?.id ?? 0;
  const choices = usePaymentChoices();
  const customerId = invoice?.customerId ?? (pay.kind === 'customer' && pay.id > 0 ? pay.id : undefined);
  const save = useSave(PAYMENTS);
  const isCheck = ({ paymentTypeId }: PaymentForm) =>
    choices.types.find((type) => type.id === paymentTypeId)?.displayName === 'Check';
  const [payer, setPayer] = useState(saved?.customerId ?? customerId ?? null);
  const invoices = useCustomerOpenInvoices(payer, id);
  const open = useMemo(() => listedOpen(invoices.open ?? [], invoice?.id), [invoices.open, invoice?.id]);
  const whole = (typed: PaymentForm) => followed(withOnlyDeposit(typed, choices), invoices.open && open);
  const typedForm = useRecordForm<BillingPayment, PaymentForm>({
    name: saved === undefined ? `billingpayment:${pay.kind} ${pay.id}` : 'billingpayment',
    id,
    saved,
    formOf: (one) => (one === undefined ? blankPayment({ today, customerId, invoice }) : paymentFormOf(one)),
    schema: PaymentForm,
    check: (typed) => paymentFaults(whole(typed), open),
    placed: (fields) => Object.fromEntries(Object.entries(fields).map(([path, text]) => [PLACES[path] ?? path, text])),
    send: (typed, { place, reason }) =>
      save(id, paymentInput(whole(typed), open, { id, reason, isCheck: isCheck(typed) }), place),
    reply: BillingPayment,
    words: { saved: (one) => `Payment ${one.paymentNumber} posted` },
    onSaved,
  });
  // Whose invoices are listed follows from the form, and what is wrong with the form from the list.
  if (typedForm.values.customerId !== payer) setPayer(typedForm.values.customerId);
  const form = telling(typedForm, SHOWN);
  const payment = whole(form.values);
  const isWaiting = payment.customerId !== null && invoices.open === undefined;
  return {
    form,
    /** The form with what follows from the rest: the applications in figures, the only deposit account. */
    payment,
    open,
    invoices,
    choices,
    isCheck: isCheck(payment),
    post: () => (isWaiting ? undefined : form.save()),
  };
}
export type PaymentEntry = ReturnType<typeof usePaymentEntry>;

/** Where money can go to one place only, it goes there. */
function withOnlyDeposit(form: PaymentForm, choices: PaymentChoices): PaymentForm {
  const banks = choices.banks.filter((bank) => bank.allowDeposits && !bank.creditCards);
  const [only] = banks;
  if (form.deposit !== null || banks.length !== 1 || only === undefined) return form;
  return { ...form, deposit: `bank ${only.bankingAccountID}` };
}
