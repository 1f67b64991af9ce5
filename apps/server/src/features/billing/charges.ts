import type { BillingInvoice, BillingInvoiceInput } from '@evenkeel/contract/billing';
import type {
  FinanceCharge,
  FinanceChargeInput,
  FinanceCharges,
  FinanceChargeSettings,
} from '@evenkeel/contract/charges';
import { type Charge, chargeOf, isChargeSet } from '@evenkeel/core/documents/charges';
import { addDays, earlierOf, formatDate, type IsoDate } from '@evenkeel/core/dates';
import { conflict, Failure, notFound, present, refuse } from '@evenkeel/core/failure';
import { OPEN } from '@evenkeel/core/documents/invoice';
import { type Cents, decimal, formatUsd, sum, ZERO } from '@evenkeel/core/money';
import { RECEIVABLE } from '@evenkeel/core/documents/side';
import type { Ctx } from '../../platform/http/context.ts';
import { personName } from '../../platform/db/people.ts';
import { createWithin } from '../../books/ledger/batch.ts';
import { documentCalls } from '../../books/documents/documents.ts';
import { financeChargeSettings } from './charge-settings.ts';
import { chargedAlready, type OverdueInvoiceRow, lockLate, selectLate } from './charges.sql.ts';
import { keepCharges } from './line-charges.sql.ts';
import { builtSale, invoiceFlow } from './invoices.ts';
import { type InvoiceFacts, type LineRow, OF_NO_LINE } from './invoices.sql.ts';

/** Calculates finance charges for overdue invoices on a date, and creates the invoices for these charges. */

const LATER = 'Please enter a date that is today or earlier';
const NOT_SET = 'Set a finance charge rate in Settings first';

/** A customer's charge with the invoices that it was calculated from. */
interface Charged extends Charge {
  invoices: OverdueInvoiceRow[];
}

const wantedOf = ({ graceDays, chargesCharges }: FinanceChargeSettings, date: IsoDate, customerId?: number) => {
  return { date, dueBefore: addDays(date, -graceDays), chargesCharges, customerId };
};

/** Returns the charges by customer. Customers that have nothing to be charged for are omitted. */
function chargedOf(settings: FinanceChargeSettings, rows: readonly OverdueInvoiceRow[], date: IsoDate): Charged[] {
  const groups = new Map<number, OverdueInvoiceRow[]>();
  for (const row of rows) {
    const others = groups.get(row.customerId);
    if (others === undefined) groups.set(row.customerId, [row]);
    else others.push(row);
  }
  return [...groups.values()]
    .map((invoices) => ({ invoices, ...chargeOf(settings, invoices, date) }))
    .filter(({ amount }) => amount > 0);
}

/** Returns a preview of the charges through a date, or through today. Throws 422 for a future date. */
export async function listFinanceCharges(ctx: Ctx, date: IsoDate = ctx.today): Promise<FinanceCharges> {
  if (date > ctx.today) throw refuse(LATER, { date: LATER });
  const settings = await financeChargeSettings(ctx);
  if (!isChargeSet(settings)) return { date, isSet: false, charges: [] };
  const rows = await ctx.tx.rows(selectLate(wantedOf(settings, date)));
  return { date, isSet: true, charges: chargedOf(settings, rows, date).map(chargeView) };
}

function chargeView({ invoices, lines, toMinimum, amount }: Charged): FinanceCharge {
  const { customerId: id, customerDisplayName, creditAmount } = present(invoices[0], 'finance charge invoice');
  const isCharged = new Set(lines.map(({ invoiceId }) => invoiceId));
  const charged = invoices.filter(({ invoiceId }) => isCharged.has(invoiceId));
  return {
    id,
    customerDisplayName,
    overdueAmount: sum(charged.map(({ openAmount }) => openAmount)),
    creditAmount,
    lines: lines.map((line) => {
      const { invoiceNumber, dueDate } = invoiceOf(invoices, line);
      return { ...line, invoiceNumber, dueDate };
    }),
    toMinimum,
    amount,
  };
}

const invoiceOf = (
  invoices: readonly OverdueInvoiceRow[],
  { invoiceId: id }: { invoiceId: number },
): OverdueInvoiceRow =>
  present(
    invoices.find(({ invoiceId }) => invoiceId === id),
    'finance charge invoice',
  );

/** An invoice for a charge, with its lines. */
interface ChargeInput extends BillingInvoiceInput {
  charging: LineRow[];
}

const UNTAXED = { rates: [], scenarioId: null, taxAccountId: null };

const { creation } = documentCalls({
  ...invoiceFlow,
  // Interest is not a sale, so it has no sales tax.
  build: (input: ChargeInput, facts: InvoiceFacts, before) =>
    builtSale(input, facts, { ...before, lines: input.charging }, { kind: RECEIVABLE.document, tax: UNTAXED }),
});

/** Creates an invoice like any other, and saves the days that it charges for in the same transaction. */
const charging: typeof creation = {
  ...creation,
  write: (rows) => [...creation.write(rows), ...rows.flatMap(({ parts }) => keepCharges(parts))],
};

