import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '@evenkeel/contract/all';
import { bankingCalls } from '@evenkeel/contract/banking';
import { billingCalls } from '@evenkeel/contract/billing';
import { creditCalls } from '@evenkeel/contract/credits';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import type { Rehearsal } from '@evenkeel/contract/rehearsal';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { openingCalls } from '@evenkeel/contract/opening';
import { reconciliationCalls } from '@evenkeel/contract/reconciliation';
import { statementCalls } from '@evenkeel/contract/statements';
import { transferCalls } from '@evenkeel/contract/transfers';
import { workItemCalls } from '@evenkeel/contract/workitems';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { importFile, ofx } from '../../features/banking/testing/statement-files.ts';
import { type RawRequest, requestOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf, type Factory, factoryFor } from '../../testing/factories.ts';
import { type Fault, type Faults, faultsAt } from '../../testing/faults.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { withoutIds, written } from '../../testing/written.ts';

/** In torture runs, the connection also breaks at each statement. */
const FAULTS: readonly Fault[] = process.env['TORTURE_RUNS'] === undefined ? ['refused'] : ['refused', 'lost'];

let t: TestApp;
let company: WorldCompany;
let make: Factory;
let faults: Faults;
let owner: pg.Client;
let ids: { customerId: number; vendorId: number; bankAccountId: number; savings: number };
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  make = factoryFor(t, company);
  faults = faultsAt(t.pool);
  owner = new pg.Client({ connectionString: t.databaseUrl });
  await owner.connect();
  const [customerId, vendorId, bankAccountId] = [
    await make.customer(),
    await make.vendor(),
    await checkingOf(t, company.companyId),
  ];
  const body = { name: 'Savings', accountNumber: '42', glAccountID: 102 };
  const { bankingAccountID: savings } = await t.call(bankingCalls.createBankingAccount, { token: make.token, body });
  ids = { customerId, vendorId, bankAccountId, savings };
});
afterAll(async () => {
  faults.end();
  await owner.end();
  await t.close();
});

interface Ask {
  params?: object;
  body?: object;
}
let count = 0;
const next = (): number => (count += 1);

const line = { description: 'Work', itemPrice: 100, quantity: 1, accountId: 140 };
const invoiceBody = () => ({
  customerId: ids.customerId,
  invoiceDate: '2026-03-10',
  dueDate: '2026-04-09',
  lineItems: [{ ...line, itemPrice: 100 + next() }],
});
const creditBody = () => ({
  customerId: ids.customerId,
  invoiceDate: '2026-03-15',
  lineItems: [{ ...line, description: 'Returned', itemPrice: 10 + next() }],
});
const billBody = () => ({
  vendorId: ids.vendorId,
  invoiceNumber: `F-${next()}`,
  invoiceDate: '2026-03-10',
  lineItems: [{ description: 'Diesel', accountId: 153, lineItemAmount: 100 + next() }],
});
const paid = () => ({ paymentDate: '2026-03-20', bankAccountId: ids.bankAccountId });
const paymentBody = (invoiceId: number) => ({
  ...paid(),
  customerId: ids.customerId,
  paymentTypeId: 2,
  paymentAmount: 60,
  paymentApplications: [{ invoiceId, amount: 60 }],
});
const billPaymentBody = (invoiceId: number) => ({
  ...paid(),
  vendorId: ids.vendorId,
  paymentAmount: 60,
  paymentApplications: [{ invoiceId, amount: 60 }],
});
const transferBody = () => ({
  transferDate: '2026-03-22',
  fromBankAccountId: ids.bankAccountId,
  toBankAccountId: ids.savings,
  amount: 20 + next(),
});
const depositBody = () => ({
  depositDate: '2026-03-23',
  bankAccountId: ids.bankAccountId,
  receipts: [],
  lineItems: [{ accountId: 140, amount: 30 + next() }],
});
const entryBody = () => {
  const half = { description: 'Cash sale', postingDate: '2026-01-15', amount: 100 + next() };
  const generalLedgerEntries = [
    { ...half, accountID: 101, debit: true },
    { ...half, accountID: 140, debit: false },
  ];
  return { transactionID: 0, entityID: 0, generalLedgerEntries };
};
/** Edits to a payment that post new entries. Each edit changes the date and removes all applications. */
const moved = () => ({
  paymentDate: isoDate(`2026-04-${String(1 + (next() % 28)).padStart(2, '0')}`),
  paymentApplications: [],
});

