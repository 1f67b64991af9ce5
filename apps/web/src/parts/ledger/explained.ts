import type { EntriesAsk, OpenItemsAsk, OwingAsk } from '@evenkeel/contract/explain';
import type { Cents } from '@evenkeel/core/money';

/** The source of a figure: entries of accounts, open documents, or other figures that it is made of. */
export type Explained =
  | {
      kind: 'entries';
      ask: EntriesAsk;
      /** The figure is credits less debits. */
      credit: boolean;
    }
  | {
      kind: 'open';
      ask: OpenItemsAsk;
      /** The amount of a document that the figure adds up; `days` is their average age. */
      of: 'openAmount' | 'total' | 'days';
    }
  | {
      /** Customers or vendors with what is open of each, by age. */
      kind: 'owing';
      ask: OwingAsk;
    }
  | {
      kind: 'parts';
      figure: string;
      /** The way it is made of its parts, in words. */
      how: string;
      /** Between the figure and its parts. */
      words?: string;
      parts: readonly ExplainedPart[];
    };

/** One of the sums that a percentage or a ratio is made of. */
export interface ExplainedPart {
  /** As the address names it. */
  name: string;
  label: string;
  amount: Cents;
}
