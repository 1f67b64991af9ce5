import { chainsOf, type Chain, type Units } from './chain.ts';
import { type Columns, type Frame, isGiven, moneyColumns } from './columns.ts';
import { readDay } from './days.ts';
import { type Direction, directionOf } from './direction.ts';
import { decideMark, figureOf, isFigure } from './figures.ts';
import { columnsFor, namesDirection, namesNumber, type Role, ranked } from './headers.ts';
import { type AccountKind, type DecimalMark, type StatementQuestion, unreadable } from './statement.ts';
import { cellOf, type Row } from './table.ts';

/** The amount columns, and the questions that are left open. */
export interface Money {
  columns: Pick<Columns, 'amountColumn' | 'debitColumn' | 'creditColumn' | 'directionColumn' | 'balanceColumn'>;
  question?: StatementQuestion;
}

type Amounts = { amount: number } | { debit: number; credit: number };

interface Proof {
  amounts: Amounts;
  balance: number;
  chains: Chain[];
}

/** A column that may contain the direction of each amount. */
interface Told {
  column: number;
  direction: Direction;
  cells: string[];
}

interface MoneyAsk {
  frame: Frame;
  /** The rows with a date. */
  rows: readonly Row[];
  said: Columns;
  kind: AccountKind | undefined;
}

/**
 * The number of rows to check. A balance that is consistent for this many rows is assumed to be consistent in the whole
 * file.
 */
const SAMPLE = 500;
/** The maximum number of amount columns to compare with each other. */
const MOST_TRIED = 12;

/**
 * Finds the amount columns. Proofs take precedence over names: if one column is proved to be the running balance of
 * another, the proof is used. Otherwise, the names are used. If columns have no names, the user is asked, unless only
 * one column is left.
 */
export class MoneyGuess {
  readonly #frame: Frame;
  readonly #rows: readonly Row[];
  readonly #given: Columns;
  readonly #kind: AccountKind | undefined;
  readonly #candidates: number[];
  readonly #roles = new Map<Role, number[]>();
  #shared: DecimalMark | undefined;
  #told: readonly Told[] | undefined;
  readonly #units = new Map<number, Units>();

  constructor({ frame, rows, said, kind }: MoneyAsk) {
    this.#frame = frame;
    this.#rows = rows.slice(0, SAMPLE);
    this.#given = said;
    this.#kind = kind;
    this.#candidates = frame.names.flatMap((_, column) => (this.#isMoney(column) ? [column] : []));
  }

  guess(): Money {
    const { columns, question } = this.#amounts();
    if (question !== undefined) return { columns, question };
    const direction = this.#directionFor(columns);
    if (direction !== undefined) columns.directionColumn = direction;
    return { columns };
  }

