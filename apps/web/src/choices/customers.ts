import { type EntityRow, entityCalls } from '@evenkeel/contract/entities';
import { useRead } from '../api.ts';
import { useLoadAlert, wholeList } from '../records/reads.ts';

/** The active customers; undefined while they are read. */
export function useCustomerRows(): readonly EntityRow[] | undefined {
  const read = useRead(entityCalls.listCustomers, { query: {} });
  useLoadAlert(read.error, 'Error Loading Customers');
  return wholeList(read.data);
}
