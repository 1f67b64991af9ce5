import type { BankLine, BankLineInput, Candidate } from '@evenkeel/contract/statements';
import { formatDate } from '@evenkeel/core/dates';
import { type Cents, cents, formatAmount, sum } from '@evenkeel/core/money';
import { sourceLabel } from '../../../parts/ledger/sources.ts';
import type { StatusLook } from '../../../ui/show/Status.tsx';
import { counted } from '../../../ui/show/words.ts';

/** The logic of the review: suggestions for a bank transaction, their labels, and keyboard actions. */

/** The names of the accounts that suggested matches refer to by ID. */
export interface Names {
  account: (accountId: number) => string;
  bank: (bankAccountId: number) => string;
}

export const sizeOf = (amount: Cents): Cents => cents(Math.abs(amount));

const ENTRIES = { one: 'entry', many: 'entries' };
const OTHERS = { one: 'other bank transaction', many: 'other bank transactions' };
const RECEIPTS = { one: 'receipt', many: 'receipts' };

/** Returns whether the user must choose, because several matches are equally good. */
export const isChoice = ({ choices }: Pick<BankLine, 'choices'>): boolean => choices > 1;

/** Returns the label of the button, which names the action. */
export function actWord({ action, documents }: Candidate, amount: Cents): string {
  if (action === 'match') return 'Match';
  if (action === 'add') return 'Add';
  if (action === 'transfer') return 'Transfer';
  if (action === 'deposit') return 'Deposit';
  const one = amount > 0 ? 'Pay Invoice' : 'Pay Bill';
  return documents.length > 1 ? `${one}s` : one;
}

/**
 * Returns the button label for a bank transaction: a choice between matches, the action of its match, or Add if nothing
 * matches.
 */
export function lineWord(line: BankLine, picked: Candidate | undefined): string {
  if (picked !== undefined) return actWord(picked, line.amount);
  return line.candidate === null ? 'Add' : 'Choose';
}

/** Returns the text of a suggested match. */
export function titleOf(candidate: Candidate, line: Pick<BankLine, 'amount'>, names: Names): string {
  const { kind, entries, documents, entityName, lines, bankAccountId } = candidate;
  const who = entityName || entries[0]?.entityName || '';
  const by = who === '' ? '' : ` · ${who}`;
  switch (kind) {
    case 'entry':
    case 'lines': {
      const [entry] = entries;
      if (entry === undefined) return 'An entry in your books';
      const about = who || entry.description;
      const along = kind === 'lines' ? `, with ${counted(candidate.lineIds.length, OTHERS)}` : '';
      return `${sourceLabel(entry.sourceType)} ${entry.number}${about === '' ? '' : ` · ${about}`}${along}`;
    }
    case 'entries':
      return `${counted(entries.length, ENTRIES)}${by}`;
    case 'document':
      return `${documentWord(line.amount, 1)} ${documents[0]?.number ?? ''}${by}`;
    case 'documents':
      return `${documents.length} ${documentWord(line.amount, documents.length)}${by}`;
    case 'receipt':
    case 'receipts':
      return `Deposit of ${counted(entries.length, RECEIPTS)}${by}`;
    case 'transfer':
      return `Transfer ${line.amount > 0 ? 'from' : 'to'} ${names.bank(bankAccountId ?? 0)}`;
    case 'rule':
    case 'history':
      return `${lines.map((part) => partWords(part, { line, count: lines.length, names })).join(', ')}${by}`;
  }
}

/** Formats a part of a bank transaction's amount. The result is negative if the part has the opposite sign. */
const partOf = (amount: Cents, line: Pick<BankLine, 'amount'>): string =>
  formatAmount(cents(line.amount < 0 ? -amount : amount));

interface PartOf {
  line: Pick<BankLine, 'amount'>;
  count: number;
  names: Names;
}

