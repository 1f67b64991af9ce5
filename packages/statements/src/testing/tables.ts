import { addDays, type IsoDate, isoDate } from '@evenkeel/core/dates';
import type { Dice } from '@evenkeel/core/dice';
import { type AccountKind } from '../read.ts';
import { encodings } from './writers.ts';

/**
 * Tables in the formats of banks in many countries. Each table has the actual transactions and a file that contains
 * these transactions.
 */

export interface TrueLine {
  date: IsoDate;
  /** The amount in cents. Money in is positive. */
  amount: number;
}

export interface BankTable {
  bytes: Uint8Array;
  text: string;
  lines: TrueLine[];
  kind: AccountKind | undefined;
  opening: number;
  closing: number;
  /** The content of each column in the file, for answering questions about the file. */
  columns: Partial<Record<'date' | 'amount' | 'debit' | 'credit' | 'balance', number>>;
  dateOrder: 'mdy' | 'dmy' | 'ymd';
  decimal: '.' | ',';
  /** Whether money out is positive although no word in the file indicates this. */
  turned: boolean;
  /** Whether the words for money out and in are a known pair, or no words are needed. */
  isKnown: boolean;
  /** The choices from which the file was generated, for the message that is shown if a test fails. */
  recipe: string;
}

const LANGUAGES = {
  english: ['Date', 'Description', 'Amount', 'Debit', 'Credit', 'Balance', 'Value Date', 'Type'],
  british: ['Date', 'Narrative', 'Value', 'Paid out', 'Paid in', 'Balance', 'Value Date', 'DR/CR'],
  american: [
    'Posting Date',
    'Description',
    'Amount',
    'Withdrawals',
    'Deposits',
    'Running Bal.',
    'Effective Date',
    'Details',
  ],
  german: ['Buchungstag', 'Verwendungszweck', 'Betrag', 'Soll', 'Haben', 'Saldo', 'Wertstellung', 'S/H'],
  french: ['Date', 'Libellé', 'Montant', 'Débit', 'Crédit', 'Solde', 'Date de valeur', 'Sens'],
  dutch: ['Datum', 'Omschrijving', 'Bedrag', 'Af', 'Bij', 'Saldo', 'Rentedatum', 'Af Bij'],
  spanish: ['Fecha', 'Concepto', 'Importe', 'Cargo', 'Abono', 'Saldo', 'Fecha valor', 'D/H'],
  swedish: ['Bokföringsdag', 'Beskrivning', 'Belopp', 'Uttag', 'Insättning', 'Saldo', 'Valutadag', 'Typ'],
  unknown: ['Päivä', 'Selite', 'Rahaa', 'Pois', 'Tänne', 'Jäljellä', 'Toinen', 'CreditDebet'],
  letters: ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'],
} as const;
const NAMES = Object.values(LANGUAGES);

/** Words for money out and money in. */
type Words = readonly [out: string, into: string];

const DIRECTIONS: readonly [Words, ...Words[]] = [
  ['D', 'C'],
  ['DR', 'CR'],
  ['Dr', 'Cr'],
  ['DBIT', 'CRDT'],
  ['Debit', 'Credit'],
  ['DEBIT', 'CREDIT'],
  ['S', 'H'],
  ['Soll', 'Haben'],
  ['D', 'K'],
  ['Debet', 'Credit'],
  ['Af', 'Bij'],
  ['-', '+'],
  ['Out', 'In'],
  ['Money out', 'Money in'],
  ['Withdrawal', 'Deposit'],
  ['Cargo', 'Abono'],
  ['Débit', 'Crédit'],
  ['Lastschrift', 'Gutschrift'],
  ['Uscita', 'Entrata'],
];
/** Words that no bank is known to use, so that the file must lead to a question. */
const UNKNOWN: readonly Words[] = [
  ['xx', 'yy'],
  ['0', '1'],
];

