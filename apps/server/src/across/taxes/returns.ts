import type { BodyOf } from '@evenkeel/contract/endpoint';
import { type TaxAgency, TaxReturn, type taxReturnCalls } from '@evenkeel/contract/taxreturns';
import { difference as postingsFor } from '@evenkeel/core/books/ledger';
import { addDays, type DateRange, type IsoDate } from '@evenkeel/core/dates';
import { conflict, notFound, refuse, refuseFields } from '@evenkeel/core/failure';
import { taxreturn } from '@evenkeel/core/kinds/taxreturn';
import { type Cents, cents, formatUsd, sum, ZERO } from '@evenkeel/core/money';
import { periodOf } from '@evenkeel/core/taxes/due';
import { type BadDebtClaim, badDebtClaims, badDebtCredits, type BadDebtOrder } from '@evenkeel/core/taxes/bad-debts';
import { discountWords, type LawRule, lawOn, lawWords, ruleOn, timelyDiscount } from '@evenkeel/core/taxes/law';
import {
  type Adjustment,
  amendmentFault,
  checkAdjustments,
  filingFault,
  postAdjustments,
  type Returned,
  returnedAmounts,
  returnFigures,
  type TaxAmounts,
  undoFault,
} from '@evenkeel/core/taxes/returns';
import { sql } from 'kysely';
import { accountsByIdSql } from '../../books/ledger/accounts.sql.ts';
import { closingOverride, openJournal, post } from '../../books/ledger/journal.ts';
import { accountFault, noteFault } from '../../books/ledger/references.ts';
import { lawRules } from '../../books/tax-rules.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import {
  selectTaxByDocument,
  selectTaxByItem,
  selectWrittenOff,
  type TaxedDocumentRow,
  type WrittenOffRow,
} from '../reports/sales-tax.sql.ts';
import { taxAgency } from './agencies.ts';
import { shownPayment } from './payments.ts';
import { dueDateOf, nextPeriod, returnName } from './periods.ts';
import { reverseTaxEntry } from './reverse.ts';
import {
  agencies,
  lastChangesSql,
  nextReturnId,
  type PaymentRow,
  reportedItemsSql,
  reportedSql,
  type ReportedRow,
  type ReturnDocumentRow,
  returnDocuments,
  returnItems,
  type ReturnRow,
  returns,
  returnsOf,
  taxPayments,
} from './taxes.sql.ts';

const subject: Subject<typeof TaxReturn> = { name: taxreturn.source, schema: TaxReturn, idOf: ({ id }) => id };

/** The data that a return is prepared from. */
interface Prepared {
  period: DateRange;
  version: number;
  rows: Omit<ReturnDocumentRow, 'returnId'>[];
  items: TaxReturn['items'];
  documents: Returned[];
  badDebts: BadDebtClaim[];
  carriedIn: Cents;
  prepayments: readonly PaymentRow[];
  rules: readonly LawRule[];
}

/**
 * Reads an agency's next return from the ledger, or an amendment of its last return. An amendment has only the changes
 * since the earlier returns. Throws 409 if the agency has not filed a return to amend.
 */
