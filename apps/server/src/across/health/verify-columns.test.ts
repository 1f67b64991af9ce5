import type pg from 'pg';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authCalls } from '@evenkeel/contract/auth';
import { chargeCalls } from '@evenkeel/contract/charges';
import { closingCalls } from '@evenkeel/contract/closing';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { formCalls } from '@evenkeel/contract/forms1099';
import { openingCalls } from '@evenkeel/contract/opening';
import { reconciliationCalls } from '@evenkeel/contract/reconciliation';
import { sendingCalls } from '@evenkeel/contract/sending';
import { settingsCalls } from '@evenkeel/contract/settings';
import { statementCalls } from '@evenkeel/contract/statements';
import { taxReturnCalls } from '@evenkeel/contract/taxreturns';
import { taxRuleCalls } from '@evenkeel/contract/taxrules';
import { transferCalls } from '@evenkeel/contract/transfers';
import { isoDate } from '@evenkeel/core/dates';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { csv, importFile, ofx } from '../../features/banking/testing/statement-files.ts';
import { workItemCalls } from '@evenkeel/contract/workitems';
import { openClient } from '../../platform/db/connect.ts';
import { within } from '../../platform/db/tx.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf, factoryFor } from '../../testing/factories.ts';
import { upload } from '../../testing/files.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { faultsOf, verifyWithin } from './books-verify.ts';

/** The ID of a company to which rows are moved. The company has no other rows. */
const ELSEWHERE = 999_999;

let t: TestApp;
let owner: pg.Client;
let companyId: number;
let columns: Column[];

interface Column {
  table: string;
  name: string;
  type: string;
  /** Each column is `sealed`, `checked` (recalculated from other columns), or `left out` (neither). */
  kind: string;
}

/**
 * Creates books with a row in every table, with documents on both sides that have dimensions, packages, discounts, and
 * files.
 */
