import type { SalesTaxInput, SalesTaxScenario } from '@evenkeel/contract/settings';
import type { FieldMessages } from '@evenkeel/core/failure';
import { type Decimal, decimal } from '@evenkeel/core/money';
import { checkSalesTax, displayPercentage } from '@evenkeel/core/documents/salestax';
import * as z from 'zod';

/** The data of the Sales Tax form, its validation, and its request. */

const TaxItem = z.object({
  /** The item's ID, which is negative until the item is saved. */
  id: z.number(),
  label: z.string(),
  salesTaxType: z.number().nullable(),
  /** The percentage. Null if the field is empty. */
  percentage: z.number().nullable(),
  deleted: z.boolean(),
});
export type TaxItemForm = z.output<typeof TaxItem>;

export const TaxForm = z.object({
  name: z.string(),
  glAccountId: z.number().nullable(),
  filingFrequency: z.number().nullable(),
  items: z.array(TaxItem),
  rowVersion: z.number().nullable(),
});
export type TaxForm = z.output<typeof TaxForm>;

export function taxFormOf(scenario: SalesTaxScenario | undefined): TaxForm {
  if (scenario === undefined)
    return { name: '', glAccountId: null, filingFrequency: null, items: [], rowVersion: null };
  const { name, glAccountId, filingFrequency, salesTaxItems, rowVersion } = scenario;
  const items = salesTaxItems
    .filter((item) => !item.deleted)
    .map(({ id, label, salesTaxType, percentage }) => ({
      id,
      label,
      salesTaxType,
      percentage: Number(percentage),
      deleted: false,
    }));
  return { name, glAccountId: glAccountId === 0 ? null : glAccountId, filingFrequency, items, rowVersion };
}

/** Adds a new item with a negative ID, the type State, and the percentage 0. */
export function withNewItem(form: TaxForm): TaxForm {
  const id = Math.min(0, ...form.items.map((item) => item.id)) - 1;
  return { ...form, items: [...form.items, { id, label: '', salesTaxType: 0, percentage: 0, deleted: false }] };
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
    salesTaxItems: form.items.map(({ percentage, salesTaxType, ...item }) => ({
      ...item,
      salesTaxType: salesTaxType ?? -1,
      percentage: decimal(percentage ?? 0),
    })),
    ...(form.rowVersion === null ? {} : { rowVersion: form.rowVersion }),
  };
}

/** Returns messages by field path (core/salestax). An empty percentage is an error. */
export function taxFaults(form: TaxForm): FieldMessages {
  const faults = checkSalesTax(taxInput(form));
  form.items.forEach((item, index) => {
    if (item.percentage === null && !item.deleted) {
      faults[`salesTaxItems.${index}.percentage`] = 'Please enter a percentage from 0 to 100';
    }
  });
  return faults;
}

/** Returns the total rate for a taxable line, for example "6.75%". */
export function totalPercentage(percentages: readonly Decimal[]): string {
  return displayPercentage(percentages.reduce((all, each) => all.plus(each), decimal(0)));
}
