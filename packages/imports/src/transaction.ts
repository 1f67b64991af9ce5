import type { Basis } from '@evenkeel/core/books/ledger';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';

/** A position in a file. Rows are counted from 1, as in a spreadsheet or a text editor. */
export interface Place {
  file: string;
  row: number;
}

export type PartyKind = 'customer' | 'vendor' | 'employee' | 'other';

export interface SourceLine {
  /** The key of the account. */
  account: string;
  /** The amount in cents. Debits are positive. */
  amount: Cents;
  party?: string;
  partyKind?: PartyKind;
  memo?: string;
  /** A class or department. */
  profitCenter?: string;
  location?: string;
  /** The bases that the line belongs to: both, only accrual, or only cash. Set only for Evenkeel's own export. */
  basis?: Basis;
  place: Place;
}

/** A transaction that posts to the ledger, with its type and number from the source. The lines add up to zero. */
export interface SourceTransaction {
  /** The transaction's ID in the source, if it has one. */
  id?: string;
  /**
   * The transaction's identity across all files from its source (see `identified`). The identity is set when files are
   * combined.
   */
  identity?: string;
  date: IsoDate;
  /** The transaction's type in the source, such as "Invoice" or "Journal Entry". */
  type: string;
  number?: string;
  party?: string;
  memo?: string;
  lines: SourceLine[];
  place: Place;
}
