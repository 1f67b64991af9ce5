import fc from 'fast-check';
import { billingCalls } from '@evenkeel/contract/billing';
import { budgetCalls } from '@evenkeel/contract/budgets';
import { closingCalls } from '@evenkeel/contract/closing';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { reconciliationCalls } from '@evenkeel/contract/reconciliation';
import { encode } from '@evenkeel/contract/wire';
import { BANK_CHARGES, CHECKING, CREDIT_CARD, SALES, SERVICE_INCOME } from '@evenkeel/core/books/accounts';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { post } from '../../../books/ledger/journal.ts';
import { entry, posting } from '../../../books/ledger/testing/books.ts';
import { inCompany } from '../../../platform/db/tx.ts';
import { Refused, type TestApp } from '../../../testing/app.ts';
import { checkingOf, factoryFor } from '../../../testing/factories.ts';
import type { WorldCompany } from '../../../testing/world.ts';

/** Most of the days are in the range of the reports, and some are before or after the range. */
export const day = fc.integer({ min: 30, max: 110 });
export const amount = fc.integer({ min: 1, max: 99_999 });
const account = fc.constantFrom(CHECKING, CREDIT_CARD, SALES, SERVICE_INCOME, BANK_CHARGES);

const ENTRIES = ['reverse', 'reverse', 'invoice', 'bill', 'pay', 'pay', 'credit', 'refund'] as const;
const CHANGES = ['changeInvoice', 'changeInvoice', 'changeBill', 'changePayment', 'changePayment'] as const;
const REMOVALS = ['deleteInvoice', 'deleteBill', 'deletePayment', 'unreconcile'] as const;
const OTHERS = ['reconcile', 'budget', 'budget', 'close'] as const;

