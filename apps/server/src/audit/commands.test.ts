import { sql } from 'kysely';
import * as z from 'zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '@evenkeel/contract/all';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { auditKinds } from '@evenkeel/core/audit';
import { COMPANY } from '../db/query.ts';
import { requestOf, startTestApp, type TestApp } from '../testing/app.ts';
import { addRecords, goodFor, parametersOf, recordFor, type Records, references } from '../testing/records.ts';
import { keysOf, sampleOf } from '../testing/sample.ts';
import { changesOf } from './changes.ts';

let t: TestApp;
let own: Records;

beforeAll(async () => {
  t = await startTestApp();
  own = await addRecords(t.pool, t.world.company);
});
afterAll(() => t.close());

type Row = Record<string, unknown>;

/** Tables of records, each with the column of its id; parts of a record (lines, phones) count with it. */
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
};

/** The tables of kinds whose name is not the table's. */
const TABLES: Readonly<Record<string, string>> = {
  invoice: 'document',
  expense: 'document',
  creditmemo: 'document',
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
};

const placeOf = ({ kind, recordId }: Audited): string => `${TABLES[kind] ?? kind.replaceAll(' ', '_')} ${recordId}`;

/** Columns that no person sees: counters, digests, keys to find and settle by, boxes. */
const UNSEEN = new RegExp(
  `^(row_version|seal|salt|created_at|created_by|updated_at|saved_at|saved_by|applied_cents|sort_key|name_key|
  search_text|root|side|kind|position|is_posted|tax_account_id|control_account_id|id|company_id|.*_box)$`.replaceAll(
    /\s/g,
    '',
  ),
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

const auditBehind = (id: number) =>
  t.inCompany(t.world.company.companyId, (tx) =>
    tx.rows(sql<Audited>`
      select id, subject_type as kind, subject_id as "recordId", before, after from audit_log
      where company_id = ${COMPANY} and id > ${id} order by id`),
  );

/** Every value at the ends of a JSON text, as words. */
function leavesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  return [String(value)];
}

/** The spellings of a column's value on the wire: cents are dollars there, and what is missing is left out. */
function spellingsOf(column: string, value: unknown): string[] {
  if (column.endsWith('_cents')) return [String(Number(value) / 100)];
  return [String(value)];
}

const isMissing = (value: unknown): boolean => value === null || value === '' || value === 0 || value === false;

/** Columns that changed and whose old or new value the audit row does not say. */
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

/** Calls an endpoint with a body that can be saved; of a saved record every text is another than it was. */
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

test('a call that changes a record leaves a row that says every column that changed', async () => {
  const seen: string[] = [];
  const faults: unknown[] = [];
  // Deletions come last, so that there is something to save before.
  const inOrder = [...writes].toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
  for (const endpoint of inOrder) {
    const before = await rowsOfRecords();
    const last = (await auditBehind(0)).at(-1)?.id ?? 0;
    if (!(await call(endpoint)) && !(await call(endpoint, references(own)))) continue;
    const [after, audited] = await Promise.all([rowsOfRecords(), auditBehind(last)]);
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (key) => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key)),
    );
    const told = changed.filter((key) => audited.some((each) => placeOf(each) === key));
    if (changed.length > 0) seen.push(nameOf(endpoint));
    if (changed.length > 0 && told.length === 0) faults.push([nameOf(endpoint), changed, audited]);
    for (const key of told) {
      const row = audited.find((each) => placeOf(each) === key);
      const missing = row === undefined ? ['all'] : unsaid(before.get(key), after.get(key), row);
      const words = row && changesOf(row.before, row.after, row.recordId, () => 'somebody');
      if (missing.length > 0 || words?.length === 0) faults.push([nameOf(endpoint), key, missing, words]);
    }
    for (const { kind } of audited) if (!(kind in auditKinds)) faults.push([nameOf(endpoint), 'no kind', kind]);
  }
  expect(faults).toEqual([]);
  // The others need more than a sample: files, statements, drafts; their own tests look at the log.
  expect(seen.length).toBeGreaterThan(60);
});
