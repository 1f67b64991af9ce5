import type { EntriesAsk, OpenItemsAsk, OwingAsk } from '@evenkeel/contract/explain';
import type { Cents } from '@evenkeel/core/money';

/** The source of an amount: account entries, open documents, or other amounts. */
export type Explained =
  | {
      kind: 'entries';
      ask: EntriesAsk;
      /** Whether the amount is credits less debits. */
      credit: boolean;
    }
  | {
      kind: 'open';
      ask: OpenItemsAsk;
      /** The field of the documents that the amount adds up. `days` means the average age. */
      of: 'openAmount' | 'total' | 'days';
    }
  | {
      /** Customers or vendors with their open balances by age. */
      kind: 'owing';
      ask: OwingAsk;
    }
  | {
      kind: 'parts';
      figure: string;
      /** The calculation of the amount from its parts. */
      how: string;
      /** The text between the amount and its parts. */
      words?: string;
      parts: readonly ExplainedPart[];
    };

/** An amount that is part of a percentage or ratio. */
export interface ExplainedPart {
  /** The name of the amount in the URL. */
  name: string;
  label: string;
  amount: Cents;
}
