import * as z from 'zod';
import { DocumentLink, documentLinksInput } from './attachments.ts';
import { endpoint, InactiveQuery, listOf, PageQuery } from './endpoint.ts';
import { DateField, decimalField, Done, Id, IdText, LineId, maybe, Price, RowVersion, text, Usd } from './fields.ts';
import { alias } from './wire.ts';

/** Products and services. */

/** The name fields of products, discounts, and package deals. */
const named = { entityID: Id, name: z.string(), description: z.string() };
const namedInput = { name: maybe(text(200)), description: maybe(text(2000)) };

/** The account and the availability dates of products and discounts. */
const offered = {
  GLAccountID: Id,
  profitCenterID: Id.nullable(),
  startDate: DateField.nullable(),
  startDateInUse: z.boolean(),
  endDate: DateField.nullable(),
  endDateInUse: z.boolean(),
};
const offeredInput = {
  productCategoryID: maybe(Id),
  GLAccountID: maybe(Id),
  profitCenterID: maybe(Id),
  startDate: maybe(DateField),
  startDateInUse: maybe(z.boolean()),
  endDate: maybe(DateField),
  endDateInUse: maybe(z.boolean()),
};

/** An inactive record is no longer offered, but documents still refer to it. */
const kept = { deleted: z.boolean(), rowVersion: RowVersion };
/** If `deleted` is false, an inactive record becomes active again. Ignored for a new record. */
const keptInput = { deleted: maybe(z.boolean()), rowVersion: maybe(RowVersion) };

export const Product = z.object({
  productID: Id,
  ...named,
  version: z.string(),
  salesPrice: Usd,
  taxable: z.boolean(),
  productCategoryID: Id.nullable(),
  categoryName: z.string(),
  ...offered,
  productServiceType: z.number().int(),
  documentLinks: z.array(DocumentLink),
  ...kept,
});
export type Product = z.output<typeof Product>;

/** A row in the product list. */
export const ProductRow = z.object({
  productID: Id,
  name: z.string(),
  description: z.string(),
  version: z.string(),
  categoryName: z.string(),
  salesPrice: Usd,
  /** Whether the record is inactive. Inactive records are included only on request. */
  deleted: z.boolean(),
});
export type ProductRow = z.output<typeof ProductRow>;

/** core/products checks the required fields and reports missing ones. */
export const ProductInput = z.object({
  /** The product's ID. 0 or negative for a new product. */
  productID: maybe(LineId),
  ...namedInput,
  version: maybe(text(100)),
  salesPrice: maybe(Price),
  taxable: maybe(z.boolean()),
  ...offeredInput,
  /** 1 for a product, 2 for a service. Any other value means 1. */
  productServiceType: maybe(z.unknown()),
  documentLinks: documentLinksInput,
  ...keptInput,
});
export type ProductInput = z.output<typeof ProductInput>;

const discountTerms = {
  /** 0 for a fixed amount, 1 for a percentage. */
  discountType: z.number().int(),
  /** The target: 1 for products, 2 for services. */
  discountTypeTarget: z.number().int(),
  /** The percentage, from 0 to 100. */
  discountPercentage: decimalField(6),
  discountFlatValue: Usd,
  /** Limits the discount to products and services in this category. Null for all categories. */
  productCategoryID: Id.nullable(),
};

export const Discount = z.object({
  discountID: Id,
  ...named,
  ...discountTerms,
  categoryName: z.string(),
  ...offered,
  ...kept,
});
export type Discount = z.output<typeof Discount>;

/** core/discounts checks the required fields. */
export const DiscountInput = z.object({
  discountID: maybe(LineId),
  ...namedInput,
  discountType: maybe(z.number()),
  discountTypeTarget: maybe(z.number()),
  discountPercentage: maybe(decimalField(6)),
  discountFlatValue: maybe(Usd),
  ...offeredInput,
  ...keptInput,
});
export type DiscountInput = z.output<typeof DiscountInput>;

const SoldProduct = z.object({
  productID: Id,
  name: z.string(),
  salesPrice: Usd,
  taxable: z.boolean(),
  GLAccountID: Id,
  profitCenterID: Id.nullable(),
  productServiceType: z.number().int(),
  productCategoryID: Id.nullable(),
});

const GivenDiscount = z.object({
  discountID: Id,
  name: z.string(),
  GLAccountID: Id,
  profitCenterID: Id.nullable(),
  ...discountTerms,
});

const PackageLineItem = z.object({
  packageLineItemID: Id,
  productID: Id.nullable(),
  discountID: Id.nullable(),
  isAProductLine: z.boolean(),
  /** The quantity with at most 4 decimal places. */
  quantity: decimalField(4),
  /** The value in the package, calculated with 6 decimal places. Discounts are negative. */
  totalLineItemValue: decimalField(6),
  /** The product or discount with its current values. */
  product: SoldProduct.nullable(),
  discount: GivenDiscount.nullable(),
});
export type PackageLineItem = z.output<typeof PackageLineItem>;

