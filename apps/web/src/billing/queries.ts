import { billingCalls } from '@evenkeel/contract/billing';
import { settingsCalls } from '@evenkeel/contract/settings';
import type { IsoDate } from '@evenkeel/core/dates';
import { useRead } from '../api.ts';
import { useCustomerRows } from '../choices/customers.ts';
import { useLoadAlert } from '../records/reads.ts';

/** Invoices dated from `fromDate` to `toDate`; the last window stays while the next is read. */
export function useInvoiceHistory(fromDate: IsoDate, toDate: IsoDate) {
  const read = useRead(billingCalls.invoiceHistory, { body: { fromDate, toDate } }, { keep: true });
  const error = useLoadAlert(read.error, 'Error Loading Billing Invoices');
  return { rows: read.data, error, busy: read.isPlaceholderData, retry: () => void read.refetch() };
}

/** Where tax comes from: the scenarios, and what the list of customers tells those who bill of the customer's own. */
export function useTaxSources(customerId: number | null) {
  const customer = useCustomerRows()?.find((row) => row.id === customerId);
  const scenarios = useRead(settingsCalls.listSalesTax, {});
  useLoadAlert(scenarios.error, 'Error Loading Sales Tax Scenario');
  return { scenarios: scenarios.data, customer };
}

export function useBillingStatuses() {
  const read = useRead(billingCalls.listStatuses, {});
  return (read.data ?? [])
    .toSorted((a, b) => a.displayOrder - b.displayOrder)
    .map(({ id, displayName }) => ({ id, label: displayName }));
}
