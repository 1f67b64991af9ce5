import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { openTestBooks } from '../../books/ledger/testing/books.ts';
import type { TestBooks } from '../../books/ledger/testing/books.ts';
import { RUNTIME_ROLE } from './connect.ts';
import { EXPECTED, NAMED_BY_PEOPLE, refusalOfConstraint } from './constraints.ts';
import { databaseCode } from './errors.ts';

let books: TestBooks;
let tenantTables: string[] = [];
beforeAll(async () => {
  books = await openTestBooks();
  const all = await column<string>(`select relname from pg_class where relnamespace = 'public'::regnamespace
    and relkind in ('r', 'p') order by relname`);
  tenantTables = all.filter((table) => !installationTables.includes(table));
});
afterAll(() => books.close());

/**
 * Tables that are read before the company is known, so they have no row-level security. All of these tables are listed
 * here.
 */
const installationTables = [
  'api_key',
  'app_user',
  'installation',
  'membership',
  'migration',
  'passkey',
  'passkey_challenge',
  'proof_key',
  'rate_limit',
  'recovery_code',
  'second_factor',
  'session',
  'sign_in_place',
  'token',
];

/** Returns the first column of a query that runs as the owner (here, a superuser who is exempt from all policies). */
async function column<T>(text: string, values: unknown[] = []): Promise<T[]> {
  const { rows } = await books.owner.query<Record<string, T>>(text, values);
  return rows.flatMap((row) => Object.values(row).slice(0, 1));
}

const hasWords = (constraint: string): boolean =>
  refusalOfConstraint(Object.assign(new Error('broken'), { code: '23000', constraint })) !== undefined;

