import type { Discount, DiscountInput } from '@evenkeel/contract/catalogue';
import { checkDiscount, FIXED } from '@evenkeel/core/documents/discounts';
import type { FieldMessages } from '@evenkeel/core/failure';
import { decimal, ZERO } from '@evenkeel/core/money';
import { PRODUCT } from '@evenkeel/core/documents/products';
import * as z from 'zod';
import { asForm, blankOf, Day, Money } from '../../records/formFields.ts';

/** The data of the Discount form, its validation, and its request. */

export const DiscountForm = z.object({
  name: z.string(),
  description: z.string(),
  /** 0 for a fixed amount, 1 for a percentage. */
  discountType: z.number(),
  /** 1 for products, 2 for services. */
  discountTypeTarget: z.number(),
  discountPercentage: z.number().nullable(),
  discountFlatValue: Money.nullable(),
  productCategoryID: z.number().nullable(),
  GLAccountID: z.number().nullable(),
  profitCenterID: z.number().nullable(),
  startDate: Day.nullable(),
  startDateInUse: z.boolean(),
  endDate: Day.nullable(),
  endDateInUse: z.boolean(),
  rowVersion: z.number().nullable(),
});
export type DiscountForm = z.output<typeof DiscountForm>;

export const blankDiscount: DiscountForm = blankOf(DiscountForm, { discountType: FIXED, discountTypeTarget: PRODUCT });

export function discountFormOf(discount: Discount | undefined): DiscountForm {
  if (discount === undefined) return blankDiscount;
  return asForm(DiscountForm, { ...discount, discountPercentage: Number(discount.discountPercentage) });
}

/** Returns messages by field. A date is required if it is turned on. */
export function discountFaults(form: DiscountForm): FieldMessages {
  const startDate = form.startDateInUse ? form.startDate : null;
  const endDate = form.endDateInUse ? form.endDate : null;
  return {
    ...(form.startDateInUse && startDate === null ? { startDate: 'Please enter a date' } : {}),
    ...(form.endDateInUse && endDate === null ? { endDate: 'Please enter a date' } : {}),
    ...checkDiscount({ ...form, startDate, endDate }),
  };
}

/** Returns the request body. A cleared profit center or category is sent as 0. */
export function discountInput(form: DiscountForm): DiscountInput {
  return {
    ...form,
    discountPercentage: decimal(form.discountPercentage ?? 0),
    discountFlatValue: form.discountFlatValue ?? ZERO,
    productCategoryID: form.productCategoryID ?? 0,
    profitCenterID: form.profitCenterID ?? 0,
    startDate: form.startDateInUse ? form.startDate : null,
    endDate: form.endDateInUse ? form.endDate : null,
  };
}
