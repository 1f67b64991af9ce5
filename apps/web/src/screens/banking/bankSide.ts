import type { BankLine, MatchedEntry } from '@evenkeel/contract/statements';
import type { IsoDate } from '@evenkeel/core/dates';
import { type Cents, cents, sum } from '@evenkeel/core/money';
import { useMemo } from 'react';
import { type Read, useRead } from '../../client/api.ts';
import { wholeList } from '../../records/reads.ts';
import { amountOf, type Figures, type ReconcileForm } from './reconcileForm.ts';
import { bankLines } from './statements/statements.ts';

/** The bank's side of a reconciliation: its lines that no entry is matched to, and the entries that are matched. */

export interface BankSide {
  /** Lines for review. */
  lines: readonly BankLine[];
  /** Entries of the account that a line proves, by glid. */
  matched: ReadonlySet<number>;
}

/** The entries of one account that bank lines are matched to, by glid. */
export function matchedEntries(settled: readonly BankLine[], bankAccountId: number): ReadonlySet<number> {
  const isOwn = (entry: MatchedEntry) => entry.bankAccountId === bankAccountId;
  return new Set(settled.flatMap(({ act }) => act?.entries.filter(isOwn).map(({ glid }) => glid) ?? []));
}

/** Reads the lines of an account that are for review, and those of which nothing is reconciled yet. */
export function useBankSide(
  bankAccountId: number,
  alert: string,
): { side: BankSide | undefined; reads: Read<unknown>[] } {
  const told = { alert, keep: true };
  const review = useRead(bankLines({ bankAccountId, state: 'review' }), told);
  const settled = useRead(bankLines({ bankAccountId, state: 'settled', unreconciled: 'true' }), told);
  const side = useMemo(() => {
    const [lines, others] = [wholeList<BankLine>(review.value), wholeList<BankLine>(settled.value)];
    return lines && others && { lines, matched: matchedEntries(others, bankAccountId) };
  }, [review.value, settled.value, bankAccountId]);
  return { side, reads: [review, settled] };
}

/** Both lists of what has no match on the other side, through the statement's date, and what they leave open. */
export function unmatchedOf({ lines, matched }: BankSide, figures: Figures, statementDate: IsoDate | null) {
  const bank = lines.filter(({ date }) => statementDate === null || date <= statementDate);
  const selected = [...figures.receivables.selected, ...figures.payables.selected];
  const books = selected.filter(({ glid }) => !matched.has(glid));
  const [ofBank, ofBooks] = [sum(bank.map(({ amount }) => amount)), sum(books.map(amountOf))];
  return { bank, books, ofBank, ofBooks, apart: cents(ofBooks - ofBank) };
}
export type Unmatched = ReturnType<typeof unmatchedOf>;

/** The part of a difference that both lists and the charge and interest leave open: 0 where the files cover it all. */
export function restOf({ apart }: Unmatched, form: Pick<ReconcileForm, 'bankCharge' | 'interest'>, difference: Cents) {
  return cents(difference - apart + (form.bankCharge ?? 0) - (form.interest ?? 0));
}
