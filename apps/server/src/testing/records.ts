import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import type { MoveResult } from '@evenkeel/contract/moving';
import { ESTIMATE_SENT } from '@evenkeel/core/documents/estimate';
import { present } from '@evenkeel/core/failure';
import { cents } from '@evenkeel/core/money';
import {
  type BankKind,
  documentKinds,
  PAYABLE,
  RECEIVABLE,
  type Side,
  type SourceType,
} from '@evenkeel/core/documents/side';
import type { Pool } from '../platform/db/connect.ts';
import { inCompany, type Tx } from '../platform/db/tx.ts';
import { accounts } from '../books/ledger/accounts.sql.ts';
import { addPerson, type WorldCompany } from './world.ts';

/**
 * One record of each kind, written as rows. Generic tests read these records and check that other companies never see
 * them.
 */
export interface Records {
  /** The IDs, keyed by the name of the path parameter or, if that name is `id`, by the first segment of the path. */
  ids: Readonly<Record<string, number>>;
}

async function one(tx: Tx, statement: ReturnType<typeof sql<{ id: number }>>): Promise<number> {
  const row = await tx.row(statement);
  if (row === undefined) throw new Error('a record was not written');
  return row.id;
}

/**
 * Users choose account IDs, and the default chart has the same IDs in every company. This ID exists in only one
 * company.
 */
const ownAccountId = (companyId: number): number => 1000 + companyId;

async function addAccount(tx: Tx, companyId: number): Promise<number> {
  const id = ownAccountId(companyId);
  const [bank] = await tx.rows(accounts.find({ id: 101 }));
  const own = { id, masterAccountId: 101, number: '1099', name: 'Till', system: false };
  await tx.rows(accounts.insert({ ...present(bank, 'account 101'), ...own }));
  return id;
}

function addEntity(tx: Tx, companyId: number, kind: 0 | 1): Promise<number> {
  return one(
    tx,
    sql`insert into entity (company_id, kind, displayname, name)
      values (${companyId}, ${kind}, 'Record', 'Record') returning id`,
  );
}

function addDocument(tx: Tx, companyId: number, side: Side, entityId: number): Promise<number> {
  return one(
    tx,
    sql`insert into document (company_id, kind, side, document_number, document_date, due_date, entity_id, status,
        control_account_id, sales_tax_cents, total_cents, open_cents, entry_date)
      values (${companyId}, ${side.document.source}, ${side.name}, '9001', '2026-01-15', '2026-02-14', ${entityId}, 1,
        ${side.controlAccountId}, 0, 10000, 0,
        '2026-01-15')
      returning id`,
  );
}

function addCredit(tx: Tx, companyId: number, customerId: number): Promise<number> {
  return one(
    tx,
    sql`insert into document (company_id, kind, side, document_number, document_date, entity_id, status,
        control_account_id, sales_tax_cents, total_cents, open_cents, entry_date)
      values (${companyId}, ${documentKinds.creditmemo.source}, ${RECEIVABLE.name}, 'CM-9001', '2026-01-15',
        ${customerId}, 1, ${RECEIVABLE.controlAccountId}, 0, -10000, 0, '2026-01-15')
      returning id`,
  );
}

function addEstimate(tx: Tx, companyId: number, customerId: number): Promise<number> {
  return one(
    tx,
    sql`insert into document (company_id, kind, side, document_number, document_date, entity_id, status,
        control_account_id, sales_tax_cents, total_cents, open_cents, entry_date)
      values (${companyId}, ${documentKinds.estimate.source}, ${RECEIVABLE.name}, 'E-9001', '2026-01-15',
        ${customerId}, ${ESTIMATE_SENT}, ${RECEIVABLE.controlAccountId}, 0, 10000, 0, '2026-01-15')
      returning id`,
  );
}

function addWorkItem(tx: Tx, companyId: number, customerId: number): Promise<number> {
  return one(
    tx,
    sql`insert into work_item (company_id, entity_id, work_date, service_date, description, item_price_cents,
        item_amount, quantity, taxable, account_id, total_cents, entry_date)
      values (${companyId}, ${customerId}, '2026-01-15', '2026-01-15', 'Record', 10000, 100, 1, false, 140, 10000,
        '2026-01-15') returning id`,
  );
}