  #named(role: Role): number[] {
    const known = this.#roles.get(role);
    if (known !== undefined) return known;
    const columns = this.#frame.header ? columnsFor(role, this.#frame.names) : [];
    this.#roles.set(role, columns);
    return columns;
  }

  /** Returns whether nearly all nonempty cells are amounts. Other cells are rejected when they are read. */
  #isMoney(column: number): boolean {
    const filled = this.#filled(column);
    const figures = filled.filter((cell) => isFigure(cell)).length;
    const days = filled.filter((cell) => readDay(cell) !== undefined).length;
    return filled.length > 0 && figures >= filled.length * 0.9 && days < filled.length * 0.9;
  }

  #filled(column: number): string[] {
    return this.#rows.map(({ cells }) => (cells[column] ?? '').trim()).filter((cell) => cell !== '');
  }

  #amounts(): Money {
    const given = this.#given;
    const balance = isGiven(given.balanceColumn) ? { balanceColumn: given.balanceColumn } : {};
    if (isGiven(given.amountColumn)) return this.#withBalance({ amountColumn: given.amountColumn, ...balance });
    if (isGiven(given.debitColumn) || isGiven(given.creditColumn)) return this.#withBalance(this.#completed(balance));
    return this.#proved() ?? this.#byName() ?? this.#byContents();
  }

  /**
   * If the mapping has only money out or only money in, adds the other column, which has values in the rows where the
   * given column is empty.
   */
  #completed(balance: Money['columns']): Money['columns'] {
    const { debitColumn, creditColumn } = this.#given;
    const [said, isOut] = isGiven(debitColumn) ? [debitColumn, true] : [creditColumn ?? -1, false];
    const other = isOut ? creditColumn : debitColumn;
    const partner = other ?? this.#partnerOf(said);
    const both = partner === undefined || partner < 0 ? {} : { partner };
    const names = isOut ? (['debitColumn', 'creditColumn'] as const) : (['creditColumn', 'debitColumn'] as const);
    return { ...balance, [names[0]]: said, ...('partner' in both ? { [names[1]]: both.partner } : {}) };
  }

  #partnerOf(column: number): number | undefined {
    return this.#candidates.find((other) => other !== column && this.#areExclusive(column, other));
  }

  /**
   * Adds the balance to known amount columns: the column that the amounts prove to be the balance or, without a proof,
   * the column whose name indicates a balance.
   */
  #withBalance(columns: Money['columns']): Money {
    if (this.#given.balanceColumn !== undefined) {
      return { columns: { ...columns, balanceColumn: this.#given.balanceColumn } };
    }
    const taken = moneyColumns(columns);
    const { amountColumn, debitColumn: debit, creditColumn: credit } = columns;
    const amounts =
      amountColumn !== undefined
        ? { amount: amountColumn }
        : debit !== undefined && credit !== undefined && { debit, credit };
    const free = this.#candidates.filter((column) => !taken.includes(column)).slice(0, MOST_TRIED);
    const proved = amounts && free.find((column) => this.#proof(amounts, column) !== undefined);
    const named = this.#named('balance').find((column) => free.includes(column));
    const balance = proved === undefined || proved === false ? named : proved;
    return { columns: balance === undefined ? columns : { ...columns, balanceColumn: balance } };
  }

  /** Returns the columns if one of them is proved to be the running balance of the others. */
  #proved(): Money | undefined {
    const tried = this.#candidates.slice(0, MOST_TRIED);
    const singles = tried.map((amount): Amounts => ({ amount }));
    const pairs = tried.flatMap((debit, index) =>
      tried
        .slice(index + 1)
        .flatMap((credit): Amounts[] => (this.#areExclusive(debit, credit) ? [{ debit, credit }] : [])),
    );
    const proofs = [...singles, ...pairs].flatMap((amounts) => tried.flatMap((b) => this.#proof(amounts, b) ?? []));
    // If one direction is rare, the balance may seem to depend only on the other direction. The choice that covers more
    // rows is the complete one.
    const whole = withMost(proofs, (proof) => this.#rowCount(proof));
    const [proof, ...others] = withMost(whole, (one) => this.#nameCount(one));
    if (proof === undefined) return undefined;
    const isSame = others.every((other) => this.#hasSameAmounts(proof, other));
    const columns = isSame ? this.#columnsOf(proof) : undefined;
    return columns && { columns: { ...columns, balanceColumn: proof.balance } };
  }

  #columnsOf({ amounts, chains }: Proof): Money['columns'] | undefined {
    if ('amount' in amounts) return this.#single(amounts.amount);
    const { debit, credit } = amounts;
    const isAsNamed = this.#named('debit').includes(debit) || this.#named('credit').includes(credit);
    const isTurned = this.#named('debit').includes(credit) || this.#named('credit').includes(debit);
    if (isAsNamed !== isTurned) return isAsNamed ? this.#pair(debit, credit) : this.#pair(credit, debit);
    // A card's balance may be the amount owed. The column that increases such a balance is money out.
    const signs = new Set(chains.map(({ sign }) => sign));
    if (signs.size > 1 || this.#kind === 'card') return undefined;
    return signs.has(1) ? this.#pair(debit, credit) : this.#pair(credit, debit);
  }

  /**
   * Returns a single amount column. A column whose name indicates money out or money in is returned for that direction,
   * and the other direction has no column.
   */
  #single(column: number): Money['columns'] {
    const [debits, credits] = [this.#named('debit'), this.#named('credit')];
    if (debits.includes(column) === credits.includes(column)) return { amountColumn: column };
    const isOut = debits.includes(column);
    const other = (isOut ? credits : debits).find((one) => one !== column && this.#filled(one).length === 0);
    const partner = other ?? this.#partnerOf(column);
    if (partner === undefined) return isOut ? { debitColumn: column } : { creditColumn: column };
    return isOut ? this.#pair(column, partner) : this.#pair(partner, column);
  }

  readonly #pair = (debitColumn: number, creditColumn: number): Money['columns'] => ({ debitColumn, creditColumn });

  #proof(amounts: Amounts, balance: number): Proof | undefined {
    const own = 'amount' in amounts ? [amounts.amount] : [amounts.debit, amounts.credit];
    if (own.includes(balance)) return undefined;
    const balances = this.#unitsOf(balance);
    const ways = 'amount' in amounts ? this.#singles(amounts.amount) : [this.#pairUnits(amounts)];
    const chains = ways.flatMap((units) => chainsOf(units, balances));
    return chains.length > 0 ? { amounts, balance, chains } : undefined;
  }

  /** Returns a column's amounts both as written and with the signs of a direction column. */
  #singles(column: number): Units[] {
    const units = this.#unitsOf(column);
    if (units.some((one) => (one ?? 0) < 0)) return [units];
    const directed = this.#directions().map(({ direction, cells }) =>
      units.map((one, index) => (one !== undefined && direction.sideOf(cells[index] ?? '') === 'out' ? -one : one)),
    );
    return [...directed, units];
  }

  #pairUnits({ debit, credit }: { debit: number; credit: number }): Units {
    const [out, into] = [debit, credit].map((column) => this.#unitsOf(column).map((one) => one ?? 0));
    const turn = out?.every((one) => one <= 0) === true ? 1 : -1;
    const keep = into?.every((one) => one <= 0) === true ? -1 : 1;
    return this.#rows.map((_, index) => turn * (out?.[index] ?? 0) + keep * (into?.[index] ?? 0));
  }

  #nameCount({ amounts, balance }: Proof): number {
    const named = (role: Role, column: number): number => (this.#named(role).includes(column) ? 1 : 0);
    const own =
      'amount' in amounts
        ? named('amount', amounts.amount)
        : Math.max(
            named('debit', amounts.debit) + named('credit', amounts.credit),
            named('debit', amounts.credit) + named('credit', amounts.debit),
          );
    return own + named('balance', balance);
  }

  #rowCount({ amounts }: Proof): number {
    const own = 'amount' in amounts ? [amounts.amount] : [amounts.debit, amounts.credit];
    return this.#rows.filter((_, index) => own.some((column) => Boolean(this.#unitsOf(column)[index]))).length;
  }

  #hasSameAmounts(first: Proof, second: Proof): boolean {
    if (first === second) return true;
    const [a, b] = [first, second].map(({ amounts }) =>
      'amount' in amounts ? [amounts.amount] : [amounts.debit, amounts.credit],
    );
    const sizes = (columns: number[] = []): string =>
      this.#rows.map((_, index) => columns.reduce((sum, c) => sum + Math.abs(this.#unitsOf(c)[index] ?? 0), 0)).join();
    return sizes(a) === sizes(b);
  }

  /** Finds columns with names for money out and money in, or for amounts. */
  #byName(): Money | undefined {
    const [debit, credit] = (['debit', 'credit'] as const).map((role) =>
      this.#named(role).find((column) => this.#isMostlyMoney(column)),
    );
    if (debit !== undefined && credit !== undefined && debit !== credit)
      return this.#withBalance(this.#pair(debit, credit));
    const [best = [], ...others] = this.#frame.header
      ? ranked('amount', this.#frame.names).map((columns) => columns.filter((column) => this.#isMostlyMoney(column)))
      : [];
    const [amount, ...equals] = best.length > 0 ? best : (others.find((columns) => columns.length > 0) ?? []);
    if (amount !== undefined) {
      const isSame = equals.every((other) => this.#unitsOf(other).join() === this.#unitsOf(amount).join());
      const isWhole = this.#partnerOf(amount) === undefined;
      if (isSame && isWhole) return this.#withBalance({ amountColumn: amount });
      return isWhole ? this.#ask([amount, ...equals]) : undefined;
    }
    const one = debit ?? credit;
    if (one === undefined) return undefined;
    const partner = this.#partnerOf(one);
    if (partner === undefined)
      return this.#withBalance(debit === undefined ? { creditColumn: one } : { debitColumn: one });
    return this.#withBalance(debit === undefined ? this.#pair(partner, one) : this.#pair(one, partner));
  }

  /**
   * Returns whether most cells are amounts. A column with a matching name may be empty or contain words, whose
   * positions are reported.
   */
  #isMostlyMoney(column: number): boolean {
    const filled = this.#filled(column);
    return filled.filter((cell) => isFigure(cell)).length >= filled.length / 2;
  }

  /** Finds the amount column without names: the only column that contains amounts. Otherwise, the user is asked. */
  #byContents(): Money {
    const others = (['balance', 'check', 'bankId'] as const).flatMap((role) => this.#named(role));
    const free = this.#candidates.filter((column) => !others.includes(column));
    const likely = free.filter((column) => !this.#isNumber(column));
    const [first, second, ...more] = likely.length > 0 ? likely : free;
    if (first === undefined) return this.#none();
    if (second === undefined) return { columns: { amountColumn: first } };
    const pair = [first, second, ...more].flatMap((column) => {
      const partner = this.#partnerOf(column);
      return partner === undefined || partner < column ? [] : [[column, partner]];
    })[0];
    if (pair === undefined) return this.#ask([first, second, ...more]);
    return { columns: {}, question: { name: 'debitColumn', choices: this.#choices(pair) } };
  }

  /**
   * Returns whether a column contains check or record numbers, which are plain digits that are not in every row or are
   * all equally long.
   */
  #isNumber(column: number): boolean {
    const filled = this.#filled(column);
    if (filled.some((cell) => !/^\d+$/.test(cell))) return false;
    if (namesNumber(this.#frame.names[column] ?? '') || filled.some((cell) => /^0\d/.test(cell))) return true;
    const isSparse = filled.length < this.#rows.length && this.#partnerOf(column) === undefined;
    const [first = ''] = filled;
    return isSparse || (first.length > 5 && filled.length > 1 && filled.every(({ length }) => length === first.length));
  }

  #none(): Money {
    const balances = this.#named('balance').filter((column) => this.#candidates.includes(column));
    if (balances.length > 0) {
      throw unreadable({ row: this.#rows[0]?.row ?? 1 }, 'The file has balances but no transaction amounts');
    }
    return this.#ask(this.#frame.names.map((_, column) => column));
  }

  #ask(columns: readonly number[]): Money {
    return { columns: {}, question: { name: 'amountColumn', choices: this.#choices(columns) } };
  }

  #choices(columns: readonly number[]): StatementQuestion['choices'] {
    return columnChoices(this.#frame, this.#rows, columns);
  }

  /** Returns whether both columns have values, but never in the same row. */
  #areExclusive(first: number, second: number): boolean {
    const [a, b] = [this.#unitsOf(first), this.#unitsOf(second)];
    const isSome = (units: Units): boolean => units.some((one) => one !== undefined && one !== 0);
    return isSome(a) && isSome(b) && a.every((one, index) => !one || !b[index]);
  }

  /** Returns a column's amounts in thousandths, with the decimal mark that this or another amount column shows. */
  #unitsOf(column: number): Units {
    const known = this.#units.get(column);
    if (known !== undefined) return known;
    const decimal = this.#markOf(column) ?? this.#sharedMark();
    const units = this.#rows.map(({ cells }) => unitsIn(cells[column] ?? '', decimal));
    this.#units.set(column, units);
    return units;
  }

  #sharedMark(): DecimalMark {
    this.#shared ??= this.#candidates.map((one) => this.#markOf(one)).find(Boolean) ?? '.';
    return this.#shared;
  }

  #markOf(column: number): DecimalMark | undefined {
    const found = this.#rows.map((row) => cellOf(row, column)).filter(({ text }) => text !== '');
    try {
      const { decimal, isProved } = decideMark(found);
      return isProved ? decimal : undefined;
    } catch {
      return undefined;
    }
  }

  #directions(): readonly Told[] {
    this.#told ??= this.#frame.names.flatMap((name, column) => {
      const cells = this.#rows.map((row) => cellOf(row, column).text);
      const direction = directionOf(cells, this.#frame.header && namesDirection(name));
      return direction === undefined ? [] : [{ column, direction, cells }];
    });
    return this.#told;
  }

  /** Returns the column that is proved to contain the direction of each amount, if any. */
  #directionFor({ amountColumn, balanceColumn }: Money['columns']): number | undefined {
    const { directionColumn } = this.#given;
    if (directionColumn !== undefined || amountColumn === undefined) return directionColumn;
    const units = this.#unitsOf(amountColumn);
    const whole = this.#directions().filter(({ direction, cells }) =>
      units.every((one, index) => !one || direction.sideOf(cells[index] ?? '') !== undefined),
    );
    const balances = balanceColumn === undefined ? [] : this.#unitsOf(balanceColumn);
    const fits = ({ direction, cells }: (typeof whole)[number]): boolean => {
      const own = units.map((one, index) => (one && direction.sideOf(cells[index] ?? '') === 'out' ? -one : one));
      return chainsOf(own, balances).length > 0;
    };
    const proved = whole.filter((one) => one.direction.isProved);
    const [first, ...others] = proved.some(fits)
      ? proved.filter(fits)
      : proved.length > 0
        ? proved
        : whole.filter(fits);
    if (first === undefined) return undefined;
    const isSame = others.every((other) =>
      units.every(
        (one, at) =>
          !one || other.direction.sideOf(other.cells[at] ?? '') === first.direction.sideOf(first.cells[at] ?? ''),
      ),
    );
    return isSame ? first.column : undefined;
  }
}

/** Returns the elements with the highest count. */
function withMost<One>(all: readonly One[], countOf: (one: One) => number): One[] {
  const counts = all.map(countOf);
  const most = counts.reduce((a, b) => Math.max(a, b), 0);
  return all.filter((_, index) => counts[index] === most);
}

/** Returns columns as choices for a question. A column without a name shows its first value. */
export function columnChoices(
  { header, names }: Frame,
  rows: readonly Row[],
  columns: readonly number[],
): StatementQuestion['choices'] {
  return columns.map((column) => {
    const first = rows.map((row) => cellOf(row, column).text).find((text) => text !== '') ?? '';
    const name = names[column] ?? '';
    const label = header || first === '' ? name : `${name} (${first.slice(0, 20)})`;
    return { value: String(column), label };
  });
}

function unitsIn(cell: string, decimal: DecimalMark): number | undefined {
  const figure = figureOf(cell.trim());
  if (figure === undefined) return undefined;
  const [whole = '', fraction = ''] = figure.body.replaceAll(decimal === '.' ? ',' : '.', '').split(decimal);
  const value = Number(whole + fraction.slice(0, 3).padEnd(3, '0'));
  return figure.isNegative ? -value : value;
}