/**
 * Charges a customer through a date by creating an invoice, which has one line for each range of consecutive days for
 * which an overdue invoice is charged. Throws 404 if the customer does not exist. Throws 409 if another invoice has
 * already charged the customer for the date, or if the charge differs from the one that the user saw. Throws 422 for a
 * future date and for the same reasons as a new invoice.
 */
export async function makeFinanceCharge(ctx: Ctx, input: FinanceChargeInput): Promise<BillingInvoice> {
  const { id: customerId, date: asked, amount, closingOverrideReason } = input;
  const date = asked ?? ctx.today;
  if (date > ctx.today) throw refuse(LATER, { date: LATER });
  const settings = await financeChargeSettings(ctx);
  if (!isChargeSet(settings)) throw refuse(NOT_SET);
  const wanted = wantedOf(settings, date, customerId);
  await ctx.tx.rows(lockLate(wanted));
  const [charged] = chargedOf(settings, await ctx.tx.rows(selectLate(wanted)), date);
  if (charged === undefined) throw await nothingToCharge(ctx, customerId, date);
  const { customerDisplayName: name, isCustomerGone } = present(charged.invoices[0], 'finance charge invoice');
  if (isCustomerGone) throw conflict(`${name} is inactive. Make the customer active first.`);
  if (amount !== null && amount !== undefined && amount !== charged.amount) {
    throw conflict(`The finance charge is now ${formatUsd(charged.amount)}. Review it and try again.`);
  }
  const lines = chargeLines(charged, settings);
  const invoice: ChargeInput = {
    customerId,
    invoiceDate: date,
    arBillingStatus: OPEN,
    lineItems: lines.map(({ id, itemPrice, description, accountId, profitCenterId, locationId }) => {
      const named = { accountId, profitCenterId, locationId };
      return { id, itemPrice, quantity: decimal(1), description, serviceDate: null, taxable: false, ...named };
    }),
    charging: lines,
    closingOverrideReason,
  };
  return createWithin(ctx, charging, { input: invoice });
}

/**
 * Returns the lines of a charge, identified by negative IDs. If the charge is raised to the minimum, the increase is a
 * separate line.
 */
function chargeLines({ lines, toMinimum, invoices }: Charged, settings: FinanceChargeSettings): LineRow[] {
  const rows = lines.map((line, index): LineRow => {
    const { invoiceNumber, profitCenterId, locationId } = invoiceOf(invoices, line);
    const { from, to, invoiceId, amount } = line;
    const words = wordsOf(settings, line, invoiceNumber);
    return {
      ...lineOf(index, words, amount, settings),
      profitCenterId,
      locationId,
      charge: { invoiceId, from, to, isHeld: true },
    };
  });
  const [first] = rows;
  if (toMinimum === 0 || first === undefined) return rows;
  const rest = lineOf(
    rows.length,
    `Increased to the minimum finance charge of ${formatUsd(settings.minimum)}`,
    toMinimum,
    settings,
  );
  return [...rows, { ...rest, profitCenterId: first.profitCenterId, locationId: first.locationId }];
}

function wordsOf({ kind, annualRate }: FinanceChargeSettings, line: Charge['lines'][number], number: string): string {
  if (kind === 'amount') return `Finance charge: invoice ${number} is overdue`;
  const { from, to, days, openAmount } = line;
  const span = from === to ? formatDate(from) : `${formatDate(from)} to ${formatDate(to)}`;
  const counted = `${days} ${days === 1 ? 'day' : 'days'}`;
  const rate = `${annualRate.toString()} %`;
  return `Finance charge: invoice ${number}, ${span}, ${counted} of ${formatUsd(openAmount)} at ${rate}`;
}

function lineOf(index: number, description: string, amount: Cents, { accountId }: FinanceChargeSettings): LineRow {
  return {
    id: -1 - index,
    lineNo: index + 1,
    description,
    itemPrice: amount,
    itemAmount: '0',
    quantity: '1',
    lineItemAmount: amount,
    accountId,
    taxable: false,
    lineTax: '0',
    taxItems: [],
    productId: null,
    productName: null,
    packageId: null,
    discountId: null,
    parts: null,
    discountTerms: null,
    restAmount: ZERO,
    serviceDate: null,
    profitCenterId: null,
    locationId: null,
    ...OF_NO_LINE,
    workItemId: null,
    freedItemId: null,
    freed: null,
    charge: null,
  };
}

/**
 * Returns the error if there is nothing to charge a customer for: someone has already charged the customer, nothing is
 * overdue, or the customer does not exist.
 */
async function nothingToCharge(ctx: Ctx, customerId: number, date: IsoDate): Promise<Failure> {
  const found = await ctx.tx.row(chargedAlready(customerId, earlierOf(date, ctx.today)));
  if (found === undefined) return notFound('Customer');
  const { customer, invoiceId, invoiceNumber, billedById, billedAt } = found;
  if (invoiceId === null) return conflict(`There is nothing to charge ${customer} through ${formatDate(date)}`);
  const person = billedById === null ? undefined : await ctx.tx.row(personName(billedById));
  const billedBy = person?.name ?? '';
  const message = `Already charged on invoice ${invoiceNumber}${billedBy === '' ? '' : ` by ${billedBy}`}`;
  return new Failure('conflict', message, undefined, { billed: { invoiceId, invoiceNumber, billedBy, billedAt } });
}