/** Adds a finished schedule of each kind. */
async function addTemplates(
  tx: Tx,
  companyId: number,
  { customerId, vendorId }: Record<'customerId' | 'vendorId', number>,
) {
  const amounts = { invoiceAmount: 0, openAmount: 0, badge: 'Open', daysOverdue: 0, rowVersion: 1, lineItems: [] };
  const head = { id: 0, invoiceid: 0, invoiceNumber: '', invoiceDate: '2026-01-15', dueDate: null, ...amounts };
  const added = (kind: SourceType, entityId: number | null, [body, document]: [object, object]) =>
    one(
      tx,
      sql`insert into template (company_id, kind, name, entity_id, unit, every, start_date, weekday, month_day,
          end_count, makes_drafts, fixes_prices, body, document, amount_cents, next_n, created_by, entry_date)
        values (${companyId}, ${kind}, 'Record', ${entityId}, 'month', 1, '2026-01-15', 4, 15, 1, false, false,
          ${JSON.stringify(body)}::jsonb, ${JSON.stringify({ ...head, ...document })}::jsonb, 0, 1, 1, '2026-01-15')
        returning id`,
    );
  const { invoice, expense, journal } = documentKinds;
  const [date, lines] = [{ invoiceDate: '2026-01-15' }, { lineItems: [] }];
  const billed = { customerId, customerDisplayName: 'Record', arBillingStatus: 2, taxItems: [], salesTaxAmount: 0 };
  const taxed = { ...billed, salesTaxScenario: null, entryDate: '2026-01-15', readyToPay: false };
  const owed = { vendorId, vendorDisplayName: 'Record', locationId: null, postingDate: '2026-01-15' };
  const fixed = { postToVendorAccount: true, bankAccountId: null, voided: false };
  const bill = { ...owed, ...fixed, documentLinks: [], entryDate: '2026-01-15' };
  const entry = { transactionID: 0, entityID: 0, draft: true, postingDate: '2026-01-15', description: 'Record' };
  const whole = { ...entry, sourceType: journal.source, sourceId: 0, generalLedgerEntries: [], rowVersion: 1 };
  return {
    scheduledinvoice: await added(invoice.source, customerId, [{ customerId, ...date, ...lines }, taxed]),
    scheduledexpense: await added(expense.source, vendorId, [{ vendorId, ...date, ...lines }, bill]),
    scheduledjournal: await added(journal.source, null, [{ generalLedgerEntries: [] }, whole]),
  };
}

function addBillLine(tx: Tx, companyId: number, expenseId: number): Promise<number> {
  return one(
    tx,
    sql`insert into expense_line (company_id, expense_id, line_no, description, account_id, credit_line,
        line_amount_cents)
      values (${companyId}, ${expenseId}, 1, 'Record', 160, false, 10000) returning id`,
  );
}

function addLine(tx: Tx, companyId: number, invoiceId: number, sign: 1 | -1 = 1): Promise<number> {
  return one(
    tx,
    sql`insert into invoice_line (company_id, invoice_id, line_no, description, item_price_cents, item_amount, quantity,
        taxable, account_id, line_amount_cents, line_tax)
      values (${companyId}, ${invoiceId}, 1, 'Record', 10000, 100, ${sign}, false, 140, ${sign * 10000}, 0)
      returning id`,
  );
}

function addPayment(tx: Tx, companyId: number, side: Side, entityId: number): Promise<number> {
  return one(
    tx,
    sql`insert into payment (company_id, side, payment_number, entity_id, payment_date, amount_cents, unapplied_cents,
        payment_account_id, gl_account_id, control_account_id, entry_date)
      values (${companyId}, ${side.name}, '9001', ${entityId}, '2026-01-20', 5000, 5000, 104, 104,
        ${side.controlAccountId}, '2026-01-20')
      returning id`,
  );
}

