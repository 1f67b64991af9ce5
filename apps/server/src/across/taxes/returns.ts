import type { BodyOf, ReplyOf } from '@evenkeel/contract/endpoint';
import {
  type TaxAgency,
  type TaxDueList,
  TaxPayment,
  TaxReturn,
  type taxReturnCalls,
} from '@evenkeel/contract/taxreturns';
import { difference as postingsFor } from '@evenkeel/core/books/ledger';
import { addDays, type DateRange, type IsoDate, LAST_DAY } from '@evenkeel/core/dates';
import { conflict, type FieldMessages, notFound, refuse, refuseFields } from '@evenkeel/core/failure';
import { taxreturn } from '@evenkeel/core/kinds/taxreturn';
import { type Cents, cents, formatUsd, negate, sum, ZERO } from '@evenkeel/core/money';
import { businessDayFrom, periodName, periodOf, periodsBetween } from '@evenkeel/core/taxes/due';
import { discountWords, type LawRule, lawOn, ruleOn, statedDueDate, timelyDiscount } from '@evenkeel/core/taxes/law';
import {
  type Adjustment,
  checkAdjustments,
  filingFault,
  liabilityParts,
  postAdjustments,
  postTaxPayment,
  returnedDocuments,
  returnFigures,
} from '@evenkeel/core/taxes/returns';
import { sql } from 'kysely';
import { lawRules } from '../../books/tax-rules.ts';
import { accountsByIdSql } from '../../books/ledger/accounts.sql.ts';
import { balancesAt } from '../../books/ledger/balances.sql.ts';
import { closingOverride, openJournal, post } from '../../books/ledger/journal.ts';
import { accountFault, noteFault } from '../../books/ledger/references.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import {
  selectTaxByDocument,
  selectTaxByMonth,
  type TaxedDocumentRow,
  type TaxedMonth,
} from '../reports/sales-tax.sql.ts';
import { listTaxAgencies, taxAgency } from './agencies.ts';
import {
  agencies,
  nextReturnId,
  payingBank,
  reportedSql,
  type ReportedRow,
  type ReturnDocumentRow,
  returnDocuments,
  type ReturnRow,
  returns,
  taxAccountLines,
  taxPayments,
} from './taxes.sql.ts';

const subject: Subject<typeof TaxReturn> = { name: taxreturn.source, schema: TaxReturn, idOf: ({ id }) => id };
const paymentSubject: Subject<typeof TaxPayment> = { name: 'tax payment', schema: TaxPayment, idOf: ({ id }) => id };

const nameOf = (agency: TaxAgency, period: DateRange): string => `${agency.name}, ${periodName(period)}`;

function dueDateOf(rules: readonly LawRule[], { state, frequency }: TaxAgency, { to }: DateRange): IsoDate | null {
  const rule = lawOn(rules, { state, topic: 'due', frequency, date: to });
  return rule === undefined ? null : businessDayFrom(statedDueDate(rule, to));
}

/** Returns the first period that is not filed. */
function nextPeriod(agency: TaxAgency, filed: readonly ReturnRow[]): DateRange {
  const last = filed.at(-1);
  return periodOf(agency, last === undefined ? agency.startDate : addDays(last.to, 1));
}

const returnsOf = (agencyId: number) => returns.find({ agencyId }, { orderBy: sql`period_to` });

/** The facts from which a return is prepared. */
interface Prepared {
  period: DateRange;
  rows: Omit<ReturnDocumentRow, 'returnId'>[];
  documents: ReturnType<typeof returnedDocuments>;
  carriedIn: Cents;
  prepaid: Cents;
  filed: readonly ReturnRow[];
  rules: readonly LawRule[];
}

