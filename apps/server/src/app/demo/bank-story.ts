import { addDays, addMonths, daysBetween, endOfMonth, type IsoDate, laterOf, startOfMonth } from '@evenkeel/core/dates';
import { Dice } from '@evenkeel/core/dice';
import { documentKinds } from '@evenkeel/core/documents/side';
import { type Cents, cents, sum, ZERO } from '@evenkeel/core/money';

/** The bank's side of the demo company's books: the bank transactions that match the entries in its bank accounts. */

/** An entry in the books, with the details that the bank sees. */
export interface SeenEntry {
  glid: number;
  postingDate: IsoDate;
  description: string;
  amount: Cents;
  entityName: string;
  sourceType: string;
  checkNumber: string;
}

/** A bank transaction. It has no entry if it is not in the books yet. */
export interface ToldLine {
  date: IsoDate;
  amount: Cents;
  text: string;
  checkNumber: string;
  bankId: string;
  glid: number | null;
  /** The number of days between the entry and the bank transaction. */
  days: number;
}

/** A statement for a month, or for the days after the last full month. */
export interface ToldStatement {
  from: IsoDate;
  to: IsoDate;
  opening: Cents;
  closing: Cents;
  lines: ToldLine[];
}

const upper = (name: string): string =>
  name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9& ]/g, '')
    .slice(0, 22)
    .trim();

/** The bank's text for entries with these descriptions. */
const WORDS: Readonly<Record<string, string>> = {
  'Account fee': 'MONTHLY SERVICE FEE',
  Advertising: 'TOWNCRIER ADS ONLINE',
  'Card processing fees': 'MERCHANT SVCS FEE',
  'Cash deposit': 'BRANCH DEPOSIT',
  'Credit card statement': 'CARDMEMBER SERV AUTOPAY PAYMENT',
  Fuel: 'SUNRISE FUEL 0142 ASHBY FALLS OH',
  'Interest on savings': 'INTEREST PAID',
  "Owner's draw": 'ONLINE TRANSFER TO F HOLLOW',
  Payroll: 'HANDPAY PAYROLL NET PAY',
  'Payroll taxes and withholdings of last month': 'IRS USATAXPYMT',
  'Sales tax of last quarter': 'OH TAXATION SALES TAX',
  'Software subscription': 'DESKTOP SUITE SUBSCRIPTION',
  'To savings': 'ONLINE TRANSFER TO SAV 8830',
  'Truck loan': 'VALLEY CREDIT UNION LOAN PMT',
};

/** Returns the bank's text for an entry and the number of days until it reaches the bank. */
function said(dice: Dice, { sourceType, checkNumber, entityName, description }: SeenEntry): [string, number] {
  const name = upper(entityName);
  if (sourceType === documentKinds.payment.source) {
    if (checkNumber !== '')
      return [dice.chance(50) ? `MOBILE DEPOSIT ${checkNumber}` : 'MOBILE DEPOSIT', dice.between(0, 2)];
    return dice.chance(60) ? [`ACH CREDIT ${name}`, dice.between(0, 1)] : ['MERCHANT BANKCARD DEP', 2];
  }
  if (sourceType === documentKinds.expensepayment.source) return [`CHECK ${checkNumber}`, dice.between(2, 6)];
  if (sourceType === documentKinds.expense.source) return [`POS DEBIT ${name}`, dice.between(0, 2)];
  return [WORDS[description] ?? upper(description), dice.between(0, 1)];
}

/**
 * Returns an account's bank transactions through today, sorted by date. Entries that have not reached the bank yet are
 * not included.
 */
function linesOf(dice: Dice, entries: readonly SeenEntry[], others: readonly OwnLine[], today: IsoDate): ToldLine[] {
  const seen = entries.map((entry) => {
    const [text, days] = said(dice, entry);
    const { glid, amount, sourceType, checkNumber } = entry;
    const isOwnCheck = sourceType === documentKinds.expensepayment.source;
    return {
      glid,
      amount,
      text,
      days,
      checkNumber: isOwnCheck ? checkNumber : '',
      date: addDays(entry.postingDate, days),
    };
  });
  const unknown = others.map((line) => ({ ...line, glid: null, days: 0, checkNumber: '' }));
  const all = [...seen, ...unknown].filter(({ date }) => date <= today);
  return all
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
    .map((line, at) => ({ ...line, bankId: `${line.date.replaceAll('-', '')}${1000 + at}` }));
}

/** A bank transaction without an entry. */
export type OwnLine = Pick<ToldLine, 'date' | 'amount' | 'text'>;

/** Returns the last date that is reconciled: the end of a month that is at least ten days before today. */
export function provedThrough(today: IsoDate): IsoDate {
  return endOfMonth(addMonths(addDays(today, -10), -1));
}

/**
 * Returns the monthly statements for an account, the last of which ends today. For a given date and entries, the
 * statements are always the same.
 */
export function tellStatements(
  { seed, entries, others }: { seed: number; entries: readonly SeenEntry[]; others: readonly OwnLine[] },
  today: IsoDate,
): ToldStatement[] {
  const lines = linesOf(new Dice(seed), entries, others, today);
  const [first] = lines;
  if (first === undefined) return [];
  const statements: ToldStatement[] = [];
  let [from, opening] = [startOfMonth(first.date), ZERO];
  while (from <= today) {
    const to = from > provedThrough(today) ? today : endOfMonth(from);
    const own = lines.filter(({ date }) => date >= from && date <= to);
    const closing = sum([opening, ...own.map(({ amount }) => amount)]);
    statements.push({ from, to, opening, closing, lines: own });
    [from, opening] = [addDays(to, 1), closing];
  }
  return statements.filter((statement) => statement.lines.length > 0);
}

/** The number of recent days whose bank transactions still need to be reviewed. */
const WAITING_DAYS = 12;

/** Returns whether a bank transaction is already matched. */
export function isMatched({ glid, date }: ToldLine, today: IsoDate): boolean {
  return glid !== null && daysBetween(date, today) > WAITING_DAYS;
}

/** Returns bank transactions that have no entry: an invoice that was paid by bank transfer, and purchases. */
export function unknownLines(today: IsoDate, open: { amount: Cents; number: string; name: string } | undefined) {
  const paid =
    open === undefined ? [] : [{ amount: open.amount, text: `ACH CREDIT ${upper(open.name)} INV ${open.number}` }];
  const ago = (days: number): IsoDate => laterOf(addDays(provedThrough(today), 1), addDays(today, -days));
  return {
    checking: [
      ...paid.map((line) => ({ ...line, date: ago(2) })),
      { date: ago(3), amount: cents(-6845), text: 'POS DEBIT OFFICE CORNER 0221 ASHBY FALLS OH' },
      { date: ago(6), amount: cents(-1299), text: 'RECURRING DEBIT SKYSHELF STORAGE' },
    ],
    card: [{ date: ago(4), amount: cents(-1800), text: 'SUDS CAR WASH MARLOW HEIGHTS OH' }],
  };
}
