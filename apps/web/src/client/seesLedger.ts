import { useMay } from './session.ts';

/** Returns whether the user can see ledger entries, for example those of a document or an amount. */
export function useSeesLedger(): boolean {
  const may = useMay();
  return may('View Accounting') || may('View Reports');
}