/** Adds a transfer from the second bank account (the till) to the first, and a deposit to the first. */
async function addBanking(tx: Tx, companyId: number, { bank, till }: { bank: number; till: number }) {
  const moved = (kind: BankKind, from: number | null) =>
    one(
      tx,
      sql`insert into bank_document (company_id, kind, bank_document_number, posting_date, bank_account_id,
          from_bank_account_id, amount_cents, entry_date)
        values (${companyId}, ${kind.source}, '9001', '2026-01-20', ${bank}, ${from}, 5000, '2026-01-20')
        returning id`,
    );
  return {
    till,
    transfer: await moved(documentKinds.transfer, till),
    deposit: await moved(documentKinds.deposit, null),
  };
}

/** The result of importing books that contain no records. */
const MOVED: MoveResult = {
  counts: {
    transactions: 0,
    accounts: 0,
    bankAccounts: 0,
    accountsCreated: 0,
    customers: 0,
    vendors: 0,
    products: 0,
    openInvoices: 0,
    unpaidBills: 0,
    credits: 0,
    known: 0,
  },
  from: null,
  to: null,
  rejected: [],
  proved: true,
  totalDifference: cents(0),
  comparedAccounts: 0,
  proof: [],
  months: [],
  failure: null,
  notImported: [],
  at: '2026-01-31T12:00:00.000Z',
  seconds: 1,
};

/** Adds a statement with a bank transaction for review, and a bank rule. */
async function addBankLine(
  tx: Tx,
  { companyId, userId, bank, document }: { companyId: number; userId: number; bank: number; document: number },
) {
  const bankstatement = await one(
    tx,
    sql`insert into bank_statement (company_id, bank_account_id, attachment_id, file_name, format, line_count,
        sum_cents, known_count, imported_by)
      values (${companyId}, ${bank}, ${document}, 'record.ofx', 'OFX', 1, -450, 0, ${userId}) returning id`,
  );
  const bankline = await one(
    tx,
    sql`insert into bank_line (company_id, bank_account_id, statement_id, line_no, line_date, amount_cents, text,
        bank_id, check_number, line_key, payee, is_doubtful)
      values (${companyId}, ${bank}, ${bankstatement}, 1, '2026-01-20', -450, 'BLUE CUP', '', '',
        '["","2026-01-20",-450,"BLUE CUP"]', 'BLUE CUP', false) returning id`,
  );
  const bankrule = await one(
    tx,
    sql`insert into bank_rule (company_id, name, position, direction, operator, text, memo, posts)
      values (${companyId}, 'Record', 1, 'out', 'contains', 'record', '', false) returning id`,
  );
  await tx.rows(sql`insert into bank_rule_line (company_id, rule_id, line_no, account_id, percent_hundredths)
    values (${companyId}, ${bankrule}, 1, 160, 10000)`);
  return { bankstatement, bankline, bankrule };
}

/** Attaches a file to a product. */
async function addAttachment(tx: Tx, on: { companyId: number; userId: number; productId: number }): Promise<number> {
  const { companyId, userId, productId } = on;
  const bytes = Buffer.from('%PDF-1.7 record');
  const sha256 = createHash('sha256').update(bytes).digest();
  await tx.rows(sql`insert into attachment_content (company_id, sha256, size_bytes, content_type)
    values (${companyId}, ${sha256}, ${bytes.length}, 'application/pdf')`);
  await tx.rows(sql`insert into attachment_part (company_id, sha256, part_no, bytes, digest)
    values (${companyId}, ${sha256}, 0, ${bytes}, ${sha256})`);
  const id = await one(
    tx,
    sql`insert into attachment (company_id, sha256, file_name, uploaded_by, upload_date)
      values (${companyId}, ${sha256}, 'record.pdf', ${userId}, '2026-01-15') returning id`,
  );
  await tx.rows(sql`insert into attachment_link (company_id, attachment_id, owner_kind, owner_id, file_name)
    values (${companyId}, ${id}, 'product', ${productId}, 'record.pdf')`);
  return id;
}