beforeAll(async () => {
  t = await startTestApp();
  const company = await t.createCompany();
  ({ companyId } = company);
  const { token } = company.administrator;
  const make = factoryFor(t, company);
  await make.tax();
  await t.inCompany(companyId, async (tx) => {
    for (const text of rowsOfOtherTables) await tx.rows(sql.raw(text.replaceAll('$1', String(companyId))));
  });
  const customerId = await make.customer();
  const product = await make.product();
  const off = { description: 'Discount', GLAccountID: 143, discountType: 1, discountPercentage: 10, name: 'Tenth' };
  const { discountID } = await t.call(catalogueCalls.createDiscount, { token, body: off });
  const packageLineItems = [{ productID: product, quantity: 3 }];
  const deal = { name: 'Deal', description: 'Deal', packageDealDiscountType: 2, goalPrice: 100, packageLineItems };
  const { packageID } = await t.call(catalogueCalls.createPackage, { token, body: deal });
  const sold = [{ productId: product }, { packageId: packageID }, { discountId: discountID }].map((one) => ({
    ...one,
    description: 'Mowing',
    itemPrice: 50,
    quantity: 1,
  }));
  const { documentId } = await upload(t, make.token, {});
  const [id, profitCenterId] = [(await make.invoice({ customerId, lineItems: sold })).id, 901];
  const applied = [{ invoiceId: id, amount: 60, profitCenterId }];
  const documentLinks = [{ documentId }];
  const paid = await make.payment({ customerId, paymentAmount: 100, paymentApplications: applied, documentLinks });
  const paymentRefunds = [{ paymentId: paid.id, amount: 10 }];
  await make.payment({ customerId, paymentAmount: -10, paymentApplications: [], paymentRefunds });
  const check = await make.payment({ customerId, paymentAmount: 30, bankAccountId: null, paymentAccountId: 104 });
  const [receipts, lineItems] = [[{ paymentId: check.id }], [{ accountId: 140, amount: 5, profitCenterId }]];
  const [depositDate, bankAccountId] = ['2026-03-21', await checkingOf(t, companyId)];
  const body = { depositDate, bankAccountId, receipts, lineItems };
  await t.call(transferCalls.createDeposit, { token, body });
  await make.workItem({ customerId, packageId: packageID, accountId: null, profitCenterId, dueDate: '2026-04-01' });
  await t.call(workItemCalls.billWorkItems, { token, body: { id: customerId, invoiceDate: '2026-03-20' } });
  await sendInvoice(company, id);
  const vendorId = await make.vendor();
  const bill = (await make.bill({ vendorId })).id;
  await make.billPayment({ vendorId, paymentAmount: 60, paymentApplications: [{ invoiceId: bill, amount: 50 }] });
  await chargeLate(company);
  await reconcile(company);
  await reviewBank(company);
  await fileTaxes(company, customerId);
  await fileForm(company, vendorId);
  const none = { invoices: [], bills: [], customerCredits: [], vendorCredits: [] };
  const accounts = [101, 137].map((accountId) => ({ accountId, amount: accountId === 101 ? 100 : -100 }));
  await t.call(openingCalls.postOpeningBalances, { token, body: { date: '2025-12-31', accounts, ...none } });
  await moveIn();
  await t.inCompany(companyId, async (tx) => {
    for (const text of rowsOfOnlinePayments) await tx.rows(sql.raw(text.replaceAll('$1', String(companyId))));
  });
  const closed = { date: isoDate('2025-12-31'), report: 'balanceSheet' as const, signed: true };
  await t.call(closingCalls.signOff, { token, body: closed });
  const [accountId, date] = [160, isoDate('2025-12-31')];
  await t.call(closingCalls.signOffAccount, { token, body: { accountId, date, balance: 0 } });
  await t.call(closingCalls.setClosingDate, { token, body: { closingDate: closed.date, note: 'Open', rowVersion: 0 } });
  await t.call(authCalls.forgotPassword, { body: { Email: company.administrator.email } });
  await t.runJobs();
  owner = await openClient({ connectionString: t.databaseUrl });
  await owner.query(`insert into company (company_id, displayname) values (${ELSEWHERE}, 'Elsewhere')`);
  await allowEverything();
  columns = await allColumns();
});
afterAll(async () => {
  await owner.end();
  await t.close();
});

/** Sends an invoice that uses the company's own template, and opens the invoice's private link. */
async function sendInvoice({ administrator: { token } }: WorldCompany, invoiceId: number): Promise<void> {
  const templates = [{ kind: 'invoice', subject: 'Yours', text: '{link}' }];
  await t.call(sendingCalls.saveSendingSettings, { token, body: { templates, howToPay: 'By check' } });
  await t.call(sendingCalls.send, { token, body: { invoiceId } });
  await t.runJobs();
  await t.inCompany(companyId, (tx) => tx.rows(sql`insert into reminder_off select company_id, entity_id from mail`));
  const report = { reportParams: [], to: ['loans@bank.example'] };
  await t.call(sendingCalls.emailReport, { token, params: { reportId: reportKinds.trialBalance.id }, body: report });
  await t.inCompany(companyId, (tx) =>
    tx.rows(sql`insert into document_view select company_id, id, now() from document_link`),
  );
  await t.inCompany(companyId, (tx) =>
    tx.rows(sql`
      insert into document_link (company_id, entity_id, token_hash, created_by)
      select company_id, min(entity_id), '\\x07', 1 from mail group by company_id`),
  );
}