/** Reads an agency's next return from the ledger. */
async function readNext({ tx }: Ctx, agency: TaxAgency, rules: readonly LawRule[]): Promise<Prepared> {
  const filed = await tx.rows(returnsOf(agency.id));
  const period = nextPeriod(agency, filed);
  const ask = { basis: agency.basis, from: agency.startDate, to: period.to };
  const [taxed, reported, payments] = await Promise.all([
    tx.rows(selectTaxByDocument(ask, { items: agency.itemIds, since: period.from })),
    tx.rows(reportedSql(agency.id)),
    tx.rows(taxPayments.find({ agencyId: agency.id, periodEnd: period.to })),
  ]);
  const documents = returnedDocuments(
    taxed.map((row) => ({
      documentId: row.documentId,
      own: { gross: row.gross, taxable: row.taxable, tax: row.tax },
      before: { gross: row.grossBefore, taxable: row.taxableBefore, tax: row.taxBefore },
    })),
    reported,
  );
  const named = new Map<number, TaxedDocumentRow | ReportedRow>(
    [...reported, ...taxed].map((row) => [row.documentId, row]),
  );
  const rows = documents.flatMap(({ documentId, own, since }) => {
    const row = named.get(documentId);
    if (row === undefined) return [];
    const { kind, number, customer, date } = row;
    const changed = { sinceGross: since.gross, sinceTaxable: since.taxable, sinceTax: since.tax };
    return [{ documentId, kind, number, customer, date, ...own, ...changed }];
  });
  return {
    period,
    rows,
    documents,
    carriedIn: filed.at(-1)?.carriedOver ?? ZERO,
    prepaid: sum(payments.map(({ amount }) => amount)),
    filed,
    rules,
  };
}

const documentOf = ({ sinceGross: _, ...row }: Omit<ReturnDocumentRow, 'returnId'>): TaxReturn['documents'][number] =>
  row;

/** Returns the discount for filing by the due date. It is lost after this date. */
function discountOf(
  { period, rules }: Prepared,
  agency: TaxAgency,
  { tax, filedDate }: { tax: Cents; filedDate: IsoDate },
): TaxReturn['discount'] {
  const { state, frequency } = agency;
  const asked = { state, topic: 'discount', frequency, date: period.to } as const;
  const rule = lawOn(rules, asked);
  if (rule === undefined) return null;
  const dueDate = dueDateOf(rules, agency, period);
  const isLost = dueDate !== null && filedDate > dueDate;
  return {
    amount: isLost ? ZERO : timelyDiscount(rule, tax),
    rule: discountWords(rule),
    source: ruleOn(rules, asked)?.source ?? '',
    isLost,
  };
}

function preparedReturn(
  prepared: Prepared,
  agency: TaxAgency,
  filing: { adjustments: readonly Adjustment[]; filedDate: IsoDate },
): TaxReturn {
  const { period, documents, rows, rules } = prepared;
  const figures = returnFigures(documents, { ...prepared, adjustments: filing.adjustments });
  const { own, since } = figures;
  return {
    id: 0,
    agencyId: agency.id,
    agencyName: agency.name,
    name: nameOf(agency, period),
    ...period,
    dueDate: dueDateOf(rules, agency, period),
    filedDate: null,
    confirmation: '',
    filedBy: null,
    filedAt: null,
    gross: own.gross,
    nonTaxable: cents(own.gross - own.taxable),
    taxable: own.taxable,
    tax: own.tax,
    sinceTaxable: since.taxable,
    sinceTax: since.tax,
    discount: discountOf(prepared, agency, { tax: cents(own.tax + since.tax), filedDate: filing.filedDate }),
    adjustments: [...filing.adjustments],
    carriedIn: figures.carriedIn,
    prepaid: figures.prepaid,
    netDue: figures.netDue,
    carriedOver: figures.carriedOver,
    paid: ZERO,
    documents: rows.map(documentOf),
    changes: [],
  };
}

/** Returns an agency's next return as the ledger has it today, without adjustments. Throws 404. */
export async function prepareTaxReturn(ctx: Ctx, agencyId: number): Promise<TaxReturn> {
  const agency = await taxAgency(ctx, agencyId);
  const prepared = await readNext(ctx, agency, await lawRules(ctx));
  return preparedReturn(prepared, agency, { adjustments: [], filedDate: ctx.today });
}

