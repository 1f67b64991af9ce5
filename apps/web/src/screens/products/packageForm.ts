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

/** The Package Deal form as data: what is in it, what it comes to, what is wrong with it, what is sent. */

const Line = z.object({
  /** Negative until it is saved. */
  packageLineItemID: z.number(),
  /** One of the two. */
  productID: z.number().nullable(),
  discountID: z.number().nullable(),
  quantity: z.number(),
});
export type PackageLine = z.output<typeof Line>;

export const PackageForm = z.object({
  name: z.string(),
  description: z.string(),
  /** 0 none, 1 my discounts, 2 smart discount. */
  packageDealDiscountType: z.number(),
  goalPrice: Money.nullable(),
  lines: z.array(Line),
  /** The discounts that were chosen before another mode was: switching back brings them again. */
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

/** The form in another mode: discounts leave with "My Discounts" and come back with it. */
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

/** Items that lines may name: offered ones, and those of the saved package, though they may no longer be offered. */
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

/** The value of each line and the package's total, by the server's own function; cents for showing. */
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

/** Messages by field. */
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

/** A price of 0.00: the line says so instead. */
export function isFree({ product }: PackageItem): boolean {
  return product !== null && toDecimal(product.salesPrice).eq(0);
}
