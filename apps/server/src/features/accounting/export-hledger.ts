import { toPlain } from '@evenkeel/core/money';
import { accountName, nameAccounts } from './export-books.ts';
import type { ExportedBooks, ExportedTransaction } from './export-books.ts';
import type { ExportAccount, ExportLine } from './export.sql.ts';

/**
 * Writes the books as an hledger journal that passes `hledger check --strict`: every account is declared with its type,
 * and every amount is explicit. Characters that have a meaning in hledger are replaced: ':' in an account name becomes
 * ' - ', and ';' and '|' in a description become ',' and '/'.
 */
export async function* writeHledger(books: ExportedBooks): AsyncGenerator<string> {
  const names = nameAccounts(books.accounts, cleanName, (name, suffix) => `${name} ${suffix}`);
  yield [
    `; company: ${oneLine(books.companyName)}   ${books.part}   exported: ${books.exportedAt}`,
    'decimal-mark .',
    'commodity $1000.00',
    ...books.accounts.map((account) => declaration(account, names)),
    '',
  ].join('\n');
  for await (const transaction of books.transactions) yield entry(transaction, names);
}

const typeLetters: Record<string, string> = { Asset: 'A', Liability: 'L', Equity: 'E', Income: 'R', Expense: 'X' };

/** Bank and cash accounts have a separate type, because hledger's cash flow report covers only these accounts. */
function declaration({ id, type, root }: ExportAccount, names: ReadonlyMap<number, string>): string {
  const letter = type === 'Bank' || type === 'Cash' ? 'C' : (typeLetters[root] ?? 'A');
  return `account ${accountName(names, id)}  ; type:${letter}, id:${id}`;
}

function entry(transaction: ExportedTransaction, names: ReadonlyMap<number, string>): string {
  const { id, postingDate, code, payee, description, sourceType } = transaction;
  const note = oneLine(description) === '' ? sourceType : description;
  const title = [payee, note].filter((part) => part !== undefined).map(titlePart);
  return [
    '',
    `${postingDate} * (${tagValue(code).replaceAll(')', ' ')}) ${title.join(' | ')}  ; txn:${id}, source:${sourceType}`,
    ...transaction.lines.map((line) => posting(line, transaction, names)),
    '',
  ].join('\n');
}

function posting(line: ExportLine, transaction: ExportedTransaction, names: ReadonlyMap<number, string>): string {
  const memo = line.description === transaction.description ? null : line.description;
  const tags = [
    [line.entityKind === 1 ? 'vendor' : 'customer', line.entityName],
    ['pc', line.profitCenter],
    ['loc', line.location],
    ['memo', memo],
  ].flatMap(([name, value]) =>
    value === null || oneLine(value ?? '') === '' ? [] : [`${name}:${tagValue(value ?? '')}`],
  );
  const comment = tags.length === 0 ? '' : `  ; ${tags.join(', ')}`;
  return `    ${accountName(names, line.accountId)}  $${toPlain(line.amount)}${comment}`;
}

/** Replaces control characters and runs of whitespace with one space. Two spaces would end an account name. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}\p{Z}]+/gu, ' ').trim();
}

function cleanName(name: string): string {
  return oneLine(oneLine(name).replaceAll(':', ' - ')) || 'Unnamed';
}

function titlePart(text: string): string {
  return oneLine(text).replaceAll(';', ',').replaceAll('|', '/');
}

/** A comma would end a tag's value, and a date in brackets or a `date:` tag would change the posting date. */
function tagValue(text: string): string {
  return oneLine(text)
    .replaceAll(',', ' ')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .replace(/\b(date2?):/giu, '$1 -');
}
