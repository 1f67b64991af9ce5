import type { Receipt } from '@evenkeel/contract/transfers';
import { UNDEPOSITED } from '@evenkeel/core/books/accounts';
import type { Cents } from '@evenkeel/core/money';
import { documentKinds, namesOf, RECEIVABLE } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, listOf, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { FoundAccount, FoundRecord } from '../../books/ledger/references.ts';
import { PAYMENT_KIND } from '../../books/ledger/source.sql.ts';
import { type BankFacts, bankFacts, type BankFactsWanted, listIn } from './bank-documents.sql.ts';

/** SQL statements for deposits: their receipts, their other lines, and undeposited receipts. */

export const depositLines = table('deposit_line', {
  depositId: 'deposit_id',
  lineNo: 'line_no',
  accountId: 'account_id',
  amount: 'amount_cents',
  description: 'description',
  entityId: 'entity_id',
  profitCenterId: 'profit_center_id',
  locationId: 'location_id',
});
export type DepositLineRow = Omit<RowOf<typeof depositLines>, 'depositId' | 'lineNo'>;

export const depositReceipts = table('deposit_receipt', {
  depositId: 'deposit_id',
  lineNo: 'line_no',
  paymentId: 'payment_id',
  lineId: 'line_id',
  amount: 'amount_cents',
});

/** A receipt and its deposit, if any. */
export interface ReceiptRow extends Receipt {
  depositId: number | null;
  depositNumber: string | null;
}

/**
 * Whether a journal line can be an undeposited receipt. Receipts from imported history count as already deposited,
 * except receipts that were still undeposited when the history ended.
 */
const isHeld = sql`(
  not exists (
    select from move_in_record m
    where m.company_id = ${COMPANY} and m.kind = 'transaction' and m.record_id = l.transaction_id and m.is_new)
  or exists (
    select from move_in_record m
    where m.company_id = ${COMPANY} and m.kind = 'receipt' and m.record_id = l.id))`;

/**
 * Money that was in Undeposited Funds when the company started to use Evenkeel is deposited in the same way as a
 * receipt from a journal entry.
 */
const JOURNALS = namesOf([documentKinds.journal, documentKinds.openingbalance]);

/**
 * Returns payments `p` and journal entry lines `l` in Undeposited Funds that meet the conditions `payments` and
 * `lines`.
 */
function receipts({ payments, lines }: Record<'payments' | 'lines', RawBuilder<unknown>>): RawBuilder<ReceiptRow> {
  const taken = sql`r.deposit_id as "depositId", bd.bank_document_number as "depositNumber", r.line_no as "lineNo"`;
  const deposit = sql`left join bank_document bd on bd.company_id = ${COMPANY} and bd.id = r.deposit_id`;
  return sql<ReceiptRow>`
    select p.id as "paymentId", null::bigint as "lineId", ${PAYMENT_KIND} as "sourceType", p.id as "sourceId",
      p.payment_number as number, p.payment_date as "receiptDate", e.displayname as payer,
      coalesce(nullif(p.check_number, ''), p.reference_number) as "referenceNumber", p.description as memo,
      case p.side when ${RECEIVABLE.name} then p.amount_cents else -p.amount_cents end as amount, ${taken}
    from payment p
    join entity e on e.company_id = ${COMPANY} and e.id = p.entity_id
    left join deposit_receipt r on r.company_id = ${COMPANY} and r.payment_id = p.id
    ${deposit}
    where p.company_id = ${COMPANY} and p.payment_account_id = ${UNDEPOSITED} and not p.deleted
      and p.amount_cents <> 0 and ${payments}
    union all
    select null, l.id, t.source_type, t.source_id, t.source_id::text, l.posting_date, coalesce(e.displayname, ''), '',
      l.description, l.amount_cents, ${taken}
    from journal_line l
    join journal_transaction t on t.company_id = ${COMPANY} and t.id = l.transaction_id
    left join entity e on e.company_id = ${COMPANY} and e.id = l.entity_id
    left join deposit_receipt r on r.company_id = ${COMPANY} and r.line_id = l.id
    ${deposit}
    where l.company_id = ${COMPANY} and l.account_id = ${UNDEPOSITED}
      and t.source_type = any(${JOURNALS}::text[]) and l.reverses is null and ${lines} and ${isHeld}
      and not exists (select from journal_line o where o.company_id = ${COMPANY} and o.reverses = l.id)`;
}