async function readNext(ctx: Ctx, agency: TaxAgency, amends: boolean): Promise<Prepared> {
  const { tx } = ctx;
  const [filed, rules] = await Promise.all([tx.rows(returnsOf(agency.id)), lawRules(ctx)]);
  const last = filed.at(-1);
  if (amends && last === undefined) throw conflict('The agency has no filed return to amend');
  const period = amends && last !== undefined ? { from: last.from, to: last.to } : nextPeriod(agency, filed);
  const ask = { basis: agency.basis, from: agency.startDate, to: period.to };
  const parts = { items: agency.itemIds, since: amends ? addDays(period.to, 1) : period.from };
  const [taxed, reported, taxedItems, reportedItems, prepayments, writtenOff] = await Promise.all([
    tx.rows(selectTaxByDocument(ask, parts)),
    tx.rows(reportedSql(agency.id)),
    tx.rows(selectTaxByItem(ask, parts)),
    tx.rows(reportedItemsSql(agency.id)),
    amends ? [] : tx.rows(taxPayments.find({ agencyId: agency.id, periodEnd: period.to })),
    amends || agency.basis === 'cash' ? [] : tx.rows(selectWrittenOff(ask, agency.itemIds)),
  ]);
  const documents = returnedAmounts(
    taxed.map((row) => ({
      id: row.documentId,
      own: { gross: row.gross, taxable: row.taxable, tax: row.tax },
      before: { gross: row.grossBefore, taxable: row.taxableBefore, tax: row.taxBefore },
    })),
    reported.map(({ documentId, gross, taxable, tax }) => ({ id: documentId, gross, taxable, tax })),
  );
  const items = returnedAmounts(
    taxedItems.map((row) => ({
      id: row.itemId,
      own: itemAmounts(row.taxable, row.tax),
      before: itemAmounts(row.taxableBefore, row.taxBefore),
    })),
    reportedItems.map(({ itemId, taxable, tax }) => ({ id: itemId, ...itemAmounts(taxable, tax) })),
  );
  const named = new Map<number, TaxedDocumentRow | ReportedRow>(
    [...reported, ...taxed].map((row) => [row.documentId, row]),
  );
  const labels = new Map([...reportedItems, ...taxedItems].map(({ itemId, label }) => [itemId, label]));
  const rates = new Map(taxedItems.map((row) => [row.itemId, row.rates]));
  return {
    period,
    version: amends && last !== undefined ? last.version + 1 : 1,
    rows: documents.flatMap(({ id, own, since }) => {
      const row = named.get(id);
      if (row === undefined) return [];
      const { kind, number, customer, date } = row;
      const changed = { sinceGross: since.gross, sinceTaxable: since.taxable, sinceTax: since.tax };
      return [{ documentId: id, kind, number, customer, date, ...own, ...changed }];
    }),
    items: items.map(({ id, own, since }) => ({
      itemId: id,
      label: labels.get(id) ?? '',
      rates: rates.get(id) ?? [],
      taxable: own.taxable,
      tax: own.tax,
      sinceTaxable: since.taxable,
      sinceTax: since.tax,
    })),
    documents,
    badDebts: amends
      ? []
      : badDebtClaims(
          creditedDebts(writtenOff, badDebtRule(rules, agency, period)?.order),
          filed.flatMap((row) => row.badDebts),
        ),
    carriedIn: last?.carriedOver ?? ZERO,
    prepayments,
    rules,
  };
}

const badDebtRule = (rules: readonly LawRule[], { state, frequency }: TaxAgency, { to }: DateRange) =>
  lawOn(rules, { state, topic: 'badDebt', frequency, date: to });

/** Returns bad debts with the tax that the agency refunds. */
const creditedDebts = (rows: readonly WrittenOffRow[], order: BadDebtOrder | undefined) =>
  badDebtCredits(rows, order).flatMap((credit, at) =>
    rows.slice(at, at + 1).map(({ customerId: _, amount: __, ...row }) => ({ ...row, credit })),
  );

/** Returns the description of an agency's rule for bad debts. */
function badDebtWords({ rules, period }: Prepared, agency: TaxAgency): string {
  const rule = badDebtRule(rules, agency, period);
  if (rule === undefined) return '';
  const { state, frequency } = agency;
  const source = ruleOn(rules, { state, topic: 'badDebt', frequency, date: period.to })?.source ?? '';
  return `${lawWords(rule)}${source === '' ? '' : ` (${source})`}`;
}

/** An item has no gross sales, because gross sales belong to documents and are not divided by item. */
const itemAmounts = (taxable: Cents, tax: Cents): TaxAmounts => ({ gross: ZERO, taxable, tax });

const documentOf = ({ sinceGross: _, ...row }: Omit<ReturnDocumentRow, 'returnId'>): TaxReturn['documents'][number] =>
  row;

