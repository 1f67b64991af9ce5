import type { EntriesAsk, OpenItemsAsk, OwingAsk } from '@evenkeel/contract/explain';
import type { Cents } from '@evenkeel/core/money';

/** What is behind a figure: entries of accounts, open documents, or other figures that it is made of. */
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
      /** Which of a document's amounts the figure adds up; `days` is how old they are on average. */
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
      /** How it is made of its parts. */
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
