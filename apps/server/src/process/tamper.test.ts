import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addCustomer, createCompany, invoiceOf, must, paymentOf, signIn, verify } from './testing/client.ts';
import { Installation, ownerOf, type Server, PATIENCE_MS } from './testing/installation.ts';

/** The number of changes, each of which is checked with a separate run of the command line. */
const CHANGES = Math.min(500, Math.max(8, Number(process.env['TORTURE_RUNS'] ?? '8')));

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

let installation: Installation;
let environment: { DATA_DIR: string; LOG_LEVEL: string };
let server: Server;
let owner: pg.Client;

/** Typical books, with six invoices, three payments, an edit, two deletions, and a journal entry. */
beforeAll(async () => {
  installation = await Installation.make();
  environment = { DATA_DIR: installation.dataDir(), LOG_LEVEL: 'warn' };
  await createCompany(installation, environment);
  server = await installation.start(environment);
  const { address } = server;
  const token = await signIn(address);
  const customerId = await addCustomer(address, token, 'Tampered');
  const invoices: { id: number; rowVersion: number }[] = [];
  for (let count = 1; count <= 6; count += 1) {
    const body = invoiceOf(customerId, `Job ${count}`, 100 * count);
    invoices.push(await must(address, '/api/billinginvoice', { token, body }));
  }
  const [first, second, third, fourth] = invoices.map(({ id }) => id);
  const payments: { id: number }[] = [];
  for (const [invoiceId = 0, amount] of [
    [first, 100],
    [second, 50],
    [third, 300],
  ] as const) {
    const body = paymentOf(customerId, invoiceId, amount);
    payments.push(await must(address, '/api/billingpayment', { token, body }));
  }
  const edited = { ...invoiceOf(customerId, 'Job 4, more', 450), id: fourth };
  await must(address, '/api/billinginvoice', { token, method: 'PUT', body: edited });
  await must(address, `/api/billingpayment/${payments[2]?.id}`, { token, method: 'DELETE' });
  await must(address, `/api/billinginvoice/${invoices[5]?.id}`, { token, method: 'DELETE' });
  const entry = { description: 'Rent', postingDate: '2026-03-03', amount: 700 };
  const generalLedgerEntries = [
    { ...entry, accountID: 104, debit: false },
    { ...entry, accountID: 140, debit: true },
  ];
  const journal = { basis: 0, postingDate: '2026-03-03', generalLedgerEntries };
  await must(address, '/api/GeneralLedger/PostTransaction', { token, body: journal });
  owner = await ownerOf(environment.DATA_DIR);
  installation.atEnd(() => owner.end());
});
afterAll(() => installation.remove());

interface Column {
  relation: 'journal_transaction' | 'journal_line';
  name: string;
  type: string;
}

/**
 * Returns an expression that changes a stored value to another value of the same type: one bit of a number, one letter,
 * or one byte.
 */
const altered: Readonly<Record<string, string>> = {
  bigint: '$ # 1',
  integer: '$ # 1',
  date: '$ + 1',
  text: `overlay($ placing '\u00e9' from greatest(1, length($)) for 1)`,
  'timestamp with time zone': `$ + interval '1 microsecond'`,
  // The first entry has no previous entry, so its previous hash is empty.
  bytea: `case length($) when 0 then '\\x00' else set_byte($, length($) / 2, get_byte($, length($) / 2) # 1) end`,
  '"char"': `case $ when 'A' then 'C' else 'A' end::"char"`,
};

/**
 * IDs change to unused IDs, so that they stay unique. A source changes only to another valid source, and a null gets a
 * value.
 */
const special: Readonly<Record<string, string>> = {
  company_id: '$ + 1',
  id: '$ + 100000',
  transaction_id: '$ + 100000',
  line_no: '$ + 1000',
  posting_no: '$ + 100000',
  source_type: `case $ when 'journal' then 'expense' else 'journal' end`,
  entity_id: 'coalesce($, 0) # 1',
  profit_center_id: '1',
  location_id: '1',
  reverses: 'coalesce($ + 100000, 1000000)',
};

async function columns(): Promise<Column[]> {
  const { rows } = await owner.query<Column>(
    `select attrelid::regclass::text as relation, attname as name, format_type(atttypid, null) as type
      from pg_attribute where attrelid in ('journal_transaction'::regclass, 'journal_line'::regclass)
      and attnum > 0 and not attisdropped order by attrelid, attnum`,
  );
  return rows;
}

/**
 * Changes the column in one random row without triggers. Returns the affected entry and a function that undoes the
 * change.
 */
