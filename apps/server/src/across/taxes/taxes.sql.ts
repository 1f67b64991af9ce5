import type { Cents } from '@evenkeel/core/money';
import { taxreturn } from '@evenkeel/core/kinds/taxreturn';
import type { BadDebtClaim } from '@evenkeel/core/taxes/bad-debts';
import type { Adjustment } from '@evenkeel/core/taxes/returns';
import { type RawBuilder, sql } from 'kysely';
import { liveLinesIn, type LiveRow } from '../../books/ledger/journal.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';

/** SQL statements for tax agencies and their returns. */

export const agencies = table('tax_agency', {
  id: 'id',
  name: 'name',
  state: 'state',
  accountId: 'account_id',
  frequency: 'frequency',
  firstMonth: 'first_month',
  basis: 'basis',
  startDate: 'start_date',
  rowVersion: 'row_version',
}).typed<{ basis: 'accrual' | 'cash' }>();

export type AgencyRow = RowOf<typeof agencies> & { itemIds: number[] };

export const agencyItems = table('tax_agency_item', { itemId: 'item_id', agencyId: 'agency_id' });

export const returns = table('tax_return', {
  id: 'id',
  agencyId: 'agency_id',
  from: 'period_from',
  to: 'period_to',
  version: 'version',
  dueDate: 'due_date',
  filedDate: 'filed_date',
  confirmation: 'confirmation',
  gross: 'gross_cents',
  taxable: 'taxable_cents',
  tax: 'tax_cents',
  sinceTaxable: 'since_taxable_cents',
  sinceTax: 'since_tax_cents',
  adjustments: 'adjustments',
  adjusted: 'adjustments_cents',
  badDebts: 'bad_debts',
  carriedIn: 'carried_in_cents',
  prepaid: 'prepaid_cents',
  netDue: 'net_due_cents',
  carriedOver: 'carried_over_cents',
  person: 'person',
  filedAt: 'filed_at',
}).typed<{ adjustments: readonly Adjustment[]; badDebts: readonly BadDebtClaim[] }>();
export type ReturnRow = RowOf<typeof returns>;

export const returnDocuments = table('tax_return_document', {
  returnId: 'return_id',
  documentId: 'document_id',
  kind: 'kind',
  number: 'number',
  customer: 'customer',
  date: 'document_date',
  gross: 'gross_cents',
  taxable: 'taxable_cents',
  tax: 'tax_cents',
  sinceGross: 'since_gross_cents',
  sinceTaxable: 'since_taxable_cents',
  sinceTax: 'since_tax_cents',
});
export type ReturnDocumentRow = RowOf<typeof returnDocuments>;

export const returnItems = table('tax_return_item', {
  returnId: 'return_id',
  itemId: 'item_id',
  label: 'label',
  rates: 'rates',
  taxable: 'taxable_cents',
  tax: 'tax_cents',
  sinceTaxable: 'since_taxable_cents',
  sinceTax: 'since_tax_cents',
});

export const taxPayments = table('tax_payment', {
  id: 'id',
  agencyId: 'agency_id',
  periodEnd: 'period_to',
  returnId: 'return_id',
  bankAccountId: 'bank_account_id',
  paymentDate: 'payment_date',
  amount: 'amount_cents',
  person: 'person',
});
export type PaymentRow = RowOf<typeof taxPayments>;

/** Returns an agency's returns in the order in which they were filed. */
export const returnsOf = (agencyId: number): Runnable<ReturnRow> =>
  returns.find({ agencyId }, { orderBy: sql`period_to, version` });

/** Returns the agencies with their items, sorted by name, or only the agency with `id`. */
export function agenciesSql(id?: number): Runnable<AgencyRow> {
  return sql<AgencyRow>`
    select ${agencies.columns('a')}, coalesce((
      select jsonb_agg(i.item_id order by i.item_id) from tax_agency_item i
      where i.company_id = ${COMPANY} and i.agency_id = a.id), '[]'::jsonb) as "itemIds"
    from tax_agency a
    where a.company_id = ${COMPANY} ${id === undefined ? sql`` : sql`and a.id = ${id}`}
    order by lower(a.name), a.id`;
}

/** Returns the next ID for a return or payment. The journal uses both as sources. */
export function nextReturnId(): Runnable<{ id: number }> {
  return sql<{ id: number }>`select nextval('tax_return_id_seq') as id`;
}

/** A document's amounts on all of an agency's filed returns, and the name that it has on the latest return. */
export type ReportedRow = Pick<ReturnDocumentRow, 'documentId' | 'kind' | 'number' | 'customer' | 'date'> &
  Record<'gross' | 'taxable' | 'tax', Cents>;

