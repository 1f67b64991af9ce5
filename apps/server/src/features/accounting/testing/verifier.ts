import { join } from 'node:path';
import { serverRoot } from '../../../platform/root.ts';

interface Balances {
  month: string;
  accrual: Record<string, number>;
  cash: Record<string, number>;
}

/** The stand-alone verifier of proofs. It is plain JavaScript, so its types are declared here. */
interface Verifier {
  verify: (
    bytes: Uint8Array,
    expectedKey?: string,
  ) => Promise<{
    faults: string[];
    header: Record<string, unknown>;
    accounts: { id: number; name: string }[];
    months: Balances[];
    transactions: number;
    lines: number;
  }>;
}

export const VERIFIER = join(serverRoot(), '..', 'web', 'public', 'verify.mjs');

/** Loads the program that outsiders use. */
export const loadVerifier = (): Promise<Verifier> => import(VERIFIER);