const TEXTS = [
  'COFFEE BAR',
  'Müller & Söhne',
  'Rent, May',
  'SALARY',
  'ATM 4711',
  'Refund "shop"',
  'line; two',
  'Card payment',
  'Überweisung 12.50',
  'TOTAL WINE',
  '',
  'O’Neil 05/06',
  'Transfer|own',
  'Payment',
  'IBAN DE00 1234',
] as const;

type Look = ReturnType<typeof lookOf>;

function lookOf(dice: Dice) {
  const decimal = dice.pick<'.' | ','>(['.', ',']);
  const groups = decimal === '.' ? (['', ',', "'", ' '] as const) : (['', '.', ' ', '\u00a0'] as const);
  return {
    decimal,
    group: dice.pick(groups),
    sign: dice.pick(['-x', '-x', '-x', 'x-', '(x)', '- x', '−x', '$', '+']),
    currency: dice.chance(10) ? dice.pick(['$', '€', 'USD ', '£', 'kr ']) : '',
    isWhole: dice.chance(4),
    wholeIsShort: dice.chance(15),
  };
}

function figure(amount: number, look: Look): string {
  const size = Math.abs(amount);
  const whole = String(Math.floor(size / 100)).replace(/\B(?=(\d{3})+$)/g, look.group);
  const cents = String(size % 100).padStart(2, '0');
  const isShort = look.isWhole || (look.wholeIsShort && size % 100 === 0);
  const plain = isShort ? whole : `${whole}${look.decimal}${cents}`;
  const own = `${look.currency}${plain}`;
  if (amount >= 0) return look.sign === '+' && amount > 0 ? `+${own}` : own;
  if (look.sign === '$' || look.sign === '+') return `-${own}`;
  return look.sign.replace('x', own);
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

const DATES = {
  iso: (y: string, m: string, d: string) => `${y}-${m}-${d}`,
  digits: (y: string, m: string, d: string) => `${y}${m}${d}`,
  time: (y: string, m: string, d: string) => `${y}-${m}-${d} 12:30:01`,
  colons: (y: string, m: string, d: string) => `${y}:${m}:${d}`,
  us: (y: string, m: string, d: string) => `${m}/${d}/${y}`,
  usShort: (y: string, m: string, d: string) => `${Number(m)}/${Number(d)}/${y.slice(2)}`,
  eu: (y: string, m: string, d: string) => `${d}/${m}/${y}`,
  dots: (y: string, m: string, d: string) => `${d}.${m}.${y}`,
  dotsShort: (y: string, m: string, d: string) => `${d}.${m}.${y.slice(2)}`,
  dashes: (y: string, m: string, d: string) => `${d}-${m}-${y}`,
  yearShort: (y: string, m: string, d: string) => `${y.slice(2)}-${m}-${d}`,
  named: (y: string, m: string, d: string) => `${d}-${MONTHS[Number(m) - 1]}-${y}`,
  american: (y: string, m: string, d: string) => `${MONTHS[Number(m) - 1]} ${Number(d)}, ${y}`,
} as const;
type Style = keyof typeof DATES;
const STYLES: readonly [Style, ...Style[]] = [
  'iso',
  'digits',
  'time',
  'colons',
  'us',
  'usShort',
  'eu',
  'dots',
  'dotsShort',
  'dashes',
  'yearShort',
  'named',
  'american',
];
const ORDERS: Partial<Record<Style, BankTable['dateOrder']>> = {
  us: 'mdy',
  usShort: 'mdy',
  eu: 'dmy',
  dots: 'dmy',
  dotsShort: 'dmy',
  dashes: 'dmy',
  yearShort: 'ymd',
};

const written = (date: IsoDate, style: Style): string => {
  const [year = '', month = '', day = ''] = date.split('-');
  return DATES[style](year, month, day);
};

/** Returns the transactions at the bank, oldest first. */
function storyOf(dice: Dice): { lines: (TrueLine & { text: string })[]; opening: number } {
  const count = dice.chance(20) ? dice.between(1, 3) : dice.between(2, 25);
  const start = addDays(isoDate('2023-01-01'), dice.between(0, 700));
  const spread = dice.pick([0, 20, 60, 300]);
  const mood = dice.pick([20, 50, 80, 0, 100]);
  const days = Array.from({ length: count }, () => dice.between(0, spread)).toSorted((a, b) => a - b);
  const same = dice.chance(4) ? dice.between(1, 90_000) : undefined;
  const lines = days.map((day) => {
    const size =
      same ?? (dice.chance(10) ? dice.between(1, 90) * 100 : dice.between(1, dice.pick([999, 50_000, 9_999_999])));
    return {
      date: addDays(start, day),
      amount: dice.chance(mood) ? size : -size,
      text: dice.pick(TEXTS),
    };
  });
  return { lines, opening: dice.between(-50_000, 5_000_000) };
}

interface Column {
  role: 'date' | 'amount' | 'debit' | 'credit' | 'balance' | 'text' | 'other';
  name: string;
  cells: string[];
}

const quotedCell = (cell: string, separator: string, isAlways: boolean): string =>
  isAlways || cell.includes(separator) || /["\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** Generates a table in the format of a random bank. */
export function bankTable(dice: Dice): BankTable {
  const { lines: story, opening: begun } = storyOf(dice);
  const kind = dice.pick(['bank', 'card', undefined, 'bank', undefined] as const);
  const look = lookOf(dice);
  if (look.isWhole) for (const line of story) line.amount = Math.round(line.amount / 100) * 100 || 100;
  const opening = look.isWhole ? Math.round(begun / 100) * 100 : begun;
  const layout = dice.pick(['signed', 'signed', 'direction', 'direction', 'pair', 'pair', 'marks', 'credits'] as const);
  // In a bank account, a minus sign means money out. No bank reverses this meaning in a file without a balance column.
  const balanceAt = dice.pick(['none', 'none', 'right', 'right', 'left', 'days'] as const);
  const mayTurn =
    layout === 'signed' && (kind !== 'bank' || (['left', 'right'].includes(balanceAt) && story.length > 1));
  const turned = mayTurn && dice.chance(30);
  const isOwed = kind === 'card' && dice.chance(50);
  const isNewestFirst = dice.chance(45);
  const names = dice.pick<(typeof NAMES)[number]>([LANGUAGES.english, LANGUAGES.german, ...NAMES]);
  const isHeaded = dice.chance(75);
  const style = dice.pick(STYLES);
  let balance = opening;
  const all = story.map((line) => {
    balance += line.amount;
    return { ...line, balance };
  });
  const closing = balance;
  const rows = isNewestFirst ? all.toReversed() : all;
  const columns: Column[] = [{ role: 'date', name: names[0], cells: rows.map(({ date }) => written(date, style)) }];
  if (dice.chance(20)) {
    // The posting date is followed by a value date in a separate column.
    const isSame = !isHeaded || dice.chance(40);
    const cells = rows.map(({ date }) => written(isSame ? date : addDays(date, dice.between(0, 2)), style));
    columns.push({ role: 'other', name: isSame ? names[0] : names[6], cells });
  }
  const words = dice.pick<Words>([...DIRECTIONS, ...UNKNOWN]);
  const text: Column = { role: 'text', name: names[1], cells: rows.map((line) => line.text) };
  const money = moneyColumns(dice, { rows, layout, look, turned, names, words });
  if (balanceAt !== 'none') {
    const cells = rows.map(({ date, balance: own }, index) => {
      const isLast = isNewestFirst ? rows[index - 1]?.date !== date : rows[index + 1]?.date !== date;
      if (balanceAt === 'days' && !isLast) return '';
      return figure(isOwed ? -own : own, look);
    });
    money.splice(balanceAt === 'left' ? 0 : money.length, 0, { role: 'balance', name: names[5], cells });
  }
  if (dice.chance(15)) money.unshift({ role: 'other', name: '', cells: rows.map(() => '') });
  if (dice.chance(15)) {
    money.push({ role: 'other', name: 'Reference', cells: rows.map(() => `R${dice.between(1000, 99_999)}`) });
  }
  columns.push(...(dice.chance(70) ? [text, ...money] : [...money, text]));
  const separator = dice.pick([',', ';', '\t', '|']);
  const isQuoted = dice.chance(30);
  const line = (cells: readonly string[]): string =>
    cells.map((cell) => quotedCell(cell, separator, isQuoted)).join(separator);
  const body = rows.map((_, index) => line(columns.map(({ cells }) => cells[index] ?? '')));
  const isTitled = dice.chance(20);
  const head = [
    ...(isTitled ? [line(['Account', 'Main account 00123']), line(['Period', 'all']), ''] : []),
    ...(isHeaded ? [line(columns.map(({ name }) => name))] : []),
  ];
  const whole = `${[...head, ...body].join(dice.pick(['\n', '\r\n']))}${dice.chance(80) ? '\n' : ''}`;
  const isLatin = !whole.includes('−');
  const { 'UTF-8': plain, 'Windows-1252': latin, ...others } = encodings;
  const encode = dice.pick([plain, isLatin ? latin : plain, ...Object.values(others)]);
  const at = (role: Column['role']): number => columns.findIndex((column) => column.role === role);
  return {
    bytes: encode(whole),
    text: whole,
    lines: rows.map(({ date, amount }) => ({ date, amount })),
    kind,
    opening,
    closing,
    columns: { date: 0, amount: at('amount'), debit: at('debit'), credit: at('credit'), balance: at('balance') },
    dateOrder: ORDERS[style] ?? 'ymd',
    decimal: look.decimal,
    turned,
    isKnown: layout !== 'direction' || !UNKNOWN.includes(words),
    recipe: JSON.stringify({
      kind,
      layout,
      turned,
      isOwed,
      balanceAt,
      isNewestFirst,
      isHeaded,
      style,
      sign: look.sign,
    }),
  };
}

interface MoneyAsk {
  rows: readonly TrueLine[];
  layout: 'signed' | 'direction' | 'pair' | 'marks' | 'credits';
  look: Look;
  turned: boolean;
  names: (typeof NAMES)[number];
  words: Words;
}

function moneyColumns(dice: Dice, { rows, layout, look, turned, names, words }: MoneyAsk): Column[] {
  const size = (amount: number): string => figure(Math.abs(amount), { ...look, sign: '-x' });
  const amountColumn = (cells: string[]): Column => ({ role: 'amount', name: names[2], cells });
  if (layout === 'signed') return [amountColumn(rows.map(({ amount }) => figure(turned ? -amount : amount, look)))];
  if (layout === 'marks') {
    const marks = dice.pick<Words>([
      [' DR', ' CR'],
      ['DR', 'CR'],
      [' D', ' C'],
      [' S', ' H'],
    ]);
    return [amountColumn(rows.map(({ amount }) => `${size(amount)}${marks[amount < 0 ? 0 : 1]}`))];
  }
  if (layout === 'credits')
    return [amountColumn(rows.map(({ amount }) => `${size(amount)}${amount < 0 ? '' : ' CR'}`))];
  if (layout === 'direction') {
    const [out, into] = words;
    const cells = rows.map(({ amount }) => (amount < 0 ? out : into));
    const direction: Column = { role: 'other', name: dice.chance(50) ? names[7] : 'KZ', cells };
    const amounts = amountColumn(rows.map(({ amount }) => size(amount)));
    return dice.chance(50) ? [amounts, direction] : [direction, amounts];
  }
  const empty = dice.pick(['', '', '0.00']).replace('.', look.decimal);
  const isMinus = dice.chance(20);
  const side = (role: 'debit' | 'credit', isOut: boolean): Column => ({
    role,
    name: names[isOut ? 3 : 4],
    cells: rows.map(({ amount }) => {
      if (amount < 0 !== isOut) return empty;
      return isOut && isMinus ? figure(amount, look) : size(amount);
    }),
  });
  const pair = [side('debit', true), side('credit', false)];
  return dice.chance(75) ? pair : pair.toReversed();
}
