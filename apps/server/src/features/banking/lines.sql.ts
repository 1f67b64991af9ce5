import type { DocumentLink } from '@evenkeel/contract/attachments';
import { isTrue } from '@evenkeel/contract/endpoint';
import type { LineState } from '@evenkeel/contract/bankRules';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { documentKinds } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { linksOf } from '../../books/attachments/attachments.sql.ts';
import { pageClauses, type PageRequest, searchClause } from '../../platform/db/page.ts';
import { PEOPLE } from '../../platform/db/people.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { POSTED_DOCUMENT, POSTED_ENTITY, POSTED_NUMBER } from '../../books/ledger/source.sql.ts';

/** SQL statements for bank transactions, the actions on them, and their matched entries. */

export const bankLines = table('bank_line', {
  id: 'id',
  bankAccountId: 'bank_account_id',
  statementId: 'statement_id',
  lineNo: 'line_no',
  date: 'line_date',
  amount: 'amount_cents',
  text: 'text',
  bankId: 'bank_id',
  checkNumber: 'check_number',
  key: 'line_key',
  payee: 'payee',
  isDoubtful: 'is_doubtful',
  state: 'state',
  actId: 'act_id',
  rowVersion: 'row_version',
}).typed<{ state: LineState }>();
export type BankLineRow = RowOf<typeof bankLines>;

/** The kinds of actions, each with the resulting state of its bank transactions. */
export const ACT_STATES = {
  match: 'matched',
  pay: 'matched',
  deposit: 'matched',
  add: 'added',
  transfer: 'transferred',
  exclude: 'excluded',
} as const satisfies Record<string, LineState>;
export type BankActionKind = keyof typeof ACT_STATES;

export const bankActs = table('bank_act', {
  id: 'id',
  kind: 'kind',
  reason: 'reason',
  sourceType: 'source_type',
  sourceId: 'source_id',
  ruleId: 'rule_no',
  isAutomatic: 'is_automatic',
  madeBy: 'made_by',
  madeAt: 'made_at',
}).typed<{ kind: BankActionKind }>();
export type BankActionRow = RowOf<typeof bankActs>;

export const bankMatches = table('bank_match', { lineId: 'line_id', actId: 'act_id' });

export const bankRefusals = table('bank_refusal', {
  bankLineId: 'bank_line_id',
  candidate: 'candidate',
  refusedBy: 'refused_by',
});

/** The filter for the bank transaction list. */
export interface LineFilter extends PageRequest {
  q?: string | undefined;
  bankAccountId?: number | undefined;
  statementId?: number | undefined;
  state?: LineState | 'settled' | 'all' | undefined;
  unreconciled?: string | undefined;
}

/** The states of bank transactions that have an entry in the books. */
export const SETTLED: readonly LineState[] = ['matched', 'added', 'transferred'];

function inState(state: LineFilter['state']): RawBuilder<unknown> {
  if (state === undefined || state === 'all') return sql``;
  return sql`and l.state = any(${state === 'settled' ? [...SETTLED] : [state]}::text[])`;
}

/**
 * Whether none of the bank transaction's entries in its own bank account is reconciled. The other side of a transfer
 * belongs to another account.
 */
const UNRECONCILED = sql`and not exists (
  select from bank_match m
    join reconciliation_line rl on rl.company_id = ${COMPANY} and rl.line_id = m.line_id
    join reconciliation r on r.company_id = ${COMPANY} and r.id = rl.reconciliation_id
  where m.company_id = ${COMPANY} and m.act_id = l.act_id and r.bank_account_id = l.bank_account_id)`;

function filtered(filter: LineFilter, withState = true): RawBuilder<unknown> {
  const { q, bankAccountId, statementId, state } = filter;
  const ofAccount = bankAccountId === undefined ? sql`` : sql`and l.bank_account_id = ${bankAccountId}`;
  const ofStatement = statementId === undefined ? sql`` : sql`and l.statement_id = ${statementId}`;
  const ofState = withState ? inState(state) : sql``;
  const free = isTrue(filter.unreconciled) ? UNRECONCILED : sql``;
  const found = searchClause(q, { texts: [sql`l.text`], dates: [sql`l.line_date`], amounts: [sql`l.amount_cents`] });
  return sql`l.company_id = ${COMPANY} ${ofAccount} ${ofStatement} ${ofState} ${free} ${found}`;
}