const invoice = () => make.invoice({ customerId: ids.customerId });
const bill = () => make.bill({ vendorId: ids.vendorId });
const payment = async () =>
  t.call(billingCalls.createPayment, { token: make.token, body: paymentBody((await invoice()).id) });
const billPayment = async () =>
  t.call(expenseCalls.createExpensePayment, { token: make.token, body: billPaymentBody((await bill()).id) });
const transfer = () => t.call(transferCalls.createTransfer, { token: make.token, body: transferBody() });
const deposit = () => t.call(transferCalls.createDeposit, { token: make.token, body: depositBody() });

/** Returns requests that edit the same record repeatedly. */
const editing = (one: () => Promise<{ id: number }>, bodyOf: () => object) => {
  let made: Promise<{ id: number }> | undefined;
  return async (): Promise<Ask> => ({ body: { ...bodyOf(), id: (await (made ??= one())).id } });
};

/** Returns requests that delete a record, which is created again for each attempt. */
const removing = (one: () => Promise<{ id: number }>) => async (): Promise<Ask> => ({
  params: { id: (await one()).id },
});

/** Imports a bank transaction that has not been reviewed yet. */
async function bankLine(): Promise<number> {
  const text = `BANK ${next()}`;
  const bytes = ofx([{ date: isoDate('2026-03-21'), amount: 4000, text }]);
  await importFile(t, make.token, { bankAccountId: ids.bankAccountId, bytes });
  const listed = await t.call(statementCalls.listBankLines, { token: make.token, query: {} });
  const lines = Array.isArray(listed) ? listed : listed.items;
  return lines.find((each) => each.text === text)?.id ?? 0;
}
const added = { action: 'add', lines: [{ accountID: 140, amount: 40 }] };

const credit = () => make.credit({ customerId: ids.customerId });

/** Creates an invoice and a payment for it. An edit to the invoice posts the payment again. */
const paidInvoice = async (): Promise<{ id: number }> => {
  const made = await invoice();
  await t.call(billingCalls.createPayment, { token: make.token, body: paymentBody(made.id) });
  return made;
};

async function workItemInvoice(): Promise<Ask> {
  await make.workItem({ customerId: ids.customerId });
  return { body: { id: ids.customerId, invoiceDate: '2026-03-20' } };
}

async function reversal(): Promise<Ask> {
  const { transactionID } = await t.call(ledgerCalls.postTransaction, { token: make.token, body: entryBody() });
  return { params: { transactionId: transactionID }, body: { postingDate: '2026-03-01' } };
}

/**
 * Categorizes the only bank transaction on a statement, and reconciles the statement's ending balance with a bank
 * charge.
 */
async function reconciliation(): Promise<Ask> {
  await transfer();
  const open = await t.call(reconciliationCalls.unreconciledEntries, {
    token: make.token,
    params: { glAccountId: 102 },
    query: {},
  });
  // Only the newest entry is reconciled, because a reconciled transfer can't be edited.
  const newest = open.incomingEntries.toSorted((a, b) => b.glid - a.glid).slice(0, 1);
  const incomingEntries = newest.map(({ glid }) => glid);
  statementBalance += newest.reduce((sum, { debitAmount }) => sum + (debitAmount ?? 0), 0) / 100 - 1;
  statementDate = addDays(statementDate, 1);
  const charge = { bankCharge: 1, bankChargeAccountID: 151 };
  return { body: { bankAccountID: ids.savings, incomingEntries, statementDate, statementBalance, ...charge } };
}
let statementBalance = 0;
let statementDate = isoDate('2026-05-01');