/** Returns the discount for filing by the due date. The discount does not apply to later filings or amendments. */
function discountOf(
  { period, rules, version }: Prepared,
  agency: TaxAgency,
  { tax, filedDate }: { tax: Cents; filedDate: IsoDate },
): TaxReturn['discount'] {
  const { state, frequency } = agency;
  const asked = { state, topic: 'discount', frequency, date: period.to } as const;
  const rule = lawOn(rules, asked);
  if (rule === undefined || version > 1) return null;
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
  const { period, version, documents, rows, items, badDebts, carriedIn, prepayments, rules } = prepared;
  const prepaid = sum(prepayments.map(({ amount }) => amount));
  const figures = returnFigures(documents, { carriedIn, prepaid, adjustments: filing.adjustments });
  const { own, since } = figures;
  const name = returnName(agency, period, version);
  return {
    id: 0,
    agencyId: agency.id,
    agencyName: agency.name,
    accountId: agency.accountId,
    name,
    basis: agency.basis,
    version,
    isLast: false,
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
    badDebts,
    badDebtRule: badDebtWords(prepared, agency),
    adjustments: [...filing.adjustments],
    carriedIn: figures.carriedIn,
    prepaid: figures.prepaid,
    netDue: figures.netDue,
    carriedOver: figures.carriedOver,
    paid: ZERO,
    payments: prepayments.map((payment) => shownPayment(payment, name)),
    items,
    documents: rows.map(documentOf),
    changes: [],
  };
}

/**
 * Returns an agency's next return based on the current ledger, without adjustments. With `amends`, returns an amendment
 * of the latest return. Throws 404, and 409 if the agency has not filed a return to amend.
 */
export async function prepareTaxReturn(ctx: Ctx, agencyId: number, amends: boolean): Promise<TaxReturn> {
  const agency = await taxAgency(ctx, agencyId);
  const prepared = await readNext(ctx, agency, amends);
  return preparedReturn(prepared, agency, { adjustments: [], filedDate: ctx.today });
}

/** Returns a filed return, with the changes in its period since the filing. Throws 404 if the return does not exist. */
export async function getTaxReturn(ctx: Ctx, id: number): Promise<TaxReturn> {
  const { tx } = ctx;
  const row = await tx.row(returns.find({ id }));
  if (row === undefined) throw notFound('Sales tax return');
  const agency = await taxAgency(ctx, row.agencyId);
  const { from, to, version } = row;
  const [all, documents, items, payments, now] = await Promise.all([
    tx.rows(returnsOf(agency.id)),
    tx.rows(returnDocuments.find({ returnId: id }, { orderBy: sql`document_date, document_id` })),
    tx.rows(returnItems.find({ returnId: id }, { orderBy: sql`item_id` })),
    tx.rows(taxPayments.find({ agencyId: agency.id, periodEnd: to }, { orderBy: sql`payment_date, id` })),
    // An amendment contains only changes, so the current sales in its period can't be compared with it.
    version > 1
      ? undefined
      : tx.rows(selectTaxByDocument({ basis: agency.basis, from, to }, { items: agency.itemIds, since: from })),
  ]);
  const name = returnName(agency, row, version);
  const own = payments.filter(({ returnId }) => returnId === id || (returnId === null && version === 1));
  return {
    id,
    agencyId: agency.id,
    agencyName: agency.name,
    accountId: agency.accountId,
    name,
    basis: agency.basis,
    version,
    isLast: all.at(-1)?.id === id,
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
    badDebts: [...row.badDebts],
    badDebtRule: '',
    adjustments: [...row.adjustments],
    carriedIn: row.carriedIn,
    prepaid: row.prepaid,
    netDue: row.netDue,
    carriedOver: row.carriedOver,
    paid: sum(own.flatMap(({ returnId, amount }) => (returnId === null ? [] : [amount]))),
    payments: own.map((payment) => shownPayment(payment, name)),
    items: items.map(({ returnId: _, rates, ...item }) => ({ ...item, rates: [...rates] })),
    documents: documents.map(({ returnId: _, ...each }) => documentOf(each)),
    changes: now === undefined ? [] : await changesSince(ctx, documents, now),
  };
}