/** Returns a filed return, with the changes in its period since. Throws 404. */
export async function getTaxReturn(ctx: Ctx, id: number): Promise<TaxReturn> {
  const row = await ctx.tx.row(returns.find({ id }));
  if (row === undefined) throw notFound('Sales tax return');
  const agency = await taxAgency(ctx, row.agencyId);
  const { from, to } = row;
  const [documents, payments, now] = await Promise.all([
    ctx.tx.rows(returnDocuments.find({ returnId: id }, { orderBy: sql`document_date, document_id` })),
    ctx.tx.rows(taxPayments.find({ returnId: id })),
    ctx.tx.rows(selectTaxByDocument({ basis: agency.basis, from, to }, { items: agency.itemIds, since: from })),
  ]);
  return {
    id,
    agencyId: agency.id,
    agencyName: agency.name,
    name: nameOf(agency, row),
    from,
    to,
    dueDate: row.dueDate,
    filedDate: row.filedDate,
    confirmation: row.confirmation,
    filedBy: row.person,
    filedAt: row.filedAt.toISOString(),
    gross: row.gross,
    nonTaxable: cents(row.gross - row.taxable),
    taxable: row.taxable,
    tax: row.tax,
    sinceTaxable: row.sinceTaxable,
    sinceTax: row.sinceTax,
    discount: null,
    adjustments: [...row.adjustments],
    carriedIn: row.carriedIn,
    prepaid: row.prepaid,
    netDue: row.netDue,
    carriedOver: row.carriedOver,
    paid: sum(payments.map(({ amount }) => amount)),
    documents: documents.map(({ returnId: _, ...each }) => documentOf(each)),
    changes: changesSince(documents, now),
  };
}

/** Returns the documents of a period whose amounts differ from the filed ones, with the differences. */
function changesSince(filed: readonly ReturnDocumentRow[], now: readonly TaxedDocumentRow[]): TaxReturn['changes'] {
  const rows = new Map<number, TaxReturn['changes'][number]>(
    now.map(({ documentId, kind, number, customer, date, gross, taxable, tax }) => [
      documentId,
      { documentId, kind, number, customer, date, gross, taxable, tax, sinceTaxable: ZERO, sinceTax: ZERO },
    ]),
  );
  for (const { returnId: _, sinceGross: __, ...row } of filed) {
    const current = rows.get(row.documentId);
    rows.set(row.documentId, {
      ...(current ?? row),
      gross: cents((current?.gross ?? 0) - row.gross),
      taxable: cents((current?.taxable ?? 0) - row.taxable),
      tax: cents((current?.tax ?? 0) - row.tax),
      sinceTaxable: ZERO,
      sinceTax: ZERO,
    });
  }
  return [...rows.values()].filter(({ gross, taxable, tax }) => gross !== 0 || taxable !== 0 || tax !== 0);
}

/**
 * Files an agency's next return: posts the adjustments on the filing date, and saves every amount with its documents.
 * The ledger is locked, so that no document changes during the filing. Throws 404, 422 with the invalid field, and 409
 * if the amount due is not the one that the user saw.
 */
export async function fileTaxReturn(ctx: Ctx, input: BodyOf<typeof taxReturnCalls.fileTaxReturn>): Promise<TaxReturn> {
  const { tx } = ctx;
  await tx.rows(agencies.find({ id: input.agencyId }, { lock: 'for update' }));
  const agency = await taxAgency(ctx, input.agencyId);
  const end = await openJournal(tx);
  const prepared = await readNext(ctx, agency, await lawRules(ctx));
  const { period, rows } = prepared;
  const { adjustments, filedDate } = input;
  const fault = filingFault(periodOf(agency, input.periodEnd), { next: period, today: ctx.today });
  if (fault !== undefined) throw refuse(fault, { periodEnd: fault });
  const fields = checkAdjustments(adjustments, agency.accountId);
  if (filedDate <= period.to) fields['filedDate'] = "A return can't be filed before its period ends";
  const accounts = await tx.rows(accountsByIdSql(adjustments.map(({ accountId }) => accountId)));
  for (const [at, { accountId }] of adjustments.entries())
    noteFault(fields, `adjustments.${at}.accountId`, accountFault(accounts, { id: accountId }));
  refuseFields(fields);
  const wanted = preparedReturn(prepared, agency, { adjustments, filedDate });
  if (wanted.netDue !== input.netDue) {
    throw conflict(`The amount due is now ${formatUsd(wanted.netDue)}. Review the return and file it again.`);
  }
  const { id } = await tx.one(nextReturnId());
  const description = `Sales tax return ${wanted.name}`;
  const wantedLines = postAdjustments({ date: filedDate, description, taxAccountId: agency.accountId, adjustments });
  const reason = closingOverride(ctx, input.closingOverrideReason);
  await post(ctx, [{ source: { type: taxreturn.source, id }, postings: postingsFor([], wantedLines), reason }], end);
  await tx.rows(
    returns.insert({
      id,
      agencyId: agency.id,
      ...period,
      dueDate: wanted.dueDate,
      filedDate,
      confirmation: input.confirmation ?? '',
      gross: wanted.gross,
      taxable: wanted.taxable,
      tax: wanted.tax,
      sinceTaxable: wanted.sinceTaxable,
      sinceTax: wanted.sinceTax,
      adjustments: sql`${JSON.stringify(adjustments)}::jsonb`,
      adjusted: sum(adjustments.map(({ amount }) => amount)),
      carriedIn: wanted.carriedIn,
      prepaid: wanted.prepaid,
      netDue: wanted.netDue,
      carriedOver: wanted.carriedOver,
      person: ctx.by.person,
    }),
  );
  if (rows.length > 0) await tx.rows(returnDocuments.insertMany(rows.map((row) => ({ ...row, returnId: id }))));
  return record(ctx, subject, { action: 'post', after: await getTaxReturn(ctx, id), reason });
}

