import type { FiledForm, FormCopy } from '@evenkeel/contract/forms1099';
import { PAID_AT_ONCE } from '@evenkeel/core/documents/invoice';
import { documentKinds, PAYABLE } from '@evenkeel/core/documents/side';
import { VENDOR } from '@evenkeel/core/entities';
import type { DateRange, IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { FormAddress, PaidHow } from '@evenkeel/core/taxes/forms1099';
import type { AccountBox, FormBoxId, TaxClassification, TaxIdKind } from '@evenkeel/core/taxes/ids';
import { type RawBuilder, sql } from 'kysely';
import type { Place } from '../../platform/db/box.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { EntityDetails } from '../../features/settings/entity-details.ts';

/** SQL statements for 1099 forms, and the locations of the encrypted tax IDs. */

export const vendorTaxes = table('vendor_tax', {
  vendorId: 'entity_id',
  is1099: 'is_1099',
  classification: 'classification',
  taxIdKind: 'tax_id_kind',
  taxIdBox: 'tax_id_box',
  taxIdEnd: 'tax_id_end',
  w9Date: 'w9_date',
  w9Requested: 'w9_requested',
  rowVersion: 'row_version',
}).typed<{ classification: TaxClassification | null; taxIdKind: TaxIdKind | null }>();
export type VendorTaxRow = RowOf<typeof vendorTaxes>;

export const payers = table('form_1099_payer', {
  taxIdKind: 'tax_id_kind',
  taxIdBox: 'tax_id_box',
  taxIdEnd: 'tax_id_end',
  rowVersion: 'row_version',
}).typed<{ taxIdKind: TaxIdKind | null }>();
export type PayerRow = RowOf<typeof payers>;

export const boxAccounts = table('form_1099_account', { accountId: 'account_id', box: 'box' }).typed<{
  box: AccountBox;
}>();

/** The parties and boxes of a filed form, with amounts in cents. */
export interface FormSnapshot {
  payer: { name: string; lines: readonly string[]; taxIdEnd: string };
  recipient: {
    name: string;
    lines: readonly string[];
    taxIdEnd: string;
    taxIdKind: TaxIdKind;
    isIndividual: boolean;
    firstName: string;
    lastName: string;
    accountNumber: string;
    classification: TaxClassification;
    address: FormAddress;
  };
  boxes: readonly { box: FormBoxId; amount: Cents }[];
}

export const filedForms = table('form_1099', {
  id: 'id',
  vendorId: 'entity_id',
  year: 'tax_year',
  form: 'form',
  version: 'version',
  filedDate: 'filed_date',
  snapshot: 'snapshot',
  reported: 'reported_cents',
  withheld: 'withheld_cents',
  taxIdBox: 'tax_id_box',
  person: 'person',
  filedAt: 'filed_at',
}).typed<{ form: FiledForm['form']; snapshot: FormSnapshot }>();
export type FiledRow = RowOf<typeof filedForms>;

/** A vendor's consent to electronic copies. A vendor who was never asked has no row. */
export const consents = table('form_1099_consent', {
  vendorId: 'entity_id',
  requests: 'requests',
  requestedAt: 'requested_at',
  consentedAt: 'consented_at',
  textVersion: 'text_version',
  withdrawnAt: 'withdrawn_at',
});
export type ConsentRow = RowOf<typeof consents>;

/** The electronic copies of filed forms. */
export const formCopies = table('form_1099_copy', {
  formId: 'form_id',
  times: 'times',
  mailId: 'mail_id',
  postedAt: 'posted_at',
  openedAt: 'opened_at',
});

/** A copy with the state of its last email. The dates are in the company's time zone. */
export interface CopyRow {
  formId: number;
  vendorId: number;
  sent: number;
  state: FormCopy['state'];
  postedOn: IsoDate;
  sentOn: IsoDate;
  openedOn: IsoDate | null;
}

/** Returns the copies for a year, for a vendor, or of some forms, the latest year and version first. */
export function copiesSql(of: { year: number } | { vendorId: number } | { ids: readonly number[] }): Runnable<CopyRow> {
  const which =
    'year' in of
      ? sql`f.tax_year = ${of.year}`
      : 'vendorId' in of
        ? sql`f.entity_id = ${of.vendorId}`
        : sql`f.id = any(${of.ids}::bigint[])`;
  return sql<CopyRow>`
    select c.form_id as "formId", f.entity_id as "vendorId", c.times as sent, r.state,
      (c.posted_at at time zone o.time_zone)::date as "postedOn",
      (coalesce(r.settled_at, m.created_at) at time zone o.time_zone)::date as "sentOn",
      (c.opened_at at time zone o.time_zone)::date as "openedOn"
    from form_1099_copy c
    join form_1099 f on f.company_id = ${COMPANY} and f.id = c.form_id
    join mail m on m.company_id = ${COMPANY} and m.id = c.mail_id
    join mail_recipient r on r.company_id = ${COMPANY} and r.mail_id = c.mail_id and r.position = 0
    join company o on o.company_id = ${COMPANY}
    where c.company_id = ${COMPANY} and ${which}
    order by f.tax_year desc, f.form desc, f.version desc`;
}

/** The locations of the encrypted tax IDs of vendors, the company, and filed forms (platform/db/box). */
export const taxIdPlaces = {
  vendor: (companyId: number, rowId: number): Place => ({
    companyId,
    table: 'vendor_tax',
    column: 'tax_id_box',
    rowId,
  }),
  payer: (companyId: number): Place => ({
    companyId,
    table: 'form_1099_payer',
    column: 'tax_id_box',
    rowId: companyId,
  }),
  filed: (companyId: number, rowId: number): Place => ({ companyId, table: 'form_1099', column: 'tax_id_box', rowId }),
};

/** Returns the ID of the next filed form. The form's tax ID is encrypted for this ID. */
export const nextFormId = (): Runnable<{ id: number }> => sql<{ id: number }>`select nextval('form_1099_id_seq') as id`;

/** A listed vendor with the details for its forms. */
export interface ListedVendor {
  id: number;
  displayname: string;
  name: string;
  accountNumber: string;
  isIndividual: boolean;
  details: Partial<EntityDetails>;
  emailAddress: string;
  classification: TaxClassification | null;
  taxIdKind: TaxIdKind | null;
  taxIdEnd: string;
  taxIdBox: Buffer | null;
}

/** The maximum number of vendors listed for a year. */
export const MOST_VENDORS = 2000;

/** Returns the vendors whose payments are listed for 1099 forms, sorted by name. */
export function listedVendorsSql(): Runnable<ListedVendor> {
  return sql<ListedVendor>`
    select e.id, e.displayname, e.name, e.account_number as "accountNumber", e.is_individual as "isIndividual",
      e.details, e.email_address as "emailAddress", v.classification, v.tax_id_kind as "taxIdKind",
      v.tax_id_end as "taxIdEnd", v.tax_id_box as "taxIdBox"
    from vendor_tax v
    join entity e on e.company_id = ${COMPANY} and e.id = v.entity_id and e.kind = ${VENDOR}
    where v.company_id = ${COMPANY} and v.is_1099
    order by lower(e.displayname), e.id limit ${MOST_VENDORS}`;
}

/** Selects the listed vendors, or one vendor. */
const vendorsOf = (vendorId: number | undefined) =>
  vendorId === undefined
    ? sql`(select v.entity_id from vendor_tax v where v.company_id = ${COMPANY} and v.is_1099)`
    : sql`(${vendorId})`;

/** Selects how a payment from an account was made: by card, through a payment network, or otherwise. */
const howOf = (accountId: RawBuilder<unknown>) => sql`(
  select case when a.account_type = 'Credit Card' then 'card' when b.box = 'network' then 'network' else 'money' end
  from account a
  left join form_1099_account b on b.company_id = ${COMPANY} and b.account_id = a.id
  where a.company_id = ${COMPANY} and a.id = ${accountId})`;

/**
 * Selects the parts of payments to vendors on the cash basis, from the journal: bill payments (with the shares of the
 * bills' lines), bills that were paid immediately, and other entries with a vendor. A journal entry counts as paid by
 * card if it uses a card and no bank account, and is not a payment if it uses neither.
 */
function partsOf({ from, to }: DateRange, vendorId: number | undefined): RawBuilder<unknown> {
  // Without statistics, a plain join would read all of the company's transactions and entries.
  const transactionsOf = (source: string, id: RawBuilder<unknown>) => sql`cross join lateral (
      select t.id, t.source_type, t.source_id from journal_transaction t
      where t.company_id = ${COMPANY} and t.source_type = ${source} and t.source_id = ${id} offset 0) t
    cross join lateral (
      select l.posting_date, l.account_id, l.amount_cents from journal_line l
      where l.company_id = ${COMPANY} and l.transaction_id = t.id and l.basis <> 'A'
        and l.posting_date between ${from} and ${to} offset 0) l`;
  const vendors = vendorsOf(vendorId);
  const [bill, payment] = [documentKinds.expense.source, documentKinds.expensepayment.source];
  return sql`
    select p.entity_id as vendor_id, t.source_type as kind, t.source_id as id, l.posting_date, l.account_id,
      l.amount_cents, ${howOf(sql`p.gl_account_id`)} as how
    from payment p
    ${transactionsOf(payment, sql`p.id`)}
    where l.account_id <> p.gl_account_id and p.company_id = ${COMPANY}
      and p.side = ${PAYABLE.name} and not p.deleted and p.payment_date <= ${to}
      and p.entity_id in ${vendors} and (p.payment_date >= ${from} or exists (
        select from payment_application x
        where x.company_id = ${COMPANY} and x.payment_id = p.id and x.recognition_date >= ${from}))
    union all
    select d.entity_id, t.source_type, t.source_id, l.posting_date, l.account_id, l.amount_cents,
      ${howOf(sql`d.control_account_id`)}
    from document d
    ${transactionsOf(bill, sql`d.id`)}
    where l.account_id <> d.control_account_id and d.company_id = ${COMPANY}
      and d.side = ${PAYABLE.name} and d.kind = ${bill} and d.status = ${PAID_AT_ONCE}
      and not d.deleted and d.document_date between ${from} and ${to} and d.entity_id in ${vendors}
    union all
    select l.entity_id, t.source_type, t.source_id, l.posting_date, l.account_id, l.amount_cents, coalesce((
      select case when bool_or(m.account_type <> 'Credit Card' and b.box is distinct from 'network') then 'money'
        when bool_or(m.account_type <> 'Credit Card') then 'network' else 'card' end
      from journal_line o
      join account m on m.company_id = ${COMPANY} and m.id = o.account_id
        and m.account_type in ('Bank', 'Cash', 'Credit Card')
      left join form_1099_account b on b.company_id = ${COMPANY} and b.account_id = o.account_id
      where o.company_id = ${COMPANY} and o.transaction_id = t.id having count(*) > 0), 'nothing')
    from journal_line l
    cross join lateral (
      select t.id, t.source_type, t.source_id from journal_transaction t
      where t.company_id = ${COMPANY} and t.id = l.transaction_id and t.source_type not in (${bill}, ${payment})
      offset 0) t
    join account c on c.company_id = ${COMPANY} and c.id = l.account_id
      and c.account_type not in ('Bank', 'Cash', 'Credit Card')
    where l.company_id = ${COMPANY} and l.basis <> 'A' and l.posting_date between ${from} and ${to}
      and l.entity_id in ${vendors}`;
}

export interface PartRow {
  vendorId: number;
  accountId: number;
  how: PaidHow;
  amount: Cents;
}

/** Returns the amounts paid to the listed vendors, or to one vendor, by account and kind of payment. */
export function paidPartsSql(range: DateRange, vendorId?: number): Runnable<PartRow> {
  return sql<PartRow>`
    select p.vendor_id as "vendorId", p.account_id as "accountId", p.how, sum(p.amount_cents)::bigint as amount
    from (${partsOf(range, vendorId)}) p
    group by p.vendor_id, p.account_id, p.how having sum(p.amount_cents) <> 0
    order by p.vendor_id, p.account_id, p.how`;
}

export interface PaymentRow extends PartRow {
  date: IsoDate;
  kind: string;
  id: number;
  accountName: string;
  label: string;
}

/** The maximum number of payments shown for a vendor and year. */
export const MOST_PAYMENTS = 1000;

/** Returns a vendor's payments, sorted by date, each with its accounts. Reads one more row than the number shown. */
export function vendorPaymentsSql(range: DateRange, vendorId: number): Runnable<PaymentRow> {
  return sql<PaymentRow>`
    with part as (
      select p.kind, p.id, p.posting_date, p.account_id, p.how, sum(p.amount_cents)::bigint as amount
      from (${partsOf(range, vendorId)}) p
      group by p.kind, p.id, p.posting_date, p.account_id, p.how having sum(p.amount_cents) <> 0
      order by p.posting_date, p.kind, p.id, p.account_id limit ${MOST_PAYMENTS + 1})
    select ${vendorId}::bigint as "vendorId", part.kind, part.id, part.posting_date as date,
      part.account_id as "accountId", part.how, part.amount, a.account_name as "accountName", coalesce(
        (select case when y.check_number <> '' then 'Check ' || y.check_number else 'Payment ' || y.payment_number end
          || case when y.description <> '' then ', ' || y.description else '' end
          from payment y where y.company_id = ${COMPANY} and y.id = part.id
            and part.kind = ${documentKinds.expensepayment.source}),
        (select 'Bill ' || d.document_number from document d where d.company_id = ${COMPANY} and d.id = part.id
          and part.kind = ${documentKinds.expense.source}),
        (select t.description from journal_transaction t where t.company_id = ${COMPANY}
          and t.source_type = part.kind and t.source_id = part.id order by t.id desc limit 1), '') as label
    from part
    join account a on a.company_id = ${COMPANY} and a.id = part.account_id
    order by part.posting_date, part.kind, part.id, part.account_id`;
}

export interface BoxableAccount {
  id: number;
  name: string;
  type: string;
  root: string;
  active: boolean;
}

/** Returns the company's accounts, so that a box can be assigned to each account. */
export function boxableAccountsSql(): Runnable<BoxableAccount> {
  return sql<BoxableAccount>`
    select a.id, a.account_name as name, a.account_type as type, a.root, a.active from account a
    where a.company_id = ${COMPANY} order by a.account_number, lower(a.account_name), a.id`;
}

/** Returns the years for which forms were filed. */
export function filedYearsSql(): Runnable<{ year: number }> {
  return sql<{ year: number }>`
    select distinct f.tax_year as year from form_1099 f where f.company_id = ${COMPANY} order by 1 desc`;
}