/** Returns a deposit's receipts in order, with their deposited amounts. */
export function receiptsOf(depositId: number): Runnable<ReceiptRow> {
  const own = sql`r.deposit_id = ${depositId}`;
  return sql<ReceiptRow>`select * from (${receipts({ payments: own, lines: own })}) x order by "lineNo"`;
}

/** Returns the receipts without a deposit, earliest first. */
export function undepositedSql(): Runnable<ReceiptRow> {
  const free = sql`r.deposit_id is null`;
  return sql<ReceiptRow>`
    select * from (${receipts({ payments: free, lines: free })}) x
    order by "receiptDate", "paymentId" nulls last, "lineId"`;
}

/** Returns the other lines of a deposit in order. */
export function linesOfDeposit(depositId: number): Runnable<DepositLineRow> {
  return sql<DepositLineRow>`
    select ${depositLines.columns('l')} from deposit_line l
    where l.company_id = ${COMPANY} and l.deposit_id = ${depositId} order by l.line_no`;
}

export interface DepositFactsWanted extends BankFactsWanted {
  paymentIds: readonly number[];
  lineIds: readonly number[];
  accountIds: readonly number[];
  entityIds: readonly number[];
  profitCenterIds: readonly number[];
  locationIds: readonly number[];
}

export interface DepositFacts extends BankFacts {
  receipts: ReceiptRow[];
  accounts: FoundAccount[];
  entities: FoundRecord[];
  profitCenters: FoundRecord[];
  locations: FoundRecord[];
}

/** Returns all stored data that saving deposits requires, in one statement. */
export function depositFacts(wanted: DepositFactsWanted): RawBuilder<DepositFacts> {
  const { paymentIds, lineIds } = wanted;
  const named = receipts({
    payments: sql`p.id = any(${paymentIds}::bigint[])`,
    lines: sql`l.id = any(${lineIds}::bigint[])`,
  });
  const own = (name: 'profit_center' | 'location', ids: readonly number[]) =>
    listOf(
      ids,
      listIn(sql`select f.id, f.active from ${sql.table(name)} f
        where f.company_id = ${COMPANY} and f.id = any(${ids}::bigint[])`),
    );
  const accounts = sql`select a.id, a.active, a.account_type as type, a.contra, a.system from account a
    where a.company_id = ${COMPANY} and a.id = any(${wanted.accountIds}::bigint[])`;
  const entities = sql`select e.id, not e.deleted as active from entity e
    where e.company_id = ${COMPANY} and e.id = any(${wanted.entityIds}::bigint[])`;
  return sql<DepositFacts>`select ${bankFacts(wanted)},
    ${listOf([...paymentIds, ...lineIds], listIn(named))} as receipts,
    ${listOf(wanted.accountIds, listIn(accounts))} as accounts,
    ${listOf(wanted.entityIds, listIn(entities))} as entities,
    ${own('profit_center', wanted.profitCenterIds)} as "profitCenters",
    ${own('location', wanted.locationIds)} as locations`;
}

/**
 * A deposited receipt whose amount has changed, with the deposited amount and the current amount, which is null if the
 * receipt no longer exists.
 */
export interface ReceiptFault {
  depositId: number;
  number: string;
  deposited: Cents;
  sourceType: string;
  name: string;
  amount: Cents | null;
}

/** Finds deposited receipts that were changed, deleted, reversed, or moved to another account. */
export function receiptFaults(limit: number): Runnable<ReceiptFault> {
  const all = sql`r.deposit_id is not null`;
  return sql<ReceiptFault>`
    select d.id as "depositId", d.bank_document_number as number, r.amount_cents as deposited,
      case when r.payment_id is null then ${documentKinds.journal.source} else coalesce(
        (select ${PAYMENT_KIND} from payment p where p.company_id = ${COMPANY} and p.id = r.payment_id),
        ${RECEIVABLE.payment.source}) end as "sourceType",
      coalesce(x.number, r.payment_id::text, r.line_id::text) as name, x.amount
    from deposit_receipt r
    join bank_document d on d.company_id = ${COMPANY} and d.id = r.deposit_id
    left join (${receipts({ payments: all, lines: all })}) x
      on coalesce(x."paymentId", -x."lineId") = coalesce(r.payment_id, -r.line_id)
    where r.company_id = ${COMPANY} and (x.amount is distinct from r.amount_cents or d.deleted)
    order by r.deposit_id, r.line_no limit ${limit}`;
}
