/**
 * Converts text from banks and names to comparable words: uppercase, without accents, and with only letters and digits.
 */

const ACCENTS = /\p{M}/gu;
const BETWEEN = /[^\p{L}\p{N}]+/u;

/** Splits text into comparable words. For example, "Café #4471, Inc." becomes CAFE, 4471, and INC. */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .replaceAll(ACCENTS, '')
    .replaceAll(/['’]/g, '')
    .toUpperCase()
    .split(BETWEEN)
    .filter((word) => word !== '');
}

/** Returns text in the form that rules compare: lowercase, with single spaces. */
export function plainText(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/** Words that banks add to a payee's name. */
const BANK_WORDS = new Set(
  (
    'ACH AND AUTHORIZED AUTOPAY AUTO BILL CARD CCD CHECK CHECKCARD CHK CO CORP CREDIT DBT DEBIT DEP DEPOSIT DES ECOM ' +
    'ELECTRONIC FEE FOR FROM ID INC INDN INST IN LLC LTD MOBILE NAME ON ONLINE ORIG PAY PAYMENT PAYMENTS PAYROLL PMT ' +
    'POS PPD PURCHASE RECURRING REF SALE SEQ SENT THE TO TRACE TRANSACTION TRANSFER TRN VISA WEB WIRE WITHDRAWAL XX'
  ).split(' '),
);

/** Legal forms and short words that banks omit. */
const NAME_FILLERS = new Set('AND CO COMPANY CORP CORPORATION INC LLC LLP LTD OF PC PLLC THE'.split(' '));

const PAYEE_WORDS = 4;
const hasDigit = (word: string): boolean => /\p{N}/u.test(word);

/**
 * Returns the normalized name of the payee in a bank's text. For example, both "POS DEBIT 05/06 STAPLES #0123 DENVER"
 * and "STAPLES #0987 DENVER" become STAPLES DENVER. Returns an empty string if no word is left.
 */
export function payeeOf(text: string): string {
  const words = wordsOf(text).filter((word) => word.length > 1 && !hasDigit(word) && !BANK_WORDS.has(word));
  return words.slice(0, PAYEE_WORDS).join(' ');
}

/** A bank's text, which is parsed only once. */
export interface BankText {
  words: readonly string[];
  wordSet: ReadonlySet<string>;
  /** All words joined without spaces, so that "GREEN LEAF" is also found in "GREENLEAF". */
  joined: string;
  /** Digit sequences without leading zeros, and words with digits. */
  numbers: ReadonlySet<string>;
}

/** Parses a bank's text. */
export function bankText(text: string): BankText {
  const words = wordsOf(text);
  const runs = words.flatMap((word) => word.match(/\d+/g) ?? []).map(withoutZeros);
  const mixed = words.filter(hasDigit);
  return { words, wordSet: new Set(words), joined: words.join(''), numbers: new Set([...runs, ...mixed]) };
}

const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, '');

const SHORTEST_NUMBER = 3;
const isYear = (number: string): boolean => /^(19|20)\d\d$/.test(number);

/**
 * Returns whether the text contains the number of a document or check. Years and numbers with fewer than three digits
 * never count.
 */
export function hasNumber({ numbers, joined }: BankText, number: string): boolean {
  const [plain] = [wordsOf(number).join('')];
  if (plain === undefined || plain.length < SHORTEST_NUMBER || !hasDigit(plain) || isYear(plain)) return false;
  if (numbers.has(withoutZeros(plain))) return true;
  return /\p{L}/u.test(plain) && joined.includes(plain);
}

/** Returns the significant words of a name. */
export function nameWords(name: string): string[] {
  const all = wordsOf(name);
  const telling = all.filter((word) => !NAME_FILLERS.has(word));
  return telling.length === 0 ? all : telling;
}

/** The minimum length of a truncated word that still counts as the full word. */
const SHORTEST_STUMP = 4;

export type NameFit = 'full' | 'part' | 'none';

/**
 * Returns how much of a name a bank's text contains. "full" means all significant words, which banks may truncate or
 * run together. "part" means the first word and half of the letters.
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
