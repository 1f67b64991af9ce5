import { billingCalls } from '@evenkeel/contract/billing';
import type { ListStatus } from '@evenkeel/contract/subledger';
import type { IsoDate } from '@evenkeel/core/dates';
import { billingStatuses } from '@evenkeel/core/documents/invoice';
import { useMemo } from 'react';
import { ask, inAlert, useRead } from '../../client/api.ts';
import { CUSTOMERS, useEntityChoice } from '../../parts/choices/entities.ts';
import { useSalesTaxScenarios } from '../../parts/choices/salesTax.ts';
import type { PageAsk } from '../../records/reads.ts';
import { useList } from '../../records/records.ts';
import { INVOICES } from './records.ts';

/**
 * Loads the invoices dated from `fromDate` to `toDate`, or those that match a filter, newest first. The previous
 * invoices stay visible until the new ones have loaded.
 */
export function useInvoiceHistory(fromDate: IsoDate, toDate: IsoDate, status: ListStatus) {
  const body = { fromDate, toDate };
  const newest = { sort: 'invoiceDate', desc: 'true' } as const;
  const list = (_: boolean, page: PageAsk) =>
    ask(billingCalls.invoiceHistory, {
      body,
      query: { ...page, ...(page.sort === undefined && newest), ...(status !== 'all' && { status }) },
    });
  return useList({ list, words: INVOICES.words });
}

/** Loads the tax scenarios, and the customer's own tax settings if the user can see them. */
export function useTaxSources(customerId: number | null) {
  return { scenarios: useSalesTaxScenarios(), customer: useEntityChoice(CUSTOMERS, customerId) };
}

/** Loads the billing statuses. Until the list has loaded, returns the built-in statuses, which are the same. */
export function useBillingStatuses() {
  const told = inAlert('Error Loading Billing Invoice');
  const { value = billingStatuses } = useRead(ask(billingCalls.listStatuses, {}), told);
  return useMemo(
    () =>
      value
        .toSorted((a, b) => a.displayOrder - b.displayOrder)
        .map(({ id, displayName }) => ({ id, label: displayName })),
    [value],
  );
}
