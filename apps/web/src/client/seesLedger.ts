import { useMay } from './session.ts';

/** Returns whether the user can see ledger entries, for example a document's entries or the entries in an amount. */
export function useSeesLedger(): boolean {
  const may = useMay();
  return may('View Accounting') || may('View Reports');
}
