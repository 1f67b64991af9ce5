import { estimateCalls } from '@evenkeel/contract/estimates';
import { ask, inAlert, useRead } from '../../../client/api.ts';

/**
 * Reads the quantities and amounts of an estimate that are already invoiced, excluding an invoice that is being edited.
 * Reads nothing for ID 0.
 */
export function useInvoiceable(estimateId: number, without = 0) {
  const query = without > 0 ? { without } : {};
  const told = { ...inAlert('Error Loading Estimates'), enabled: estimateId > 0 };
  return useRead(ask(estimateCalls.invoiceable, { params: { id: estimateId }, query }), told);
}
