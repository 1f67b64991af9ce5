import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { dashboardCalls } from '@evenkeel/contract/dashboard';
import { entityCalls } from '@evenkeel/contract/entities';
import { useRead } from '../api.ts';
import { totalOf, useLoadAlert } from '../records/reads.ts';

/** All figures of the start page: one small answer, whatever the size of the books; undefined while it loads. */
export function useDashboard() {
  const read = useRead(dashboardCalls.getDashboard, {});
  const error = useLoadAlert(read.error, 'Error Loading Dashboard');
  return { figures: read.data, error, retry: () => void read.refetch() };
}

/** Whether there is a customer and a product yet, for the next steps of an empty company. */
export function useBeginnings() {
  const customers = useRead(entityCalls.listCustomers, { query: { limit: 1 } });
  const products = useRead(catalogueCalls.listProducts, { query: { limit: 1 } });
  return {
    hasCustomer: (totalOf(customers.data) ?? 0) > 0,
    hasProduct: (totalOf(products.data) ?? 0) > 0,
  };
}
