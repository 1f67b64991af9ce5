import { type TaxAgency, type TaxDueList } from '@evenkeel/contract/taxreturns';
import { type DateRange, type IsoDate, LAST_DAY } from '@evenkeel/core/dates';
import { type Cents, cents, negate, sum, ZERO } from '@evenkeel/core/money';
import { periodName, periodsBetween } from '@evenkeel/core/taxes/due';
import type { LawRule } from '@evenkeel/core/taxes/law';
import { claimedOnTaxAccount, liabilityParts } from '@evenkeel/core/taxes/returns';
import { balancesAt } from '../../books/ledger/balances.sql.ts';
import { lawRules } from '../../books/tax-rules.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { selectTaxByMonth, type TaxedMonth } from '../reports/sales-tax.sql.ts';
import { listTaxAgencies } from './agencies.ts';
import { dueDateOf } from './periods.ts';
import { type PaymentRow, type ReturnRow, returnsOf, taxAccountLines, taxPayments } from './taxes.sql.ts';

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
  // Entries for returns and payments are not included, so any difference between them and the stored returns is shown.
  const claimed = sum(
    read.flatMap(({ agency, filed }) =>
      filed.map(({ adjustments }) => claimedOnTaxAccount(adjustments, agency.accountId)),
    ),
  );
  const other = cents(balance + lines.posted - sum(read.map(({ state }) => state.accrualTax)) + claimed);
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
  payments: readonly Pick<PaymentRow, 'returnId' | 'periodEnd' | 'amount'>[];
  rules: readonly LawRule[];
  today: IsoDate;
}

/**
 * A filed period has its filed amounts, including those of its amendments. Any other period has the amounts in the
 * ledger.
 */
function duePeriod(period: DateRange, { agency, filed, months, payments, rules, today }: Facts): Period {
  const versions = filed.filter(({ to }) => to === period.to);
  const [first] = versions;
  const last = versions.at(-1);
  const own = months.filter(({ month }) => month >= period.from && month <= period.to);
  const amended = versions.slice(1);
  const tax =
    first === undefined
      ? sum(own.map((month) => month.tax))
      : sum([first.tax, ...amended.map((each) => each.sinceTax)]);
  const taxable =
    first === undefined
      ? sum(own.map((month) => month.taxable))
      : sum([first.taxable, ...amended.map((each) => each.sinceTaxable)]);
  const gross = sum(own.map((month) => month.gross));
  const ids = versions.map(({ id }) => id);
  const made = payments.filter(({ periodEnd }) => periodEnd === period.to);
  const amountOf = (some: typeof made): Cents => sum(some.map((each) => each.amount));
  const paid = amountOf(made.filter(({ returnId }) => returnId !== null && ids.includes(returnId)));
  const netDue = last === undefined ? null : sum(versions.map((each) => each.netDue));
  const dueDate = first?.dueDate ?? dueDateOf(rules, agency, period);
  const isPaid = netDue !== null && paid >= netDue;
  const status =
    netDue !== null
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
    netDue,
    paid,
    prepaid: amountOf(made.filter(({ returnId }) => returnId === null)),
    returnId: last?.id ?? null,
    filedDate: last?.filedDate ?? null,
  };
}