/**
 * Records a payment to an agency: a prepayment if the period is not filed. Throws 404, and 422 for an amount above the
 * unpaid amount, a filed period that is paid, and an inactive bank account.
 */
export async function payTaxReturn(
  ctx: Ctx,
  input: BodyOf<typeof taxReturnCalls.payTaxReturn>,
): Promise<ReplyOf<typeof taxReturnCalls.payTaxReturn>> {
  const { tx } = ctx;
  const { bankAccountId, paymentDate, amount } = input;
  await tx.rows(agencies.find({ id: input.agencyId }, { lock: 'for update' }));
  const agency = await taxAgency(ctx, input.agencyId);
  const end = await openJournal(tx);
  const period = periodOf(agency, input.periodEnd);
  const [filed, bank] = await Promise.all([
    tx.row(returns.find({ agencyId: agency.id, to: period.to })),
    tx.row(payingBank(bankAccountId)),
  ]);
  const paid = filed === undefined ? [] : await tx.rows(taxPayments.find({ returnId: filed.id }));
  const fields: FieldMessages = {};
  if (period.from < agency.startDate) fields['periodEnd'] = "This period is before the agency's first period";
  if (bank?.active !== true) fields['bankAccountId'] = 'Please Select a Bank Account';
  if (amount <= 0) fields['amount'] = 'Please enter an amount above 0';
  else if (filed !== undefined) {
    const unpaid = cents(filed.netDue - sum(paid.map((each) => each.amount)));
    if (amount > unpaid) fields['amount'] = `The unpaid amount of this return is ${formatUsd(unpaid)}`;
  }
  refuseFields(fields);
  if (bank === undefined) throw notFound('Bank account');
  const { id } = await tx.one(nextReturnId());
  const name = nameOf(agency, period);
  const wanted = postTaxPayment({
    date: paymentDate,
    description: `${filed === undefined ? 'Prepayment' : 'Payment'} of sales tax, ${name}`,
    taxAccountId: agency.accountId,
    bankAccountId: bank.glAccountId,
    amount,
  });
  const reason = closingOverride(ctx, input.closingOverrideReason);
  await post(ctx, [{ source: { type: taxreturn.source, id }, postings: postingsFor([], [wanted]), reason }], end);
  const returnId = filed?.id ?? null;
  const row = { id, agencyId: agency.id, periodEnd: period.to, returnId, bankAccountId, paymentDate, amount };
  const after = { ...row, name };
  return record(ctx, paymentSubject, {
    action: 'post',
    after,
    reason,
    write: taxPayments.insert({ ...row, person: ctx.by.person }),
  });
}

type Period = TaxDueList['agencies'][number]['periods'][number];

