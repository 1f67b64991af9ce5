import type { GlEntry } from '@evenkeel/contract/ledger';
import type { BankLine } from '@evenkeel/contract/statements';
import { formatDate } from '@evenkeel/core/dates';
import { type Cents, formatAmount, negate, ZERO } from '@evenkeel/core/money';
import { findDifference, type Hint } from '@evenkeel/core/banking/reconcile';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { Amount } from '../../ui/show/Amount.tsx';
import { Level } from '../../ui/show/Level.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { type BankSide, type Unmatched, unmatchedOf } from './bankSide.ts';
import { amountOf, type Figures, type ReconcileForm, selectables, wholeAmount } from './reconcileForm.ts';
import { UnmatchedLists, useReviewLine } from './UnmatchedLists.tsx';

export interface DifferenceProps {
  form: ReconcileForm;
  figures: Figures;
  side: BankSide;
  /** Marks entries as cleared or not cleared. Undefined in a read-only form. */
  onTick: ((on: readonly number[], off: readonly number[]) => void) | undefined;
}

/**
 * Shows how the reconciled balance is calculated, its difference from the statement, and actions that could explain the
 * difference.
 */
export function Difference({ form, figures, side, onTick }: DifferenceProps) {
  const { receivables, payables, last, reconciled, difference } = figures;
  const lines: [string, Cents][] = [
    ['Last Reconciled Balance', last],
    [`Receivables, ${receivables.selected.length} selected`, receivables.amount],
    [`Payables, ${payables.selected.length} selected`, payables.amount],
    ['Bank charge', negate(form.bankCharge ?? ZERO)],
    ['Interest', form.interest ?? ZERO],
  ];
  return (
    <>
      <h2 className="bk-sum-title">Reconciled balance</h2>
      <dl className="bk-sum">
        {lines.map(([label, amount]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Amount value={amount} />
            </dd>
          </div>
        ))}
        <div data-sum="">
          <dt>Reconciled balance</dt>
          <dd>
            <Amount value={reconciled} />
          </dd>
        </div>
        <div>
          <dt>Statement balance</dt>
          <dd>{form.statementBalance === null ? 'Not entered yet' : <Amount value={form.statementBalance} />}</dd>
        </div>
      </dl>
      {difference !== undefined && (
        <>
          <Standing difference={difference} />
          {onTick !== undefined && difference !== 0 && <Hints {...{ form, figures, side, onTick, difference }} />}
        </>
      )}
    </>
  );
}

/** The difference as text and as a balance indicator. At zero, shows In Balance. */
export function Standing({ difference }: { difference: Cents }) {
  const heavier = difference === 0 ? undefined : difference > 0 ? 'debit' : 'credit';
  return (
    <div className="bk-diff" data-balanced={difference === 0 ? '' : undefined} role="status">
      <Level heavier={heavier} />
      {difference !== 0 && (
        <>
          <span className="bk-diff-figure">
            <Amount value={difference} sign />
          </span>
          <span className="ek-small">
            The reconciled balance is {difference > 0 ? 'higher' : 'lower'} than the statement balance.
          </span>
        </>
      )}
    </div>
  );
}

const TITLES: Record<Hint['act'], string> = {
  select: 'Not selected',
  deselect: 'Selected, but might not be on the statement',
  turn: 'Wrong sign',
  pair: 'Two entries that add up to the difference',
  digits: 'Transposed digits',
  add: 'On the statement, but not in your books',
};

interface HintsProps extends Required<Omit<DifferenceProps, 'onTick'>> {
  difference: Cents;
  onTick: (on: readonly number[], off: readonly number[]) => void;
}

function Hints({ form, figures, side, difference, onTick }: HintsProps) {
  const unmatched = useMemo(() => unmatchedOf(side, figures, form.statementDate), [side, figures, form.statementDate]);
  const hasFile = side.lines.length > 0 || side.matched.size > 0;
  return (
    <>
      <Acts {...{ form, figures, side, difference, onTick, unmatched }} />
      {hasFile && <UnmatchedLists {...{ unmatched, form, difference }} onClear={(glid) => onTick([], [glid])} />}
    </>
  );
}

function Acts({ form, figures, difference, onTick, unmatched }: HintsProps & { unmatched: Unmatched }) {
  const review = useReviewLine();
  const items = useMemo(() => selectables(figures, form), [figures, form]);
  const hints = useMemo(() => findDifference(difference, items, unmatched.bank), [difference, items, unmatched]);
  const entries = new Map(
    [...figures.receivables.entries, ...figures.payables.entries].map((entry) => [entry.glid, entry] as const),
  );
  const ticked = new Set(form.entries);
  if (hints.length === 0) return null;
  return (
    <section aria-label="Possible Reasons">
      <h3 className="bk-sum-title">Possible Reasons</h3>
      <ul className="bk-hints">
        {hints.map((hint) => {
          const named = hint.entryIds.flatMap((id) => entries.get(id) ?? []);
          const on = hint.entryIds.filter((id) => !ticked.has(id));
          const off = hint.entryIds.filter((id) => ticked.has(id));
          const act = actOf(hint, named.length);
          const lines = hint.act === 'add' ? unmatched.bank.filter(({ id }) => hint.lineIds.includes(id)) : [];
          const [line] = lines;
          return (
            <li key={`${hint.act} ${hint.entryIds.join(' ')} ${hint.lineIds.join(' ')}`}>
              <div>
                <div className="bk-hint-title">
                  <span className="ek-medium">{TITLES[hint.act]}</span>
                  {hint.isProved && hint.act !== 'add' && <Status look="done">Matches the statement</Status>}
                </div>
                <div className="ek-muted ek-small">
                  {lines.length > 0 ? lines.map(lineWords).join(' and ') : wordsOf(hint, named)}
                </div>
              </div>
              {act !== undefined && (
                <Button variant="default" onClick={() => onTick(on, off)}>
                  {act}
                </Button>
              )}
              {line !== undefined && (
                <Button variant="default" onClick={() => review(line)}>
                  Review it
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/**
 * Returns the button label for a hint that the user can act on by clearing entries. A wrong amount is corrected in its
 * own record.
 */
function actOf({ act }: Hint, count: number): string | undefined {
  if (act === 'select') return 'Select';
  if (act === 'deselect') return 'Clear';
  return act === 'pair' && count === 2 ? 'Reverse Both' : undefined;
}

const lineWords = ({ date, text, amount }: BankLine): string =>
  `${formatDate(date)} ${text}, ${formatAmount(wholeAmount(amount))}`;

function nameOf(entry: GlEntry): string {
  const words = entry.entityName || entry.description;
  return `${formatDate(entry.postingDate)} ${words}, ${formatAmount(wholeAmount(amountOf(entry)))}`;
}

function wordsOf(hint: Hint, entries: readonly GlEntry[]): string {
  const names = entries.map(nameOf).join(' and ');
  if (hint.act === 'digits' && hint.amount !== undefined) {
    return `${names} would be ${formatAmount(wholeAmount(hint.amount))}`;
  }
  return hint.act === 'turn' ? `${names}: half the difference` : names;
}
