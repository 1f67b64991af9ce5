import { cents, negate, toPlain, ZERO } from '@evenkeel/core/money';
import { type Chain, chainsOf, endsOf } from './chain.ts';
import { type Columns, moneyColumns } from './columns.ts';
import { askSides, directionOf, isWord, type SideWords, sidesSaid } from './direction.ts';
import { figureOf } from './figures.ts';
import {
  type AccountKind,
  type DateOrder,
  quoted,
  type ReadStatement,
  type StatementAnswer,
  type StatementQuestion,
  unreadable,
  patternOf,
} from './statement.ts';
import { BALANCE, type Dated } from './dated.ts';
import { cellOf } from './table.ts';

/** The evidence that a table contains about its signs: none, that they are correct or reversed, or a contradiction. */
export interface Signs {
  isProved: boolean;
  turned?: boolean;
  isContradicted?: boolean;
  /** The question about unknown words in the direction column. */
  question?: StatementQuestion;
  answer?: StatementAnswer;
  /** The words that the user specified. */
  words?: SideWords;
}

/**
 * Returns the signs that the table shows through a direction column, DR or CR, or negative amounts in a money-out
 * column.
 */
export function signed(rows: readonly Dated[], columns: Columns, said: SideWords = {}): Signs {
  const { amountColumn = -1, directionColumn = -1, debitColumn = -1, creditColumn = -1 } = columns;
  if (amountColumn < 0) {
    oneSign(rows, debitColumn, -1);
    oneSign(rows, creditColumn, 1);
    return { isProved: true };
  }
  const moved = rows.filter(({ amount }) => amount !== undefined && amount !== 0);
  if (directionColumn >= 0) return directed(moved, directionColumn, said);
  const sides = moved.map(({ row }) => figureOf(cellOf(row, amountColumn).text)?.side);
  const isMinus = moved.some(({ amount }, index) => (amount ?? 0) < 0 && sides[index] === undefined);
  const isMarked = sides.every((side) => side !== undefined);
  const [hasIn, hasOut] = [sides.includes('in'), sides.includes('out')];
  // CR means money in. If only CR is marked, the unmarked amounts are money out.
  if (hasIn && !hasOut && !isMinus && !isMarked) {
    moved.forEach((one, index) => {
      if (sides[index] === undefined && one.amount !== undefined) one.amount = negate(one.amount);
    });
  }
  return { isProved: moved.length === 0 || isMarked || hasIn || hasOut };
}

/**
 * Applies a direction column to the amounts. If the amounts already have signs, the column is only checked for
 * agreement with them.
 */
function directed(rows: readonly Dated[], column: number, said: SideWords): Signs {
  const cells = rows.map(({ row }) => cellOf(row, column));
  const texts = cells.map(({ text }) => text);
  const { sideOf, ...words } = sidesSaid(texts, said);
  const direction = directionOf(texts, true);
  const known = texts.map((text) => sideOf(text) ?? direction?.sideOf(text) ?? directionOf([text], true)?.sideOf(text));
  const unknown = cells.filter((_, index) => known[index] === undefined);
  const [first] = unknown;
  if (first !== undefined) {
    const question = unknown.some(({ text }) => text.trim() === '') ? undefined : askSides(texts);
    if (question !== undefined) return { isProved: false, question };
    throw unreadable(first, `${quoted(first.text)} does not indicate whether money came in or went out`);
  }
  const sides = known.map((side) => side ?? 'in');
  const answer = answerOf(texts, words);
  const isNegative = rows.map(({ amount }) => (amount ?? 0) < 0);
  if (!isNegative.includes(true)) {
    rows.forEach((one, index) => {
      if (sides[index] === 'out') one.amount = negate(one.amount ?? ZERO);
    });
    return { isProved: true, words, ...answer };
  }
  const isAsSaid = sides.every((side, index) => (side === 'out') === isNegative[index]);
  const isOpposite = sides.every((side, index) => (side === 'in') === isNegative[index]);
  if (isAsSaid || isOpposite) return { isProved: true, turned: isOpposite, words, ...answer };
  return { isProved: false, isContradicted: true, words, ...answer };
}

/** Returns the user's answer about the direction column's words. */
function answerOf(texts: readonly string[], words: SideWords): { answer?: StatementAnswer } {
  const question = words.outWord === undefined ? undefined : askSides(texts);
  const choice = question?.choices.find(({ value }) => isWord(value, words.outWord));
  return question === undefined || choice === undefined
    ? {}
    : { answer: { ...question, value: choice.value, isProved: false } };
}

