import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { endpoints } from '@evenkeel/contract/all';
import { bankingCalls } from '@evenkeel/contract/banking';
import { billingCalls } from '@evenkeel/contract/billing';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { statementCalls } from '@evenkeel/contract/statements';
import { transferCalls } from '@evenkeel/contract/transfers';
import { isoDate } from '@evenkeel/core/dates';
import { difference } from '@evenkeel/core/books/ledger';
import { databaseCode } from '../../platform/db/errors.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { liveLinesBySource, liveLinesOf, post } from '../../books/ledger/journal.ts';
import { requestOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { expectSound, type Reconciler, reconcilerOf } from './testing/reconciling.ts';
import { importFile, ofx } from './testing/statement-files.ts';

let t: TestApp;
let company: WorldCompany;
let books: Reconciler;
let make: Factory;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  company = await t.createCompany();
  books = reconcilerOf(t, company);
  make = factoryFor(t, company);
});

/** Imports a statement with +60, which matches the payment, and +40, which is categorized as income. */
async function dealtWith(bankAccountId: number) {
  const says = { date: isoDate('2026-03-21'), text: 'DEPOSIT' };
  const bytes = ofx([6000, 4000].map((amount) => ({ ...says, amount })));
  const { id: statementId } = await importFile(t, books.token, { bankAccountId, bytes });
  const listed = await t.call(statementCalls.listBankLines, { token: books.token, query: {} });
  const lines = Array.isArray(listed) ? listed : listed.items;
  const idOf = (amount: number) => lines.find((line) => line.amount === amount)?.id ?? 0;
  const [matched, added] = [idOf(6000), idOf(4000)];
  const deal = (id: number, body: object) =>
    t.call(statementCalls.actOnBankLine, { token: books.token, params: { id }, body });
  const glids = (await books.open()).incomingEntries.map(({ glid }) => glid);
  await deal(matched, { action: 'match', glids });
  const { line } = await deal(added, { action: 'add', lines: [{ accountID: 140, amount: 40 }] });
  const journal = { transactionID: line.act?.entries[0]?.transactionID ?? 0 };
  return { statementId, matched, added, journal };
}

/**
 * Creates documents of every kind and reconciles their lines in Checking with one statement: +60 −50 −80 +40 −25 +35
 * dollars.
 */
async function reconciledBooks() {
  const [customerId, vendorId, bankAccountId] = [await make.customer(), await make.vendor(), await books.bank()];
  const invoice = await make.invoice({ customerId });
  const paid = [{ invoiceId: invoice.id, amount: 60 }];
  const payment = await make.payment({ customerId, paymentAmount: 60, paymentApplications: paid });
  const bill = await make.bill({ vendorId });
  const billed = [{ invoiceId: bill.id, amount: 50 }];
  const billPayment = await make.billPayment({ vendorId, paymentAmount: 50, paymentApplications: billed });
  const atOnce = await make.bill({ vendorId, amount: 80, postToVendorAccount: false, bankAccountId });
  const { journal, ...bank } = await dealtWith(bankAccountId);
  const savings = { name: 'Savings', accountNumber: '42', glAccountID: 102 };
  const { bankingAccountID: elsewhere } = await t.call(bankingCalls.createBankingAccount, {
    token: books.token,
    body: savings,
  });
  const away = { transferDate: '2026-03-22', fromBankAccountId: bankAccountId, toBankAccountId: elsewhere, amount: 25 };
  const transfer = await t.call(transferCalls.createTransfer, { token: books.token, body: away });
  const lineItems = [{ accountId: 140, amount: 35 }];
  const cash = { depositDate: '2026-03-23', bankAccountId, receipts: [], lineItems };
  const deposit = await t.call(transferCalls.createDeposit, { token: books.token, body: cash });
  const open = await books.open();
  const glids = [...open.incomingEntries, ...open.outgoingEntries].map(({ glid }) => glid);
  expect(glids).toHaveLength(6);
  const { reconciliationID } = await books.reconcile({ entries: glids, statementBalance: -20 });
  const made = { customerId, vendorId, invoice, payment, bill, billPayment, atOnce, journal, transfer, deposit };
  return { ...made, ...bank, reconciliationID, elsewhere };
}
type Books = Awaited<ReturnType<typeof reconciledBooks>>;

