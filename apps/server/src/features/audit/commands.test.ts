import { sql } from 'kysely';
import * as z from 'zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '@evenkeel/contract/all';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { statementCalls } from '@evenkeel/contract/statements';
import { workItemCalls } from '@evenkeel/contract/workitems';
import { type AuditKindName, auditKinds } from '@evenkeel/core/words/audit';
import { isoDate } from '@evenkeel/core/dates';
import { reconcilerOf } from '../banking/testing/reconciling.ts';
import { importFile, ofx } from '../banking/testing/statement-files.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { factoryFor } from '../../testing/factories.ts';
import { requestOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { addRecords, goodFor, parametersOf, recordFor, type Records, references } from '../../testing/records.ts';
import { keysOf, sampleOf } from '../../testing/sample.ts';
import { changesOf } from './changes.ts';

let t: TestApp;
let own: Records;

beforeAll(async () => {
  t = await startTestApp();
  own = await addRecords(t.pool, t.world.company);
});
afterAll(() => t.close());

type Row = Record<string, unknown>;

/**
 * The tables that store records, with their ID columns. Parts of a record, such as lines and phone numbers, are checked
 * with the record.
 */
const RECORDS: Readonly<Record<string, string>> = {
  account: 'id',
  account_category: 'id',
  bank_document: 'id',
  bank_rule: 'id',
  banking_account: 'id',
  discount: 'id',
  document: 'id',
  entity: 'id',
  extended_property: 'id',
  location: 'id',
  package: 'id',
  payment: 'id',
  payment_type: 'id',
  product: 'id',
  product_category: 'id',
  profit_center: 'id',
  reconciliation: 'id',
  role: 'id',
  sales_tax_scenario: 'id',
  setting: 'id',
  work_item: 'id',
  company: 'company_id',
  bank_statement: 'id',
  journal_draft: 'id',
  revenue_target: 'period_type',
  sending_settings: 'company_id',
  template: 'id',
};

/** The tables for kinds whose name differs from the table name. */
const TABLES: Readonly<Record<string, string>> = {
  invoice: 'document',
  expense: 'document',
  creditmemo: 'document',
  estimate: 'document',
  writeoff: 'document',
  expensepayment: 'payment',
  workitem: 'work_item',
  transfer: 'bank_document',
  deposit: 'bank_document',
  customer: 'entity',
  vendor: 'entity',
  category: 'product_category',
  bankingaccount: 'banking_account',
  bankrule: 'bank_rule',
  salestax: 'sales_tax_scenario',
  property: 'extended_property',
  bankstatement: 'bank_statement',
  reminders: 'sending_settings',
  revenuetarget: 'revenue_target',
  'scheduled invoice': 'template',
  'scheduled expense': 'template',
  'scheduled journal': 'template',
};

const placeOf = ({ kind, recordId }: Audited): string => `${TABLES[kind] ?? kind.replaceAll(' ', '_')} ${recordId}`;

/** Columns whose values users don't see: counters, hashes, internal keys, and encrypted values. */
const UNSEEN = new RegExp(
  `^(row_version|company_version|entity_version|seal|salt|born|created_at|created_by|updated_at|saved_at|saved_by|
  applied_cents|sort_key|name_key|search_text|root|side|released_n|imported_at|imported_by|kind|position|
  is_posted|tax_account_id|control_account_id|id|company_id|.*_box)$`.replaceAll(/\s/g, ''),
);

async function rowsOfRecords(): Promise<Map<string, Row>> {
  const { companyId } = t.world.company;
  const rows = await t.inCompany(companyId, (tx) =>
    tx.rows<{ name: string; row: Row }>(
      sql.join(
        Object.keys(RECORDS).map(
          (name) => sql`select ${name}::text as name, to_jsonb(x) as row from ${sql.table(name)} x
            where company_id = ${COMPANY}`,
        ),
        sql` union all `,
      ) as never,
    ),
  );
  return new Map(rows.map(({ name, row }) => [`${name} ${String(row[RECORDS[name] ?? 'id'])}`, row]));
}

interface Audited {
  id: number;
  kind: string;
  recordId: number;
  before: unknown;
  after: unknown;
}

const auditBehind = (id: number, { companyId } = t.world.company) =>
  t.inCompany(companyId, (tx) =>
    tx.rows(sql<Audited>`
      select id, subject_type as kind, subject_id as "recordId", before, after from audit_log
      where company_id = ${COMPANY} and id > ${id} order by id`),
  );

/** Returns all leaf values of a JSON document as text. */
function leavesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  return [String(value)];
}

