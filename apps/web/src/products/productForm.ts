import type { Product, ProductInput } from '@evenkeel/contract/catalogue';
import { type IsoDate, isIsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import type { Cents } from '@evenkeel/core/money';
import { checkProduct, PRODUCT, productServiceType } from '@evenkeel/core/products';
import * as z from 'zod';
import type { ProductChoices } from './queries.ts';

/** The Product form as data: what is typed, what is wrong with it, what is sent. */

const Money = z.custom<Cents>(Number.isSafeInteger);
const Day = z.custom<IsoDate>((value) => typeof value === 'string' && isIsoDate(value));

const ProductForm = z.object({
  name: z.string(),
  productCategoryID: z.number().nullable(),
  /** 1 product, 2 service. */
  productServiceType: z.number(),
  description: z.string(),
  /** Shown as Model. */
  version: z.string(),
  GLAccountID: z.number().nullable(),
  profitCenterID: z.number().nullable(),
  salesPrice: Money.nullable(),
  taxable: z.boolean(),
  startDate: Day.nullable(),
  startDateInUse: z.boolean(),
  endDate: Day.nullable(),
  endDateInUse: z.boolean(),
  rowVersion: z.number().nullable(),
});
export type ProductForm = z.output<typeof ProductForm>;

/** What the form's parts take. */
export interface ProductFieldsProps {
  form: ProductForm;
  onChange: (form: ProductForm) => void;
  fields: FieldMessages;
  choices: ProductChoices;
  isReadOnly: boolean;
  /** While a category is being made the type and the other choices wait (Specification part 2 §4). */
  isAddingCategory: boolean;
  setAddingCategory: (adding: boolean) => void;
}

/** A draft as it comes back from this device; undefined when it is none. */
export function readProductDraft(stored: unknown): ProductForm | undefined {
  const read = ProductForm.safeParse(stored);
  return read.success ? read.data : undefined;
}

export function blankProduct(): ProductForm {
  return {
    name: '',
    productCategoryID: null,
    productServiceType: PRODUCT,
    description: '',
    version: '',
    GLAccountID: null,
    profitCenterID: null,
    salesPrice: null,
    taxable: false,
    startDate: null,
    startDateInUse: false,
    endDate: null,
    endDateInUse: false,
    rowVersion: null,
  };
}

export function productFormOf(product: Product): ProductForm {
  return ProductForm.parse({ ...product, productServiceType: productServiceType(product.productServiceType) });
}

/** Messages by field (Specification part 2 §5 "Product"); a date in use must say one. */
export function productFaults(form: ProductForm): FieldMessages {
  const startDate = form.startDateInUse ? form.startDate : null;
  const endDate = form.endDateInUse ? form.endDate : null;
  return {
    ...(form.startDateInUse && startDate === null ? { startDate: 'Please enter a date' } : {}),
    ...(form.endDateInUse && endDate === null ? { endDate: 'Please enter a date' } : {}),
    ...checkProduct({ ...form, startDate, endDate }, true),
  };
}

/** What is sent; a profit center or category that is taken away travels as 0. */
export function productInput(id: number, form: ProductForm): ProductInput {
  const { rowVersion, productCategoryID, profitCenterID, ...rest } = form;
  return {
    ...rest,
    productID: id,
    productCategoryID: productCategoryID ?? 0,
    profitCenterID: profitCenterID ?? 0,
    startDate: form.startDateInUse ? form.startDate : null,
    endDate: form.endDateInUse ? form.endDate : null,
    ...(rowVersion === null ? {} : { rowVersion }),
  };
}
