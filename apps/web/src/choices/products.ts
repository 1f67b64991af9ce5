import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { useRead } from '../api.ts';
import { useLoadAlert } from '../records/reads.ts';
import { useAccountChoices } from './accounts.ts';
import { useDimensions } from './dimensions.ts';

/** The products that lines of an invoice pick from. */
export function useProductChoices() {
  const read = useRead(catalogueCalls.listProductsAndPackages, {});
  useLoadAlert(read.error, 'Error Loading Items');
  return (read.data ?? []).filter((item) => item.isProduct);
}

/** What a line of an invoice picks from: products, income accounts, profit centers, locations. */
export function useLineChoices() {
  return { ...useDimensions(), ...useAccountChoices(), products: useProductChoices() };
}
export type LineChoices = ReturnType<typeof useLineChoices>;
