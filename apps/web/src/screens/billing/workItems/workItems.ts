import { type WorkItem, workItemCalls, type WorkItemInput, type WorkItemRow } from '@evenkeel/contract/workitems';
import { ask, inAlert, useRead, useReadNow } from '../../../client/api.ts';
import { totalOf } from '../../../records/reads.ts';
import { records } from '../../../records/records.ts';

/** The noun for counting customers that have work items. */
export const CUSTOMER_WORDS = { one: 'customer', many: 'customers' };

/** The unbilled work items. */
export const WORK_ITEMS = records<WorkItemRow, WorkItem, WorkItemInput>({
  words: {
    one: 'work item',
    many: 'work items',
    loadAll: 'Error Loading Work Items',
    loadOne: 'Error Loading Work Item',
  },
  idOf: ({ id }) => id,
  list: (_, query) => ask(workItemCalls.listWorkItems, { query }),
  get: (id) => ask(workItemCalls.getWorkItem, { params: { id } }),
  create: (body) => ask(workItemCalls.createWorkItem, { body }),
  update: (id, body) => ask(workItemCalls.updateWorkItem, { body: { ...body, id } }),
  remove: (id) => ask(workItemCalls.deleteWorkItem, { params: { id } }),
});

/** Returns the number of unbilled work items, or undefined until they have loaded. */
export function useWorkItemCount(): number | undefined {
  const { value } = useRead(WORK_ITEMS.list(false, { limit: 1 }), {
    keep: true,
    ...inAlert(WORK_ITEMS.words.loadAll),
  });
  return totalOf(value);
}

const CANDIDATES = ask(workItemCalls.listWorkItemInvoices, {});

/**
 * Loads the invoices that billing would create. They are never cached, because other users may bill too. `readNow`
 * loads them again.
 */
export function useCandidates() {
  const read = useReadNow();
  return { ...useRead(CANDIDATES, { isFresh: true }), readNow: () => read(CANDIDATES) };
}