/** Adds a tax rule, and files and pays the return for a quarter with one taxable invoice. */
async function fileTaxes(company: WorldCompany, customerId: number): Promise<void> {
  const { token } = company.administrator;
  const taxable = [{ description: 'Work', itemPrice: 100, quantity: 1, accountId: 140, taxable: true }];
  const quarter = { invoiceDate: '2025-11-03', dueDate: '2025-12-03', lineItems: taxable };
  await factoryFor(t, company).invoice({ customerId, ...quarter });
  const rule = { state: 'OH', from: '2026-01-01', value: { topic: 'discount' as const, percent: 1 }, source: 'Letter' };
  await t.call(taxRuleCalls.createTaxRule, { token, body: rule });
  const [scenario] = await t.call(settingsCalls.listSalesTax, { token });
  const itemIds = scenario?.salesTaxItems.map(({ id }) => id) ?? [];
  const terms = { name: 'Comptroller', state: 'TX', accountId: 123, itemIds, frequency: 2, basis: 'accrual' as const };
  const agency = await t.call(taxReturnCalls.createTaxAgency, { token, body: { ...terms, startDate: '2025-10-01' } });
  const period = { agencyId: agency.id, periodEnd: '2025-12-31' };
  const filing = { ...period, filedDate: '2026-01-15', confirmation: 'C-1', adjustments: [], netDue: 6.75 };
  await t.call(taxReturnCalls.fileTaxReturn, { token, body: filing });
  const bankAccountId = await checkingOf(t, companyId);
  const payment = { ...period, bankAccountId, paymentDate: '2026-01-16', amount: 6.75 };
  await t.call(taxReturnCalls.payTaxReturn, { token, body: payment });
}

/** Saves the data for 1099 forms, and writes a filed form. */
async function fileForm({ administrator: { token } }: WorldCompany, vendorId: number): Promise<void> {
  const tax = { is1099: true, taxId: '12-3456789', taxIdKind: 'ein' as const, classification: 'llc' as const };
  await t.call(formCalls.updateVendorTax, { token, params: { id: vendorId }, body: tax });
  const accounts = [{ accountId: 154, box: 'nec1' as const }];
  await t.call(formCalls.updateFormSettings, { token, body: { taxId: '34-1234567', taxIdKind: 'ein', accounts } });
  await t.inCompany(companyId, (tx) =>
    tx.rows(sql`
      insert into form_1099 (company_id, entity_id, tax_year, form, version, filed_date, snapshot, reported_cents,
        withheld_cents, tax_id_box, person)
      values (${companyId}, ${vendorId}, 2025, 'nec', 1, '2026-01-31', '{}', 60000, 0, '\\x0d', 'Ada')`),
  );
  await t.inCompany(companyId, (tx) =>
    tx.rows(sql`
      insert into form_1099_consent (company_id, entity_id, requests, requested_at, consented_at, text_version,
        withdrawn_at)
      values (${companyId}, ${vendorId}, 1, now(), now(), 1, now())`),
  );
  await t.inCompany(companyId, (tx) =>
    tx.rows(sql`
      insert into form_1099_copy (company_id, form_id, times, mail_id, opened_at)
      select f.company_id, f.id, 1, (select min(m.id) from mail m where m.company_id = ${companyId}), now()
      from form_1099 f where f.company_id = ${companyId}`),
  );
  await t.inCompany(companyId, (tx) =>
    tx.rows(sql`
      insert into document_link (company_id, vendor_id, token_hash, created_by)
      values (${companyId}, ${vendorId}, '\\x0e', 1)`),
  );
}

/** Writes a move with its progress and a record that it used. */
async function moveIn(): Promise<void> {
  await t.inCompany(companyId, async (tx) => {
    await tx.rows(sql`
      insert into move_in (company_id, system, status, created_by, created_by_name)
      values (${companyId}, 'Wave', 'imported', 1, 'Ada')`);
    await tx.rows(sql`
      insert into move_in_progress (company_id, move_id, phase, done, total)
      select company_id, id, 'records', 0, 0 from move_in where company_id = ${companyId}`);
    await tx.rows(sql`
      insert into move_in_record (company_id, move_id, kind, identity, record_id, is_new)
      select company_id, id, 'account', ${Buffer.alloc(32)}, 101, false from move_in where company_id = ${companyId}`);
    await tx.rows(sql`
      insert into move_in_mapping (company_id, header_digest, kind, mapping)
      values (${companyId}, '', 'Customers', '{"customer": 0}')`);
    await tx.rows(sql`
      insert into number_skip (company_id, kind, first_number, next_number)
      values (${companyId}, 'estimate', 101, 201)`);
  });
}

