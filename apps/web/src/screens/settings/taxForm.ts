import type { SalesTaxInput, SalesTaxScenario } from '@evenkeel/contract/settings';
import type { FieldMessages } from '@evenkeel/core/failure';
import { type Decimal, decimal } from '@evenkeel/core/money';
import { checkSalesTax, displayPercentage, PERCENTAGE_MESSAGE } from '@evenkeel/core/documents/salestax';
import { taxRoundingIds } from '@evenkeel/core/taxes/ids';
import * as z from 'zod';
import { Day } from '../../records/formFields.ts';

/** The data of the Sales Tax form, its validation, and its request. */

const TaxItem = z.object({
  /** The item's ID, which is negative until the item is saved. */
  id: z.number(),
  label: z.string(),
  salesTaxType: z.number().nullable(),
  /** The percentage until the first of `rates` takes effect. Null if the field is empty. */
  percentage: z.number().nullable(),
  /**
   * Later rates. Each rate has an ID that is unique within the item. The date and the percentage are null while their
   * field is empty.
   */
  rates: z.array(z.object({ id: z.number(), from: Day.nullable(), percentage: z.number().nullable() })),
  deleted: z.boolean(),
});
export type TaxItemForm = z.output<typeof TaxItem>;

export const TaxForm = z.object({
  name: z.string(),
  glAccountId: z.number().nullable(),
  filingFrequency: z.number().nullable(),
  taxRounding: z.enum(taxRoundingIds).nullable(),
  items: z.array(TaxItem),
  rowVersion: z.number().nullable(),
});
export type TaxForm = z.output<typeof TaxForm>;

export function taxFormOf(scenario: SalesTaxScenario | undefined): TaxForm {
  if (scenario === undefined)
    return { name: '', glAccountId: null, filingFrequency: null, taxRounding: 'item', items: [], rowVersion: null };
  const { name, glAccountId, filingFrequency, taxRounding, salesTaxItems, rowVersion } = scenario;
  const items = salesTaxItems
    .filter((item) => !item.deleted)
    .map(({ id, label, salesTaxType, percentage, rates }) => ({
      id,
      label,
      salesTaxType,
      percentage: Number(percentage),
      rates: rates.map((rate, at) => ({ id: at + 1, from: rate.from, percentage: Number(rate.percentage) })),
      deleted: false,
    }));
  return { name, glAccountId: glAccountId === 0 ? null : glAccountId, filingFrequency, taxRounding, items, rowVersion };
}

/** Adds a new item with a negative ID, the type State, and the percentage 0. */
export function withNewItem(form: TaxForm): TaxForm {
  const id = Math.min(0, ...form.items.map((item) => item.id)) - 1;
  return {
    ...form,
    items: [...form.items, { id, label: '', salesTaxType: 0, percentage: 0, rates: [], deleted: false }],
  };
}

/** Adds a later rate to an item, with the item's current percentage and an empty first day. */
export function withLaterRate(item: TaxItemForm): TaxItemForm {
  const id = Math.max(0, ...item.rates.map((rate) => rate.id)) + 1;
  return { ...item, rates: [...item.rates, { id, from: null, percentage: item.percentage }] };
}

export function withTaxItem(form: TaxForm, item: TaxItemForm): TaxForm {
  return { ...form, items: form.items.map((each) => (each.id === item.id ? item : each)) };
}

/** Marks a saved item as deleted, which hides it. Removes an unsaved item. */
export function withoutTaxItem(form: TaxForm, id: number): TaxForm {
  const items = form.items.flatMap((each) => (each.id !== id ? [each] : id < 0 ? [] : [{ ...each, deleted: true }]));
  return { ...form, items };
}

export function taxInput(form: TaxForm): SalesTaxInput {
  return {
    name: form.name,
    glAccountId: form.glAccountId,
    filingFrequency: form.filingFrequency,
    taxRounding: form.taxRounding,
    salesTaxItems: form.items.map(({ percentage, salesTaxType, rates, ...item }) => ({
      ...item,
      salesTaxType: salesTaxType ?? -1,
      percentage: decimal(percentage ?? 0),
      rates: rates.flatMap((rate) =>
        rate.from === null ? [] : [{ from: rate.from, percentage: decimal(rate.percentage ?? 0) }],
      ),
    })),
    ...(form.rowVersion === null ? {} : { rowVersion: form.rowVersion }),
  };
}

/** Returns messages by field path (core/salestax). An empty percentage or first day is an error. */
export function taxFaults(form: TaxForm): FieldMessages {
  const faults = checkSalesTax(taxInput(form));
  form.items.forEach((item, index) => {
    if (item.deleted) return;
    const at = `salesTaxItems.${index}`;
    if (item.percentage === null) faults[`${at}.percentage`] = PERCENTAGE_MESSAGE;
    item.rates.forEach((rate, place) => {
      if (rate.percentage === null) faults[`${at}.rates.${place}.percentage`] = PERCENTAGE_MESSAGE;
      if (rate.from === null) faults[`${at}.rates.${place}.from`] = 'Please enter a date';
    });
  });
  return faults;
}

/** Returns the total rate for a taxable line, for example "6.75%". */
export function totalPercentage(percentages: readonly Decimal[]): string {
  return displayPercentage(percentages.reduce((all, each) => all.plus(each), decimal(0)));
}