/** Posts opening balances with a new invoice each time. The earlier opening balances are deleted. */
async function openingBody() {
  const { rowVersion } = await t.call(openingCalls.getOpeningBalances, { token: make.token });
  const lineItems = [{ accountId: 140 }];
  const one = { entityId: ids.customerId, number: `${next()}`, date: '2025-11-14', unpaidAmount: 90, lineItems };
  const lists = { invoices: [one], bills: [], customerCredits: [], vendorCredits: [] };
  return { date: '2025-12-31', accounts: [{ accountId: 137, amount: -90 }], ...lists, rowVersion };
}

/** Posts opening balances unless the company already has some. */
async function redoneOpening(): Promise<Ask> {
  const { rowVersion } = await openingBody();
  if (rowVersion === 0)
    await t.call(openingCalls.postOpeningBalances, { token: make.token, body: await openingBody() });
  return { body: await openingBody() };
}

/** The commands that post, each with a request that always succeeds. */
const COMMANDS: readonly (readonly [Endpoint, () => Promise<Ask> | Ask])[] = [
  [billingCalls.createInvoice, () => ({ body: invoiceBody() })],
  [billingCalls.updateInvoice, editing(paidInvoice, invoiceBody)],
  [billingCalls.deleteInvoice, removing(invoice)],
  [creditCalls.createCredit, () => ({ body: creditBody() })],
  [creditCalls.updateCredit, editing(credit, creditBody)],
  [creditCalls.deleteCredit, removing(credit)],
  [billingCalls.createPayment, async () => ({ body: paymentBody((await invoice()).id) })],
  [
    billingCalls.createPayments,
    async () => ({ body: { payments: [paymentBody((await invoice()).id), paymentBody((await invoice()).id)] } }),
  ],
  [billingCalls.updatePayment, editing(payment, () => ({ ...paymentBody(0), ...moved() }))],
  [billingCalls.deletePayment, removing(payment)],
  [workItemCalls.billWorkItems, workItemInvoice],
  [expenseCalls.createExpense, () => ({ body: billBody() })],
  [expenseCalls.updateExpense, editing(bill, billBody)],
  [expenseCalls.deleteExpense, removing(bill)],
  [expenseCalls.createExpensePayment, async () => ({ body: billPaymentBody((await bill()).id) })],
  [expenseCalls.createExpensePayments, async () => ({ body: { payments: [billPaymentBody((await bill()).id)] } })],
  [expenseCalls.updateExpensePayment, editing(billPayment, () => ({ ...billPaymentBody(0), ...moved() }))],
  [expenseCalls.deleteExpensePayment, removing(billPayment)],
  [transferCalls.createTransfer, () => ({ body: transferBody() })],
  [transferCalls.updateTransfer, editing(transfer, transferBody)],
  [transferCalls.deleteTransfer, removing(transfer)],
  [transferCalls.createDeposit, () => ({ body: depositBody() })],
  [transferCalls.updateDeposit, editing(deposit, depositBody)],
  [transferCalls.deleteDeposit, removing(deposit)],
  [ledgerCalls.postTransaction, () => ({ body: entryBody() })],
  [ledgerCalls.reverseTransaction, reversal],
  [openingCalls.redoOpeningBalances, redoneOpening],
  [statementCalls.actOnBankLine, async () => ({ params: { id: await bankLine() }, body: added })],
  [reconciliationCalls.createReconciliation, reconciliation],
];

interface Tried {
  statements: number;
  refused: number;
}

/**
 * Fails each statement of the command in turn until the command succeeds, and repeats the command with the key of each
 * failed attempt.
 */
async function failEach(endpoint: Endpoint, ask: () => Promise<Ask> | Ask, fault: Fault): Promise<Tried> {
  const made = async (): Promise<RawRequest> => {
    const { params, body } = await ask();
    const headers = { 'idempotency-key': `${endpoint.path} ${fault} ${next()}` };
    return { ...requestOf(endpoint, { params: { ...params }, headers, body }), token: make.token };
  };
  let sent = await made();
  let before = await written(owner);
  for (let [nth, refused] = [1, 0]; ; nth += 1) {
    faults.arm(nth, fault);
    const answer = await t.request(sent);
    const hasStruck = faults.hasStruck();
    faults.arm(0, fault);
    const after = await written(owner);
    if (answer.status !== 200) {
      expect([nth, answer.status, answer.body]).toEqual([nth, 503, expect.objectContaining({ code: 'unavailable' })]);
      expect([nth, after]).toEqual([nth, before]);
      refused += 1;
      continue;
    }
    expect([nth, after]).not.toEqual([nth, before]);
    // Another repetition writes nothing and returns the same response.
    if (endpoint.method === 'POST') {
      expect((await t.request(sent)).body).toEqual(answer.body);
      expect([nth, await written(owner)]).toEqual([nth, after]);
    }
    if (!hasStruck) return { statements: nth - 1, refused };
    // The server has retried the command automatically.
    sent = await made();
    before = await written(owner);
  }
}

