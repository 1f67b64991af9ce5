import type { ProductOrPackage } from '@evenkeel/contract/catalogue';
import { cents } from '@evenkeel/core/money';

/** Returns an item in the format of the list of all sold items. By default, the item is a product. */
export const soldItem = (id: number, given: Partial<ProductOrPackage> = {}): ProductOrPackage => ({
  itemKey: `product-${id}`,
  id,
  name: `Item ${id}`,
  description: '',
  isProduct: true,
  isPackage: false,
  isDiscount: false,
  discountDisplay: '',
  calculatedTotal: cents(0),
  taxable: true,
  GLAccountID: 140,
  profitCenterID: null,
  productServiceType: 1,
  productCategoryID: null,
  startDate: null,
  endDate: null,
  discountType: null,
  discountTypeTarget: null,
  discountPercentage: null,
  discountFlatValue: null,
  packageDealDiscountType: null,
  goalPrice: null,
  packageLineItems: [],
  ...given,
});
