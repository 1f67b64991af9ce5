/** Words of banks and of names, made comparable: capitals, no accents, letters and digits alone. */

const ACCENTS = /\p{M}/gu;
const BETWEEN = /[^\p{L}\p{N}]+/u;

/** "Café #4471, Inc." → CAFE 4471 INC. */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .replaceAll(ACCENTS, '')
    .replaceAll(/['’]/g, '')
    .toUpperCase()
    .split(BETWEEN)
    .filter((word) => word !== '');
}

/** A text as rules compare it: one space between words, small letters. */
export function plainText(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/** Words that banks put around a payee. */
const BANK_WORDS = new Set(
  (
    'ACH AND AUTHORIZED AUTOPAY AUTO BILL CARD CCD CHECK CHECKCARD CHK CO CORP CREDIT DBT DEBIT DEP DEPOSIT DES ECOM ' +
    'ELECTRONIC FEE FOR FROM ID INC INDN INST IN LLC LTD MOBILE NAME ON ONLINE ORIG PAY PAYMENT PAYMENTS PAYROLL PMT ' +
    'POS PPD PURCHASE RECURRING REF SALE SEQ SENT THE TO TRACE TRANSACTION TRANSFER TRN VISA WEB WIRE WITHDRAWAL XX'
  ).split(' '),
);

/** Legal forms and small words, which banks leave out. */
const NAME_FILLERS = new Set('AND CO COMPANY CORP CORPORATION INC LLC LLP LTD OF PC PLLC THE'.split(' '));

const PAYEE_WORDS = 4;
const hasDigit = (word: string): boolean => /\p{N}/u.test(word);

/**
 * The payee in a bank's text, so that two of its lines have the same: "POS DEBIT 05/06 STAPLES #0123 DENVER" and
 * "STAPLES #0987 DENVER" → STAPLES DENVER. Empty where no word is left.
 */
export function payeeOf(text: string): string {
  const words = wordsOf(text).filter((word) => word.length > 1 && !hasDigit(word) && !BANK_WORDS.has(word));
  return words.slice(0, PAYEE_WORDS).join(' ');
}

/** A text of the bank, taken apart once. */
export interface BankText {
  words: readonly string[];
  wordSet: ReadonlySet<string>;
  /** All words without spaces: "GREEN LEAF" also stands in "GREENLEAF". */
  joined: string;
  /** Runs of digits without leading zeros, and words with digits. */
  numbers: ReadonlySet<string>;
}

/** Takes a bank's text apart. */
export function bankText(text: string): BankText {
  const words = wordsOf(text);
  const runs = words.flatMap((word) => word.match(/\d+/g) ?? []).map(withoutZeros);
  const mixed = words.filter(hasDigit);
  return { words, wordSet: new Set(words), joined: words.join(''), numbers: new Set([...runs, ...mixed]) };
}

const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, '');

const SHORTEST_NUMBER = 3;
const isYear = (number: string): boolean => /^(19|20)\d\d$/.test(number);

/** Whether a document's or check's number stands in the text. A number below three digits, or a year, says nothing. */
export function hasNumber({ numbers, joined }: BankText, number: string): boolean {
  const [plain] = [wordsOf(number).join('')];
  if (plain === undefined || plain.length < SHORTEST_NUMBER || !hasDigit(plain) || isYear(plain)) return false;
  if (numbers.has(withoutZeros(plain))) return true;
  return /\p{L}/u.test(plain) && joined.includes(plain);
}

/** The words of a name that tell it from others. */
export function nameWords(name: string): string[] {
  const all = wordsOf(name);
  const telling = all.filter((word) => !NAME_FILLERS.has(word));
  return telling.length === 0 ? all : telling;
}

/** Letters that a cut-off word must keep to count as the word. */
const SHORTEST_STUMP = 4;

export type NameFit = 'full' | 'part' | 'none';

/**
 * The part of a name that stands in a bank's text: full with all its telling words (banks cut words off, and run them
 * together), part with its first word and half of its letters.
 */
export function nameFit(words: readonly string[], text: BankText): NameFit {
  const letters = words.join('').length;
  if (letters < 3) return 'none';
  if (words.length > 1 && text.joined.includes(words.join(''))) return 'full';
  const found = words.map((word) => text.wordSet.has(word) || isCutOff(word, text.words));
  if (found.every(Boolean)) return 'full';
  const foundLetters = words.filter((_, at) => found[at]).join('').length;
  const isFirst = found[0] === true && (words[0] ?? '').length >= SHORTEST_STUMP;
  return isFirst && foundLetters * 2 >= letters ? 'part' : 'none';
}

function isCutOff(word: string, words: readonly string[]): boolean {
  return words.some((stump) => stump.length >= SHORTEST_STUMP && stump.length < word.length && word.startsWith(stump));
}
