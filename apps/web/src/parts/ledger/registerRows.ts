import type { GlEntry } from '@evenkeel/contract/ledger';
import { addDays, type IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';

/** A line of a register as it is shown; the balance brought forward has no transaction. */
export interface RegisterRow {
  id: string;
  postingDate: IsoDate;
  description: string;
  debit: Cents | null;
  credit: Cents | null;
  balance: Cents | null;
  transactionId: number | undefined;
  /** Undefined for a line that stands: neither taken back nor taking one back. */
  standing: 'Reversed' | 'Reversal' | undefined;
}

/** The rows of a register that begins on `from`: the balance brought forward of the day before, then its entries. */
export function registerRows(
  entries: readonly GlEntry[],
  { from, opening }: { from: IsoDate | undefined; opening: Cents | undefined },
): RegisterRow[] {
  const rows = entries.map((entry): RegisterRow => ({
    id: String(entry.glid),
    postingDate: entry.postingDate,
    description: describe(entry),
    debit: entry.debitAmount,
    credit: entry.creditAmount,
    balance: entry.balance,
    transactionId: entry.transactionID,
    standing: entry.reversedBy !== null ? 'Reversed' : entry.reverses !== null ? 'Reversal' : undefined,
  }));
  return from === undefined || opening === undefined ? rows : [broughtForward(from, opening), ...rows];
}

function broughtForward(from: IsoDate, opening: Cents): RegisterRow {
  return {
    id: 'forward',
    postingDate: addDays(from, -1),
    description: 'Balance brought forward',
    debit: null,
    credit: null,
    balance: opening,
    transactionId: undefined,
    standing: undefined,
  };
}

/** "Larkspur Senior Living, Invoice 2291"; the name is not said twice. */
function describe({ entityName, description }: GlEntry): string {
  if (entityName === '' || description.includes(entityName)) return description;
  return description === '' ? entityName : `${entityName}, ${description}`;
}