const cases = COMMANDS.flatMap(([endpoint, ask]) =>
  FAULTS.map((fault) => [`${endpoint.method} ${endpoint.path}`, fault, endpoint, ask] as const),
);

test.each(cases)(
  'if a statement in %s is %s, no partial change is left, and the repeated request succeeds',
  async (...given) => {
    const [, fault, endpoint, ask] = given;
    const { statements, refused } = await failEach(endpoint, ask, fault);
    expect(statements).toBeGreaterThan(5);
    // If the connection breaks, the server automatically retries most attempts that have a key.
    expect(refused).toBeGreaterThan(fault === 'refused' ? 3 : 0);
  },
);

test.each(COMMANDS.map(([endpoint, ask]) => [`${endpoint.method} ${endpoint.path}`, endpoint, ask] as const))(
  'rehearsing %s writes nothing and returns the response of the subsequent call',
  async (...given) => {
    const [, endpoint, ask] = given;
    const { params, body } = await ask();
    const sent = { ...requestOf(endpoint, { params: { ...params }, body }), token: make.token };
    const before = await written(owner);
    const rehearsed = await t.request({ ...sent, headers: { 'evenkeel-rehearse': 'true' } });
    expect([rehearsed.status, rehearsed.body, await written(owner)]).toEqual([200, expect.anything(), before]);
    const { reply, rehearsal } = rehearsed.body as { reply: unknown; rehearsal: Rehearsal };
    const entries = await latestEntry();
    const real = await t.request(sent);
    expect([real.status, withoutIds(real.body)]).toEqual([200, withoutIds(reply)]);
    const amounts = rehearsal.transactions.flatMap(({ lines }) => lines.map(({ debit, credit }) => debit - credit));
    expect(amounts.map((amount) => Math.round(amount * 100))).toEqual(await amountsAfter(entries));
  },
);

const latestEntry = async (): Promise<string> => {
  const { rows } = await owner.query<{ id: string }>(
    'select coalesce(max(id), 0) as id from journal_line where company_id = $1',
    [company.companyId],
  );
  return rows[0]?.id ?? '0';
};

async function amountsAfter(id: string): Promise<number[]> {
  const text = 'select amount_cents::int as amount from journal_line where company_id = $1 and id > $2 order by id';
  const { rows } = await owner.query<{ amount: number }>(text, [company.companyId, id]);
  return rows.map(({ amount }) => amount);
}

/** Commands in these families that post nothing. */
const OTHERS = [
  'DELETE /GeneralLedger/Drafts/{id}',
  'DELETE /bankstatement/{id}',
  'DELETE /reconciliation/progress/{bankAccountId}',
  'DELETE /reconciliation/{id}',
  'POST /bankline/accept',
  'POST /bankstatement',
  // If the company has no opening balances, this call does the same as PUT.
  'POST /openingbalances',
  'PUT /reconciliation/progress/{bankAccountId}',
];

test('every command in the tested command families has a test here or posts nothing', () => {
  const family = ({ path }: Endpoint): string => path.split('/')[1]?.toLowerCase() ?? '';
  const named = ({ method, path }: Endpoint): string => `${method} ${path}`;
  const families = new Set([...COMMANDS.map(([each]) => family(each)), 'bankstatement']);
  const writing = endpoints.filter(
    (each) => each.method !== 'GET' && each.reads !== true && families.has(family(each)),
  );
  const tried = COMMANDS.map(([each]) => named(each));
  expect(
    writing
      .map(named)
      .filter((name) => !tried.includes(name))
      .toSorted(),
  ).toEqual(OTHERS.toSorted());
});