/** Returns the account to post to. If there are several accounts, includes each amount. */
function partWords({ accountID, amount }: Candidate['lines'][number], { line, count, names }: PartOf): string {
  const account = names.account(accountID);
  return count === 1 ? account : `${account} ${partOf(amount, line)}`;
}

/** Returns the accessible name of the button: the action and its object. */
export function actName(line: BankLine, picked: Candidate | undefined, names: Names): string {
  if (picked === undefined) return line.candidate === null ? `Add ${line.text}` : `Choose what to do with ${line.text}`;
  const title = titleOf(picked, line, names);
  const inside = title.charAt(0).toLowerCase() + title.slice(1);
  const word = actWord(picked, line.amount);
  switch (picked.action) {
    case 'match':
      return `Match ${inside}`;
    case 'add':
      return `Add to ${title}`;
    case 'pay':
      return picked.documents.length === 1 ? `Pay ${title}` : `${word}: ${inside}`;
    default:
      return title.startsWith(word) ? title : `${word}: ${inside}`;
  }
}

function documentWord(amount: Cents, count: number): string {
  const word = amount > 0 ? 'invoice' : 'bill';
  return count === 1 ? word.charAt(0).toUpperCase() + word.slice(1) : `${word}s`;
}

/** Capitalizes a reason. */
export const sentence = (reason: string): string => reason.charAt(0).toUpperCase() + reason.slice(1);

/** Returns the badge for the best suggested match, or undefined for a match without a badge. */
export function badgeOf(line: BankLine): { look: StatusLook; text: string } | undefined {
  const { candidate, choices } = line;
  if (candidate === null) return { look: 'draft', text: 'New' };
  if (choices > 1) return { look: 'low', text: `${choices} matches` };
  if (candidate.kind === 'transfer') return { look: 'sent', text: 'Both transactions' };
  if (candidate.sure) return { look: 'done', text: 'Sure' };
  return candidate.kind === 'rule' ? { look: 'plain', text: 'Rule' } : undefined;
}

/** Returns the heading of the right side. */
export function headOf(line: BankLine, names: Names): { title: string; reason: string } {
  const { candidate, choices } = line;
  if (candidate === null) return { title: 'No match in your books', reason: 'Find a match, or add a new entry' };
  if (choices > 1) {
    return {
      title: `${choices} possible matches for ${formatAmount(sizeOf(line.amount))}`,
      reason: 'Select one',
    };
  }
  return { title: titleOf(candidate, line, names), reason: sentence(candidate.reason) };
}

/** Returns the amount of a suggested match. Money into the bank account is positive. */
export function amountOf(candidate: Candidate, line: Pick<BankLine, 'amount'>): Cents {
  const { entries, documents, lines } = candidate;
  if (documents.length > 0) {
    const paid = sum(documents.map(({ amount }) => sizeOf(amount)));
    return cents(line.amount < 0 ? -paid : paid);
  }
  if (entries.length > 0) return sum(entries.map(({ amount }) => amount));
  return lines.length > 0 ? sum(lines.map(({ amount }) => amount)) : line.amount;
}

/** Returns a sentence about the effect of accepting the match. */
export function actionDescription(candidate: Candidate, line: BankLine, names: Names): string {
  const size = formatAmount(sizeOf(line.amount));
  const place = `${names.bank(line.bankAccountId)} on ${formatDate(line.date)}`;
  const { action, documents, entries } = candidate;
  if (action === 'match') {
    const what = entries.length === 1 ? 'an entry' : `${entries.length} entries`;
    return `Matches ${what} in your books. Nothing is posted.`;
  }
  if (action === 'deposit') return `Posts a deposit of ${size} to ${place}.`;
  if (action === 'transfer')
    return `Posts a transfer of ${size} on ${formatDate(line.date)} and matches both bank transactions.`;
  if (action === 'add') {
    const parts = candidate.lines.map(({ accountID, amount }) => {
      return `${partOf(amount, line)} to ${names.account(accountID)}`;
    });
    const who = candidate.entityName === '' ? '' : ` for ${candidate.entityName}`;
    return `Posts ${parts.join(', ')}${who} in ${place}.`;
  }
  const isWhole = documents.every(({ amount, openAmount }) => sizeOf(amount) >= sizeOf(openAmount));
  const paid = documentWord(line.amount, documents.length).toLowerCase();
  return `Posts ${size} to ${place} and pays the ${paid} in ${isWhole ? 'full' : 'part'}.`;
}

