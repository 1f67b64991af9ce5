import { catalogueCalls, type ProductOrPackage } from '@evenkeel/contract/catalogue';
import { ZERO } from '@evenkeel/core/money';
import type { GivenDiscount } from '@evenkeel/core/packages';
import { useRead } from '../api.ts';
import { useLoadAlert } from '../records/reads.ts';
import { useAccountChoices } from './accounts.ts';
import { useDimensions } from './dimensions.ts';

/** What lines of invoices and packages pick from: products, packages and discounts. */
export function usePickable() {
  const read = useRead(catalogueCalls.listProductsAndPackages, {});
  useLoadAlert(read.error, 'Error Loading Items', read.refetch);
  return { items: read.data ?? [], isLoadingItems: read.isPending };
}

/** A discount as lines give it. */
export function discountOf(item: ProductOrPackage): GivenDiscount {
  return {
    discountID: item.id,
    name: item.name,
    GLAccountID: item.GLAccountID ?? 0,
    profitCenterID: item.profitCenterID,
    discountType: item.discountType ?? 0,
    discountTypeTarget: item.discountTypeTarget ?? 0,
    productCategoryID: item.productCategoryID,
    discountPercentage: item.discountPercentage ?? '0',
    discountFlatValue: item.discountFlatValue ?? ZERO,
  };
}

/** What a line of an invoice picks from: products, income accounts, profit centers, locations. */
export function useLineChoices() {
  return { ...useDimensions(), ...useAccountChoices(), ...usePickable() };
}
export type LineChoices = ReturnType<typeof useLineChoices>;
