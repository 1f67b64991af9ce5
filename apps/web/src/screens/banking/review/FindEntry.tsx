import type { BankLine, MatchedEntry } from '@evenkeel/contract/statements';
import { formatDate } from '@evenkeel/core/dates';
import { cents, formatAmount, sum } from '@evenkeel/core/money';
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../../client/api.ts';
import { sourceLabel } from '../../../parts/ledger/sources.ts';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { useSettled } from '../../../ui/hooks/settled.ts';
import { Amount } from '../../../ui/show/Amount.tsx';
import { ErrorState } from '../../../ui/show/EmptyState.tsx';
import { Status } from '../../../ui/show/Status.tsx';
import { candidatesFor } from '../statements/statements.ts';
import { Editor } from './Editor.tsx';
import { OpenDocuments } from './OpenDocuments.tsx';
import { isPayable, payInput, type PayPart, unpaidOf } from './payForm.ts';
import { Told } from './Told.tsx';
import { useDelivery } from './useDelivery.ts';
import type { Review } from './useReview.ts';
import { sizeOf } from './work.ts';

const TYPING_MS = 150;

const openWords = ({ amount }: Pick<BankLine, 'amount'>): string => (amount > 0 ? 'invoices' : 'bills');
const paysWords = ({ date, amount }: BankLine): string =>
  `Posts a payment of ${formatAmount(sizeOf(amount))} on ${formatDate(date)} and matches the bank transaction`;

export interface FindEntryProps {
  review: Review;
  line: BankLine;
  /** Whether the user can post a payment for a document. */
  mayPay: boolean;
}

/** Formats an entry as a single line of text. */
export function entryWords({ sourceType, number, entityName, description }: MatchedEntry): string {
  const parts = [`${sourceLabel(sourceType)} ${number}`, entityName, description];
  return [...new Set(parts.filter((part) => part !== ''))].join(' · ');
}

/** Returns the entries found for a bank transaction, without duplicates. Selected entries come first. */
export function listedEntries(
  found: readonly MatchedEntry[],
  ticked: readonly MatchedEntry[],
): readonly MatchedEntry[] {
  const ids = new Set(ticked.map(({ glid }) => glid));
  const seen = new Map(found.filter(({ glid }) => !ids.has(glid)).map((entry) => [entry.glid, entry]));
  return [...ticked, ...seen.values()];
}

/**
 * Searches for entries that match the bank transaction, or for open documents that it may pay. The selected items must
 * add up to its amount.
 */
export function FindEntry({ review, line, mayPay }: FindEntryProps) {
  const [text, setText] = useState('');
  const [ticked, setTicked] = useState<readonly MatchedEntry[]>([]);
  const [parts, setParts] = useState<readonly PayPart[]>([]);
  const q = useSettled(text.trim(), TYPING_MS);
  const read = useRead(candidatesFor(line.id, q === '' ? undefined : q), { keep: true });
  const delivery = useDelivery(review, line);
  const offered = (read.value?.candidates ?? [])
    .filter(({ action }) => action === 'match')
    .flatMap(({ entries }) => entries);
  const rows = listedEntries(q === '' ? offered : (read.value?.found ?? []), ticked);
  const amount = sizeOf(line.amount);
  const pays = parts.length > 0;
  const rest = pays ? unpaidOf(parts, amount) : cents(line.amount - sum(ticked.map((one) => one.amount)));
  const size = formatAmount(amount);
  const isTicked = ({ glid }: MatchedEntry) => ticked.some((one) => one.glid === glid);
  const toggle = (entry: MatchedEntry) =>
    setTicked((before) => (isTicked(entry) ? before.filter(({ glid }) => glid !== entry.glid) : [...before, entry]));
  return (
    <Editor
      title={`Find: ${size} ${line.amount < 0 ? 'out' : 'in'}`}
      detail={pays ? paysWords(line) : 'Select one entry, or several entries that add up to the amount'}
      word={pays ? `${line.amount > 0 ? 'Pay Invoice' : 'Pay Bill'}${parts.length > 1 ? 's' : ''}` : 'Match'}
      isOff={pays ? !isPayable(parts, amount) : ticked.length === 0 || rest !== 0}
      isBusy={delivery.isBusy}
      isTyped={pays || ticked.length > 0}
      onDo={() => delivery.run(pays ? payInput(parts) : { action: 'match', glids: ticked.map(({ glid }) => glid) })}
      onClose={() => review.setWay(undefined)}
    >
      <Told delivery={delivery} />
      <TextField
        label={mayPay ? `Search entries and open ${openWords(line)}` : 'Search the entries in this account'}
        placeholder="Name, number, description, or amount"
        value={text}
        onChange={setText}
        autoFocus
      />
      {read.error !== undefined && <ErrorState message={read.error} onRetry={read.retry} />}
      <ul className="rv-entries" aria-label="Entries">
        {rows.map((entry) => (
          <li key={entry.glid}>
            <Checkbox
              label={
                <>
                  {entryWords(entry)} <span className="ek-muted ek-small">{formatDate(entry.postingDate)}</span>
                </>
              }
              checked={isTicked(entry)}
              disabled={pays}
              onChange={() => toggle(entry)}
            />
            <Amount value={entry.amount} />
          </li>
        ))}
      </ul>
      {mayPay && (
        <OpenDocuments
          label={`Open ${openWords(line)}`}
          found={read.value?.documents ?? []}
          size={amount}
          isOff={ticked.length > 0}
          parts={parts}
          onChange={(next) => {
            delivery.touched();
            setParts(next);
          }}
        />
      )}
      {rows.length === 0 && !pays && (!mayPay || read.value?.documents.length === 0) && read.value !== undefined && (
        <p className="ek-muted" role="status">
          {q === '' ? "Enter part of the entry's text." : 'No unmatched entries found.'}
        </p>
      )}
      {(pays || ticked.length > 0) && rest !== 0 && <Status look="low">{`Remaining ${formatAmount(rest)}`}</Status>}
    </Editor>
  );
}
