import type { GlEntry } from '@evenkeel/contract/ledger';
import { addDays, type IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';

/** A line in a register as it is displayed. The balance brought forward has no transaction. */
export interface RegisterRow {
  id: string;
  postingDate: IsoDate;
  /** The posted description, preceded by the name of the customer or vendor if the name has no column. */
  description: string;
  withName: string;
  /** The customer or vendor, or '' if there is none. */
  name: string;
  nameId: number | null;
  number: string;
  sourceType: string;
  sourceId: number;
  debit: Cents | null;
  credit: Cents | null;
  balance: Cents | null;
  transactionId: number | undefined;
  /** Whether the line is in a reconciled statement. */
  isCleared: boolean;
  /** Whether the line was reversed or is itself a reversal. Undefined if neither is the case. */
  standing: 'Reversed' | 'Reversal' | undefined;
}

/**
 * Returns the rows of a register, newest first. If the register starts on `from`, the last row is the balance brought
 * forward from the day before. `forward` is undefined until all entries are loaded.
 */
export function registerRows(
  entries: readonly GlEntry[],
  { from, forward }: { from: IsoDate | undefined; forward: Cents | undefined },
): RegisterRow[] {
  const rows = entries.map((entry): RegisterRow => ({
    id: String(entry.glid),
    postingDate: entry.postingDate,
    description: entry.description,
    withName: entryWords(entry),
    name: entry.entityName,
    nameId: entry.entityId,
    number: entry.number ?? '',
    sourceType: entry.sourceType,
    sourceId: entry.sourceId,
    debit: entry.debitAmount,
    credit: entry.creditAmount,
    balance: entry.balance,
    transactionId: entry.transactionID,
    isCleared: entry.reconciliationId !== null,
    standing: entry.reversedBy !== null ? 'Reversed' : entry.reverses !== null ? 'Reversal' : undefined,
  }));
  return from === undefined || forward === undefined ? rows : [...rows, broughtForward(from, forward)];
}

function broughtForward(from: IsoDate, balance: Cents): RegisterRow {
  return {
    id: 'forward',
    postingDate: addDays(from, -1),
    description: 'Balance brought forward',
    withName: 'Balance brought forward',
    name: '',
    nameId: null,
    number: '',
    sourceType: '',
    sourceId: 0,
    debit: null,
    credit: null,
    balance,
    transactionId: undefined,
    isCleared: false,
    standing: undefined,
  };
}

/** Returns "Larkspur Senior Living, Invoice 2291". A name already in the description isn't repeated. */
export function entryWords({ entityName, description }: GlEntry): string {
  if (entityName === '' || description.includes(entityName)) return description;
  return description === '' ? entityName : `${entityName}, ${description}`;
}
