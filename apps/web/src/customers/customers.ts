import { billingCalls } from '@evenkeel/contract/billing';
import { type EntityRow, type Entity, entityCalls, type EntityInput } from '@evenkeel/contract/entities';
import { settingsCalls } from '@evenkeel/contract/settings';
import { CUSTOMER } from '@evenkeel/core/entities';
import { useMemo } from 'react';
import { ask, useRead } from '../api.ts';
import { useLoadAlert } from '../records/reads.ts';
import { type Read, records } from '../records/records.ts';

/** Customers, with what the specification says when one cannot be loaded or saved (part 1 §8). */
export const customers = records<EntityRow, Entity, EntityInput>({
  words: {
    one: 'customer',
    many: 'customers',
    loadAll: 'Error Loading Customers',
    loadOne: 'Error Loading Customer',
    create: 'Failure Saving Customer',
    update: 'Failure Updating Customer',
  },
  idOf: (one) => one.id,
  list: (_, query) => ask(entityCalls.listCustomers, { query }),
  get: (id) => ask(entityCalls.getCustomer, { params: { id } }),
  create: (body) => ask(entityCalls.createCustomer, { body }),
  update: (id, body) => ask(entityCalls.updateCustomer, { params: { id }, body }),
  remove: (id) => ask(entityCalls.deleteCustomer, { params: { id } }),
});

/** Invoices and payments of a customer, newest first as the server answers them. */
export function useCustomerHistory(customerId: number) {
  const read = useRead(billingCalls.customerHistory, { params: { customerId } });
  const error = useLoadAlert(read.error, 'Error Loading Billing Invoices');
  return { value: read.data, error, retry: () => void read.refetch() } satisfies Read<unknown>;
}

const NO_DEFINITIONS: readonly never[] = [];

/** Definitions of the Info tab; none while they load. */
export function usePropertyDefinitions() {
  const read = useRead(settingsCalls.entityDetails, { params: { kind: CUSTOMER } });
  return read.data ?? NO_DEFINITIONS;
}

/** Sales tax scenarios to choose from; the first is the company's default. */
export function useScenarioOptions() {
  const read = useRead(settingsCalls.listSalesTax, {});
  useLoadAlert(read.error, 'Error Loading Sales Tax Scenario');
  return useMemo(
    () =>
      (read.data ?? []).map((scenario, index) => {
        const items = scenario.salesTaxItems.filter((item) => !item.deleted);
        const words = items.map((item) => `${item.displayLabel} ${item.displayValue}`).join(', ');
        return { id: scenario.id, label: words === '' ? `Scenario ${index + 1}, no tax` : words };
      }),
    [read.data],
  );
}