/** Lists all bank transactions or one page of them, sorted by date. */
export function linesSql(filter: LineFilter): Runnable<BankLineRow & { sortKey: string }> {
  const columns = { amount: { expression: sql`l.amount_cents`, type: 'bigint' as const } };
  const initial = { expression: sql`l.line_date`, type: 'date' as const };
  const page = pageClauses(filter, columns, { id: sql`l.id`, initial });
  return sql`
    select ${bankLines.columns('l')}, ${page.key} from bank_line l
    where ${filtered(filter)} ${page.after} ${page.orderBy} ${page.limit}`;
}

/** Returns the number and sum of the bank transactions in each state. The filter's state is ignored. */
export function statesSql(filter: LineFilter): Runnable<{ state: LineState; count: number; amount: Cents }> {
  return sql`
    select l.state, count(*) as count, coalesce(sum(l.amount_cents), 0)::bigint as amount
    from bank_line l where ${filtered(filter, false)} group by l.state`;
}

/** Returns the number of bank transactions for review in active bank accounts. */
export function toReviewSql(): Runnable<{ count: number }> {
  return sql`
    select count(*) as count from bank_line l
    join banking_account b on b.company_id = ${COMPANY} and b.id = l.bank_account_id and b.active
    where l.company_id = ${COMPANY} and l.state = 'review'`;
}

/** An action as users see it. */
export interface ShownAct extends Omit<BankActionRow, 'madeBy'> {
  by: string;
  /** The resulting document: the one that was posted, or the document of the matched entry. */
  ownerType: string | null;
  ownerId: number | null;
  documentLinks: DocumentLink[];
}

const SHOWN = ['id', 'kind', 'reason', 'sourceType', 'sourceId', 'ruleId', 'isAutomatic', 'madeAt'] as const;

/** Returns actions by ID, with the names of the users who performed them. */
export function actsSql(ids: readonly number[]): Runnable<ShownAct> {
  return sql`
    select ${bankActs.columns('a', SHOWN)},
      coalesce((select u.name from ${PEOPLE} u where u.id = a.made_by), '') as by,
      o.type as "ownerType", o.id as "ownerId", ${linksOf(sql`o.type`, sql`o.id`)} as "documentLinks"
    from bank_act a
    cross join lateral (
      select coalesce(a.source_type, min(t.source_type)) as type, coalesce(a.source_id, min(t.source_id)) as id
      from (
        select t.source_type, t.source_id from bank_match m
        join journal_line l on l.company_id = ${COMPANY} and l.id = m.line_id
        join journal_transaction t on t.company_id = ${COMPANY} and t.id = l.transaction_id
        where m.company_id = ${COMPANY} and m.act_id = a.id order by m.line_id limit 1) t) o
    where a.company_id = ${COMPANY} and a.id = any(${ids}::bigint[])`;
}

/** Returns the bank transactions that these actions handled. */
export function linesOfActs(actIds: readonly number[]): Runnable<{ id: number; actId: number }> {
  return sql`
    select l.id, l.act_id as "actId" from bank_line l
    where l.company_id = ${COMPANY} and l.act_id = any(${actIds}::bigint[]) order by l.id`;
}

/** An entry in a bank account's GL account, with the details that lists show. */
export interface EntryRow {
  glid: number;
  transactionId: number;
  postingDate: IsoDate;
  description: string;
  amount: Cents;
  accountId: number;
  entityId: number | null;
  entityName: string;
  sourceType: string;
  sourceId: number;
  number: string;
  /** Null if no bank account uses the entry's GL account. */
  bankAccountId: number | null;
  checkNumber: string;
  /** Numbers that a payer or bank may mention: references, and the numbers of the documents that a payment pays. */
  numbers: string[];
  actId: number | null;
}