interface Attempt {
  says: string;
  body?: (b: Books) => Promise<object> | object;
  at?: (b: Books) => object;
}

/** Returns a record in the format in which its form reads it. */
const read = async (call: Endpoint, { id }: { id: number }): Promise<object> =>
  (await t.request({ ...requestOf(call, { params: { id } }), token: books.token })).body as object;
const paymentOf = ({ payment }: Books) => read(billingCalls.getPayment, payment);
const billPaymentOf = ({ billPayment }: Books) => read(expenseCalls.getExpensePayment, billPayment);
const billOf = ({ atOnce }: Books) => read(expenseCalls.getExpense, atOnce);

const transferOf = ({ transfer }: Books) => read(transferCalls.getTransfer, transfer);
const depositOf = ({ deposit }: Books) => read(transferCalls.getDeposit, deposit);

const edited = (stored: (b: Books) => Promise<object>, change: (b: Books) => object) => async (b: Books) => {
  return { ...(await stored(b)), ...change(b) };
};

const moved: readonly [string, (b: Books) => object][] = [
  ['a different amount', () => ({ paymentAmount: 61 })],
  ['a different date', () => ({ paymentDate: '2026-03-22' })],
  ['a different bank account', ({ elsewhere }) => ({ bankAccountId: elsewhere })],
];
const changes = (stored: (b: Books) => Promise<object>): Attempt[] =>
  moved.map(([says, change]) => ({ says, body: edited(stored, change) }));

const LINE = { description: 'Diesel', accountId: 153 };

/**
 * Every command that posts, each with the changes that must be rejected if the entry in the bank account is reconciled.
 */
