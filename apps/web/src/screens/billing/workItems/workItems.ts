import { type WorkItem, workItemCalls, type WorkItemInput, type WorkItemRow } from '@evenkeel/contract/workitems';
import { ask, inAlert, useRead, useReadNow } from '../../../client/api.ts';
import { totalOf } from '../../../records/reads.ts';
import { records } from '../../../records/records.ts';

/** The customers that work items are counted by. */
export const CUSTOMER_WORDS = { one: 'customer', many: 'customers' };

/** Work items that are not billed. */
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

/** The number of work items that are not billed; undefined until it is known. */
export function useWorkItemCount(): number | undefined {
  const { value } = useRead(WORK_ITEMS.list(false, { limit: 1 }), {
    keep: true,
    ...inAlert(WORK_ITEMS.words.loadAll),
  });
  return totalOf(value);
}

const CANDIDATES = ask(workItemCalls.listWorkItemInvoices, {});

/** The invoices that would be made of them: anew each time, since others bill too. `readNow` asks again. */
export function useCandidates() {
  const read = useReadNow();
  return { ...useRead(CANDIDATES, { isFresh: true }), readNow: () => read(CANDIDATES) };
}