/** The customer or vendor on a transaction's lines `o`, if they all have the same one. */
const ONLY_ENTITY = sql`case when min(o.entity_id) = max(o.entity_id) then min(o.entity_id) end`;

const IS_JOURNAL = sql`t.source_type = ${documentKinds.journal.source}`;

/** The customer or vendor on a journal entry's lines. */
const NAMED_BY_OTHERS = sql`(
  select ${ONLY_ENTITY} from journal_line o
  where o.company_id = ${COMPANY} and o.transaction_id = f.transaction_id and ${IS_JOURNAL})`;

/**
 * Joins the transaction `t` and the customer or vendor `e` to entries `f`: the one named on the entry itself, on its
 * document, or on the other lines of its journal entry.
 */
const joinedEntity = (namedByOthers: RawBuilder<unknown>, join = sql``): RawBuilder<unknown> => sql`
    join journal_transaction t on t.company_id = ${COMPANY} and t.id = f.transaction_id
    ${POSTED_DOCUMENT}
    ${join}
    left join entity e
      on e.company_id = ${COMPANY} and e.id = coalesce(f.entity_id, ${POSTED_ENTITY}, ${namedByOthers})`;

/** Returns the entries that a query selects from journal lines, in full. */
export function entriesSql(chosen: RawBuilder<unknown>): Runnable<EntryRow> {
  return sql<EntryRow>`
    with f as materialized (${chosen})
    select f.id as glid, f.transaction_id as "transactionId", f.posting_date as "postingDate", f.description,
      f.amount_cents as amount, f.account_id as "accountId", e.id as "entityId",
      coalesce(e.displayname, '') as "entityName", t.source_type as "sourceType", t.source_id as "sourceId",
      coalesce(${POSTED_NUMBER}, t.source_id::text) as number,
      (select b.id from banking_account b
        where b.company_id = ${COMPANY} and b.gl_account_id = f.account_id) as "bankAccountId",
      coalesce(p.check_number, '') as "checkNumber",
      case when p.id is not null then array_remove(array(
        select x.document_number from payment_application a
        join document x on x.company_id = ${COMPANY} and x.id = a.document_id
        where a.company_id = ${COMPANY} and a.payment_id = p.id order by x.id limit 20) || p.reference_number, '')
        when d.id is not null then array[d.document_number] else '{}'::text[] end as numbers,
      (select m.act_id from bank_match m where m.company_id = ${COMPANY} and m.line_id = f.id) as "actId"
    from f ${joinedEntity(NAMED_BY_OTHERS)}
    order by f.posting_date, f.id`;
}

const LINE = sql`l.id, l.transaction_id, l.posting_date, l.description, l.amount_cents, l.account_id, l.entity_id`;

/** Whether the entry is neither a reversal nor reversed. */
const IS_LIVE = sql`l.reverses is null and not exists (
  select from journal_line r where r.company_id = ${COMPANY} and r.reverses = l.id)`;

const IS_FREE = sql`not exists (select from bank_match m where m.company_id = ${COMPANY} and m.line_id = l.id)`;

/** Returns the entries that actions matched. */
export function entriesOfActs(actIds: readonly number[]): Runnable<EntryRow> {
  return entriesSql(sql`
    select ${LINE} from bank_match m
    join journal_line l on l.company_id = ${COMPANY} and l.id = m.line_id
    where m.company_id = ${COMPANY} and m.act_id = any(${actIds}::bigint[])`);
}

/** Returns active entries by ID. Run it after the ledger head is locked, which keeps them active. */
export function liveEntries(glids: readonly number[]): Runnable<EntryRow> {
  return entriesSql(sql`
    select ${LINE} from journal_line l
    where l.company_id = ${COMPANY} and l.id = any(${glids}::bigint[]) and l.basis = 'B' and ${IS_LIVE}`);
}

/** The unmatched entries in an account in a date range. */
export interface FreeAsk {
  accountId: number;
  from: IsoDate;
  to: IsoDate;
}