const ATTEMPTS: readonly (readonly [Endpoint, readonly Attempt[]])[] = [
  [billingCalls.updatePayment, changes(paymentOf)],
  [billingCalls.createPayment, changes(paymentOf)],
  [billingCalls.deletePayment, [{ says: 'deletion', at: ({ payment }) => ({ id: payment.id }) }]],
  [expenseCalls.updateExpensePayment, changes(billPaymentOf)],
  [expenseCalls.createExpensePayment, changes(billPaymentOf)],
  [expenseCalls.deleteExpensePayment, [{ says: 'deletion', at: ({ billPayment }) => ({ id: billPayment.id }) }]],
  ...[expenseCalls.updateExpense, expenseCalls.createExpense].map((call) => {
    const attempts = [
      { says: 'a different amount', body: edited(billOf, () => ({ lineItems: [{ ...LINE, lineItemAmount: 81 }] })) },
      {
        says: 'a different date',
        body: edited(billOf, () => ({ invoiceDate: '2026-03-11', postingDate: '2026-03-11' })),
      },
      { says: 'a different bank account', body: edited(billOf, ({ elsewhere }) => ({ bankAccountId: elsewhere })) },
      { says: 'the vendor’s account instead', body: edited(billOf, () => ({ postToVendorAccount: true })) },
      { says: 'voiding', body: edited(billOf, () => ({ voided: true })) },
    ];
    return [call, attempts] as const;
  }),
  [expenseCalls.deleteExpense, [{ says: 'deletion', at: ({ atOnce }) => ({ id: atOnce.id }) }]],
  ...[transferCalls.updateTransfer, transferCalls.createTransfer].map((call) => {
    const attempts = [
      { says: 'a different amount', body: edited(transferOf, () => ({ amount: 26 })) },
      { says: 'a different date', body: edited(transferOf, () => ({ transferDate: '2026-03-21' })) },
      {
        says: 'the opposite direction',
        body: edited(transferOf, ({ transfer }) => ({
          fromBankAccountId: transfer.toBankAccountId,
          toBankAccountId: transfer.fromBankAccountId,
        })),
      },
    ];
    return [call, attempts] as const;
  }),
  [transferCalls.deleteTransfer, [{ says: 'deletion', at: ({ transfer }) => ({ id: transfer.id }) }]],
  ...[transferCalls.updateDeposit, transferCalls.createDeposit].map((call) => {
    const attempts = [
      { says: 'a different amount', body: edited(depositOf, () => ({ lineItems: [{ accountId: 140, amount: 36 }] })) },
      { says: 'a different date', body: edited(depositOf, () => ({ depositDate: '2026-03-24' })) },
      { says: 'a different bank account', body: edited(depositOf, ({ elsewhere }) => ({ bankAccountId: elsewhere })) },
    ];
    return [call, attempts] as const;
  }),
  [transferCalls.deleteDeposit, [{ says: 'deletion', at: ({ deposit }) => ({ id: deposit.id }) }]],
  [
    statementCalls.actOnBankLine,
    (['matched', 'added'] as const).map((line) => ({
      says: `undoing a bank transaction that was ${line}`,
      at: (b) => ({ id: b[line] }),
      body: () => ({ action: 'undo' }),
    })),
  ],
  [statementCalls.deleteStatement, [{ says: 'undoing the import', at: ({ statementId }) => ({ id: statementId }) }]],
  [
    ledgerCalls.reverseTransaction,
    ['2026-03-21', '2026-06-02'].map((postingDate) => ({
      says: `reversal on ${postingDate}`,
      at: ({ journal }) => ({ transactionId: journal.transactionID }),
      body: () => ({ postingDate }),
    })),
  ],
];
/** Commands that change no existing entry. They create entries or affect other records. */
const HARMLESS = [
  // Invoices and unpaid bills have no line in a bank account. The tests below edit them.
  'POST /billinginvoice',
  'PUT /billinginvoice',
  'DELETE /billinginvoice/{id}',
  'POST /writeoff',
  'DELETE /writeoff/{id}',
  'POST /billingcredit',
  'PUT /billingcredit',
  'DELETE /billingcredit/{id}',
  'POST /billingestimate',
  'PUT /billingestimate',
  'DELETE /billingestimate/{id}',
  'POST /billingestimate/{id}/invoices',
  'POST /billingpayments',
  'POST /expensepayments',
  'POST /GeneralLedger/PostTransaction',
  'DELETE /GeneralLedger/Drafts/{id}',
  'POST /Reconciliation',
  'POST /bankstatement',
  'POST /bankline/accept',
  // Deleting a reconciliation unlocks its entries.
  'DELETE /reconciliation/{id}',
  // These calls move the closing date, or sign off a report or an account.
  'PUT /closingdate',
  'PUT /closingreview',
  'PUT /closingreview/account',
  'DELETE /closingreview/account/{id}',
  'PUT /dashboard/firststeps',
  'PUT /reconciliation/progress/{bankAccountId}',
  'DELETE /reconciliation/progress/{bankAccountId}',
  'POST /installation/demo',
  // These calls create invoices, which have no line in a bank account.
  'POST /workiteminvoice',
  'POST /financecharge',
  // Reconciled entries block this change or undo. opening.test.ts and cases.test.ts check this.
  'POST /openingbalances',
  'PUT /openingbalances',
  'POST /movein/{id}/undo',
  // Filing a return and paying the tax add entries and don't change existing ones. An adjustment has no line in a bank
  // account. returns.test.ts checks that a reconciled tax payment is kept.
  'POST /taxreturn',
  'DELETE /taxreturn/{id}',
  'POST /taxpayment',
  'DELETE /taxpayment/{id}',
  // Online payments add entries. The only existing records that they change are the applications of payments, which
  // online.test.ts checks.
  'PUT /onlinepayments',
  'PUT /onlinepayments/connection',
  'PUT /onlinepayments/disconnection',
  'PUT /onlinereviews/{id}',
  // An import adds entries but doesn't change any.
  'POST /movein/{id}/import',
  'POST /movein',
  'PUT /movein/{id}',
  'DELETE /movein/{id}',
  'POST /movein/{id}/file',
  'DELETE /movein/{id}/file/{fileId}',
  'POST /movein/{id}/preview',
  'POST /movein/{id}/cancel',
  'POST /reports/{reportId}/email',
  // These calls run the commands above, with all of the commands' checks.
  'POST /proposals',
  'POST /proposals/commit',
  'POST /proposals/undo',
  'POST /approvals/{id}/change',
  'POST /approvals/{id}/approve',
  'POST /approvals/{id}/reject',
  'POST /approvals/{id}/undo',
  'POST /audit/{id}/undo',
];