/** Returns the alert text for an action, shown with Undo. */
export function doneWord(action: BankLineInput['action']): string {
  const words = {
    match: 'Matched',
    add: 'Added',
    pay: 'Paid and matched',
    deposit: 'Deposited and matched',
    transfer: 'Transferred',
    exclude: 'Excluded',
    undo: 'Undone',
    refuse: 'Suggestion dismissed',
    attach: 'Attached',
  } as const;
  return words[action];
}

const STATE_WORDS: Record<BankLine['state'], string> = {
  review: 'For review',
  matched: 'Matched',
  added: 'Added',
  transferred: 'Transferred',
  excluded: 'Excluded',
};
export const stateWord = (state: BankLine['state']): string => STATE_WORDS[state];

/** Returns who handled a bank transaction while it was open. */
export function takenWords({ state, act }: Pick<BankLine, 'state' | 'act'>): string {
  const by = act === null || act.by === '' ? 'Someone else' : act.by;
  return state === 'review'
    ? `${by} changed this bank transaction in the meantime`
    : `${by} has already handled this bank transaction: ${stateWord(state).toLowerCase()}`;
}

/** Returns the ID after this ID or, if this ID is the last, the ID before it. Returns undefined if none is left. */
export function nextOpen(ids: readonly number[], id: number): number | undefined {
  const at = ids.indexOf(id);
  return ids[at + 1] ?? (at > 0 ? ids[at - 1] : undefined);
}

/** Returns the ID one position above or below the given ID. */
export function stepped(ids: readonly number[], id: number | undefined, step: 1 | -1): number | undefined {
  const at = id === undefined ? -1 : ids.indexOf(id);
  if (at < 0) return step === 1 ? ids[0] : ids.at(-1);
  return ids[at + step] ?? id;
}

/** The editors for bank transactions that need input. */
export type Way = 'find' | 'add' | 'split' | 'transfer';

export type KeyAct =
  | { act: 'up' | 'down' | 'accept' | 'exclude' | 'undo' | 'search' | Way }
  | { act: 'take'; at: number };

const KEYS: Readonly<Record<string, Exclude<KeyAct, { act: 'take' }>['act']>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  Enter: 'accept',
  m: 'find',
  a: 'add',
  s: 'split',
  t: 'transfer',
  x: 'exclude',
  u: 'undo',
  '/': 'search',
};

/** Returns the action for a key. The keys 1 to 9 select a match. Returns undefined for other keys. */
export function keyAct(key: string): KeyAct | undefined {
  if (/^[1-9]$/.test(key)) return { act: 'take', at: Number(key) - 1 };
  const act = KEYS[key.length === 1 ? key.toLowerCase() : key];
  return act === undefined ? undefined : { act };
}

/**
 * Returns the bank transactions to show: the loaded ones, except those that this user has handled since they were
 * loaded. A transaction that another user handled stays in its place until the user dismisses it.
 */
export function shownLines(
  read: readonly BankLine[],
  done: ReadonlyMap<number, number>,
  taken: readonly BankLine[],
): BankLine[] {
  const here = read.filter(({ id, rowVersion }) => rowVersion >= (done.get(id) ?? 0));
  const known = new Set(here.map(({ id }) => id));
  const missing = taken.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return here;
  const orderOf = ({ date, id }: BankLine) => [date, id] as const;
  return [...here, ...missing].toSorted((a, b) => {
    const [one, other] = [orderOf(a), orderOf(b)];
    return one[0] === other[0] ? one[1] - other[1] : one[0] < other[0] ? -1 : 1;
  });
}