describe('the database catalog', () => {
  test('the catalog contains tenant tables, including the ledger and the documents', () => {
    expect(tenantTables.length).toBeGreaterThan(25);
    expect(tenantTables).toEqual(expect.arrayContaining(['company', 'journal_line', 'document', 'payment', 'job']));
  });

  test('every tenant table has a company_id that is not null, and a primary key', async () => {
    const keyed = await column<string>(`
      select c.relname from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and a.attnotnull
      join pg_constraint p on p.conrelid = c.oid and p.contype = 'p'
      where c.relnamespace = 'public'::regnamespace order by 1`);
    expect(keyed.filter((table) => tenantTables.includes(table))).toEqual(tenantTables);
  });

  test('every primary and unique key of a tenant table begins with company_id', async () => {
    const others = await column<string>(
      `select i.indexrelid::regclass::text from pg_index i
      left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      where i.indisunique and i.indrelid::regclass::text = any($1) and a.attname is distinct from 'company_id'`,
      [tenantTables],
    );
    expect(others).toEqual([]);
  });

  test('every foreign key of a tenant table begins with company_id on both sides', async () => {
    const others = await column<string>(
      `select f.conrelid::regclass || ' ' || f.conname from pg_constraint f
      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
      join pg_attribute b on b.attrelid = f.confrelid and b.attnum = f.confkey[1]
      where f.contype = 'f' and f.conrelid::regclass::text = any($1)
        and (a.attname, b.attname) <> ('company_id', 'company_id')`,
      [tenantTables],
    );
    expect(others).toEqual([]);
  });

  test('no foreign key connects an installation table and a tenant table', async () => {
    const across = await column<string>(
      `select conname from pg_constraint where contype = 'f'
        and (conrelid::regclass::text = any($1)) <> (confrelid::regclass::text = any($1))`,
      [tenantTables],
    );
    expect(across).toEqual([]);
  });

  test('every foreign key refers to an internal record or to a record with a name for users', async () => {
    const keys = await column<string>(`select conname from pg_constraint where contype = 'f'`);
    const endsWith = (key: string) => (name: string) => key.endsWith(`_${name}_fkey`);
    const theirs = NAMED_BY_PEOPLE.map(([name]) => name);
    const ours = [
      'act_id',
      'bank_id',
      'bank_line_id',
      'company_id',
      'credited_id',
      'deposit_id',
      'document_id',
      'entry_id',
      'estimate_id',
      'event_id',
      'expense_id',
      'form_id',
      'invoice_id',
      'line_id',
      'link_id',
      'mail_id',
      'mail_id_address',
      'move_id',
      'payment_id',
      'reconciliation_id',
      'refund_id',
      'return_id',
      'rule_id',
      'scenario_id',
      'sent_report_id',
      'sha256',
      'statement_id',
      'template_id',
      'transfer_id',
    ];
    const [named, kept] = [keys.filter(hasWords), keys.filter((key) => !hasWords(key))];
    expect(kept.filter((key) => !ours.some(endsWith(key)))).toEqual([]);
    expect(theirs.filter((name) => !named.some((key) => endsWith(key)(name)))).toEqual([]);
    expect(ours.filter((name) => !kept.some((key) => endsWith(key)(name)))).toEqual([]);
  });

  test('every unique key or check that a request can violate has a message, and all others are internal', async () => {
    const unique = await column<string>(`select i.indexrelid::regclass::text from pg_index i
      join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace
      where i.indisunique and not i.indisprimary order by 1`);
    expect(unique.filter((key) => !hasWords(key))).toEqual([
      'account_sign_off_day',
      'agent_proposal_token',
      'api_key_token_hash_key',
      'attachment_link_company_id_owner_kind_owner_id_attachment_i_key',
      'bank_document_number',
      'budget_amount_cell',
      'document_link_company_id_token_hash_key',
      'document_link_mail',
      'document_number',
      'job_waiting',
      'journal_line_company_id_transaction_id_line_no_key',
      'journal_transaction_company_id_posting_no_key',
      'membership_request',
      'move_in_open',
      'move_in_record_identity',
      'online_event_company_id_event_id_key',
      'online_review_company_id_reason_about_key',
      'online_session_open',
      'package_line_company_id_package_id_discount_id_key',
      'package_line_company_id_package_id_product_id_key',
      'passkey_credential_id_key',
      'payment_number',
      'reconciliation_date',
      'setting_company_id_setting_name_key',
      'work_item_line',
    ]);
    const checks = await column<string>(`select conname from pg_constraint where contype = 'c'
      and connamespace = 'public'::regnamespace`);
    const known = [...unique, ...checks];
    expect([...EXPECTED.keys()].filter((name) => !known.includes(name))).toEqual([]);
    expect(checks.filter(hasWords)).toEqual(['ledger_total_amount_cents_check']);
  });

  test('no constraint is deferrable', async () => {
    const constraints = await column(`select conname from pg_constraint where condeferrable`);
    const triggers = await column(`select tgname from pg_trigger where tgdeferrable`);
    expect([...constraints, ...triggers]).toEqual([]);
  });

  test('row-level security is enabled and forced on tenant tables and only there', async () => {
    const forced = await column<string>(`select relname from pg_class where relnamespace = 'public'::regnamespace
      and relrowsecurity and relforcerowsecurity order by 1`);
    expect(forced).toEqual(tenantTables);
    const bound = await column<string>(`select tablename from pg_policies where policyname = 'company_only'
      and cmd = 'ALL' and qual = with_check order by 1`);
    expect(bound).toEqual(tenantTables);
  });

  test('no Evenkeel function runs with the rights of its owner', async () => {
    const ours = `from pg_proc where pronamespace = 'public'::regnamespace`;
    expect(await column(`select proname ${ours} and prosecdef`)).toEqual([]);
    expect(await column(`select proname ${ours} and proname = 'ledger_hash'`)).toEqual(['ledger_hash']);
  });
});

