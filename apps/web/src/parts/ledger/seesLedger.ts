import { useMay } from '../../client/session.ts';

/** Whether the session may see entries of the ledger: those behind a document or a figure. */
export function useSeesLedger(): boolean {
  const may = useMay();
  return may('View Accounting') || may('View Reports');
}
