import type { BillingInvoice } from '@evenkeel/contract/billing';
import { PERCENTAGE } from '@evenkeel/core/documents/discounts';
import type { FieldMessages } from '@evenkeel/core/failure';
import { type Decimal, decimal, ZERO } from '@evenkeel/core/money';
import type { TaxRate } from '@evenkeel/core/documents/tax';
import * as z from 'zod';
import { type EntryLine, entryTotals, type Pricing } from '../invoices/invoiceForm.ts';

/** The lines and quantities that are selected when a document is created from another one. */

export const ChosenLine = z.object({ lineId: z.number(), isIn: z.boolean(), quantity: z.number().nullable() });
export type ChosenLine = z.output<typeof ChosenLine>;

/** The part of a form that selects lines. */
export interface ChoosingForm {
  lines: ChosenLine[];
}

/** A line with the quantity that other documents already use. */
export interface ChoosableLine {
  line: Omit<BillingInvoice['lineItems'][number], 'workItemId'>;
  /** The line in the format that its document's form uses for pricing. */
  priced: EntryLine;
  taken: Decimal;
  left: Decimal;
}

/** Returns whether a line is a percentage, which has no quantity to choose. */
export const isPercentage = ({ line }: Pick<ChoosableLine, 'line'>): boolean =>
  line.discountTerms?.discountType === PERCENTAGE;

/** Returns the selected lines with their quantities, in form order. */
export function chosenOf<Line extends ChoosableLine>(form: ChoosingForm, lines: readonly Line[]) {
  return lines.flatMap((each) => {
    const chosen = form.lines.find(({ lineId }) => lineId === each.line.id);
    return chosen?.isIn === true ? [{ ...each, quantity: chosen.quantity }] : [];
  });
}

/** The number of decimal places of a quantity. */
const PLACES = 6;

/**
 * Returns the form with a percentage of every line's whole quantity, but not more than the remaining quantity. Lines
 * without a remaining quantity stay unselected. Percentage discounts have no quantity.
 */
export function withPercent<Form extends ChoosingForm>(
  form: Form,
  lines: readonly ChoosableLine[],
  percent: number,
): Form {
  return {
    ...form,
    lines: form.lines.map((chosen) => {
      const of = lines.find(({ line }) => line.id === chosen.lineId);
      if (of === undefined || isPercentage(of) || of.left.lte(0)) return chosen;
      const part = of.line.quantity.times(percent).div(100).round(PLACES);
      const quantity = part.gt(of.left) ? of.left : part;
      return { ...chosen, isIn: quantity.gt(0), quantity: Number(quantity) };
    }),
  };
}

/** Returns the total of the selected lines with the given taxes, and the amount of each line. */
export function chosenTotals(
  form: ChoosingForm,
  lines: readonly ChoosableLine[],
  { rates, ...pricing }: Pricing & { rates: readonly TaxRate[] | undefined },
) {
  const chosen = chosenOf(form, lines).map(({ line, priced, quantity }) => {
    return { ...priced, of: line.id, quantity: quantity ?? 0 };
  });
  const totals = entryTotals(chosen, rates, pricing);
  const untaxed = rates === undefined ? entryTotals(chosen, [], pricing) : totals;
  const amounts = new Map(chosen.map((line, at) => [line.id, untaxed.priced?.lines[at]?.lineItemAmount ?? ZERO]));
  return { ...totals, amounts };
}

/**
 * Returns messages by field, such as `lines.0.quantity` for a selected line, or `lineItems` if no line is selected.
 */
export function chosenFaults<Line extends ChoosableLine>(
  form: ChoosingForm,
  lines: readonly Line[],
  { faultOf, none }: { faultOf: (line: Line, quantity: Decimal) => string | undefined; none: string },
): FieldMessages {
  const fields: FieldMessages = {};
  form.lines.forEach(({ lineId, isIn, quantity }, at) => {
    const of = lines.find(({ line }) => line.id === lineId);
    if (of === undefined || !isIn) return;
    const fault = faultOf(of, decimal(quantity ?? 0));
    if (fault !== undefined) fields[`lines.${at}.quantity`] = fault;
  });
  if (form.lines.every(({ isIn }) => !isIn)) fields['lineItems'] = none;
  return fields;
}

/** Maps the server's messages to form fields. The request contains only the selected lines, in form order. */
export function placedLines(fields: FieldMessages, form: ChoosingForm): FieldMessages {
  const chosen = form.lines.flatMap(({ isIn }, at) => (isIn ? [at] : []));
  return Object.fromEntries(
    Object.entries(fields).map(([path, text]) => [
      path.replace(/^(?:lineItems|lines)\.(\d+)\./, (_, at: string) => `lines.${chosen[Number(at)] ?? 0}.`),
      text,
    ]),
  );
}