describe('the runtime role', () => {
  test('the runtime role has no ownership, superuser, or sign-in rights, and obeys row-level security', async () => {
    const { rows } = await books.owner.query(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication,
        pg_has_role(rolname, (select relowner from pg_class where relname = 'journal_line'), 'member') as owner,
        has_schema_privilege(rolname, 'public', 'create') as creates
      from pg_roles where rolname = $1`,
      [RUNTIME_ROLE],
    );
    expect(rows).toEqual([
      {
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolcanlogin: false,
        rolreplication: false,
        owner: false,
        creates: false,
      },
    ]);
    expect((await books.pool.query('select current_user as role')).rows).toEqual([{ role: RUNTIME_ROLE }]);
  });

  test.each([
    ['journal_transaction', ['INSERT', 'SELECT']],
    ['journal_line', ['INSERT', 'SELECT']],
    ['audit_log', ['INSERT', 'SELECT']],
    ['sent_report', ['INSERT', 'SELECT']],
    ['past_row', ['INSERT', 'SELECT']],
    ['ledger_head', ['INSERT', 'SELECT', 'UPDATE']],
    ['ledger_total', ['INSERT', 'SELECT', 'UPDATE']],
    ['journal_live', ['INSERT', 'SELECT', 'UPDATE']],
    ['number_sequence', ['INSERT', 'SELECT', 'UPDATE']],
    ['migration', ['SELECT']],
  ])('the runtime role has exactly these privileges on %s: %j', async (table, rights) => {
    const all = ['INSERT', 'SELECT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'];
    const [version] = await column<number>("select current_setting('server_version_num')::int");
    if ((version ?? 0) >= 170_000) all.push('MAINTAIN');
    const held = await column(`select p from unnest($1::text[]) p where has_table_privilege($2, $3, p) order by 1`, [
      all,
      RUNTIME_ROLE,
      table,
    ]);
    expect(held).toEqual(rights);
  });

  test.each(['journal_line', 'journal_transaction'])("the runtime role can't change rows in %s", async (table) => {
    for (const statement of [`update ${table} set description = ''`, `delete from ${table}`, `truncate ${table}`]) {
      const refused = await books.inCompany((tx) => tx.rows(sql.raw(statement))).catch(databaseCode);
      expect({ statement, refused }).toEqual({ statement, refused: '42501' });
    }
  });
});

describe('row-level security', () => {
  const count = (table: string) => `select count(*)::int as count from ${table}`;

  test('row-level security shows no rows in a tenant table while the company is unset or empty', async () => {
    const filled: string[] = [];
    for (const table of tenantTables) {
      const [there = 0] = await column<number>(count(table));
      if (there > 0) filled.push(table);
      const client = await books.pool.connect();
      try {
        const unset = await client.query<{ count: number }>(count(table));
        await client.query(`set app.company_id = ''`);
        const emptied = await client.query<{ count: number }>(count(table));
        expect({ table, unset: unset.rows, emptied: emptied.rows }).toEqual({
          table,
          unset: [{ count: 0 }],
          emptied: [{ count: 0 }],
        });
      } finally {
        await client.query('reset app.company_id');
        client.release();
      }
    }
    expect(filled).toEqual(expect.arrayContaining(['account', 'company', 'ledger_head', 'role', 'setting']));
  });

  test('the company does not stay set on the connection after a transaction', async () => {
    await books.inCompany(async (tx) => {
      expect(await tx.rows(sql.raw(count('account')))).not.toEqual([{ count: 0 }]);
    });
    const results = await Promise.all(Array.from({ length: 8 }, () => books.pool.query(count('account'))));
    expect(results.map((result) => result.rows)).toEqual(Array.from({ length: 8 }, () => [{ count: 0 }]));
  });

  test("row-level security hides and protects other companies' rows in every tenant table", async () => {
    const theirs = `where company_id = ${books.otherId} returning company_id`;
    for (const table of tenantTables) {
      const attempt = (statement: string) => books.inCompany((tx) => tx.rows(sql.raw(statement))).catch(databaseCode);
      const seen = await attempt(`${count(table)} where company_id = ${books.otherId}`);
      const updated = await attempt(`update ${table} set company_id = company_id ${theirs}`);
      const deleted = await attempt(`delete from ${table} ${theirs}`);
      const added = await attempt(`insert into ${table} (company_id) values (${books.otherId})`);
      expect({ table, seen, added }).toEqual({ table, seen: [{ count: 0 }], added: '42501' });
      for (const answer of [updated, deleted]) expect(['[]', '"42501"', '"EK004"']).toContain(JSON.stringify(answer));
    }
  });

  test('the only row-level security policy for the owner is the one that lists the companies', async () => {
    const policies = await column(`select tablename || ': ' || array_to_string(roles, ',') from pg_policies
      where policyname <> 'company_only' and roles <> '{public}' order by 1`);
    const [owner] = await column<string>(`select relowner::regrole::text from pg_class where relname = 'company'`);
    expect(policies).toEqual([`company: ${owner}`]);
  });
});
