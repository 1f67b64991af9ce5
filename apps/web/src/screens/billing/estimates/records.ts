import {
  type BillingEstimate,
  type BillingEstimateInput,
  type BillingEstimateRow,
  estimateDocumentCalls,
} from '@evenkeel/contract/estimates';
import { documentKinds } from '@evenkeel/core/documents/side';
import { billingRecords } from '../records.ts';

/** Estimates, and Billing with them in place of invoices. Nothing pays an estimate. */
export const { records: ESTIMATES, side: ESTIMATE_SIDE } = billingRecords<
  BillingEstimateRow,
  BillingEstimate,
  BillingEstimateInput
>(documentKinds.estimate, estimateDocumentCalls);