/**
 * Gives all amounts in a one-direction column the same sign. A column with only negative amounts is read as if all of
 * them were positive.
 */
function oneSign(rows: readonly Dated[], column: number, sign: 1 | -1): void {
  const own = rows.filter(({ row, amount }) => amount && column >= 0 && /[1-9]/.test(row.cells[column] ?? ''));
  const isNegative = own.every(({ amount }) => (amount ?? 0) < 0);
  if (isNegative === (sign === -1)) return;
  for (const one of own) one.amount = negate(one.amount ?? ZERO);
}

/**
 * Returns the ways in which the running balance can be calculated from the amounts. If both row orders are possible,
 * the order of the dates decides.
 */
export function balanceChains(rows: readonly Dated[], order: DateOrder | undefined): Chain[] {
  const lines = rows.filter(({ text }) => !BALANCE.test(text));
  const chains = chainsOf(
    lines.map(({ amount }) => amount),
    lines.map(({ balance }) => balance),
  );
  const [first, last] = [lines[0], lines.at(-1)].map((one) =>
    order === undefined ? undefined : one?.day.readings[order],
  );
  if (first === undefined || last === undefined || first === last) return chains;
  const inOrder = chains.filter(({ isForward }) => isForward === first < last);
  return inOrder.length > 0 ? inOrder : chains;
}

const PAID = patternOf(
  '',
  'payment.{0,12}thank|thank you.{0,12}payment|payment received|paiement recu.{0,8}merci|',
  'zahlung erhalten|gracias por su pago|su pago.{0,8}gracias|pagamento recebido|',
  'betaling ontvangen|indbetaling modtaget',
);
const PAID_TO_CARD = /autopay|auto ?pay|direct debit payment|online payment|mobile payment|lastschrift erhalten/;

/**
 * Returns the sign shown by a card's thank-you rows, which are payments received. These rows prove the sign if the rest
 * of the file has the opposite sign.
 */
function thanked(lines: readonly Dated[], kind: AccountKind | undefined): boolean | undefined {
  const isPaid = ({ text }: Dated): boolean => {
    const plain = text
      .toLowerCase()
      .normalize('NFD')
      .replace(/\p{M}+/gu, '');
    return PAID.test(plain) || (kind === 'card' && PAID_TO_CARD.test(plain));
  };
  const paid = lines.filter(isPaid);
  const others = lines.filter((line) => !paid.includes(line));
  if (paid.length === 0 || kind === 'bank') return undefined;
  for (const sign of [1, -1]) {
    const isOpposite = others.filter(({ amount }) => (amount ?? 0) * sign < 0).length * 2 > others.length;
    if (paid.every(({ amount }) => (amount ?? 0) * sign > 0) && isOpposite) return sign < 0;
  }
  return undefined;
}

/** Everything that can show whether all signs are reversed. */
export interface Evidence {
  signs: Signs;
  chains: readonly Chain[];
  kind: AccountKind | undefined;
}

/**
 * Returns whether an unknown column may contain the direction of the oldest amount, which no balance proves. If no
 * amount has a sign and only this row has a different word, its amount may be the only one in its direction.
 */
export function mayHideSide(rows: readonly Dated[], columns: Columns, chains: readonly Chain[]): boolean {
  const lines = rows.filter(({ amount, text }) => amount !== undefined && amount !== 0 && !BALANCE.test(text));
  const isSigned = lines.some(({ amount }) => (amount ?? 0) < 0);
  const { amountColumn = -1, directionColumn = -1, dateColumn = -1 } = columns;
  if (amountColumn < 0 || directionColumn >= 0 || isSigned) return false;
  const taken = [dateColumn, ...moneyColumns(columns)];
  return chains.some(({ isForward }) => {
    const [oldest, ...others] = isForward ? lines : lines.toReversed();
    const [second] = others;
    return (
      oldest !== undefined &&
      second?.row.cells.some((cell, column) => {
        const isOther = !taken.includes(column) && cell !== '' && cell !== (oldest.row.cells[column] ?? '');
        return isOther && cell.length <= LONGEST_WORD && others.every(({ row }) => row.cells[column] === cell);
      })
    );
  });
}

const LONGEST_WORD = 20;