/** Returns the documents on an agency's filed returns. */
export function reportedSql(agencyId: number): Runnable<ReportedRow> {
  const newest = (column: string): RawBuilder<unknown> =>
    sql`(array_agg(d.${sql.id(column)} order by d.return_id desc))[1]`;
  return sql<ReportedRow>`
    select d.document_id as "documentId", ${newest('kind')} as kind, ${newest('number')} as number,
      ${newest('customer')} as customer, ${newest('document_date')} as date,
      sum(d.gross_cents + d.since_gross_cents)::bigint as gross,
      sum(d.taxable_cents + d.since_taxable_cents)::bigint as taxable,
      sum(d.tax_cents + d.since_tax_cents)::bigint as tax
    from tax_return r
    join tax_return_document d on d.company_id = ${COMPANY} and d.return_id = r.id
    where r.company_id = ${COMPANY} and r.agency_id = ${agencyId}
    group by d.document_id
    order by d.document_id`;
}

/** A tax item's amounts on all of an agency's filed returns, and the label that it has on the latest return. */
export type ReportedItemRow = Pick<RowOf<typeof returnItems>, 'itemId' | 'label'> & Record<'taxable' | 'tax', Cents>;

/** Returns the tax items on an agency's filed returns. */
export function reportedItemsSql(agencyId: number): Runnable<ReportedItemRow> {
  return sql<ReportedItemRow>`
    select i.item_id as "itemId", (array_agg(i.label order by i.return_id desc))[1] as label,
      sum(i.taxable_cents + i.since_taxable_cents)::bigint as taxable,
      sum(i.tax_cents + i.since_tax_cents)::bigint as tax
    from tax_return r
    join tax_return_item i on i.company_id = ${COMPANY} and i.return_id = r.id
    where r.company_id = ${COMPANY} and r.agency_id = ${agencyId}
    group by i.item_id
    order by i.item_id`;
}

/** The last change to a document. */
export interface LastChange {
  kind: string;
  id: number;
  at: Date;
  person: string;
  isDeleted: boolean;
}

/** Returns each document's last change in the audit log. */
export function lastChangesSql(documents: readonly { kind: string; documentId: number }[]): Runnable<LastChange> {
  const kinds = documents.map(({ kind }) => kind);
  const ids = documents.map(({ documentId }) => documentId);
  return sql<LastChange>`
    select d.kind, d.id, a.at, a.person, a.action = 'delete' as "isDeleted"
    from unnest(${kinds}::text[], ${ids}::bigint[]) d (kind, id)
    cross join lateral (
      select a.at, a.person, a.action from audit_log a
      where a.company_id = ${COMPANY} and a.subject_type = d.kind and a.subject_id = d.id
      order by a.id desc limit 1) a`;
}

/** Returns the total, as debits less credits, of the entries for returns and payments in the liability accounts. */
export function taxAccountLines(accountIds: readonly number[]): Runnable<{ posted: Cents }> {
  return sql<{ posted: Cents }>`
    select coalesce(sum(l.amount_cents), 0)::bigint as posted
    from journal_transaction t
    join journal_line l on l.company_id = ${COMPANY} and l.transaction_id = t.id
    where t.company_id = ${COMPANY} and t.source_type = ${taxreturn.source}
      and l.account_id = any(${accountIds}::bigint[])`;
}

/** Returns the given items that belong to the company. */
export function knownItemsSql(ids: readonly number[]): Runnable<{ id: number }> {
  return sql<{ id: number }>`
    select i.id from sales_tax_item i where i.company_id = ${COMPANY} and i.id = any(${ids}::bigint[])`;
}

/** Returns the live lines of all returns and payments, including deleted returns and payments. */
export function taxLines(): Runnable<LiveRow> {
  return liveLinesIn(sql`
    select distinct t.source_type, t.source_id from journal_transaction t
    where t.company_id = ${COMPANY} and t.source_type = ${taxreturn.source}`);
}

/** Returns the GL accounts of the bank accounts that payments came from. */
export function payingAccounts(): Runnable<{ id: number; glAccountId: number }> {
  return sql`
    select b.id, b.gl_account_id as "glAccountId" from banking_account b
    where b.company_id = ${COMPANY} and b.id in (
      select p.bank_account_id from tax_payment p where p.company_id = ${COMPANY})`;
}

/** Returns a bank account with its GL account. */
export function payingBank(id: number): Runnable<{ name: string; glAccountId: number; active: boolean }> {
  return sql`
    select b.name, b.gl_account_id as "glAccountId", b.active from banking_account b
    where b.company_id = ${COMPANY} and b.id = ${id}`;
}

/**
 * Returns the account if it can be used for tax owed to an agency: a current liability that is not a contra account.
 */
export function liabilityAccount(id: number): Runnable<{ active: boolean }> {
  return sql`
    select a.active from account a where a.company_id = ${COMPANY} and a.id = ${id} and not a.contra
      and a.account_type in ('Sales Tax Payable', 'Other Current Liability')`;
}