/** The calculated difference between the products' prices and the goal price. */
const PackageSmartDiscount = z.object({
  smartDiscountID: Id,
  packageID: Id,
  /** Smart Discount, or Smart Premium for a positive amount. */
  name: z.string(),
  percentageValue: decimalField(6),
  displayPercentage: z.string(),
  amount: decimalField(6),
  flatvalue: decimalField(6),
  displayAmount: z.string(),
});

/** A package deal with its products' current prices. */
export const PackageDeal = z.object({
  packageID: Id,
  ...named,
  /** 0 for none, 1 for my discounts, 2 for a smart discount. */
  packageDealDiscountType: z.number().int(),
  goalPrice: Usd,
  packageTotalPrice: decimalField(6),
  packageLineItems: z.array(PackageLineItem),
  smartDiscount: PackageSmartDiscount.nullable(),
  documentLinks: z.array(DocumentLink),
  ...kept,
});
export type PackageDeal = z.output<typeof PackageDeal>;

/** core/packages checks the required fields. */
export const PackageDealInput = z.object({
  packageID: maybe(LineId),
  ...namedInput,
  packageDealDiscountType: maybe(z.number()),
  goalPrice: maybe(Price),
  /**
   * All lines of the package. If omitted, an edited package keeps its saved lines. Discount lines are used only in the
   * "my discounts" mode.
   */
  packageLineItems: maybe(
    z
      .array(
        z.object({
          packageLineItemID: maybe(LineId),
          productID: maybe(Id),
          discountID: maybe(Id),
          isAProductLine: maybe(z.boolean()),
          /** Defaults to 1. */
          quantity: maybe(decimalField(4)),
        }),
      )
      .max(200),
  ),
  documentLinks: documentLinksInput,
  ...keptInput,
});
export type PackageDealInput = z.output<typeof PackageDealInput>;

/** A product, package, or discount for a billing line, with the values that determine its amounts. */
export const ProductOrPackage = z.object({
  itemKey: z.string(),
  id: Id,
  name: z.string(),
  description: z.string(),
  isProduct: z.boolean(),
  isPackage: z.boolean(),
  isDiscount: z.boolean(),
  /** The terms of a discount as text: "10%" or "$5.00". */
  discountDisplay: z.string(),
  /** The unit price. Negative for a fixed discount, and 0 for a percentage. */
  calculatedTotal: Usd,
  taxable: z.boolean(),
  GLAccountID: Id.nullable(),
  profitCenterID: Id.nullable(),
  productServiceType: z.number().int(),
  productCategoryID: Id.nullable(),
  /** The first and last service date for which the item can be selected. Null means no limit. */
  startDate: DateField.nullable(),
  endDate: DateField.nullable(),
  /** The type of a discount. Null for others. */
  discountType: z.number().int().nullable(),
  discountTypeTarget: z.number().int().nullable(),
  discountPercentage: decimalField(6).nullable(),
  discountFlatValue: Usd.nullable(),
  /** The discount mode of a package. For products and discounts, the mode is null and the fields below are empty. */
  packageDealDiscountType: z.number().int().nullable(),
  goalPrice: Usd.nullable(),
  packageLineItems: z.array(PackageLineItem),
});
export type ProductOrPackage = z.output<typeof ProductOrPackage>;

export const ProductCategory = z.object({
  productCategoryID: Id,
  categoryName: z.string(),
  /** Whether the item is offered. False if the item is inactive. */
  active: z.boolean(),
  rowVersion: RowVersion,
});
export type ProductCategory = z.output<typeof ProductCategory>;
const categoryInput = {
  categoryName: maybe(text(100)),
  active: maybe(z.boolean()),
  rowVersion: maybe(RowVersion),
};

/** The parameters of a catalog list: the page, the search text, and whether to include inactive records. */
export const CatalogueQuery = PageQuery.extend(InactiveQuery.shape);
export type CatalogueQuery = z.output<typeof CatalogueQuery>;