/** Adds a filed 1099 form. Its tax ID is not encrypted, because no key can read another company's row. */
function addForm(tx: Tx, companyId: number, vendorId: number): Promise<number> {
  const party = { name: 'Record', lines: [], taxIdEnd: '0000' };
  const address = { address1: '1 Main St', address2: '', city: 'Akron', state: 'OH', zipCode: '44333' };
  const person = { isIndividual: false, firstName: '', lastName: '', accountNumber: '' };
  const recipient = { ...party, ...person, taxIdKind: 'ein', classification: 'llc', address };
  const snapshot = { payer: party, recipient, boxes: [{ box: 'nec1', amount: 200_000 }] };
  return one(
    tx,
    sql`insert into form_1099 (company_id, entity_id, tax_year, form, version, filed_date, snapshot, reported_cents,
        withheld_cents, tax_id_box, person)
      values (${companyId}, ${vendorId}, 2025, 'nec', 1, '2026-01-31', ${JSON.stringify(snapshot)}::jsonb, 200000, 0,
        '\\x00', 'Record') returning id`,
  );
}

/** Adds a tax item, its agency, and another agency with a filed return and a prepayment. */
async function addTaxes(tx: Tx, companyId: number): Promise<Record<string, number>> {
  const agency = () =>
    one(
      tx,
      sql`insert into tax_agency (company_id, name, state, account_id, frequency, first_month, basis, start_date)
        values (${companyId}, 'Record', 'OH', 123, 3, 1, 'accrual', '2026-01-01') returning id`,
    );
  const scenario = await one(tx, existing(companyId, 'sales_tax_scenario'));
  const taxitem = await one(
    tx,
    sql`insert into sales_tax_item (company_id, scenario_id, label, sales_tax_type, percentage)
      values (${companyId}, ${scenario}, 'Record', 0, 5) returning id`,
  );
  const [taxagency, filing] = [await agency(), await agency()];
  await tx.rows(sql`insert into tax_agency_item (company_id, item_id, agency_id)
    values (${companyId}, ${taxitem}, ${taxagency})`);
  const taxreturn = await one(
    tx,
    sql`insert into tax_return (company_id, agency_id, period_from, period_to, filed_date, confirmation, gross_cents,
        taxable_cents, tax_cents, since_taxable_cents, since_tax_cents, adjustments, adjustments_cents,
        carried_in_cents, prepaid_cents, net_due_cents, carried_over_cents, person)
      values (${companyId}, ${filing}, '2026-01-01', '2026-01-31', '2026-02-10', '', 0, 0, 0, 0, 0, '[]', 0, 0, 0, 0, 0,
        'Record') returning id`,
  );
  const bank = await one(tx, existing(companyId, 'banking_account'));
  const taxpayment = await one(
    tx,
    sql`insert into tax_payment (company_id, id, agency_id, period_to, bank_account_id, payment_date, amount_cents,
        person)
      values (${companyId}, nextval('tax_return_id_seq'), ${filing}, '2026-02-28', ${bank}, '2026-02-10', 100, 'Record')
      returning id`,
  );
  return { taxitem, taxagency, taxreturn, taxpayment };
}

const named = (companyId: number, table: string, column: string) => sql<{ id: number }>`
  insert into ${sql.table(table)} (company_id, ${sql.ref(column)}) values (${companyId}, 'Record') returning id`;

const existing = (companyId: number, table: string) => sql<{ id: number }>`
  select id from ${sql.table(table)} where company_id = ${companyId} order by id limit 1`;

/** A draft journal entry in which only the date is filled in. */
const DRAFT = { postingDate: '2026-01-15', basis: 2, entityId: 0, lines: [] };

