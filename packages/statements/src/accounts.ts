import { earlierOf, type IsoDate, laterOf } from '@evenkeel/core/dates';
import { checkBalance } from './balance.ts';
import type { ReadStatement } from './statement.ts';

const accountOf = ({ accountNumber, accountName, routingNumber, currency }: ReadStatement): string =>
  JSON.stringify([accountNumber, accountName, routingNumber, currency]);

/**
 * Joins the statements in a file so that each account has only one statement. In a file with daily statements, each
 * statement is first checked separately. The joined statement has balances only if each day starts with the closing
 * balance of the day before. A duplicate page counts once.
 */
export function oneForEach(statements: readonly ReadStatement[]): ReadStatement[] {
  const byAccount = new Map<string, ReadStatement[]>();
  const seen = new Set<string>();
  for (const statement of statements) {
    checkBalance(statement);
    const key = accountOf(statement);
    const page = pageOf(statement);
    if (page !== undefined && seen.has(page)) continue;
    if (page !== undefined) seen.add(page);
    const others = byAccount.get(key);
    if (others === undefined) byAccount.set(key, [statement]);
    else others.push(statement);
  }
  return [...byAccount.values()].map(joined);
}

/**
 * Returns a page's content without its position in the file. Two different pages for one account never have the same
 * balances and lines.
 */
function pageOf(statement: ReadStatement): string | undefined {
  const { opening, closing, lines } = statement;
  if (opening === undefined || closing === undefined || opening === closing) return undefined;
  return JSON.stringify({ ...statement, lines: lines.map((line) => ({ ...line, row: 0 })) });
}

const isContinued = (pages: readonly ReadStatement[]): boolean =>
  pages.every(({ opening }, index) => {
    const before = pages[index - 1]?.closing;
    return opening === undefined || before === undefined || opening === before;
  });

function joined(pages: readonly ReadStatement[]): ReadStatement {
  const [first, ...others] = pages;
  if (first === undefined || others.length === 0) return withPeriod(first ?? { format: 'OFX', lines: [] });
  const backwards = pages.toReversed();
  const inOrder = isContinued(pages) ? pages : isContinued(backwards) ? backwards : [];
  const { opening: _opening, closing: _closing, from: _from, to: _to, ...facts } = first;
  const whole: ReadStatement = { ...facts, lines: pages.flatMap(({ lines }) => lines) };
  const [opening, closing] = [inOrder[0]?.opening, inOrder.at(-1)?.closing];
  if (opening !== undefined) whole.opening = opening;
  if (closing !== undefined) whole.closing = closing;
  // If the pages in between have no balances, only the whole statement can be verified, and not each page.
  checkBalance(whole);
  const froms = pages.map((page) => withPeriod(page).from).filter((day) => day !== undefined);
  const tos = pages.map((page) => withPeriod(page).to).filter((day) => day !== undefined);
  if (froms[0]) whole.from = froms.reduce(earlierOf);
  if (tos[0]) whole.to = tos.reduce(laterOf);
  return withPeriod(whole);
}

/** If a statement has no period, sets it to the period of its bank transactions. */
export function withPeriod(statement: ReadStatement): ReadStatement {
  let [from, to]: (IsoDate | undefined)[] = [statement.from, statement.to];
  if (from === undefined || to === undefined) {
    let [low, high]: (IsoDate | undefined)[] = [undefined, undefined];
    for (const { date } of statement.lines) {
      if (low === undefined || date < low) low = date;
      if (high === undefined || date > high) high = date;
    }
    from ??= low;
    to ??= high;
  }
  return { ...statement, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}
