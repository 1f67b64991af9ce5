import type { ProofCandidate } from '@evenkeel/contract/moving';
import { type Cents, cents, formatAmount } from '@evenkeel/core/money';
import type { SourceBooks, SourceDocument, SourceLine, SourceTransaction } from '@evenkeel/imports/books';
import { transactionText } from '@evenkeel/imports/entries';
import { plural } from './balances.ts';

/** Finds the rows of files that could explain a difference, most likely first. */

/** A difference between account balances in a month. */
export interface Suspicion {
  /** The keys of the accounts whose balances differ. */
  accounts: ReadonlySet<string>;
  /** The month of the first difference, such as "2026-03". */
  month: string;
  difference: Cents;
}

interface FileOf {
  /** Returns the ID of the uploaded file that contains a file or sheet, or 0. */
  (file: string): number;
}

const MOST = 20;

type Row = ProofCandidate['rows'][number];

/** A line that posts to one of the accounts in the month. */
interface Hit {
  transaction: SourceTransaction;
  line: SourceLine;
}

/** Returns at most 20 candidates. */
export function candidatesFor(books: SourceBooks, suspicion: Suspicion, fileOf: FileOf): ProofCandidate[] {
  const { accounts, month, difference } = suspicion;
  const names = new Map(books.accounts.map(({ key, name }) => [key, name]));
  const hits: Hit[] = [];
  for (const transaction of books.transactions) {
    if (!transaction.date.startsWith(month)) continue;
    for (const line of transaction.lines) if (accounts.has(line.account)) hits.push({ transaction, line });
  }
  const size = Math.abs(difference);
  const row = (hit: Hit, marked = false): Row => rowOf(hit, names, marked);
  const named = (title: string, list: readonly Hit[]): ProofCandidate[] =>
    list.map((hit) => ({
      title: `${hit.line.place.file}, row ${hit.line.place.row}`,
      text: `${transactionText(hit.transaction)} has a line for ${formatAmount(cents(Math.abs(hit.line.amount)))} in ${
        names.get(hit.line.account) ?? ''
      }. ${title}`,
      exact: Math.abs(hit.line.amount) === size,
      replaceFileId: 0,
      rows: [row(hit, true)],
    }));
  const exact = hits.filter(({ line }) => Math.abs(line.amount) === size);
  const half = hits.filter(({ line }) => Math.abs(line.amount) * 2 === size);
  const swapped = hits.filter((hit) => !exact.includes(hit) && isSwapped(hit.line.amount, size));
  const found = [
    ...changedDocuments(books, suspicion, { fileOf, names }),
    ...named('The amount equals the difference.', exact),
    ...named('An entry on the wrong side causes a difference of twice its amount.', half),
    ...named('Transposed digits would explain the difference.', swapped),
  ].slice(0, MOST - 1);
  const rest = hits.filter((hit) => !exact.includes(hit) && !half.includes(hit) && !swapped.includes(hit));
  if (rest.length === 0) return found;
  const others: ProofCandidate = {
    title: `${plural(rest.length, 'other row')} ${rest.length === 1 ? 'posts' : 'post'} to these accounts`,
    text: "These amounts don't equal the difference.",
    exact: false,
    replaceFileId: 0,
    rows: rest.slice(0, MOST).map((hit) => row(hit)),
  };
  return [...found, others];
}

function rowOf({ transaction, line }: Hit, names: ReadonlyMap<string, string>, marked: boolean): Row {
  const { date, type, number = '', party = '' } = transaction;
  const { place, account, amount } = line;
  const name = names.get(account) ?? account;
  return {
    file: place.file,
    row: place.row,
    date,
    type,
    number,
    party: line.party ?? party,
    account: name,
    amount,
    marked,
  };
}

/** Returns whether transposing two adjacent digits of an amount changes it by this many cents. */
function isSwapped(amount: Cents, size: number): boolean {
  if (size === 0 || size % 9 !== 0) return false;
  const digits = String(Math.abs(amount));
  for (let at = 1; at < digits.length; at += 1) {
    const other = `${digits.slice(0, at - 1)}${digits.charAt(at)}${digits.charAt(at - 1)}${digits.slice(at + 1)}`;
    if (Math.abs(Number(other) - Math.abs(amount)) === size) return true;
  }
  return false;
}

/**
 * Finds documents whose total in an open-invoice list or an aging report differs from their total in the transactions.
 */
function changedDocuments(
  books: SourceBooks,
  { difference }: Suspicion,
  { fileOf, names }: { fileOf: FileOf; names: ReadonlyMap<string, string> },
): ProofCandidate[] {
  const controls = new Set(
    books.accounts.flatMap(({ key, role }) => (role === 'receivable' || role === 'payable' ? [key] : [])),
  );
  const wanted = new Set(books.documents.map(documentKey));
  const byNumber = new Map<string, SourceTransaction>();
  for (const transaction of books.transactions) {
    const key = documentKey(transaction);
    if (transaction.number !== undefined && wanted.has(key)) byNumber.set(key, transaction);
  }
  return books.documents.flatMap((document): ProofCandidate[] => {
    const total = document.total ?? document.open;
    const transaction = document.number === undefined ? undefined : byNumber.get(documentKey(document));
    const line = transaction?.lines.find(({ account }) => controls.has(account));
    if (transaction === undefined || line === undefined || document.total === undefined) return [];
    const delta = Math.abs(Math.abs(line.amount) - Math.abs(total));
    if (delta === 0) return [];
    const row = rowOf({ transaction, line }, names, true);
    return [
      {
        title: `${transaction.type} ${document.number ?? ''} was changed after ${line.place.file} was exported`,
        text: `${document.place.file} shows ${formatAmount(cents(Math.abs(total)))} for the same document.`,
        exact: delta === Math.abs(difference),
        replaceFileId: fileOf(line.place.file),
        rows: [row, { ...row, ...document.place, amount: total }],
      },
    ];
  });
}

const documentKey = ({ number = '', date }: Pick<SourceDocument, 'number' | 'date'>): string => `${date} ${number}`;
