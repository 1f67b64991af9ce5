import { FIXED, PERCENTAGE } from '@evenkeel/core/documents/discounts';
import type { PriceableLine, PricedInvoice, PricedLine } from '@evenkeel/core/documents/invoice';
import { type Cents, ZERO, decimal, fromPlain } from '@evenkeel/core/money';
import {
  type GivenDiscount,
  MY_DISCOUNTS,
  NO_DISCOUNTS,
  SMART_DISCOUNT,
  type SoldPackage,
  type SoldProduct,
  postedParts,
  sellPackage,
} from '@evenkeel/core/documents/packages';
import { PRODUCT } from '@evenkeel/core/documents/products';
import { found } from './documents.ts';
import type { InvoiceEvent, Scenario } from './scenario.ts';

/** The prices of a scenario's products, packages, and discounts. */
export class Prices {
  private readonly scenario: Scenario;

  constructor(scenario: Scenario) {
    this.scenario = scenario;
  }

  /** Returns the sales tax rates in the order of the scenario. */
  rates() {
    const { rates = [], combined } = this.scenario.tax ?? {};
    return rates.map((rate, index) => ({ ...rate, id: index + 1, percentage: decimal(rate.percentage), combined }));
  }

  /** Returns the lines with their components. A percentage keeps its amount while the invoice has payments. */
  priceable(
    { lines }: Pick<InvoiceEvent, 'lines'>,
    old: { event: InvoiceEvent; priced: PricedInvoice } | undefined,
    applied: Cents,
  ): PriceableLine[] {
    return lines.map((line, index) => {
      const isSame = line.discount !== undefined && old?.event.lines[index]?.discount === line.discount;
      const before = isSame && applied !== 0 ? old.priced.lines[index] : undefined;
      const base = before?.discountBase ?? null;
      const terms = line.discount === undefined ? undefined : this.discount(line.discount);
      return {
        itemPrice: decimal(line.itemPrice),
        quantity: decimal(line.quantity),
        taxable: line.taxable,
        product: line.product === null ? undefined : { productServiceType: PRODUCT, productCategoryID: null },
        package: line.package === undefined ? undefined : this.package(line.package),
        discount:
          terms === undefined || before === undefined || base === null
            ? terms
            : { ...terms, kept: { amount: before.lineItemAmount, itemAmount: before.itemAmount, base } },
      };
    });
  }

  partsOf(line: InvoiceEvent['lines'][number], priced: PricedLine | undefined) {
    if (line.package === undefined) return null;
    return postedParts(this.package(line.package).parts, priced?.partAmounts ?? []);
  }

  private discount(name: string): GivenDiscount {
    const index = this.scenario.discounts.findIndex((each) => each.name === name);
    const { amount, percentage, accountId } = found(this.scenario.discounts[index], `Discount ${name}`);
    return {
      discountID: index + 1,
      name,
      GLAccountID: accountId,
      profitCenterID: null,
      discountType: percentage === null ? FIXED : PERCENTAGE,
      discountTypeTarget: PRODUCT,
      productCategoryID: null,
      discountPercentage: percentage ?? '0',
      discountFlatValue: amount ?? ZERO,
    };
  }

  private package(name: string): SoldPackage {
    const { goal, items } = found(
      this.scenario.packages.find((each) => each.name === name),
      `Package ${name}`,
    );
    const hasDiscounts = items.some(({ kind }) => kind === 'discount');
    return sellPackage({
      packageDealDiscountType: goal !== null ? SMART_DISCOUNT : hasDiscounts ? MY_DISCOUNTS : NO_DISCOUNTS,
      goalPrice: goal ?? ZERO,
      items: items.map((item) => ({
        quantity: decimal(item.quantity),
        product: item.kind === 'product' ? this.product(item.name) : null,
        discount: item.kind === 'discount' ? this.discount(item.name) : null,
      })),
    });
  }

  private product(name: string): SoldProduct {
    const index = this.scenario.products.findIndex((each) => each.name === name);
    const { price, accountId, taxable } = found(this.scenario.products[index], `Product ${name}`);
    return {
      productID: index + 1,
      name,
      salesPrice: fromPlain(price),
      taxable,
      GLAccountID: accountId,
      profitCenterID: null,
      productServiceType: PRODUCT,
      productCategoryID: null,
    };
  }
}
