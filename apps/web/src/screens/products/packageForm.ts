import type { PackageDeal, PackageDealInput, PackageLineItem, ProductOrPackage } from '@evenkeel/contract/catalogue';
import type { FieldMessages } from '@evenkeel/core/failure';
import { decimal, toCents, toDecimal, ZERO } from '@evenkeel/core/money';
import {
  checkPackage,
  type GivenDiscount,
  MY_DISCOUNTS,
  NO_DISCOUNTS,
  PACKAGE_NEGATIVE,
  type PackageItem,
  pricePackage,
  type SoldProduct,
} from '@evenkeel/core/documents/packages';
import * as z from 'zod';
import { AttachmentsForm, attachmentsFormOf, attachmentsInput } from '../../parts/attachments/attachmentForm.ts';
import { discountOf } from '../../parts/choices/products.ts';
import { asForm, blankOf, Money } from '../../records/formFields.ts';

/** The data of the Package Deal form, its totals, validation, and request. */

const Line = z.object({
  /** The line's ID, which is negative until the line is saved. */
  packageLineItemID: z.number(),
  /** A line has either a product or a discount. */
  productID: z.number().nullable(),
  discountID: z.number().nullable(),
  quantity: z.number(),
});
export type PackageLine = z.output<typeof Line>;

export const PackageForm = z.object({
  name: z.string(),
  description: z.string(),
  /** 0 for no discount, 1 for My Discounts, 2 for the smart discount. */
  packageDealDiscountType: z.number(),
  goalPrice: Money.nullable(),
  lines: z.array(Line),
  /** The discounts that were selected before the mode changed. Changing the mode back restores them. */
  aside: z.array(Line),
  documentLinks: AttachmentsForm,
  rowVersion: z.number().nullable(),
});
export type PackageForm = z.output<typeof PackageForm>;

const blankPackage: PackageForm = blankOf(PackageForm, { packageDealDiscountType: NO_DISCOUNTS });

export function packageFormOf(deal: PackageDeal | undefined): PackageForm {
  if (deal === undefined) return blankPackage;
  const lines = deal.packageLineItems.map(({ packageLineItemID, productID, discountID, quantity }) => {
    return { packageLineItemID, productID, discountID, quantity: Number(quantity) };
  });
  return asForm(PackageForm, { ...deal, lines, aside: [], documentLinks: attachmentsFormOf(deal.documentLinks) });
}

/**
 * Returns the form in another mode. Leaving "My Discounts" removes the discounts, and returning to it restores them.
 */
export function inMode(form: PackageForm, packageDealDiscountType: number): PackageForm {
  const isMine = packageDealDiscountType === MY_DISCOUNTS;
  const own = form.lines.filter((line) => line.discountID !== null);
  return {
    ...form,
    packageDealDiscountType,
    lines: isMine ? [...form.lines, ...form.aside] : form.lines.filter((line) => line.discountID === null),
    aside: isMine ? [] : [...form.aside, ...own],
  };
}

export function withLine(form: PackageForm, line: Omit<PackageLine, 'packageLineItemID'>): PackageForm {
  const packageLineItemID = Math.min(0, ...[...form.lines, ...form.aside].map((each) => each.packageLineItemID)) - 1;
  return { ...form, lines: [...form.lines, { packageLineItemID, ...line }] };
}

export function withoutLine(form: PackageForm, id: number): PackageForm {
  return { ...form, lines: form.lines.filter((line) => line.packageLineItemID !== id) };
}

/**
 * The items that lines can use: all offered items, and the saved package's items even if they are no longer offered.
 */
export interface PackageGoods {
  products: SoldProduct[];
  discounts: GivenDiscount[];
}

export function goodsOf(offered: readonly ProductOrPackage[], saved: readonly PackageLineItem[] = []): PackageGoods {
  const products = offered.flatMap((item) => (item.isProduct ? [productOf(item)] : []));
  const discounts = offered.flatMap((item) => (item.isDiscount ? [discountOf(item)] : []));
  return {
    products: [
      ...products,
      ...saved.flatMap(({ product }) =>
        product === null || products.some((one) => one.productID === product.productID) ? [] : [product],
      ),
    ],
    discounts: [
      ...discounts,
      ...saved.flatMap(({ discount }) =>
        discount === null || discounts.some((one) => one.discountID === discount.discountID) ? [] : [discount],
      ),
    ],
  };
}

function productOf(item: ProductOrPackage): SoldProduct {
  const { id: productID, name, taxable, profitCenterID, productServiceType, productCategoryID } = item;
  const salesPrice = item.calculatedTotal;
  const GLAccountID = item.GLAccountID ?? 0;
  return { productID, name, salesPrice, taxable, GLAccountID, profitCenterID, productServiceType, productCategoryID };
}

/** Returns the value of each line and the package total in cents for display, calculated with the server's function. */
export function packageTotals(form: PackageForm, goods: PackageGoods) {
  const items = form.lines.map((line): PackageItem => ({
    quantity: decimal(line.quantity),
    product: goods.products.find((one) => one.productID === line.productID) ?? null,
    discount: goods.discounts.find((one) => one.discountID === line.discountID) ?? null,
  }));
  const { packageDealDiscountType, goalPrice } = form;
  const priced = pricePackage({ packageDealDiscountType, goalPrice: goalPrice ?? ZERO, items });
  return {
    items,
    values: priced.values.map(toCents),
    total: toCents(priced.total),
    isNegative: priced.total.lt(0),
    smart: priced.smart && { ...priced.smart, cents: toCents(priced.smart.amount) },
  };
}

/** Returns messages by field. */
export function packageFaults(form: PackageForm, goods: PackageGoods): FieldMessages {
  const faults = checkPackage({ ...form, packageLineItems: form.lines });
  if (Object.keys(faults).length > 0 || !packageTotals(form, goods).isNegative) return faults;
  return { packageLineItems: PACKAGE_NEGATIVE };
}

export function packageInput({ lines, aside: _, ...form }: PackageForm): PackageDealInput {
  const packageLineItems = lines.map((line) => {
    return { ...line, isAProductLine: line.productID !== null, quantity: decimal(line.quantity) };
  });
  const documentLinks = attachmentsInput(form.documentLinks);
  return { ...form, goalPrice: form.goalPrice ?? ZERO, packageLineItems, documentLinks };
}

/** Returns whether the price is 0.00, which the line shows as text. */
export function isFree({ product }: PackageItem): boolean {
  return product !== null && toDecimal(product.salesPrice).eq(0);
}
