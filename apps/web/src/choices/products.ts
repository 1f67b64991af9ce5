import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { useRead } from '../api.ts';
import { useLoadAlert } from '../records/reads.ts';
import { useAccountChoices } from './accounts.ts';
import { useDimensions } from './dimensions.ts';

/** What lines of invoices and packages pick from: products, packages and discounts. */
export function usePickable() {
  const read = useRead(catalogueCalls.listProductsAndPackages, {});
  useLoadAlert(read.error, 'Error Loading Items');
  return read.data ?? [];
}

/** What a line of an invoice picks from: products, income accounts, profit centers, locations. */
export function useLineChoices() {
  return { ...useDimensions(), ...useAccountChoices(), products: usePickable().filter((item) => item.isProduct) };
}
export type LineChoices = ReturnType<typeof useLineChoices>;
