import { addDays } from '@evenkeel/core/dates';
import { toPlain } from '@evenkeel/core/money';
import { accountName, nameAccounts, Sums } from './export-books.ts';
import type { ExportedBooks, ExportedTransaction } from './export-books.ts';
import type { ExportAccount, ExportLine } from './export.sql.ts';

/**
 * Writes the books as a beancount file that verifies itself: the file ends with the balance of every balance sheet
 * account, which `bean-check` recomputes. Account names are converted to beancount's grammar, and the original names
 * are included.
 */
export async function* writeBeancount(books: ExportedBooks): AsyncGenerator<string> {
  const names = nameAccounts(books.accounts, cleanName, (name, suffix) => `${name}-${suffix}`);
  const sums = new Sums();
  yield [
    `; ${books.part}   exported: ${books.exportedAt}`,
    `option "title" ${quoted(books.companyName)}`,
    'option "operating_currency" "USD"',
    '',
    ...books.accounts.map((account) => opening(account, names)),
    '',
  ].join('\n');
  for await (const transaction of books.transactions) {
    sums.add(transaction);
    yield entry(transaction, names);
  }
  yield balances(books.accounts, names, sums);
}

/** A date before any date that the ledger accepts. */
const OPENED = '1900-01-01';

function opening({ id, name, number }: ExportAccount, names: ReadonlyMap<number, string>): string {
  return [
    `${OPENED} open ${accountName(names, id)} USD`,
    `  name: ${quoted(name)}`,
    `  number: ${quoted(number)}`,
    `  id: "${id}"`,
  ].join('\n');
}

function entry(transaction: ExportedTransaction, names: ReadonlyMap<number, string>): string {
  const { id, postingDate, code, payee, description, sourceType } = transaction;
  return [
    '',
    `${postingDate} * ${quoted(payee ?? '')} ${quoted(description)}`,
    `  txn: "${id}"`,
    `  source: "${sourceType}"`,
    `  code: ${quoted(code)}`,
    ...transaction.lines.flatMap((line) => posting(line, names)),
    '',
  ].join('\n');
}

function posting(line: ExportLine, names: ReadonlyMap<number, string>): string[] {
  const tags = [
    [line.entityKind === 1 ? 'vendor' : 'customer', line.entityName],
    ['pc', line.profitCenter],
    ['loc', line.location],
    ['memo', line.description === '' ? null : line.description],
  ].flatMap(([name, value]) => (value === null || value === undefined ? [] : [`    ${name}: ${quoted(value)}`]));
  return [`  ${accountName(names, line.accountId)}  ${toPlain(line.amount)} USD`, ...tags];
}

/** A beancount balance applies to the start of its day, so the balances are dated one day after the last entry. */
function balances(accounts: readonly ExportAccount[], names: ReadonlyMap<number, string>, sums: Sums): string {
  if (sums.lastDate === undefined) return '';
  const day = addDays(sums.lastDate, 1);
  const lasting = accounts.filter((account) => account.root !== 'Income' && account.root !== 'Expense');
  return `\n${lasting
    .map(({ id }) => `${day} balance ${accountName(names, id)}  ${toPlain(sums.of(id))} USD\n`)
    .join('')}`;
}

/**
 * Keeps letters and digits, replaces other characters with '-', and makes the name start with a capital letter or
 * digit. Names in scripts without capital letters get the prefix X.
 */
function cleanName(name: string): string {
  const plain = name.replace(/[^\p{L}\p{Nd}]+/gu, '-').replace(/^-+|-+$/g, '');
  const [first = ''] = plain;
  const capital = `${first.toUpperCase()}${plain.slice(first.length)}`;
  if (capital === '') return 'X';
  return /^[\p{Lu}\p{Nd}]/u.test(capital) ? capital : `X-${capital}`;
}

function quoted(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return `"${line.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