/**
 * Returns the documents in a period whose amounts differ from the filed ones, with the differences and each document's
 * last change.
 */
async function changesSince(
  { tx }: Ctx,
  filed: readonly ReturnDocumentRow[],
  now: readonly TaxedDocumentRow[],
): Promise<TaxReturn['changes']> {
  const rows = new Map<number, TaxReturn['documents'][number]>(
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
  const changed = [...rows.values()].filter(({ gross, taxable, tax }) => gross !== 0 || taxable !== 0 || tax !== 0);
  if (changed.length === 0) return [];
  const last = new Map((await tx.rows(lastChangesSql(changed))).map((each) => [each.id, each]));
  return changed.map((row) => {
    const change = last.get(row.documentId);
    return {
      ...row,
      changedAt: change?.at.toISOString() ?? null,
      changedBy: change?.person ?? '',
      isDeleted: change?.isDeleted ?? false,
    };
  });
}

/**
 * Files an agency's next return, or an amendment of its latest one: posts the adjustments on the filing date, and saves
 * every amount with its documents and tax items. The ledger is locked, so that no document changes during the filing.
 * Throws 404, 422 with the invalid field, and 409 if the amount due differs from the one that the user saw.
 */
export async function fileTaxReturn(ctx: Ctx, input: BodyOf<typeof taxReturnCalls.fileTaxReturn>): Promise<TaxReturn> {
  const { tx } = ctx;
  const amends = input.amends ?? false;
  await tx.rows(agencies.find({ id: input.agencyId }, { lock: 'for update' }));
  const agency = await taxAgency(ctx, input.agencyId);
  const end = await openJournal(tx);
  const prepared = await readNext(ctx, agency, amends);
  const { period, version, rows, items, documents } = prepared;
  const { adjustments, filedDate } = input;
  const fault = amends
    ? amendmentFault(documents, adjustments)
    : filingFault(periodOf(agency, input.periodEnd), { next: period, today: ctx.today });
  if (fault !== undefined) throw refuse(fault, { periodEnd: fault });
  if (amends && input.periodEnd !== period.to)
    throw conflict('A later return has been filed. Amend that return instead.');
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
  // Without a credit, the debts stay open for a later return.
  const claimed = adjustments.some(({ kind }) => kind === 'badDebt') ? prepared.badDebts : [];
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
      version,
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
      badDebts: sql`${JSON.stringify(claimed)}::jsonb`,
      carriedIn: wanted.carriedIn,
      prepaid: wanted.prepaid,
      netDue: wanted.netDue,
      carriedOver: wanted.carriedOver,
      person: ctx.by.person,
    }),
  );
  if (rows.length > 0) await tx.rows(returnDocuments.insertMany(rows.map((row) => ({ ...row, returnId: id }))));
  if (items.length > 0) await tx.rows(returnItems.insertMany(items.map((item) => ({ ...item, returnId: id }))));
  return record(ctx, subject, { action: 'post', after: await getTaxReturn(ctx, id), reason });
}

/**
 * Undoes the filing of an agency's latest return: reverses its adjustments and deletes it, so that its documents are on
 * the next return again. Throws 404, and 409 if the return has payments, is not the last one, or is in a closed period.
 */
export async function undoTaxReturn(ctx: Ctx, id: number, overrideReason?: string): Promise<{ ok: true }> {
  const { tx } = ctx;
  const seen: ReturnRow | undefined = await tx.row(returns.find({ id }));
  if (seen === undefined) throw notFound('Sales tax return');
  await tx.rows(agencies.find({ id: seen.agencyId }, { lock: 'for update' }));
  const before = await getTaxReturn(ctx, id);
  const fault = undoFault(before);
  if (fault !== undefined) throw conflict(fault);
  const reason = closingOverride(ctx, overrideReason);
  await reverseTaxEntry(ctx, id, reason);
  const write = [
    returnDocuments.delete({ returnId: id }),
    returnItems.delete({ returnId: id }),
    returns.delete({ id }),
  ];
  record(ctx, subject, { before, action: 'reverse', reason, write });
  return { ok: true };
}
