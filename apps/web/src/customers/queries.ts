import { billingCalls } from '@evenkeel/contract/billing';
import { type CustomerRow, type Entity, entityCalls, type EntityInput } from '@evenkeel/contract/entities';
import { settingsCalls } from '@evenkeel/contract/settings';
import { CUSTOMER } from '@evenkeel/core/entities';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useRead, useWrite } from '../api.ts';
import { useLoadAlert, wholeList } from '../records/reads.ts';

/** All customers, once; a save or delete changes the list in place (Specification part 1 §4 "Data lists"). */
export function useCustomers() {
  const read = useRead(entityCalls.listCustomers, { query: {} });
  const error = useLoadAlert(read.error, 'Error Loading Customers');
  return { rows: wholeList(read.data), error, retry: () => void read.refetch() };
}

/** One customer, also a deactivated one. */
export function useCustomer(id: number) {
  const read = useRead(entityCalls.getCustomer, { params: { id } }, { enabled: id > 0 });
  const error = useLoadAlert(read.error, 'Error Loading Customer');
  return { customer: read.data, error, retry: () => void read.refetch() };
}

/** Invoices and payments of a customer, newest first as the server answers them. */
export function useCustomerHistory(customerId: number) {
  const read = useRead(billingCalls.customerHistory, { params: { customerId } });
  const error = useLoadAlert(read.error, 'Error Loading Billing Invoices');
  return { rows: read.data, error, retry: () => void read.refetch() };
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

function rowOf(entity: Entity): CustomerRow {
  const { id, displayname, emailAddress, primaryContactPhone, currentbalance } = entity;
  return { id, displayname, emailAddress, primaryContactPhone, currentbalance };
}

type ListReply = readonly CustomerRow[] | { items: readonly CustomerRow[] } | undefined;

/** Puts a row in its place in the lists that were read whole; other lists are read again when next seen. */
async function changeLists(client: QueryClient, change: (rows: readonly CustomerRow[]) => readonly CustomerRow[]) {
  const queryKey = [entityCalls.listCustomers.path];
  await client.cancelQueries({ queryKey });
  client.setQueriesData<ListReply>({ queryKey }, (old) => (old === undefined || 'items' in old ? old : change(old)));
  await client.invalidateQueries({ queryKey, refetchType: 'none' });
}

function kept(rows: readonly CustomerRow[], entity: Entity): readonly CustomerRow[] {
  const row = rowOf(entity);
  if (entity.deleted) return rows.filter((each) => each.id !== row.id);
  return rows.some((each) => each.id === row.id)
    ? rows.map((each) => (each.id === row.id ? row : each))
    : [...rows, row];
}

/** Saves a customer (id 0 creates) and keeps the lists and the record in step. */
export function useSaveCustomer() {
  const client = useQueryClient();
  const create = useWrite(entityCalls.createCustomer);
  const update = useWrite(entityCalls.updateCustomer);
  return async (id: number, body: EntityInput): Promise<Entity> => {
    const saved = id > 0 ? await update.mutateAsync({ params: { id }, body }) : await create.mutateAsync({ body });
    client.setQueryData([entityCalls.getCustomer.path, { params: { id: saved.id } }], saved);
    await changeLists(client, (rows) => kept(rows, saved));
    return saved;
  };
}

/** Deletes a customer; one with history is deactivated by the server. */
export function useDeleteCustomer() {
  const client = useQueryClient();
  const remove = useWrite(entityCalls.deleteCustomer);
  return async (id: number): Promise<true> => {
    await remove.mutateAsync({ params: { id } });
    await client.invalidateQueries({ queryKey: [entityCalls.getCustomer.path], refetchType: 'none' });
    await changeLists(client, (rows) => rows.filter((row) => row.id !== id));
    return true;
  };
}