/** Charges an overdue customer a finance charge, and exempts another customer. */
async function chargeLate(company: WorldCompany): Promise<void> {
  const make = factoryFor(t, company);
  const { token } = company.administrator;
  const [customerId, other] = [await make.customer(), await make.customer()];
  await make.invoice({ customerId, dueDate: '2026-03-20' });
  await t.call(chargeCalls.saveFinanceChargeSettings, { token, body: { annualRate: 18 } });
  await t.call(chargeCalls.makeFinanceCharges, { token, body: { id: customerId, date: '2026-03-21' } });
  const leftOut = { params: { customerId: other }, body: { leftOut: true } };
  await t.call(chargeCalls.leaveOutOfFinanceCharges, { token, ...leftOut });
}

/** Reconciles all entries in Checking and starts the next statement. */
async function reconcile({ administrator: { token } }: WorldCompany): Promise<void> {
  const bankAccountId = await checkingOf(t, companyId);
  const open = await t.call(reconciliationCalls.unreconciledEntries, {
    token,
    params: { glAccountId: 101 },
    query: {},
  });
  const amounts = [...open.incomingEntries, ...open.outgoingEntries].map(
    ({ debitAmount, creditAmount }) => (debitAmount ?? 0) - (creditAmount ?? 0),
  );
  const sum = amounts.reduce((total, amount) => total + amount, 0) / 100;
  const charge = { bankCharge: 5, bankChargeAccountID: 151, statementBalance: sum - 5, statementDate: '2026-04-30' };
  const body = {
    ...charge,
    bankAccountID: bankAccountId,
    incomingEntries: open.incomingEntries.map(({ glid }) => glid),
    outgoingEntries: open.outgoingEntries.map(({ glid }) => glid),
  };
  await t.call(reconciliationCalls.createReconciliation, { token, body });
  const progress = { bankChargeAccountID: 151, entries: [], rowVersion: 0 };
  await t.call(reconciliationCalls.saveReconciliationProgress, { token, params: { bankAccountId }, body: progress });
}

/**
 * Imports a file with an account number and a table with a mapping. Then categorizes a transaction, rejects a
 * suggestion, and adds a rule.
 */
async function reviewBank({ administrator: { token } }: WorldCompany): Promise<void> {
  const bankAccountId = await checkingOf(t, companyId);
  const says = { date: isoDate('2026-05-04'), amount: -450, text: 'BLUE CUP' };
  await importFile(t, token, { bankAccountId, bytes: ofx([says, { ...says, amount: -451 }]) });
  const { documentId } = await upload(t, token, { name: 'may.csv', bytes: csv([{ ...says, amount: -452 }]) });
  const body = { documentId, bankAccountId, mapping: { dateOrder: 'mdy' } };
  await t.call(statementCalls.saveStatement, { token, body });
  const all = await t.call(statementCalls.listBankLines, { token, query: {} });
  const [first, second] = Array.isArray(all) ? all : all.items;
  const acts = [
    { id: first?.id ?? 0, body: { action: 'add', lines: [{ accountID: 160, amount: (first?.amount ?? 0) / 100 }] } },
    { id: second?.id ?? 0, body: { action: 'refuse', candidate: 'entry:1' } },
  ];
  for (const act of acts) {
    await t.call(statementCalls.actOnBankLine, { token, params: { id: act.id }, body: act.body });
  }
  const rule = { name: 'Coffee', text: 'BLUE CUP', lines: [{ accountID: 160, percent: 100 }] };
  await t.call(statementCalls.createBankRule, { token, body: rule });
}

