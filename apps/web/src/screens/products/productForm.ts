import type { Product, ProductInput } from '@evenkeel/contract/catalogue';
import type { FieldMessages } from '@evenkeel/core/failure';
import { checkProduct, PRODUCT, productServiceType } from '@evenkeel/core/documents/products';
import * as z from 'zod';
import { AttachmentsForm, attachmentsFormOf, attachmentsInput } from '../../parts/attachments/attachmentForm.ts';
import { asForm, blankOf, Day, Money } from '../../records/formFields.ts';

/** The data of the Product form, its validation, and its request. */

export const ProductForm = z.object({
  name: z.string(),
  productCategoryID: z.number().nullable(),
  /** 1 for a product, 2 for a service. */
  productServiceType: z.number(),
  description: z.string(),
  /** Labeled Model on the screen. */
  version: z.string(),
  GLAccountID: z.number().nullable(),
  profitCenterID: z.number().nullable(),
  salesPrice: Money.nullable(),
  taxable: z.boolean(),
  startDate: Day.nullable(),
  startDateInUse: z.boolean(),
  endDate: Day.nullable(),
  endDateInUse: z.boolean(),
  documentLinks: AttachmentsForm,
  rowVersion: z.number().nullable(),
});
export type ProductForm = z.output<typeof ProductForm>;

export const blankProduct: ProductForm = blankOf(ProductForm, { productServiceType: PRODUCT });

export function productFormOf(product: Product | undefined): ProductForm {
  if (product === undefined) return blankProduct;
  return asForm(ProductForm, {
    ...product,
    productServiceType: productServiceType(product.productServiceType),
    documentLinks: attachmentsFormOf(product.documentLinks),
  });
}

/** Returns messages by field. A date is required if it is turned on. */
export function productFaults(form: ProductForm): FieldMessages {
  const startDate = form.startDateInUse ? form.startDate : null;
  const endDate = form.endDateInUse ? form.endDate : null;
  return {
    ...(form.startDateInUse && startDate === null ? { startDate: 'Please enter a date' } : {}),
    ...(form.endDateInUse && endDate === null ? { endDate: 'Please enter a date' } : {}),
    ...checkProduct({ ...form, startDate, endDate }, true),
  };
}

/** Returns the request body. A cleared profit center or category is sent as 0. */
export function productInput(form: ProductForm): ProductInput {
  return {
    ...form,
    productCategoryID: form.productCategoryID ?? 0,
    profitCenterID: form.profitCenterID ?? 0,
    startDate: form.startDateInUse ? form.startDate : null,
    endDate: form.endDateInUse ? form.endDate : null,
    documentLinks: attachmentsInput(form.documentLinks),
  };
}
