import { catalogueCalls, type ProductOrPackage } from '@evenkeel/contract/catalogue';
import { ZERO } from '@evenkeel/core/money';
import type { GivenDiscount } from '@evenkeel/core/documents/packages';
import { useMemo } from 'react';
import { ask, inAlert, useRead } from '../../client/api.ts';
import { useAccountChoices } from './accounts.ts';
import { useDimensions } from './dimensions.ts';

const NONE: readonly ProductOrPackage[] = [];

/** Products, packages and discounts, from which lines of invoices and packages pick. */
export function usePickable() {
  const { value: items = NONE, isLoading: isLoadingItems } = useRead(
    ask(catalogueCalls.listProductsAndPackages, {}),
    inAlert('Error Loading Items'),
  );
  return useMemo(() => ({ items, isLoadingItems }), [items, isLoadingItems]);
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

/** Choices of an invoice’s line, and which it must name. One object until a choice changes. */
export function useLineChoices() {
  const dimensions = useDimensions();
  const accounts = useAccountChoices();
  const goods = usePickable();
  return useMemo(() => ({ ...dimensions, ...accounts, ...goods }), [dimensions, accounts, goods]);
}
export type LineChoices = ReturnType<typeof useLineChoices>;