/** The calls for sessions, and for records that post nothing. */
const POSTS_NOTHING = new Set(
  `account signinrules apikeys agents webhooks login logout register verify-email validate-reset-token user useradmin
  userroles customer vendor product discount package productcategory company entitydetails customersettings salestax
  taxrule taxagency form1099 form1099settings form1099consent form1099copies bankingaccount firsttimesetup bankrule
  paymenttypes accountsetup workitems scheduledinvoice scheduledexpense scheduledjournal sending sendingsettings
  refusedmail documentlink portallink reminders health financechargesettings accountcategories profitcenters locations
  budget reportstars dashboardcards accountingcard document`.split(/\s+/),
);

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
const wordOf = (name: string): string => name.split('/')[1]?.toLowerCase() ?? '';

test("every API command is either tested here or can't affect a reconciled entry", () => {
  const writing = endpoints.filter(({ method, reads }) => method !== 'GET' && reads !== true).map(nameOf);
  const tried = ATTEMPTS.map(([call]) => nameOf(call));
  const others = writing.filter((name) => !tried.includes(name) && !POSTS_NOTHING.has(wordOf(name)));
  expect(others.toSorted()).toEqual(HARMLESS.toSorted());
});

/** Returns the journal, reconciliation marks, and matches, to prove that a rejected command changes nothing. */
function state() {
  return t.inCompany(company.companyId, (tx) =>
    tx.one(sql<{ lines: number; marks: unknown; matches: unknown }>`
      select (select count(*) from journal_line where company_id = ${COMPANY}) as lines,
        (select jsonb_agg(to_jsonb(m) order by line_id) from reconciliation_line m
          where company_id = ${COMPANY}) as marks,
        (select jsonb_agg(to_jsonb(m) order by line_id) from bank_match m where company_id = ${COMPANY}) as matches`),
  );
}