/**
 * Returns the ways in which the API can represent a column's value. Cents become dollars, and missing values are
 * omitted.
 */
function spellingsOf(column: string, value: unknown): string[] {
  if (column.endsWith('_cents')) return [String(Number(value) / 100)];
  return [String(value)];
}

const isMissing = (value: unknown): boolean => value === null || value === '' || value === 0 || value === false;

/** Returns the changed columns whose old or new value is missing from the audit row. */
function unsaid(before: Row | undefined, after: Row | undefined, { before: old, after: now }: Audited): string[] {
  const [oldLeaves, newLeaves] = [new Set(leavesOf(old)), new Set(leavesOf(now))];
  return Object.keys({ ...before, ...after }).filter((column) => {
    const [was, is] = [before?.[column], after?.[column]];
    if (now === null && /^(deleted|active)$/.test(column)) return false;
    if (UNSEEN.test(column) || JSON.stringify(was) === JSON.stringify(is) || typeof (was ?? is) === 'object')
      return false;
    const says = (leaves: Set<string>, value: unknown) =>
      isMissing(value) || spellingsOf(column, value).some((each) => leaves.has(each));
    return !(before === undefined || says(oldLeaves, was)) || !(after === undefined || says(newLeaves, is));
  });
}

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

const writes = endpoints.filter(
  ({ method, needs, reads }) => method !== 'GET' && reads !== true && needs !== 'public' && needs !== 'session',
);

let turn = 0;

/**
 * Calls an endpoint with a valid body. If the record already exists, every string in the body differs from the saved
 * one.
 */
async function call(endpoint: Endpoint, more: Record<string, number> = {}): Promise<boolean> {
  turn += 1;
  const texts = Object.entries(goodFor(endpoint, own)).map(([key, value]) => [
    key,
    value === 'Record' ? `Record ${turn}` : value,
  ]);
  const params = Object.fromEntries(parametersOf(endpoint).map((name) => [name, recordFor(endpoint, name, own) ?? 1]));
  const sample = endpoint.body && sampleOf(endpoint.body, { ...more, ...Object.fromEntries(texts), documentlinks: [] });
  const named = endpoint.body && keysOf(endpoint.body).find((key) => /id$/i.test(key));
  const isSaved = endpoint.method === 'PUT' && named !== undefined && parametersOf(endpoint).length === 0;
  const body = isSaved ? { ...(sample as object), [named]: recordFor(endpoint, 'id', own) } : sample;
  const { token } = t.world.company.administrator;
  const ids = keysOf(endpoint.query ?? z.object({})).filter((key) => /id$/i.test(key));
  const query = Object.fromEntries(ids.map((key) => [key, String(recordFor(endpoint, 'id', own) ?? 1)]));
  const { status } = await t.request({ ...requestOf(endpoint, { params, body, query }), token });
  return status === 200;
}

/**
 * Returns the changes that a call made and that the log does not report. Adds the call to `seen` if it changed
 * anything.
 */
async function unsaidOf(name: string, act: () => Promise<boolean>, seen: string[]): Promise<unknown[]> {
  const faults: unknown[] = [];
  const before = await rowsOfRecords();
  const last = (await auditBehind(0)).at(-1)?.id ?? 0;
  if (!(await act())) return [];
  const [after, audited] = await Promise.all([rowsOfRecords(), auditBehind(last)]);
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key)),
  );
  const told = changed.filter((key) => audited.some((each) => placeOf(each) === key));
  if (changed.length > 0) seen.push(name);
  if (changed.length > 0 && told.length === 0) faults.push([name, changed, audited]);
  for (const key of told) {
    const row = audited.find((each) => placeOf(each) === key);
    const missing = row === undefined ? ['all'] : unsaid(before.get(key), after.get(key), row);
    const words = row && changesOf(row.before, row.after, row.recordId, () => 'somebody');
    if (missing.length > 0 || words?.length === 0) faults.push([name, key, missing, words]);
  }
  for (const { kind } of audited) if (!(kind in auditKinds)) faults.push([name, 'no kind', kind]);
  return faults;
}

test('every call that changes a record adds an audit row with every changed column', async () => {
  const seen: string[] = [];
  const faults: unknown[] = [];
  // Deletions run last, so that the records exist for the other calls.
  const inOrder = [...writes].toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
  for (const endpoint of inOrder) {
    const act = async () => (await call(endpoint)) || (await call(endpoint, references(own)));
    faults.push(...(await unsaidOf(nameOf(endpoint), act, seen)));
  }
  expect(faults).toEqual([]);
  expect(seen.length).toBeGreaterThan(65);
});