export const catalogueCalls = {
  listProducts: endpoint({
    method: 'GET',
    path: '/product',
    needs: 'signed-in',
    summary: 'Lists products and services, sorted by name. Set `inactive` to include inactive ones.',
    query: CatalogueQuery,
    reply: listOf(ProductRow),
  }),
  getProduct: endpoint({
    method: 'GET',
    path: '/product/{id}',
    needs: 'View Products',
    summary: 'Returns a product or service.',
    params: z.object({ id: IdText }),
    reply: Product,
  }),
  createProduct: endpoint({
    method: 'POST',
    path: '/product/CreateProduct',
    needs: 'Manage Products',
    summary: 'Creates a product or service, or updates the one with this ID.',
    body: ProductInput,
    names: 'productID',
    reply: Product,
  }),
  updateProduct: endpoint({
    method: 'PUT',
    path: '/product/UpdateProduct',
    needs: 'Manage Products',
    summary: "Updates a product or service. Existing invoices don't change.",
    body: ProductInput,
    reply: Product,
  }),
  deleteProduct: endpoint({
    method: 'DELETE',
    path: '/product/DeleteProduct',
    needs: 'Manage Products',
    summary: 'Deletes a product, or makes it inactive if it has been used.',
    query: z.object({ ProductID: IdText }),
    reply: Done,
  }),
  listDiscounts: endpoint({
    method: 'GET',
    path: '/discount',
    needs: 'signed-in',
    summary: 'Lists discounts, sorted by name. Set `inactive` to include inactive ones.',
    query: CatalogueQuery,
    reply: listOf(Discount),
  }),
  getDiscount: endpoint({
    method: 'GET',
    path: '/discount/{id}',
    needs: 'View Products',
    summary: 'Returns a discount.',
    params: z.object({ id: IdText }),
    reply: Discount,
  }),
  createDiscount: endpoint({
    method: 'POST',
    path: '/discount/CreateDiscount',
    needs: 'Manage Products',
    summary: 'Creates a fixed-amount or percentage discount, or updates the one with this ID.',
    body: DiscountInput,
    names: 'discountID',
    reply: Discount,
  }),
  updateDiscount: endpoint({
    method: 'PUT',
    path: '/discount/UpdateDiscount',
    needs: 'Manage Products',
    summary: "Updates a discount. Existing invoices don't change.",
    body: DiscountInput,
    reply: Discount,
  }),
  deleteDiscount: endpoint({
    method: 'DELETE',
    path: '/discount/DeleteDiscount',
    needs: 'Manage Products',
    summary: 'Deletes a discount, or makes it inactive if it has been used.',
    query: z.object({ DiscountID: IdText }),
    reply: Done,
  }),
  listPackages: endpoint({
    method: 'GET',
    path: '/package',
    needs: 'signed-in',
    summary: 'Lists package deals, sorted by name. Set `inactive` to include inactive ones.',
    query: CatalogueQuery,
    reply: listOf(PackageDeal),
  }),
  getPackage: endpoint({
    method: 'GET',
    path: '/package/{id}',
    needs: 'View Products',
    summary: 'Returns a package deal and its total.',
    params: z.object({ id: IdText }),
    reply: PackageDeal,
  }),
  createPackage: endpoint({
    method: 'POST',
    path: '/package/CreatePackage',
    needs: 'Manage Products',
    summary: 'Creates a package deal from products and discounts, or updates the one with this ID.',
    body: PackageDealInput,
    names: 'packageID',
    reply: PackageDeal,
  }),
  updatePackage: endpoint({
    method: 'PUT',
    path: '/package/UpdatePackage',
    needs: 'Manage Products',
    summary: "Updates a package deal. Existing invoices don't change.",
    body: PackageDealInput,
    reply: PackageDeal,
  }),
  deletePackage: endpoint({
    method: 'DELETE',
    path: '/package/DeletePackage',
    needs: 'Manage Products',
    summary: 'Deletes a package deal, or makes it inactive if it has been used.',
    query: z.object({ PackageID: IdText }),
    reply: Done,
  }),
  listProductsAndPackages: endpoint({
    method: 'GET',
    path: '/productsandpackages',
    needs: 'signed-in',
    summary: 'Lists the products, package deals, and discounts you can add to a billing line.',
    reply: z.array(ProductOrPackage),
  }),
  listCategories: endpoint({
    method: 'GET',
    path: '/ProductCategory',
    needs: 'signed-in',
    summary: 'Lists product categories, sorted by name. Set `inactive` to include inactive ones.',
    query: CatalogueQuery,
    reply: listOf(ProductCategory),
  }),
  createCategory: endpoint({
    method: 'POST',
    path: '/ProductCategory/CreateProductCategory',
    needs: 'Manage Products',
    summary: 'Creates a product category with a unique name, or updates the one with this ID.',
    body: alias(z.object({ categoryID: maybe(LineId), ...categoryInput }), { productCategoryID: 'categoryID' }),
    names: 'categoryID',
    reply: ProductCategory,
  }),
  updateCategory: endpoint({
    method: 'PUT',
    path: '/ProductCategory/UpdateProductCategory',
    needs: 'Manage Products',
    summary: 'Renames a product category, or makes it active again.',
    body: z.object({ productCategoryID: Id, ...categoryInput }),
    reply: ProductCategory,
  }),
  deleteCategory: endpoint({
    method: 'DELETE',
    path: '/ProductCategory/DeleteProductCategory',
    needs: 'Manage Products',
    summary: 'Deletes a product category, or makes it inactive if it has been used.',
    query: z.object({ ProductCategoryID: IdText }),
    reply: Done,
  }),
};