/** Writes one record of each kind into a company. */
export async function addRecords(pool: Pool, company: WorldCompany): Promise<Records> {
  const { companyId } = company;
  const person = await addPerson(pool, {
    companyId,
    slug: `records-${companyId}`,
    roleName: 'Read Only',
    firstName: 'Rex',
  });
  return inCompany(pool, companyId, async (tx) => {
    const customerId = await addEntity(tx, companyId, 0);
    const vendorId = await addEntity(tx, companyId, 1);
    const role = await one(
      tx,
      sql`insert into role (company_id, role_name, permissions) values (${companyId}, 'Record', '{}') returning id`,
    );
    const ids = {
      company: companyId,
      account: await one(tx, sql`select id from session where user_id = ${person.userId}`),
      useradmin: person.userId,
      user: person.userId,
      userroles: role,
      customerId,
      customer: customerId,
      vendor: vendorId,
      vendorId,
      customerAccountId: await addAccount(tx, companyId),
      billinginvoice: await addDocument(tx, companyId, RECEIVABLE, customerId),
      billingcredit: await addCredit(tx, companyId, customerId),
      billingestimate: await addEstimate(tx, companyId, customerId),
      billingpayment: await addPayment(tx, companyId, RECEIVABLE, customerId),
      workitems: await addWorkItem(tx, companyId, customerId),
      ...(await addTemplates(tx, companyId, { customerId, vendorId })),
      expenseinvoice: await addDocument(tx, companyId, PAYABLE, vendorId),
      expensepayment: await addPayment(tx, companyId, PAYABLE, vendorId),
      profitcenters: await one(tx, named(companyId, 'profit_center', 'name')),
      locations: await one(tx, named(companyId, 'location', 'name')),
      accountcategories: await one(tx, named(companyId, 'account_category', 'category_name')),
      productcategory: await one(tx, named(companyId, 'product_category', 'category_name')),
      bankingaccount: await one(tx, existing(companyId, 'banking_account')),
      salestax: await one(tx, existing(companyId, 'sales_tax_scenario')),
      taxrule: await one(
        tx,
        sql`insert into tax_rule (company_id, state, topic, effective_from, value, note, source, person)
          values (${companyId}, 'PA', 'basis', '2026-01-01', '{"topic": "basis", "frequency": null, "firstMonth": null,
            "months": null, "day": null, "percent": null, "upTo": null, "restPercent": null, "most": null,
            "threshold": null, "basis": "accrual", "rounding": null, "order": null}', '', 'Record', 'Record')
          returning id`,
      ),
      ...(await addTaxes(tx, companyId)),
      form1099: await addForm(tx, companyId, vendorId),
      sentreports: await one(
        tx,
        sql`insert into sent_report (company_id, report_id, params, title, facts, known_at, file, hash)
          values (${companyId}, 1, '[]', 'Record', 'Record', now(), '%PDF-', sha256('%PDF-')) returning id`,
      ),
      closingreview: await one(
        tx,
        sql`insert into account_sign_off (company_id, account_id, through_date, basis, balance_cents,
            last_transaction_id, note, created_by, person)
          values (${companyId}, 101, '2026-01-31', 'A', 0, 0, '', ${person.userId}, 'Record') returning id`,
      ),
      paymenttypes: await one(tx, named(companyId, 'payment_type', 'display_name')),
      entitydetails: await one(
        tx,
        sql`insert into extended_property (company_id, kind, display_name, data_type)
          values (${companyId}, 0, 'Record', 2) returning id`,
      ),
    };
    const movein = await one(
      tx,
      sql`insert into move_in (company_id, system, status, created_by, created_by_name, report, balances, imported_at)
        values (${companyId}, 'Wave', 'imported', ${person.userId}, 'Record', ${JSON.stringify(MOVED)}::jsonb,
          '{"monthEnds": ["2026-01-31"], "accounts": []}', now()) returning id`,
    );
    const bankAccountId = await one(
      tx,
      sql`insert into banking_account (company_id, name, gl_account_id)
        values (${companyId}, 'Record', ${ids.customerAccountId}) returning id`,
    );
    const reconciliation = await one(
      tx,
      sql`insert into reconciliation (company_id, bank_account_id, statement_date, last_cents, statement_cents,
          charge_cents, interest_cents, saved_by)
        values (${companyId}, ${bankAccountId}, '2026-01-31', 0, 0, 0, 0, ${person.userId}) returning id`,
    );
    const product = await one(
      tx,
      sql`insert into product (company_id, name, description, sales_price_cents, taxable, product_service_type,
          gl_account_id)
        values (${companyId}, 'Record', 'Record', 1000, true, 1, 140) returning id`,
    );
    const discount = await one(
      tx,
      sql`insert into discount (company_id, name, description, discount_type, discount_type_target, flat_cents,
          gl_account_id)
        values (${companyId}, 'Record', 'Record', 0, 1, 500, 143) returning id`,
    );
    const draft = await one(
      tx,
      sql`insert into journal_draft (company_id, transaction, created_by)
        values (${companyId}, ${JSON.stringify(DRAFT)}::jsonb, ${person.userId}) returning id`,
    );
    const deal = await one(
      tx,
      sql`insert into package (company_id, name, description, discount_mode)
        values (${companyId}, 'Record', 'Record', 1) returning id`,
    );
    await tx.rows(sql`insert into package_line (company_id, package_id, line_no, product_id, discount_id, quantity)
      values (${companyId}, ${deal}, 1, ${product}, null, 1), (${companyId}, ${deal}, 2, null, ${discount}, 1)`);
    await addLine(tx, companyId, ids.billinginvoice);
    await addLine(tx, companyId, ids.billingcredit, -1);
    await addLine(tx, companyId, ids.billingestimate);
    await addBillLine(tx, companyId, ids.expenseinvoice);
    const document = await addAttachment(tx, { companyId, userId: person.userId, productId: product });
    const webhooks = await one(
      tx,
      sql`insert into webhook_endpoint (company_id, name, url, acts, created_by)
        values (${companyId}, 'Record', 'https://record.example', '{"invoice create"}', ${person.userId}) returning id`,
    );
    const eventId = await one(
      tx,
      sql`insert into webhook_delivery (company_id, endpoint_id, event_id, act, subject_type, subject_id, webhook_id)
        values (${companyId}, ${webhooks}, ${ids.billinginvoice}, 'invoice create', 'invoice', ${ids.billinginvoice},
          'evt_record') returning event_id as id`,
    );
    const approvals = await one(
      tx,
      sql`insert into agent_proposal (company_id, key_id, key_name, user_id, token_hash, operation, input, policy_group,
          title, amount_cents, digest, effects, client, status, expires_at)
        values (${companyId}, 1, 'Record', ${person.userId}, '\\x01', 'postCustomer', '{"body": {"name": "Record"}}',
          'other', 'Record', 0, '\\x02', ${JSON.stringify(NO_EFFECTS)}::jsonb, '', 'waiting', now()) returning id`,
    );
    const audit = await one(
      tx,
      sql`insert into audit_log (company_id, user_id, action, subject_type, subject_id)
        values (${companyId}, ${person.userId}, 'create', 'customer', ${ids.customer}) returning id`,
    );
    const bank = { bankAccountId, glAccountId: ids.customerAccountId, reconciliation };
    const banking = await addBanking(tx, companyId, { bank: ids.bankingaccount, till: bankAccountId });
    const lines = await addBankLine(tx, { companyId, userId: person.userId, bank: ids.bankingaccount, document });
    const made = {
      audit,
      approvals,
      webhooks,
      eventId,
      movein,
      product,
      discount,
      package: deal,
      document,
      draft,
      ...bank,
      ...banking,
      ...lines,
    };
    return {
      ids: {
        ...ids,
        ...made,
        invoiceview: ids.billinginvoice,
        creditview: ids.billingcredit,
        estimateview: ids.billingestimate,
        paymentId: ids.billingpayment,
      },
    };
  });
}