const freeLines = ({ accountId, from, to }: FreeAsk, ofAmount = sql``): RawBuilder<unknown> => sql`
    select ${LINE} from journal_line l
    where l.company_id = ${COMPANY} and l.account_id = ${accountId} and l.basis = 'B'
      and l.posting_date between ${from} and ${to} ${ofAmount} and ${IS_LIVE} and ${IS_FREE}`;

/** Returns unmatched entries, either all of them or those with one of the amounts. */
export function freeEntries(ask: FreeAsk, amounts?: readonly Cents[]): Runnable<EntryRow> {
  const ofAmount = amounts === undefined ? sql`` : sql`and l.amount_cents = any(${amounts}::bigint[])`;
  return entriesSql(freeLines(ask, ofAmount));
}

/** The columns of an entry that are needed to find combinations. */
export type PartRow = Pick<EntryRow, 'glid' | 'postingDate' | 'amount' | 'entityId' | 'entityName'>;

/**
 * Returns the unmatched entries that have none of the amounts. There can be fifty thousand of them, so the customers
 * and vendors on journal entries are read together, and the other columns only by `liveEntries`.
 */
export function otherFreeEntries(ask: FreeAsk, amounts: readonly Cents[]): Runnable<PartRow> {
  const ofAmount = sql`and l.amount_cents <> all(${amounts}::bigint[])`;
  const named = sql`
    left join (
      select o.transaction_id, ${ONLY_ENTITY} as entity_id from journal_line o
      where o.company_id = ${COMPANY} and o.entity_id is not null
        and o.posting_date between ${ask.from} and ${ask.to}
      group by o.transaction_id
    ) o on o.transaction_id = f.transaction_id and ${IS_JOURNAL}`;
  return sql`
    select f.id as glid, f.posting_date as "postingDate", f.amount_cents as amount, e.id as "entityId",
      coalesce(e.displayname, '') as "entityName"
    from (${freeLines(ask, ofAmount)}) f ${joinedEntity(sql`o.entity_id`, named)}`;
}

/** Returns the unmatched entries in an account that match a search, closest in time first. */
export function searchEntries(accountId: number, date: IsoDate, q: string): Runnable<EntryRow> {
  const found = searchClause(q, {
    texts: [sql`l.description`],
    amounts: [sql`l.amount_cents`],
    dates: [sql`l.posting_date`],
    elsewhere: (pattern) => [
      sql`exists (
        select from journal_transaction t ${POSTED_DOCUMENT}
        left join entity e on e.company_id = ${COMPANY} and e.id = coalesce(l.entity_id, ${POSTED_ENTITY})
        where t.company_id = ${COMPANY} and t.id = l.transaction_id
          and (lower(e.displayname) like ${pattern} or lower(${POSTED_NUMBER}) like ${pattern}))`,
    ],
  });
  return entriesSql(sql`
    select ${LINE} from journal_line l
    where l.company_id = ${COMPANY} and l.account_id = ${accountId} and l.basis = 'B' and ${IS_LIVE} and ${IS_FREE}
      ${found}
    order by abs(l.posting_date - ${date}::date), l.id limit 50`);
}

/** Returns a transaction's first entry that is in the given account and has this amount. */
export function postedEntry(
  transactionId: number,
  { accountId, amount }: { accountId: number; amount: Cents },
): Runnable<{ id: number }> {
  return sql`
    select l.id from journal_line l
    where l.company_id = ${COMPANY} and l.transaction_id = ${transactionId} and l.account_id = ${accountId}
      and l.amount_cents = ${amount} and l.basis = 'B'
    order by l.line_no limit 1`;
}

/** Returns a document's active entries by account. */
export function entriesOfSource(type: string, id: number): Runnable<{ id: number; accountId: number; amount: Cents }> {
  return sql`
    select l.id, l.account_id as "accountId", l.amount_cents as amount
    from journal_transaction t
    join journal_line l on l.company_id = ${COMPANY} and l.transaction_id = t.id
    where t.company_id = ${COMPANY} and t.source_type = ${type} and t.source_id = ${id} and l.basis = 'B' and ${IS_LIVE}
    order by l.id`;
}