interface Turn {
  turned: boolean;
  question?: StatementQuestion;
}

/**
 * Returns whether all signs are reversed. For a bank account, a running balance proves this. For a card, a running
 * balance proves nothing, because the balance may be the amount owed. Without a running balance, a minus sign in a bank
 * account's file means money out unless most amounts are positive.
 */
export function turnOf(rows: readonly Dated[], { signs, chains, kind }: Evidence): Turn {
  const lines = rows.filter(({ amount, text }) => amount !== undefined && amount !== 0 && !BALANCE.test(text));
  if (lines.length === 0) return { turned: false };
  if (signs.question !== undefined) return { turned: false, question: signs.question };
  const ways = new Set(chains.map(({ sign }) => sign));
  const isBalanced = kind !== 'card' && ways.size === 1;
  if (signs.isProved) {
    // The words mean money out, but the amounts increase the balance of a bank account. Either the words or the balance
    // is misleading.
    const isDoubtful = isBalanced && ways.has(1) === (signs.turned === true);
    return isDoubtful ? ask(lines) : { turned: signs.turned === true };
  }
  const isOwed = lines.some(({ balance }) => (balance ?? 0) > 0);
  if (isBalanced && (ways.has(1) || kind === 'bank' || !isOwed)) return { turned: ways.has(-1) };
  const turned = thanked(lines, kind);
  if (turned !== undefined) return { turned };
  const negative = lines.filter(({ amount }) => (amount ?? 0) < 0).length;
  const isPlain = kind === 'bank' && ways.size === 0 && negative * 2 >= lines.length;
  return isPlain && signs.isContradicted !== true ? { turned: false } : ask(lines);
}

/**
 * Returns the answer to the question about signs: whether a typical purchase is money in or out. Returns an empty
 * object if the rows have no amounts.
 */
export function answeredTurn(rows: readonly Dated[], turned: boolean, found: Turn): { answer?: StatementAnswer } {
  const lines = rows.filter(({ amount, text }) => amount !== undefined && amount !== 0 && !BALANCE.test(text));
  if (lines.length === 0) return {};
  const isProved = found.question === undefined && found.turned === turned;
  return { answer: { ...askTurn(lines), value: String(turned), isProved } };
}

const ask = (lines: readonly Dated[]): Turn => ({ turned: false, question: askTurn(lines) });

/** Returns the question of whether a typical purchase, which is the first positive amount, is money in or out. */
function askTurn(lines: readonly Dated[]): StatementQuestion {
  const line = lines.find(({ amount }) => (amount ?? 0) > 0) ?? lines[0];
  const isPositive = (line?.amount ?? 0) > 0;
  const words = line?.text.slice(0, LONGEST_EXAMPLE).trim() ?? '';
  const figure = toPlain(line?.amount ?? ZERO);
  const example = words === '' ? figure : `${figure} ${words}`;
  const choice = (turned: boolean): StatementQuestion['choices'][number] => {
    return { value: String(turned), label: `${example} is money ${turned === isPositive ? 'out' : 'in'}` };
  };
  return { name: 'turned', choices: [choice(false), choice(true)] };
}

const LONGEST_EXAMPLE = 40;

/**
 * Sets the opening and closing balance if the running balance is consistent from row to row. An amount owed is
 * negative.
 */
export function runningBalances(
  statement: ReadStatement,
  rows: readonly Dated[],
  { dateOrder, turned }: { dateOrder: DateOrder | undefined; turned: boolean },
): void {
  const lines = rows.filter(({ amount, text }) => amount !== undefined && !BALANCE.test(text));
  const own = lines.map((one): Dated => ({ ...one, amount: turned ? negate(one.amount ?? ZERO) : one.amount }));
  const amounts = own.map(({ amount }) => amount);
  const balances = own.map(({ balance }) => balance);
  const ends = balanceChains(own, dateOrder).map((chain) => {
    const { opening, closing } = endsOf(amounts, balances, chain);
    return { opening: cents(chain.sign * opening), closing: cents(chain.sign * closing) };
  });
  const [first, ...others] = ends;
  // If all amounts are equal, both row orders are possible, and the file can't verify the opening or closing balance.
  if (
    first === undefined ||
    others.some(({ opening, closing }) => opening !== first.opening || closing !== first.closing)
  )
    return;
  statement.opening ??= first.opening;
  statement.closing ??= first.closing;
}
