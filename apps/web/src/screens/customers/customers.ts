import { billingCalls } from '@evenkeel/contract/billing';
import { Entity, entityCalls, type EntityInput, type EntityRow } from '@evenkeel/contract/entities';
import { CUSTOMER } from '@evenkeel/core/entities';
import { ask, useRead } from '../../client/api.ts';
import { CUSTOMERS as SOURCE } from '../../parts/choices/entities.ts';
import { asked, type ListedKind } from '../../parts/entities/kind.ts';
import { records } from '../../records/records.ts';

/** Customers, with the alerts for loading and saving errors. */
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
  list: (inactive, page) => ask(entityCalls.listCustomers, { query: asked(inactive, page) }),
  get: (id) => ask(entityCalls.getCustomer, { params: { id } }),
  create: (body) => ask(entityCalls.createCustomer, { body }),
  update: (id, body) => ask(entityCalls.updateCustomer, { params: { id }, body }),
  remove: (id) => ask(entityCalls.deleteCustomer, { params: { id } }),
});

export const CUSTOMERS: ListedKind = {
  kind: CUSTOMER,
  name: 'customer',
  records: customers,
  manager: 'Manage Customers',
  reply: Entity,
  choose: SOURCE.choose,
};

/** Loads a customer's invoices and payments, newest first. */
export function useCustomerHistory(customerId: number) {
  const asked = ask(billingCalls.customerHistory, { params: { customerId } });
  return useRead(asked, { alert: 'Error Loading Billing Invoices' });
}
