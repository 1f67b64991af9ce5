import {
  type BillingCredit,
  type BillingCreditInput,
  type BillingCreditRow,
  creditMemoCalls,
} from '@evenkeel/contract/credits';
import { documentKinds } from '@evenkeel/core/documents/side';
import { billingRecords } from '../records.ts';

/** Credit memos, and the definition of the Billing screen that shows them in place of invoices. */
export const { records: CREDITS, side: CREDIT_SIDE } = billingRecords<
  BillingCreditRow,
  BillingCredit,
  BillingCreditInput
>(documentKinds.creditmemo, creditMemoCalls);
