import {
  type BillingEstimate,
  type BillingEstimateInput,
  type BillingEstimateRow,
  estimateDocumentCalls,
} from '@evenkeel/contract/estimates';
import { documentKinds } from '@evenkeel/core/documents/side';
import { billingRecords } from '../records.ts';

/**
 * Estimates, and the definition of the Billing screen that shows them in place of invoices. Estimates have no payments.
 */
export const { records: ESTIMATES, side: ESTIMATE_SIDE } = billingRecords<
  BillingEstimateRow,
  BillingEstimate,
  BillingEstimateInput
>(documentKinds.estimate, estimateDocumentCalls);