test('calls for entries, drafts, settings, and statements add an audit row with their changes', async () => {
  const company = await t.createCompany();
  const { token } = company.administrator;
  const [make, books] = [factoryFor(t, company), reconcilerOf(t, company, company.administrator)];
  const bankAccountId = await books.bank();
  const line = { amount: 80, description: 'Rent', postingDate: '2026-04-15' };
  const generalLedgerEntries = [
    { ...line, accountID: 167, debit: true },
    { ...line, accountID: 101, debit: false },
  ];
  const draft = (transactionID: number, more: object = {}) =>
    t.call(ledgerCalls.postTransaction, { token, body: { transactionID, draft: true, generalLedgerEntries, ...more } });
  const made = { entry: { transactionID: 0, glid: 0 }, draft: 0, statement: 0, reconciliation: 0, lines: [0, 0] };
  const act = (at: number, body: object) =>
    t.call(statementCalls.actOnBankLine, { token, params: { id: made.lines[at] ?? 0 }, body: body as never });
  const steps: [name: string, kind: AuditKindName, act: () => Promise<unknown>][] = [
    ['post', 'journal', async () => (made.entry = await books.entry('2026-04-10', [101, 140], 60))],
    ['save a draft', 'journal draft', async () => (made.draft = (await draft(0)).transactionID)],
    [
      'change a draft',
      'journal draft',
      () => draft(made.draft, { generalLedgerEntries: turned(generalLedgerEntries) }),
    ],
    ['delete a draft', 'journal draft', () => t.call(ledgerCalls.deleteDraft, { token, params: { id: made.draft } })],
    [
      'save a setting',
      'setting',
      () => t.call(settingsCalls.saveSettings, { token, body: { settingName: 'termsDays', settingValue: '20' } }),
    ],
    [
      'reconcile',
      'reconciliation',
      async () => {
        const given = { entries: [made.entry.glid], statementDate: '2026-04-30', statementBalance: 60 };
        made.reconciliation = (await books.reconcile(given)).reconciliationID;
      },
    ],
    ['delete a reconciliation', 'reconciliation', () => books.remove(made.reconciliation)],
    [
      'import a statement',
      'bankstatement',
      async () => {
        const says = { date: isoDate('2026-05-04'), amount: -450, text: 'BLUE CUP' };
        const bytes = ofx([says, { ...says, amount: -451 }]);
        made.statement = (await importFile(t, token, { bankAccountId, bytes })).id;
        const all = await t.call(statementCalls.listBankLines, { token, query: {} });
        made.lines = (Array.isArray(all) ? all : all.items).map(({ id }) => id);
      },
    ],
    [
      'categorize a bank transaction',
      'bankline',
      () => act(0, { action: 'add', lines: [{ accountID: 160, amount: -4.5 }] }),
    ],
    ['undo the categorization', 'bankline', () => act(0, { action: 'undo' })],
    ['exclude a bank transaction', 'bankline', () => act(0, { action: 'exclude', reason: 'Not ours' })],
    [
      'undo a statement import',
      'bankstatement',
      () => t.call(statementCalls.deleteStatement, { token, params: { id: made.statement }, query: {} }),
    ],
    [
      'reverse',
      'journal',
      () => {
        const body = { postingDate: '2026-04-11' };
        return t.call(ledgerCalls.reverseTransaction, {
          token,
          params: { transactionId: made.entry.transactionID },
          body,
        });
      },
    ],
    [
      'delete a work item',
      'workitem',
      async () => {
        const { id } = await make.workItem({ customerId: await make.customer() });
        await t.call(workItemCalls.deleteWorkItem, { token, params: { id } });
      },
    ],
    [
      'delete a bill',
      'expense',
      async () => {
        const { id } = await make.bill({ vendorId: await make.vendor() });
        await t.call(expenseCalls.deleteExpense, { token, params: { id }, query: {} });
      },
    ],
  ];
  const untold: unknown[] = [];
  for (const [name, kind, step] of steps) {
    const last = (await auditBehind(0, company)).at(-1)?.id ?? 0;
    await step();
    const rows = (await auditBehind(last, company)).filter((row) => row.kind === kind);
    const said = rows.flatMap((row) => changesOf(row.before, row.after, row.recordId, () => 'somebody'));
    if (said.length === 0) untold.push([name, rows]);
  }
  expect(untold).toEqual([]);
});

/** Swaps debit and credit in the entries. */
const turned = <E extends { debit: boolean }>(entries: readonly E[]): E[] =>
  entries.map((entry) => ({ ...entry, debit: !entry.debit }));