/** Returns every agency's periods through today, and the parts of the liability. */
export async function taxDueList(ctx: Ctx): Promise<TaxDueList> {
  const { tx } = ctx;
  const all = await listTaxAgencies(ctx);
  const accountIds = [...new Set(all.map(({ accountId }) => accountId))];
  const [rules, balances, lines, ...read] = await Promise.all([
    lawRules(ctx),
    tx.rows(balancesAt({ basis: 'accrual', date: LAST_DAY, fiscalYearStart: LAST_DAY })),
    tx.one(taxAccountLines(accountIds)),
    ...all.map((agency) => readAgency(ctx, agency)),
  ]);
  const total = (part: keyof ReturnType<typeof liabilityParts>) =>
    sum(read.map((facts) => liabilityParts(facts.state)[part]));
  const parts = {
    unfiled: total('unfiled'),
    unpaid: total('unpaid'),
    credits: total('credits'),
    uncollected: total('uncollected'),
  };
  const balance = negate(
    sum(balances.flatMap(({ accountId, toDate }) => (accountIds.includes(accountId) ? [toDate] : []))),
  );
  // Entries of returns and payments are not included, so a difference between them and the stored returns shows.
  const other = cents(balance + lines.posted - sum(read.map(({ state }) => state.accrualTax)));
  const difference = cents(balance - other - sum(Object.values(parts)));
  return {
    agencies: read.map(({ agency, filed, months, payments }) => ({
      agency,
      periods: periodsBetween(agency, agency.startDate, ctx.today)
        .map((period) => duePeriod(period, { agency, filed, months, payments, rules, today: ctx.today }))
        .toReversed(),
    })),
    liability: { ...parts, other, balance, difference },
  };
}

async function readAgency({ tx }: Ctx, agency: TaxAgency) {
  const ask = { from: agency.startDate, to: LAST_DAY };
  const byMonth = (basis: TaxAgency['basis']) => tx.rows(selectTaxByMonth({ ...ask, basis }, agency.itemIds));
  const [months, accrual, filed, payments] = await Promise.all([
    byMonth(agency.basis),
    agency.basis === 'accrual' ? [] : byMonth('accrual'),
    tx.rows(returnsOf(agency.id)),
    tx.rows(taxPayments.find({ agencyId: agency.id })),
  ]);
  const taxOf = (some: readonly TaxedMonth[]): Cents => sum(some.map(({ tax }) => tax));
  const isFiled = (date: IsoDate) => filed.some(({ to }) => to === date);
  const paid = (which: (payment: (typeof payments)[number]) => boolean): Cents =>
    sum(payments.filter(which).map(({ amount }) => amount));
  const state = {
    tax: taxOf(months),
    accrualTax: taxOf(agency.basis === 'accrual' ? months : accrual),
    reported: sum(filed.map(({ tax, sinceTax }) => cents(tax + sinceTax))),
    unpaid: cents(sum(filed.map(({ netDue }) => netDue)) - paid(({ returnId }) => returnId !== null)),
    prepaid: paid(({ returnId, periodEnd }) => returnId === null && !isFiled(periodEnd)),
    carriedOver: filed.at(-1)?.carriedOver ?? ZERO,
  };
  return { agency, months, filed, payments, state };
}

interface Facts {
  agency: TaxAgency;
  filed: readonly ReturnRow[];
  months: readonly TaxedMonth[];
  payments: readonly { returnId: number | null; amount: Cents }[];
  rules: readonly LawRule[];
  today: IsoDate;
}

/** A filed period has its filed amounts, and any other period those of the ledger. */
function duePeriod(period: DateRange, { agency, filed, months, payments, rules, today }: Facts): Period {
  const one = filed.find(({ to }) => to === period.to);
  const own = months.filter(({ month }) => month >= period.from && month <= period.to);
  const tax = one?.tax ?? sum(own.map((month) => month.tax));
  const taxable = one?.taxable ?? sum(own.map((month) => month.taxable));
  const gross = one?.gross ?? sum(own.map((month) => month.gross));
  const paid =
    one === undefined ? ZERO : sum(payments.filter(({ returnId }) => returnId === one.id).map((each) => each.amount));
  const dueDate = one?.dueDate ?? dueDateOf(rules, agency, period);
  const isPaid = one !== undefined && paid >= one.netDue;
  const status =
    one !== undefined
      ? isPaid
        ? 'paid'
        : 'unpaid'
      : period.to >= today
        ? 'open'
        : gross === 0 && tax === 0
          ? 'zero'
          : 'prepare';
  return {
    ...period,
    name: periodName(period),
    dueDate,
    status,
    isOverdue: !isPaid && dueDate !== null && dueDate < today,
    taxable,
    tax,
    netDue: one?.netDue ?? null,
    paid,
    returnId: one?.id ?? null,
    filedDate: one?.filedDate ?? null,
  };
}
