import type { BillingInvoice } from '@evenkeel/contract/billing';
import type { EntityRow } from '@evenkeel/contract/entities';
import type { SalesTaxScenario } from '@evenkeel/contract/settings';
import { rateOn, type TaxRate } from '@evenkeel/core/documents/tax';
import type { EntryForm } from './invoiceForm.ts';

export interface TaxSources {
  form: Pick<EntryForm, 'customerId' | 'invoiceDate'>;
  /**
   * The saved invoice, whose tax rates stay the same until its date or customer changes (docs/accounting.md, "Invoice
   * amounts").
   */
  saved: Pick<BillingInvoice, 'customerId' | 'invoiceDate' | 'taxItems'> | undefined;
  /** The selected customer. Undefined while loading, or if the customer is no longer in the list. */
  customer: Pick<EntityRow, 'taxExempt' | 'salesTaxScenarioId'> | undefined;
  scenarios: readonly SalesTaxScenario[] | undefined;
}

/**
 * Returns the tax rates for an invoice: the saved rates, or the rates that the customer's own scenario or the default
 * scenario has on the invoice date. Empty if the customer is exempt.
 */
export function ratesOf({ form, saved, customer, scenarios }: TaxSources): TaxRate[] | undefined {
  if (saved !== undefined && saved.customerId === form.customerId && saved.invoiceDate === form.invoiceDate) {
    return saved.taxItems.map(({ id, label, salesTaxType, percentage, combined }) => {
      return { id, label, salesTaxType, percentage, combined };
    });
  }
  if (form.customerId === null) return [];
  if (scenarios === undefined || customer === undefined) return undefined;
  if (customer.taxExempt === true) return [];
  const own = scenarios.find((scenario) => scenario.id === customer.salesTaxScenarioId);
  const scenario = own ?? scenarios[0];
  const combined = scenario?.taxRounding === 'combined';
  return (scenario?.salesTaxItems ?? [])
    .filter((item) => !item.deleted)
    .toSorted((a, b) => a.id - b.id)
    .map((item) => {
      const { id, label, salesTaxType, percentage } = rateOn(item, form.invoiceDate);
      return { id, label, salesTaxType, percentage, combined };
    });
}