/** Writes to these tables with the runtime role, as Evenkeel does. */
const rowsOfOtherTables = [
  `insert into profit_center (company_id, id, name) overriding system value values ($1, 901, 'North')`,
  `insert into location (company_id, name) values ($1, 'Here')`,
  `insert into party_version (company_id, entity_id, last_version, facts)
    values ($1, 0, 1, '{"name": "A", "lines": []}')`,
  `insert into account_category (company_id, category_name) values ($1, 'Vehicles')`,
  `insert into product_category (company_id, category_name) values ($1, 'Lawns')`,
  `insert into extended_property (company_id, kind, display_name, data_type) values ($1, 0, 'Gate', 1)`,
  `insert into journal_draft (company_id, transaction, created_by) values ($1, '{}', 1)`,
  `insert into dashboard_layout (company_id, user_id, cards) values ($1, 1, '[]')`,
  `insert into report_star (company_id, user_id, report_id) values ($1, 1, 0)`,
  `insert into first_steps_dismissal (company_id, user_id) values ($1, 1)`,
  `insert into budget_amount (company_id, account_id, profit_center_id, month, amount_cents)
    values ($1, 140, null, '2026-01-01', 100)`,
  `insert into revenue_target (company_id, period_type, amount_cents) values ($1, 0, 1)`,
  `insert into idempotency (company_id, key, user_id, request_hash, status, reply) values ($1, 'k', 1, '', 200, '')`,
  `insert into template (company_id, id, kind, name, unit, every, start_date, weekday, month_day, end_date,
      makes_drafts, fixes_prices, body, document, fixed_lines, amount_cents, next_date, created_by, entry_date)
    overriding system value values ($1, 901, 'journal', 'Rent', 'month', 1, '2026-01-31', 6, 0, '2030-01-31', false,
      true, '{}', '{}', '[]', 100, '2026-02-28', 1, '2026-01-01')`,
  `insert into template_occurrence (company_id, template_id, n, due_date, state, reason, source_id, made_on)
    values ($1, 901, 0, '2026-01-31', 'made', 'x', 1, '2026-01-31')`,
  `insert into reminder_step (company_id, days, subject, body) values ($1, 7, 'Late', 'Please pay')`,
  `insert into setting (company_id, id, setting_name, setting_value) values ($1, 901, 'Something', 'on')`,
  `insert into installation (key, value) values ('k', 'v')`,
  `insert into health_run (company_id) values ($1)`,
  `insert into health_check (company_id, name, milliseconds, fault_count) values ($1, 'chain', 1, 0)`,
  `insert into second_factor (user_id, box_company_id, secret_box, salt, confirmed_at)
    select min(user_id), $1::bigint, '\\x01', '\\x02', now() from membership where company_id = $1`,
  `insert into recovery_code (user_id, code_hash, used_at)
    select min(user_id), '\\x03', now() from membership where company_id = $1`,
  `insert into passkey (user_id, user_handle, credential_id, public_key, name)
    select min(user_id), '\\x04', '\\x05', '\\x06', 'Phone' from membership where company_id = $1`,
  `insert into api_key (token_hash, company_id, user_id, name, prefix, permissions, addresses, requests_per_minute,
      ends_on, created_by, last_used_at, revoked_at, policy)
    select '\\x08', $1::bigint, min(user_id), 'Shop', 'ek_12345', '{View Billing}', '{203.0.113.24}', 60, '2030-01-31',
      1, now(), now(), '{}' from membership where company_id = $1`,
  `insert into agent_access (company_id, is_on) values ($1, true)`,
  `insert into agent_proposal (company_id, key_id, key_name, user_id, token_hash, operation, input, policy_group, title,
      amount_cents, digest, effects, client, status, expires_at, committed_on, undo, message, why, decided_at,
      decided_by, decided_person, reason, row_version, sent_input, changed_at, changed_by, changed_person)
    values ($1, 1, 'Agent', 1, '\\x0b', 'postCustomer', '{}', 'other', 'Customer', 100, '\\x0c', '{}', 'node', 'undone',
      now(), '2026-01-31', '{}', 'Please', 'Above 1.00', now(), 1, 'A B', 'x', 1, '{}', now(), 1, 'A B')`,
  `insert into webhook_endpoint (company_id, id, name, url, acts, secret_box, old_secret_box, old_secret_until,
      created_by, paused_at)
    overriding system value values ($1, 901, 'Shop', 'https://shop.example', '{invoice create}', '\\x09', '\\x0a',
      now(), 1, now())`,
  `insert into webhook_delivery (company_id, endpoint_id, event_id, act, subject_type, subject_id, webhook_id)
    values ($1, 901, 901, 'invoice create', 'invoice', 1, 'evt_1')`,
  `insert into webhook_attempt (company_id, endpoint_id, event_id, attempt, at, milliseconds, signature)
    values ($1, 901, 901, 1, now(), 5, 'v1,AA==')`,
  `insert into passkey_challenge (challenge, purpose, user_id)
    select '\\x07', 'create', min(user_id) from membership where company_id = $1`,
];