async function tamper({ relation, name, type }: Column) {
  const key = relation === 'journal_line' ? 'transaction_id' : 'id';
  const value = (special[name] ?? altered[type] ?? '').replaceAll('$', `r.${name}`);
  expect([type, value]).not.toEqual([type, '']);
  await owner.query('set session_replication_role = replica');
  await owner.query('drop table if exists pg_temp.before');
  await owner.query(`create temporary table before as select ctid as place, * from ${relation}
    where length(coalesce(${name}::text, '')) > 0 or ${name} is null order by random() limit 1`);
  const { rows } = await owner.query<{ entry: number; posting: number }>(
    `select b.${key}::int as entry, t.posting_no::int as posting
      from pg_temp.before b join journal_transaction t on t.company_id = b.company_id and t.id = b.${key}`,
  );
  const [found] = rows;
  if (found === undefined) throw new Error(`${relation}.${name} has no row to change`);
  const changed = await owner.query(
    `update ${relation} r set ${name} = ${value} from pg_temp.before b
      where r.ctid = b.place and (${value}) is distinct from r.${name} returning r.ctid::text as place`,
  );
  expect([relation, name, changed.rowCount]).toEqual([relation, name, 1]);
  const { place } = changed.rows[0] as { place: string };
  const undo = () =>
    owner.query(`update ${relation} r set ${name} = b.${name} from pg_temp.before b where r.ctid = '${place}'`);
  return { ...found, undo };
}

/** Changes the columns in random order. If there are enough rounds, changes each column at least once. */
function* chosen(all: readonly Column[]): Generator<Column> {
  const rest = [...all];
  for (let count = 0; count < CHANGES; count += 1) {
    if (rest.length === 0) rest.push(...all);
    const [column] = rest.splice(Math.floor(Math.random() * rest.length), 1);
    if (column !== undefined) yield column;
  }
}

const soundBooks = { code: 0, ok: true, companies: [{ faults: [] }] };

// Promise (tampering): `verify` finds any single changed value in the journal and reports the entry. [24 columns, 3
// changes each]
test(`after each of ${CHANGES} changes to the journal, verify exits with 1 and names the entry`, async () => {
  const sound = await verify(installation, environment);
  expect(sound).toMatchObject(soundBooks);
  expect(sound.companies[0]?.transactions).toBeGreaterThanOrEqual(12);
  for (const column of chosen(await columns())) {
    const { entry, posting, undo } = await tamper(column);
    const { code, ok, companies } = await verify(installation, environment);
    await undo();
    const [fault] = companies[0]?.faults ?? [];
    const named = fault?.transactionId === entry || fault?.postingNo === posting;
    expect({ column, code, ok, entry, named, fault }).toEqual({
      column,
      code: 1,
      ok: false,
      entry,
      named: true,
      fault: expect.objectContaining({ message: expect.stringMatching(/\w{3}/) }),
    });
  }
  expect(await verify(installation, environment)).toMatchObject(soundBooks);
});

test('verify finds an entry that was deleted with its lines, and a line that was added', async () => {
  await owner.query('begin; set local session_replication_role = replica');
  await owner.query('create temporary table kept_lines as select * from journal_line where transaction_id = 3');
  await owner.query('create temporary table kept as select * from journal_transaction where id = 3');
  await owner.query('delete from journal_line where transaction_id = 3');
  await owner.query('delete from journal_transaction where id = 3');
  await owner.query('commit');
  const missing = await verify(installation, environment);
  expect([missing.code, missing.ok]).toEqual([1, false]);
  expect(missing.companies[0]?.faults[0]).toMatchObject({ check: 'chain' });
  await owner.query('begin; set local session_replication_role = replica');
  await owner.query('insert into journal_transaction select * from kept');
  await owner.query('insert into journal_line select * from kept_lines');
  await owner.query(`insert into journal_line
    select company_id, id + 100000, transaction_id, line_no + 100, posting_date, account_id, amount_cents,
      basis, description, entity_id, profit_center_id, location_id, null from kept_lines`);
  await owner.query('commit');
  const added = await verify(installation, environment);
  expect([added.code, added.companies[0]?.faults[0]?.transactionId]).toEqual([1, 3]);
  await owner.query('begin; set local session_replication_role = replica');
  await owner.query('delete from journal_line where id > 100000');
  await owner.query('commit');
  expect(await verify(installation, environment)).toMatchObject(soundBooks);
});

// Promise (tampering): The database rejects an unbalanced entry and any change to a posted line, for every role.
test('with triggers on, neither the owner nor the runtime role can change the journal', async () => {
  await owner.query('set session_replication_role = origin');
  for (const table of ['journal_transaction', 'journal_line']) {
    await expect(owner.query(`update ${table} set description = 'x'`)).rejects.toThrow('append-only');
    await expect(owner.query(`delete from ${table}`)).rejects.toThrow('append-only');
    await expect(owner.query(`truncate ${table} cascade`)).rejects.toThrow('append-only');
  }
  await owner.query('set role evenkeel_app');
  await owner.query(`set app.company_id = '1'`);
  for (const table of ['journal_transaction', 'journal_line']) {
    expect((await owner.query(`select from ${table}`)).rowCount).toBeGreaterThan(10);
    await expect(owner.query(`update ${table} set description = 'x'`)).rejects.toThrow('permission denied');
    await expect(owner.query(`delete from ${table}`)).rejects.toThrow('permission denied');
  }
  await owner.query('reset role');
});
