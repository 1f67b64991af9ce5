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
      /** The document field whose values add up to the amount. `days` means the average age. */
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
      /** Explains how the amount is calculated from other amounts. */
      how: string;
      /** The text between the amount and the amounts that it is calculated from. */
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