/** Online payments refer to documents and bank accounts. */
const rowsOfOnlinePayments = [
  `insert into online_connection (company_id, provider, key_box, secret_box, key_hint, is_live, connected_at,
      connected_by, last_event_at, clearing_bank_id, payout_bank_id, fee_account_id, review_account_id,
      payment_type_id, least_part_cents, most_by_card_cents)
    select $1::bigint, 'stripe', '\\x0d', '\\x0e', 'rk_live_', true, now(), 1, now(), min(id), max(id), 152, 107,
      (select min(t.id) from payment_type t where t.company_id = $1), 100, 100
    from banking_account where company_id = $1`,
  `insert into online_session (company_id, document_id, amount_cents, open_cents, key, provider_id, url, expires_at)
    select $1::bigint, min(id), 100, 100, 'k', 'cs_1', 'https://stripe.example', now()
    from document where company_id = $1`,
  `insert into online_event (company_id, event_id, type, object_id, created_at, handled_at, error)
    values ($1, 'evt_1', 'charge.succeeded', 'ch_1', now(), now(), 'x')`,
  `insert into online_movement (company_id, id, kind, amount_cents, fee_cents, happened_on, posted_on, source_id,
      charge_id, clearing_bank_id, payment_id, transfer_id, entry_id, document_id)
    select $1::bigint, 'txn_1', 'other', 0, 0, '2026-01-31', '2026-01-31', 'ch_1', 'ch_1', min(id), null, null, null,
      (select min(d.id) from document d where d.company_id = $1)
    from banking_account where company_id = $1`,
  `insert into online_review (company_id, reason, about, amount_cents, entity_id, document_id, payment_id, done_at,
      done_by)
    select $1::bigint, 'paid', 'txn_1', 100, min(entity_id), min(id), null, now(), 1
    from document where company_id = $1`,
];

/**
 * Check constraints would reject most changes, but someone who changes the database directly can drop the constraints.
 */
async function allowEverything(): Promise<void> {
  await owner.query(`do $$ declare c record; begin
    for c in select conrelid::regclass as relation, conname from pg_constraint
      where contype = 'c' and connamespace = 'public'::regnamespace
    loop execute format('alter table %s drop constraint %I', c.relation, c.conname); end loop; end $$`);
}

