import { billingCalls, BillingPayment } from '@evenkeel/contract/billing';
import { decode } from '@evenkeel/contract/wire';
import { useMemo, useState } from 'react';
import { useWrite } from '../api.ts';
import { isAdministrator, useSession } from '../session.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { type SendPlace, useDraft } from '../ui/hooks/draft.ts';
import { useToday } from '../ui/hooks/today.tsx';
import { type Faults, standing } from './faults.ts';
import {
  blankPayment,
  followed,
  listedOpen,
  paymentFaults,
  type PaymentForm,
  paymentFormOf,
  paymentInput,
  type PaymentStart,
  readPaymentDraft,
} from './paymentForm.ts';
import { useCustomerOpenInvoices, useFiguresChanged, usePaymentChoices } from './queries.ts';
import { refusalOf, unplaced } from './refusal.ts';
import { useCreate } from './useCreate.ts';
import { useFocusOnTrouble } from './useFocusOnTrouble.ts';

/** A posted payment as the server answers it. */
export type PostedPayment = BillingPayment;

interface Trouble {
  faults: Faults<PaymentForm> | undefined;
  /** What the server said that no field shows. */
  said: string[];
  asksReason: boolean;
  theirs: BillingPayment | undefined;
}

const NO_TROUBLE: Trouble = { faults: undefined, said: [], asksReason: false, theirs: undefined };

/** What of the form a message of the request's field depends on. */
const PARTS: Readonly<Record<string, readonly (keyof PaymentForm)[]>> = {
  customerId: ['customerId'],
  paymentDate: ['paymentDate'],
  paymentTypeId: ['paymentTypeId'],
  paymentAmount: ['amount', 'applied'],
  paymentApplications: ['amount', 'applied'],
  bankAccountId: ['deposit'],
  paymentAccountId: ['deposit'],
  paymentRefNo: ['refNumber'],
  paymentCheckNo: ['checkNumber'],
};

/** Fields that show their own message. */
const FIELDS = Object.keys(PARTS).filter((name) => name !== 'paymentApplications');

export interface PaymentEntryOptions extends Omit<PaymentStart, 'today'> {
  saved: BillingPayment | undefined;
}

/** The state of one Add Billing Payment dialog: draft, open invoices, what is wrong, posting. */
export function usePaymentEntry({ saved, customerId, invoice }: PaymentEntryOptions) {
  const today = useToday();
  const alerts = useAlerts();
  const session = useSession();
  const [name] = useState(() => draftName({ saved, customerId, invoice }));
  const initial = saved === undefined ? blankPayment({ today, customerId, invoice }) : paymentFormOf(saved);
  const draft = useDraft<PaymentForm>({ name, initial, read: readPaymentDraft, isNew: saved === undefined });
  const [trouble, setTrouble] = useState<Trouble>(NO_TROUBLE);
  const [reason, setReason] = useState('');
  const focusOnTrouble = useFocusOnTrouble();
  const choices = usePaymentChoices();
  const invoices = useCustomerOpenInvoices(draft.value.customerId, saved?.id ?? 0);
  const open = useMemo(() => listedOpen(invoices.open ?? [], invoice?.id), [invoices.open, invoice?.id]);
  const writing = usePaymentWrite(saved?.id ?? 0, draft.sent);
  const form = followed(withOnlyDeposit(draft.value, choices), invoices.open && open);
  const isCheck = choices.types.find((type) => type.id === form.paymentTypeId)?.displayName === 'Check';

  const refused = (thrown: unknown) => {
    const refusal = refusalOf(thrown);
    const theirs = refusal.current === undefined ? undefined : decode(BillingPayment, refusal.current);
    const said = theirs === undefined ? unplaced(refusal, FIELDS) : [];
    const asksReason = refusal.isClosed && isAdministrator(session);
    const own = Object.entries(refusal.fields).filter(([name]) => FIELDS.includes(name));
    setTrouble({ faults: { messages: Object.fromEntries(own), about: form }, said, asksReason, theirs });
    alerts.error(refusal.message);
    focusOnTrouble();
  };
  /** Posts the payment; undefined when it was not posted: everything typed is then still there. */
  const post = async (): Promise<PostedPayment | undefined> => {
    if (writing.busy || (form.customerId !== null && invoices.open === undefined)) return undefined;
    const messages = paymentFaults(form, open);
    setTrouble((before) => ({ ...before, faults: { messages, about: form }, said: [] }));
    if (Object.keys(messages).length > 0) {
      focusOnTrouble();
      return undefined;
    }
    try {
      const payment = await writing.send(paymentInput(form, open, { id: saved?.id ?? 0, reason, isCheck }));
      draft.clear();
      alerts.success(`Payment ${payment.paymentNumber} posted`);
      return payment;
    } catch (thrown) {
      refused(thrown);
      return undefined;
    }
  };
  const takeTheirs = (theirs: BillingPayment) => {
    draft.clear(paymentFormOf(theirs));
    setTrouble(NO_TROUBLE);
    invoices.retry();
  };
  const keepMine = (theirs: BillingPayment) => {
    draft.set((before) => ({ ...before, rowVersion: theirs.rowVersion }));
    setTrouble(NO_TROUBLE);
    invoices.retry();
  };
  const discard = () => draft.clear();
  const faults = standing(trouble.faults, form, (field) => PARTS[field] ?? []);
  const others = Object.entries(faults).flatMap(([name, text]) => (FIELDS.includes(name) ? [] : [text]));
  const problems = [...trouble.said, ...others];
  const parts = { draft, form, open, invoices, choices, isCheck, faults, problems, trouble, reason, setReason };
  return { ...parts, post, discard, busy: writing.busy, takeTheirs, keepMine };
}
export type PaymentEntry = ReturnType<typeof usePaymentEntry>;

function draftName({ saved, customerId, invoice }: PaymentEntryOptions): string {
  if (saved !== undefined) return `billingpayment:${saved.id}`;
  if (invoice !== undefined) return `billingpayment:0:invoice ${invoice.id}`;
  return customerId === undefined ? 'billingpayment:0' : `billingpayment:0:customer ${customerId}`;
}

/** Where money can go to one place only, it goes there. */
function withOnlyDeposit(form: PaymentForm, choices: ReturnType<typeof usePaymentChoices>): PaymentForm {
  const banks = choices.banks.filter((bank) => bank.allowDeposits && !bank.creditCards);
  const [only] = banks;
  if (form.deposit !== null || banks.length !== 1 || only === undefined) return form;
  return { ...form, deposit: `bank ${only.bankingAccountID}` };
}

/** Creates or updates; the idempotency key of a create is kept until an answer comes. */
function usePaymentWrite(id: number, place: SendPlace) {
  const create = useCreate(billingCalls.createPayment, place);
  const update = useWrite(billingCalls.updatePayment);
  const changed = useFiguresChanged();
  return {
    busy: create.busy || update.isPending,
    send: async (body: ReturnType<typeof paymentInput>): Promise<PostedPayment> => {
      const payment = await (id === 0 ? create.send({ body }) : update.mutateAsync({ body }));
      void changed();
      return payment;
    },
  };
}
