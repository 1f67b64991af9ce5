import type { AuditKindName } from '@evenkeel/core/words/audit';
import { PAYABLE, RECEIVABLE } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type FaultRow, type FaultyRecord, MOST_FAULTS, recordOf } from '../documents/verify.sql.ts';

/** A table with sealed rows (migrations/always/seals.sql). */
export interface SealedTable {
  name: string;
  /** The key columns, except the company. */
  keys: string[];
  /** The column that identifies the owner of a row. */
  owner: 'company_id' | 'user_id' | 'id';
}

/** Selects the sealed tables from the catalog, so that the check covers all of them. */
export function sealedTables(): Runnable<SealedTable> {
  return sql<SealedTable>`
    select c.relname::text as name,
      array(select a.attname::text from unnest(p.conkey) with ordinality k (no, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.no
        where a.attname <> 'company_id' or cardinality(p.conkey) = 1 order by k.place) as keys,
      coalesce((select a.attname::text from pg_attribute a where a.attrelid = c.oid
        and a.attname in ('company_id', 'user_id') order by a.attname limit 1), 'id') as owner
    from pg_attribute s
    join pg_class c on c.oid = s.attrelid and c.relkind in ('r', 'p')
    join pg_constraint p on p.conrelid = c.oid and p.contype = 'p'
    where s.attname = 'seal' and c.relnamespace = 'public'::regnamespace
    order by c.relname`;
}

const is = (kind: AuditKindName, column = 'id') => recordOf(kind, sql.ref(`r.${column}`));

/** Returns the document that a line belongs to. */
const ofDocument = (column: string) =>
  recordOf(
    sql`(select d.kind from document d where d.company_id = ${COMPANY} and d.id = ${sql.ref(`r.${column}`)})`,
    sql.ref(`r.${column}`),
  );

/** The record that a row represents or belongs to. */
const RECORDS: Readonly<Record<string, RawBuilder<FaultyRecord>>> = {
  account: is('account'),
  account_category: is('account category'),
  app_user: is('user'),
  bank_document: recordOf(sql`r.kind`, sql`r.id`),
  bank_line: is('bankline'),
  bank_rule: is('bankrule'),
  bank_rule_line: is('bankrule', 'rule_id'),
  bank_statement: is('bankstatement'),
  banking_account: is('bankingaccount'),
  company: is('company', 'company_id'),
  deposit_line: is('deposit', 'deposit_id'),
  deposit_receipt: is('deposit', 'deposit_id'),
  discount: is('discount'),
  document: recordOf(sql`r.kind`, sql`r.id`),
  entity: recordOf(
    sql`case r.kind when ${RECEIVABLE.entityKind} then ${RECEIVABLE.words.entity}
      when ${PAYABLE.entityKind} then ${PAYABLE.words.entity} else 'company' end`,
    sql`r.id`,
  ),
  expense_line: ofDocument('expense_id'),
  invoice_line: ofDocument('invoice_id'),
  location: is('location'),
  membership: is('user', 'user_id'),
  move_in: is('movein'),
  move_in_mapping: is('company', 'company_id'),
  move_in_progress: is('movein', 'move_id'),
  move_in_record: is('movein', 'move_id'),
  number_skip: is('company', 'company_id'),
  opening_balance: is('openingbalance'),
  package: is('package'),
  package_line: is('package', 'package_id'),
  payment: recordOf(
    sql`case r.side when ${RECEIVABLE.name} then ${RECEIVABLE.payment.source} else ${PAYABLE.payment.source} end`,
    sql`r.id`,
  ),
  payment_type: is('payment type'),
  product: is('product'),
  product_category: is('category'),
  profit_center: is('profit center'),
  reconciliation: is('reconciliation'),
  reconciliation_line: is('reconciliation', 'reconciliation_id'),
  role: is('role'),
  sales_tax_item: is('salestax', 'scenario_id'),
  sales_tax_scenario: is('salestax'),
  setting: is('setting'),
  template: recordOf(sql`'scheduled ' || r.kind`, sql`r.id`),
  template_occurrence: recordOf(
    sql`'scheduled ' || (select t.kind from template t where t.company_id = ${COMPANY} and t.id = r.template_id)`,
    sql`r.template_id`,
  ),
  work_item: is('workitem'),
};

/** Finds rows whose columns don't match their seal, because they were changed or written outside Evenkeel. */
export function sealFaults({ name, keys, owner }: SealedTable): Runnable<FaultRow> {
  const key = sql.join(
    keys.map((column) => sql`r.${sql.id(column)}::text`),
    sql` || ', ' || `,
  );
  // A user or link without a company may have been removed from this company. A user of several companies is checked in
  // each of them.
  const members = (user: string) =>
    sql`(select m.company_id from membership m where m.user_id = ${sql.ref(`r.${user}`)})`;
  const isNoOthers = (user: string) => sql`(${COMPANY} in ${members(user)} or not exists ${members(user)})`;
  const ours = owner === 'company_id' ? sql`r.company_id = ${COMPANY}` : isNoOthers(owner);
  return sql<FaultRow>`
    select null::bigint as "transactionId", null::bigint as "postingNo",
      ${name.replaceAll('_', ' ')}::text || ' ' || ${key} || case when r.seal is null
        then ' was not saved by Evenkeel' else ' was changed outside Evenkeel' end as message,
      ${RECORDS[name] ?? sql`null::jsonb`} as record
    from ${sql.table(name)} r
    where ${ours} and r.seal is distinct from seal_of(row(r.*)::${sql.table(name)})
    order by 3 limit ${MOST_FAULTS}`;
}

/** A member's rights, which are copied to the membership from the role and the company. */
export interface Rights {
  roleId: number;
  roleName: string;
  systemRole: boolean;
  permissions: string[];
  timeZone: string;
  secondFactorRule: string;
  companyName: string;
}

/** Selects the members with their stored rights. */
export function memberRights(): Runnable<Rights & { userId: number; isNobody: boolean }> {
  return sql`
    select m.user_id as "userId", u.id is null as "isNobody", m.role_id as "roleId", m.role_name as "roleName",
      m.system_role as "systemRole", m.permissions, m.time_zone as "timeZone",
      m.second_factor_rule as "secondFactorRule", m.company_name as "companyName"
    from membership m left join app_user u on u.id = m.user_id
    where m.company_id = ${COMPANY}
    order by m.user_id`;
}

/** Selects the rights that the company's roles grant. */
export function roleRights(): Runnable<Rights> {
  return sql`
    select r.id as "roleId", r.role_name as "roleName", r.system_role as "systemRole", r.permissions,
      c.time_zone as "timeZone", c.second_factor_rule as "secondFactorRule", c.displayname as "companyName"
    from role r join company c on c.company_id = ${COMPANY}
    where r.company_id = ${COMPANY}`;
}