describe('a reconciled entry', () => {
  const cases = ATTEMPTS.flatMap(([call, attempts]) =>
    attempts.map((attempt) => [nameOf(call), attempt.says, call, attempt] as const),
  );
  // Promise (books): No command can change the amount, account, or date of a reconciled entry or delete it. The error
  // identifies the reconciliation. A new description keeps the entry reconciled. [18 commands; 200 random books in
  // core]
  it.each(cases)('a reconciled entry blocks %s: %s', async (_, __, call, { at, body }) => {
    const b = await reconciledBooks();
    const before = await state();
    const sent = requestOf(call, { params: { ...at?.(b) }, body: await body?.(b) });
    const answer = await t.request({ ...sent, token: books.token });
    expect(answer).toMatchObject({
      status: 409,
      body: {
        code: 'conflict',
        message: expect.stringContaining('This entry is reconciled on the Checking statement dated 5/31/2026.'),
        reconciliation: { id: b.reconciliationID, bankAccountId: await books.bank() },
      },
    });
    expect(await state()).toEqual(before);
    await expectSound(t, company);
  });

  it('if a reconciled entry gets a new memo, the mark moves to the line that replaces the old one', async () => {
    const b = await reconciledBooks();
    const before = await books.get(b.reconciliationID);
    const body = { ...(await paymentOf(b)), paymentDescription: 'Wire of March', paymentCheckNo: '77' };
    await t.call(billingCalls.updatePayment, { token: books.token, body });
    const lineItems = [{ ...LINE, description: 'Diesel for the mower', lineItemAmount: 80 }];
    await t.call(expenseCalls.updateExpense, { token: books.token, body: { ...(await billOf(b)), lineItems } });
    const memo = { ...(await transferOf(b)), memo: 'To savings' };
    await t.call(transferCalls.updateTransfer, { token: books.token, body: memo });
    const after = await books.get(b.reconciliationID);
    expect(after.incomingEntries.map(({ debitAmount }) => debitAmount)).toEqual([6000, 4000, 3500]);
    expect(after.outgoingEntries.map(({ creditAmount }) => creditAmount)).toEqual([8000, 5000, 2500]);
    expect(after.incomingEntries.map(({ description }) => description)).toContain('Wire of March');
    expect(after.incomingEntries.map(({ glid }) => glid)).not.toEqual(before.incomingEntries.map(({ glid }) => glid));
    expect(after.entryCount).toBe(6);
    await expectSound(t, company);
    const deletion = { token: books.token, params: { id: b.payment.id }, query: {} };
    expect((await t.refused(billingCalls.deletePayment, deletion)).status).toBe(409);
  });

  it('a reconciled payment accepts changes to its applications, invoice amounts, and bill lines', async () => {
    const b = await reconciledBooks();
    const lineItems = [{ description: 'Work', itemPrice: 140, quantity: 1, accountId: 141 }];
    const invoice = { id: b.invoice.id, customerId: b.customerId, invoiceDate: '2026-03-09', dueDate: '2026-04-09' };
    await t.call(billingCalls.updateInvoice, { token: books.token, body: { ...invoice, lineItems } });
    const body = { ...(await paymentOf(b)), paymentApplications: [] };
    await t.call(billingCalls.updatePayment, { token: books.token, body });
    await t.call(billingCalls.deleteInvoice, { token: books.token, params: { id: b.invoice.id }, query: {} });
    expect((await books.get(b.reconciliationID)).entryCount).toBe(6);
    await expectSound(t, company);
  });

  it('a reconciled entry can be changed again after its reconciliation is deleted', async () => {
    const b = await reconciledBooks();
    await books.remove(b.reconciliationID);
    const body = { ...(await paymentOf(b)), paymentAmount: 75 };
    await t.call(billingCalls.updatePayment, { token: books.token, body });
    await t.call(expenseCalls.deleteExpense, { token: books.token, params: { id: b.atOnce.id }, query: {} });
    await expectSound(t, company);
  });

  it('a bank account with a reconciled entry is made inactive instead of deleted', async () => {
    const b = await reconciledBooks();
    const params = { id: await books.bank() };
    await t.call(bankingCalls.deleteBankingAccount, { token: books.token, params });
    expect(await t.call(bankingCalls.getBankingAccount, { token: books.token, params })).toMatchObject({
      active: false,
    });
    const { token } = books;
    const register = await t.call(ledgerCalls.accountEntries, { token, params: { customerAccountId: 101 }, query: {} });
    const entries = Array.isArray(register) ? register : register.items;
    expect(entries.map(({ reconciliationId }) => reconciliationId)).toEqual(Array(6).fill(b.reconciliationID));
  });
});

describe('the database', () => {
  it('the database rejects a posting that ignores a reconciliation, and the error names it', async () => {
    const b = await reconciledBooks();
    const before = await state();
    const source = { type: 'payment', id: b.payment.id };
    const forgetful = t.withCtx(company.bookkeeper, async (ctx) => {
      const live = liveLinesBySource(await ctx.tx.rows(liveLinesOf([source])));
      await post(ctx, [{ source, postings: difference(live(source), []) }]);
    });
    const error = await forgetful.catch((thrown: unknown) => thrown);
    expect(databaseCode(error)).toBe('EK005');
    expect(error).toMatchObject({ detail: expect.stringContaining('"name": "Checking"') });
    expect(await state()).toEqual(before);
  });
});