/** The effects of a change that posts nothing. */
const NO_EFFECTS = {
  transactions: [],
  asOf: '2026-01-31',
  accounts: [],
  entities: [],
  netIncome: null,
  duplicates: [],
  numbers: [],
};

/** Path parameters that don't identify a company's record: kinds, countries, reports. */
export const notRecords = ['kind', 'reportid', 'countryid', 'accountidinuse'];

/** The kinds of records that request fields refer to. The keys are lowercase. */
const referred: Readonly<Record<string, string>> = {
  customerid: 'customer',
  vendorid: 'vendor',
  productid: 'product',
  discountid: 'discount',
  packageid: 'package',
  roleid: 'userroles',
  profitcenterid: 'profitcenters',
  locationid: 'locations',
  invoiceid: 'billinginvoice',
  creditedinvoiceid: 'billinginvoice',
  bankaccountid: 'bankingaccount',
  frombankaccountid: 'till',
  tobankaccountid: 'bankingaccount',
  paymentid: 'billingpayment',
  accountid: 'customerAccountId',
  glaccountid: 'customerAccountId',
  araccountid: 'customerAccountId',
  paymentaccountid: 'customerAccountId',
  accountcategoryid: 'accountcategories',
  productcategoryid: 'productcategory',
  documentid: 'document',
  paymenttypeid: 'paymenttypes',
  baseextendedpropertyid: 'entitydetails',
  transactionid: 'draft',
  entityid: 'customer',
  customeraccountid: 'customerAccountId',
  categoryid: 'productcategory',
  salestaxscenarioid: 'salestax',
  agencyid: 'taxagency',
};