/** A posting, or a change of a record. `pick` chooses the record. */
export const step = fc.oneof(
  fc.record({
    act: fc.constant('entry' as const),
    day,
    amount,
    debit: account,
    credit: account,
    basis: fc.constantFrom('A' as const, 'B' as const, 'C' as const),
  }),
  ...[ENTRIES, CHANGES, REMOVALS, OTHERS].map((acts) =>
    fc.record({ act: fc.constantFrom(...acts), day, amount, pick: fc.nat(9) }),
  ),
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Act = Exclude<Step['act'], 'entry'>;
type Change = Extract<Step, { pick: number }>;

export interface History {
  /** The customer of all invoices. */
  customerId: number;
  /** Takes a step. Returns false if no record can be changed, or if Evenkeel rejects the change. */
  play: (step: Step) => Promise<boolean>;
}

/** Starts a history in a new company that collects sales tax. */
export async function startHistory(t: TestApp, company: WorldCompany): Promise<History> {
  const { token } = company.administrator;
  const make = factoryFor(t, company);
  await make.tax();
  const [customerId, vendorId] = [await make.customer(), await make.vendor()];
  const bankAccountId = await checkingOf(t, company.companyId);
  const journals: { id: number; postingDate: string }[] = [];
  const [invoices, bills, payments]: [number[], number[], number[]] = [[], [], []];
  const date = (days: number) => addDays(isoDate('2025-11-01'), days);
  const lineOf = ({ amount: price, pick }: Change) => ({
    description: 'Work',
    itemPrice: price / 100,
    quantity: 1,
    accountId: 140,
    taxable: pick % 2 === 0,
  });
  const appliedTo = (invoiceId: number | undefined) => (invoiceId === undefined ? [] : [{ invoiceId, amount: 0.01 }]);

  const enter = async (each: Extract<Step, { act: 'entry' }>): Promise<void> => {
    const entries = [entry(each.debit, each.amount), entry(each.credit, -each.amount)];
    const lines = entries.map((one) => ({ ...one, basis: each.basis }));
    const request = { source: { type: 'journal' as const, id: 0 }, postings: [posting(date(each.day), lines)] };
    const [posted] = await inCompany(t.pool, company.companyId, (tx) =>
      post({ tx, userId: company.bookkeeper.userId }, [request]),
    );
    journals.push(...(posted?.transactions ?? []));
  };

  const acts: Record<Act, (change: Change) => Promise<unknown>> = {
    reverse: async ({ day: days, pick }) => {
      const one = taken(journals, pick);
      // Half of the reversals are on the same day, so that reports hide the pair.
      const postingDate = isoDate(days % 2 === 0 ? one.postingDate : date(120));
      const params = { transactionId: one.id };
      await t.call(ledgerCalls.reverseTransaction, { token, params, body: { postingDate } } as never);
    },
    invoice: async (change) => {
      const [invoiceDate, lineItems] = [date(change.day), [lineOf(change)]];
      invoices.push((await make.invoice({ customerId, invoiceDate, lineItems })).id);
    },
    bill: async ({ day: days, amount: price }) =>
      bills.push((await make.bill({ vendorId, invoiceDate: date(days), amount: price / 100 })).id),
    pay: async ({ day: days, amount: price, pick }) => {
      const paymentApplications = appliedTo(chosen(invoices, pick));
      const sent = { customerId, paymentDate: date(days), paymentAmount: price / 100, paymentApplications };
      payments.push((await make.payment(sent)).id);
    },
    credit: ({ day: days, amount: price }) => make.credit({ customerId, invoiceDate: date(days), amount: price / 100 }),
    refund: ({ day: days, pick }) => {
      const paymentRefunds = [{ paymentId: needed(chosen(payments, pick)), amount: 0.01 }];
      const sent = { customerId, paymentDate: date(days), paymentAmount: -0.01, paymentApplications: [] };
      return make.payment({ ...sent, paymentRefunds });
    },
    changeInvoice: async (change) => {
      const id = needed(chosen(invoices, change.pick));
      const invoice = await t.call(billingCalls.getInvoice, { token, params: { id } });
      const changes = { invoiceDate: date(change.day), lineItems: [lineOf(change)] };
      const body = { ...Object(encode(billingCalls.getInvoice.reply, invoice)), ...changes };
      await t.call(billingCalls.updateInvoice, { token, body });
    },
    changeBill: async ({ day: days, amount: price, pick }) => {
      const id = needed(chosen(bills, pick));
      const bill = await t.call(expenseCalls.getExpense, { token, params: { id } });
      const line = { description: 'Diesel', accountId: 153, lineItemAmount: price / 100, creditLine: false };
      const changes = { invoiceDate: date(days), invoiceNumber: `C-${price}`, lineItems: [line] };
      const body = { ...Object(encode(expenseCalls.getExpense.reply, bill)), ...changes };
      await t.call(expenseCalls.updateExpense, { token, body });
    },
    changePayment: async ({ day: days, amount: price, pick }) => {
      const id = needed(chosen(payments, pick));
      const payment = await t.call(billingCalls.getPayment, { token, params: { id } });
      const paymentApplications = appliedTo(chosen(invoices, days));
      const changes = { paymentDate: date(days), paymentAmount: price / 100, paymentApplications };
      const body = { ...Object(encode(billingCalls.getPayment.reply, payment)), ...changes };
      await t.call(billingCalls.updatePayment, { token, body });
    },
    deleteInvoice: ({ pick }) => t.call(billingCalls.deleteInvoice, { token, params: { id: taken(invoices, pick) } }),
    deleteBill: ({ pick }) => t.call(expenseCalls.deleteExpense, { token, params: { id: taken(bills, pick) } }),
    deletePayment: ({ pick }) => t.call(billingCalls.deletePayment, { token, params: { id: taken(payments, pick) } }),
    reconcile: async ({ day: days }) => {
      const statementDate = date(days);
      const sent = { token, params: { glAccountId: CHECKING }, query: { statementDate } };
      const open = await t.call(reconciliationCalls.unreconciledEntries, sent);
      const entries = [...open.incomingEntries, ...open.outgoingEntries].slice(0, 2);
      const cleared = entries.reduce((sum, one) => sum + (one.debitAmount ?? 0) - (one.creditAmount ?? 0), 0);
      const statementBalance = (open.lastBalance + cleared) / 100;
      const incomingEntries = entries.map(({ glid }) => glid);
      const body = { bankAccountID: bankAccountId, statementDate, statementBalance, incomingEntries };
      await t.call(reconciliationCalls.createReconciliation, { token, body });
    },
    unreconcile: async () => {
      const [last] = await t.call(reconciliationCalls.listReconciliations, { token, params: { bankAccountId } });
      const params = { id: needed(last).reconciliationID };
      await t.call(reconciliationCalls.deleteReconciliation, { token, params, query: {} });
    },
    budget: async ({ day: days, amount: price, pick }) => {
      const year = pick % 2 === 0 ? 2025 : 2026;
      const month = year === 2025 ? 11 : days % 2;
      const { rows } = await t.call(budgetCalls.getBudget, { token, query: { year } } as never);
      const was = rows.find(({ accountId }) => accountId === SALES)?.amounts[month] ?? null;
      const at = isoDate(`${year}-${String(month + 1).padStart(2, '0')}-01`);
      const cells = [
        { accountId: SALES, month: at, was: was === null ? null : was / 100, amount: pick % 5 === 0 ? null : price },
      ];
      await t.call(budgetCalls.saveBudget, { token, body: { year, profitCenterId: null, cells } });
    },
    close: async ({ pick }) => {
      const { rowVersion } = await t.call(closingCalls.getClosingDate, { token });
      const body = { closingDate: isoDate(`2025-0${1 + (pick % 9)}-28`), note: 'Checked', rowVersion };
      await t.call(closingCalls.setClosingDate, { token, body });
    },
  };

  return {
    customerId,
    play: async (each) => {
      try {
        await (each.act === 'entry' ? enter(each) : acts[each.act](each));
        return true;
      } catch (error) {
        if (!(error instanceof NoRecord) && !(error instanceof Refused && error.refusal.status < 500)) throw error;
        return false;
      }
    },
  };
}

/** Thrown if the company has no record that the step could change. */
class NoRecord extends Error {}

const chosen = <T>(all: readonly T[], pick: number): T | undefined => all[pick % Math.max(1, all.length)];

function needed<T>(one: T | undefined): T {
  if (one === undefined) throw new NoRecord();
  return one;
}

/** Returns a record and removes it from the list. */
function taken<T>(all: T[], pick: number): T {
  const one = needed(chosen(all, pick));
  all.splice(all.indexOf(one), 1);
  return one;
}
