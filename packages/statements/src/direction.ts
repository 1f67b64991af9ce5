import type { StatementMapping, StatementQuestion } from './statement.ts';

/**
 * Pairs of words for money out and money in, in plain form (see `plainWord`). The words in each pair are from the same
 * bank.
 */
const PAIRS = [
  'd|c, dr|cr, db|cr, dt|ct, dt|kt, dbt|cdt, dbit|crdt, deb|cred, debit|credit, debits|credits, debited|credited',
  'debit|kredit, debet|kredit, debet|credit, debito|credito, d|k, dare|avere, d|a, debe|haber, d|h, s|h, soll|haben',
  'lastschrift|gutschrift, belastung|gutschrift, ausgang|eingang, ausgabe|einnahme, ausgaben|einnahmen, a|e',
  'af|bij, uit|in, uitgave|inkomst, -|+, minus|plus, out|in, o|i, outgoing|incoming, outflow|inflow, outward|inward',
  'money out|money in, paid out|paid in, payment out|payment in, cash out|cash in, out|received, w|d, wd|dep, wdl|dep',
  'withdrawal|deposit, withdrawals|deposits, withdraw|deposit, expense|income, spent|received, sent|received',
  'paid|received, spending|income, retrait|depot, sortie|entree, depense|recette, debit|depot, cargo|abono, -|c',
  'retiro|deposito, egreso|ingreso, gasto|ingreso, salida|entrada, saida|entrada, despesa|receita, uscita|entrata',
  'uscite|entrate, addebito|accredito, prelievo|versamento, obciazenie|uznanie, obciążenie|uznanie, wn|ma',
  'wyplata|wplata, wypłata|wpłata, wydatek|przychod, vydaj|prijem, terheles|jovairas, t|j, uttag|insattning',
  'utgift|inkomst, otto|pano, udgift|indtægt, hævning|indsættelse, ut|inn, utbetaling|innbetaling, ut|in, borc|alacak',
  'b|a, gider|gelir, расход|приход, дебет|кредит, списание|зачисление, д|к, 支出|收入, 支出|存入, 借|贷, 借方|貸方',
  '出金|入金, お支払金額|お預り金額, 출금|입금',
]
  .flatMap((line) => line.split(', '))
  .map((pair) => pair.split('|'))
  .map(([out = '', into = '']) => ({ out, in: into }));

type Pair = (typeof PAIRS)[number];
export type Side = 'in' | 'out';

/**
 * Words that indicate a direction in a column with any name, even if the file has no transaction in the other
 * direction.
 */
const ALONE = new Set(
  'dr cr dbit crdt soll haben af bij lastschrift gutschrift belastung withdrawal withdrawals deposits'.split(' '),
);

/** Returns a word in lowercase without accents, parentheses, and a final period. All dashes are treated the same. */
function plainWord(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[−–]/g, '-')
    .replace(/[\s_]+/g, ' ')
    .replace(/^[([]|[)\].]$/g, '');
}

/** Returns whether text is a word in plain form. */
export const isWord = (text: string, word: string | undefined): boolean => plainWord(text) === word;

/** The direction of each amount according to the words in a column. Undefined if no known pair contains all words. */
export interface Direction {
  sideOf: (text: string) => Side | undefined;
  /** Whether both words of a pair occur, or a word that means only a direction. */
  isProved: boolean;
}

/** The maximum length of a word in a pair. */
const LONGEST = 20;

/** The words that the user specified for each side. */
export type SideWords = Pick<StatementMapping, 'outWord' | 'inWord'>;

/**
 * Returns the direction of each word in a column, as specified by the user. If one of two words is specified, the other
 * word has the opposite direction. If the specified word is empty, the only word in the column has the opposite
 * direction.
 */
export function sidesSaid(
  values: readonly string[],
  { outWord, inWord }: SideWords,
): SideWords & Pick<Direction, 'sideOf'> {
  const words = wordsOf(values);
  const [out, into] = [outWord, inWord].map((word) => (word === undefined ? undefined : plainWord(word)));
  const other = (named: string | undefined) => {
    const isWhole = named === '' ? words.size === 1 : named !== undefined && words.size === 2 && words.has(named);
    return isWhole ? [...words].find((word) => word !== named) : undefined;
  };
  const [all, ins] = [out ?? other(into), into ?? other(out)];
  return {
    ...(all === undefined ? {} : { outWord: all }),
    ...(ins === undefined ? {} : { inWord: ins }),
    sideOf: (text) => {
      const word = plainWord(text);
      if (word === '') return undefined;
      return word === all ? 'out' : word === ins ? 'in' : undefined;
    },
  };
}

/** Returns the distinct words in a column, in plain form. */
function wordsOf(values: readonly string[]): Set<string> {
  return new Set(values.map(plainWord).filter((word) => word !== ''));
}

/**
 * Returns the question of which of two unknown words means money out, or whether a single unknown word does. Returns
 * undefined if there are more than two words.
 */
export function askSides(values: readonly string[]): StatementQuestion | undefined {
  const shown = new Map(values.filter((text) => plainWord(text) !== '').map((text) => [plainWord(text), text.trim()]));
  const [first, second, ...more] = shown.values();
  if (first === undefined || more.length > 0 || [...shown.values()].some(({ length }) => length > LONGEST)) {
    return undefined;
  }
  const choice = (value: string, label: string) => ({ value, label });
  const choices =
    second === undefined
      ? [choice(first, `${first} is money out`), choice('', `${first} is money in`)]
      : [choice(first, `${first} is money out`), choice(second, `${second} is money out`)];
  return { name: 'outWord', choices };
}

/** Returns the direction that a column's values show if one known pair contains all values. Empty cells are ignored. */
export function directionOf(values: Iterable<string>, isNamed: boolean): Direction | undefined {
  const words = new Set<string>();
  for (const value of values) {
    if (value.length > LONGEST) return undefined;
    const word = plainWord(value);
    if (word !== '') words.add(word);
    if (words.size > 2) return undefined;
  }
  if (words.size === 0) return undefined;
  const fitting = PAIRS.filter((pair) => [...words].every((word) => word === pair.out || word === pair.in));
  const sides = [...words].map((word) => new Set(fitting.map((pair) => sideIn(pair, word))));
  if (fitting.length === 0 || sides.some(({ size }) => size > 1)) return undefined;
  const [pair] = fitting;
  const sideOf = (text: string): Side | undefined => pair && sideIn(pair, plainWord(text));
  return { sideOf, isProved: words.size === 2 || isNamed || [...words].every((word) => ALONE.has(word)) };
}

function sideIn(pair: Pair, word: string): Side | undefined {
  if (word === pair.out) return 'out';
  return word === pair.in ? 'in' : undefined;
}