/** Returns the request fields that refer to a record in the company, with the record's ID. */
export function references({ ids }: Records): Record<string, number> {
  return Object.fromEntries(Object.entries(referred).map(([field, record]) => [field, ids[record] ?? MISSING]));
}

/** An ID that does not exist in any company. */
export const MISSING = 987_654_321;

/** Returns the record that a path parameter identifies, or undefined if no record of this kind exists. */
export function recordFor({ path }: Endpoint, parameter: string, { ids }: Records): number | string | undefined {
  if (parameter === 'sourceType') return 'invoice';
  if (parameter === 'sourceId') return ids['billinginvoice'];
  const word = path.split('/')[1]?.toLowerCase() ?? '';
  if (word === 'vendoropeninvoices' && parameter === 'paymentId') return ids['expensepayment'];
  return ids[parameter] ?? ids[word];
}

export function parametersOf({ path }: Endpoint): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? '');
}

/** Values for required fields, by lowercase name, so that a sample body can be saved. */
const GOOD = {
  name: 'Record',
  accountnumber: '000123456789',
  routingnumber: '021000021',
  displayname: 'Record',
  description: 'Record',
  emailaddress: 'record@example.com',
  firstname: 'Rex',
  lastname: 'Record',
  rolename: 'Record',
  categoryname: 'Record',
  profitcentername: 'Record',
  locationname: 'Record',
  invoicenumber: '9001',
  quantity: 1,
  salesprice: 10,
  filingfrequency: 1,
  percent: 100,
  text: 'Record',
  state: 'OH',
  source: 'Record',
  topic: 'basis',
  makes: 'posted',
  url: 'https://record.example',
  events: ['invoice.created'],
  generalledgerentries: [true, false].map((debit) => {
    return { accountID: debit ? 160 : 140, debit, amount: 10, description: 'Record' };
  }),
};

/** Accounts in the default chart, by the first segment of the path. */
const ACCOUNTS: Record<string, number> = {
  bankingaccount: 101,
  product: 140,
  discount: 143,
  salestax: 123,
  taxagency: 123,
  billinginvoice: 140,
  workitems: 140,
};

export const wordOf = (path: string): string | undefined => path.split('/')[1]?.toLowerCase();

/** Returns values, by lowercase field name, that make a sample of an endpoint's body valid. */
export function goodFor({ path }: Endpoint, { ids: own }: Records): Record<string, unknown> {
  const { customer, vendor, product, bankingaccount, till, paymenttypes, taxagency, taxitem } = own;
  const account = ACCOUNTS[wordOf(path) ?? ''] ?? 160;
  const ids = {
    customerid: customer,
    vendorid: vendor,
    productid: product,
    bankaccountid: bankingaccount,
    frombankaccountid: till,
    tobankaccountid: bankingaccount,
    paymenttypeid: paymenttypes,
    agencyid: taxagency,
    itemids: [taxitem],
  };
  return { ...GOOD, ...ids, accountid: account, glaccountid: account };
}