/** All columns of all tables except the seals. Generated columns can't be changed. */
async function allColumns(): Promise<Column[]> {
  const { rows } = await owner.query<Column>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, coalesce((
        select case when u.is_checked then 'checked' else 'left out' end from unsealed() u
        where u.relation in ('*', c.relname) and u."column" in ('*', a.attname) limit 1), 'sealed') as kind
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname <> 'seal'
        and a.attgenerated = '' order by c.relname, a.attnum`,
  );
  return rows;
}

/** Returns another value of the same type. */
const altered: Readonly<Record<string, string>> = {
  bigint: 'coalesce($, 0) + 100000',
  integer: 'coalesce($, 0) + 1000',
  smallint: 'coalesce($, 0) + 100',
  numeric: 'coalesce($, 0) + 1',
  text: `coalesce($, '') || 'x'`,
  boolean: 'not coalesce($, false)',
  date: `coalesce($, '2026-01-01') + 1`,
  'timestamp with time zone': `coalesce(nullif($, '-infinity'), now()) + interval '1 second'`,
  bytea: `coalesce($, '') || '\\x00'`,
  jsonb: `'{"changed": true}'`,
  json: `'{"changed": true}'`,
  'bigint[]': `coalesce($, '{}') || '{7}'`,
  'text[]': `coalesce($, '{}') || '{x}'`,
  '"char"': `case $ when 'A' then 'C' when 'M' then 'D' when 'D' then 'M' else 'A' end::"char"`,
};

const isOurs = (table: string): string =>
  columns.some((column) => column.table === table && column.name === 'company_id')
    ? `company_id = ${companyId}`
    : `${table === 'app_user' ? 'id' : 'user_id'} in (select user_id from membership where company_id = ${companyId})`;

/** Changes each column in one row of its table, with triggers turned off. Then verifies the books and rolls back. */
async function faultsAfter(changed: readonly Column[], of = companyId): Promise<string[]> {
  await owner.query('begin; set local session_replication_role = replica');
  try {
    for (const { table, name, type } of changed) {
      const value = name === 'company_id' ? String(ELSEWHERE) : altered[type]?.replaceAll('$', name);
      const { rowCount } = await owner.query(
        `update ${table} set ${name} = ${value}
          where ctid = (select ctid from ${table} where ${isOurs(table)} limit 1)`,
      );
      expect([table, name, rowCount]).toEqual([table, name, 1]);
    }
    const { faults } = await within(owner, of, verifyWithin);
    return faults.map(({ check, message }) => `${check}: ${message}`);
  } finally {
    await owner.query('rollback');
  }
}

const ofKind = (kind: string, only: (column: Column) => boolean = () => true): Column[] =>
  columns.filter((column) => column.kind === kind && only(column));

const isNamed = (found: string, table: string): boolean =>
  found.includes(`saved values: ${table.replaceAll('_', ' ')} `);

test('unchanged books have no problems', async () => {
  expect(await faultsAfter([])).toEqual([]);
});

/** These tests run the verification dozens of times, which takes minutes on a busy machine. */
const PATIENT = { timeout: 300_000 };

// Promise (tampering): `verify` finds an outside change in every sealed column and reports the record. [every table]
test('a changed value in any sealed column is reported with its record', PATIENT, async () => {
  const sealed = ofKind('sealed', ({ name }) => name !== 'company_id');
  const names = [...new Set(sealed.map(({ table }) => table))];
  const tables = names.map((name) => sealed.filter(({ table }) => table === name));
  expect(tables.length).toBeGreaterThan(25);
  // Changes one column per table at a time. Memberships are changed separately, because they determine the company's
  // users.
  const isMembership = ([first]: readonly Column[]): boolean => first?.table === 'membership';
  for (const together of [tables.filter((own) => !isMembership(own)), tables.filter(isMembership)]) {
    for (let at = 0; together.some((own) => at < own.length); at += 1) {
      const changed = together.flatMap((own) => own.slice(at, at + 1));
      const found = (await faultsAfter(changed)).join('\n');
      const unseen = changed.filter(({ table }) => !isNamed(found, table));
      expect({ unseen, found }).toEqual({ unseen: [], found });
    }
  }
});

/**
 * Changes a value with the runtime role, so that a trigger updates the row's seal. Then runs one check and rolls back.
 */
async function faultsOfSealed(check: string, statement: string): Promise<string[]> {
  const undo = new Error('undo');
  const found: string[] = [];
  const work = t.inCompany(companyId, async (tx) => {
    await tx.rows(sql.raw(`${statement} where company_id = ${companyId}`));
    found.push(...(await faultsOf(tx, check)).map(({ message }) => message));
    throw undo;
  });
  await expect(work).rejects.toBe(undo);
  return found;
}

const unlike =
  /^member \d+ has permissions that differ from the role's, or a name, .*, or setting that differs from the company's$/;

test.each([
  ['members', `update company set time_zone = 'Pacific/Auckland'`, unlike],
  ['members', `update company set displayname = 'Another'`, unlike],
  ['members', `update company set second_factor_rule = 'everybody'`, unlike],
  ['members', `update role set role_name = 'Another ' || role_name`, unlike],
  ['members', 'update role set system_role = not system_role', unlike],
  ['members', `update role set permissions = permissions || '{Another}'::text[]`, unlike],
  ['members', `update membership set time_zone = 'Pacific/Auckland'`, unlike],
  ['members', `update membership set company_name = 'Another'`, unlike],
  ['members', `update membership set second_factor_rule = 'everybody'`, unlike],
  ['members', `update membership set role_name = 'Another'`, unlike],
  ['members', 'update membership set system_role = not system_role', unlike],
  ['members', `update membership set permissions = '{Another}'::text[]`, unlike],
  [
    'templates',
    `update template set next_date = '2026-03-01'`,
    /has 2026-03-01 as its next date instead of 2026-02-28$/,
  ],
  ['templates', 'update template set next_date = null', /has no date as its next date instead of 2026-02-28$/],
])('%s: an inconsistent copy is found even if its row is sealed again: %s', async (check, statement, message) => {
  const found = await faultsOfSealed(check, statement);
  expect(found).not.toEqual([]);
  expect(found.filter((fault) => !message.test(fault))).toEqual([]);
});

test('a record that was moved to another company is found in that company', async () => {
  const moved = ofKind('sealed', ({ name, table }) => name === 'company_id' && table !== 'company');
  const found = (await faultsAfter(moved, ELSEWHERE)).join('\n');
  expect(moved.filter(({ table }) => !isNamed(found, table))).toEqual([]);
});

/**
 * The checks that find a change in each table. Tables with different checks can be changed at the same time. A change
 * in how a payment is applied affects all other checks, so it is tested separately.
 */
const checksOf: readonly (readonly [string, RegExp])[][] = [
  [
    ['ledger_total', /^totals: /],
    ['ledger_head', /^head: /],
    ['number_sequence', /^numbers: /],
    ['document_open_sum', /^open sums: /],
    ['search_entry', /^search: /],
    ['finance_charge_day', /^finance charges: /],
    ['document', /^open amounts: /],
    ['payment', /^unapplied amounts: /],
    ['attachment_part', /^files: /],
    ['audit_log', /^audit log: /],
  ],
  [['payment_application', /./]],
  [['audit_lane', /^audit log: /]],
];

test('a changed value in any column that is derived from other columns is reported', PATIENT, async () => {
  // The journal's columns are changed one by one in verify.test.ts.
  const tables = new Set(ofKind('checked', ({ table }) => !table.startsWith('journal_')).map(({ table }) => table));
  expect(new Set(checksOf.flat().map(([table]) => table))).toEqual(tables);
  for (const together of checksOf) {
    const own = together.map(([name, check]) => ({ check, columns: ofKind('checked', ({ table }) => table === name) }));
    for (let at = 0; own.some((each) => at < each.columns.length); at += 1) {
      const changed = own.flatMap((each) => each.columns.slice(at, at + 1));
      const found = await faultsAfter(changed);
      const seen = own.filter((each) => at < each.columns.length && found.some((fault) => each.check.test(fault)));
      expect({ seen: seen.map((each) => each.columns[at]), found }).toEqual({ seen: changed, found });
    }
  }
});

test('the list of columns without a seal is complete and gives a reason for each column', async () => {
  const { rows } = await owner.query<{ relation: string; column: string; reason: string }>(
    `select relation, "column", reason from unsealed()`,
  );
  const wrong = rows.filter(
    ({ relation, column, reason }) =>
      reason.length < 10 ||
      !columns.some(({ table, name }) => ['*', table].includes(relation) && ['*', name].includes(column)),
  );
  expect(wrong).toEqual([]);
  // Each table that stores records has a counter for its changes.
  expect(ofKind('left out', ({ name }) => name !== 'row_version').length).toBeLessThan(38);
});
