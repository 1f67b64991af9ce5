import type { CardPart, Target } from '@evenkeel/contract/dashboard';
import { type AccountTypeInfo, accountTypeInfo, type StatementSection } from '@evenkeel/core/books/accounts';
import { type DateRange, fiscalYearStart, type IsoDate } from '@evenkeel/core/dates';
import type { ReportBasis } from '@evenkeel/core/books/ledger';
import { type Cents, sum } from '@evenkeel/core/money';
import type { AccountAmount, AccountBalance, ReportAccount } from '@evenkeel/core/reports/balances';
import type { Bank, CategoryTotal } from '@evenkeel/core/reports/cards';
import type { Ctx } from '../../platform/http/context.ts';
import { amountsBetween, amountsByMonth, balancesAt } from '../../books/ledger/balances.sql.ts';
import type { Books } from '../reports/books.ts';

/** The maximum number of lines on a card in the combined response. The rest are combined into one line, "All other". */
const MOST = 7;

/** The total of several accounts over a range of dates, or as of the dashboard's date. */
interface Part {
  name: string;
  label: string;
  amount: Cents;
  /** Whether the amount is calculated as credits less debits. */
  credit?: boolean;
  accountIds: number[];
  dates?: { from: IsoDate | null; to: IsoDate };
}

interface Facts {
  targets: Target[];
  banks: Bank[];
  basis: ReportBasis;
  date: IsoDate;
  /**
   * Whether all cards are requested together, with few lines and no sources, so that the response stays small
   * regardless of the size of the books.
   */
  isShort: boolean | undefined;
}

/**
 * The amounts that the cards in one response share. Each ledger total is read once, regardless of how many cards use
 * it.
 */
export class Sheet {
  readonly ctx: Ctx;
  readonly accounts: readonly ReportAccount[];
  readonly retainedEarningsAccountId: number;
  readonly fyStartMonth: number;
  readonly date: IsoDate;
  readonly targets: Target[];
  readonly banks: readonly Bank[];
  readonly #basis: ReportBasis;
  readonly isShort: boolean;
  readonly #amounts = new Map<string, Promise<AccountAmount[]>>();
  readonly #balances = new Map<string, Promise<AccountBalance[]>>();

  constructor(ctx: Ctx, { accounts, settings }: Books, { targets, banks, basis, date, isShort }: Facts) {
    this.ctx = ctx;
    this.accounts = accounts;
    this.retainedEarningsAccountId = settings.defaultREAccountId;
    this.fyStartMonth = settings.fyStartMonth;
    this.date = date;
    this.targets = targets;
    this.banks = banks;
    this.#basis = basis;
    this.isShort = isShort === true;
  }

  /** Returns the total of each account's lines over a range. */
  amounts({ from, to }: DateRange): Promise<AccountAmount[]> {
    const { tx } = this.ctx;
    return once(this.#amounts, `${from} ${to}`, () => tx.rows(amountsBetween({ basis: this.#basis, from, to })));
  }

  /** Returns each account's balance on a date. */
  balances(date: IsoDate, basis = this.#basis): Promise<AccountBalance[]> {
    const { tx } = this.ctx;
    const start = fiscalYearStart(date, this.fyStartMonth);
    return once(this.#balances, `${date} ${basis}`, () => tx.rows(balancesAt({ basis, date, fiscalYearStart: start })));
  }

  /** Returns the total of the income accounts' lines by month, as debits less credits. */
  incomeByMonth(range: DateRange): Promise<{ month: IsoDate; amount: Cents }[]> {
    const income = this.accounts.filter(({ type, contra }) => accountTypeInfo(type, contra).section === 'Income');
    const accountIds = income.map(({ id }) => id);
    const { tx } = this.ctx;
    return tx.rows(amountsByMonth({ basis: this.#basis, accountIds, ...range }));
  }

  /** Returns the fields that every card has in addition to its amounts. */
  ofPeriod(periodType: number | null, range?: DateRange, basis = this.#basis) {
    const { from = null, to = this.date } = range ?? {};
    return { periodType, from, to, basis: basis === 'cash' ? 1 : 0 };
  }

  /** Returns the source from which an amount's entries can be listed. */
  behind(accountIds: number[], range?: DateRange, basis = this.#basis) {
    if (this.isShort) return {};
    const { from, to, basis: code } = this.ofPeriod(null, range, basis);
    return { source: { accountIds, from, to, basis: code, profitCenterId: null, locationId: null } };
  }

  /** Returns all accounts in these sections, including those with a zero balance. */
  accountsIn(sections: readonly StatementSection[]): number[] {
    return this.accountsWhere(({ section }) => sections.includes(section));
  }

  /** Returns all accounts that match the condition. */
  accountsWhere(holds: (info: AccountTypeInfo) => boolean): number[] {
    return this.accounts.filter(({ type, contra }) => holds(accountTypeInfo(type, contra))).map(({ id }) => id);
  }

  /** Returns the amounts that add up to a card's amounts. */
  parts(parts: readonly Part[]): { parts?: CardPart[] } {
    if (this.isShort) return {};
    return {
      parts: parts.map(({ accountIds, dates, credit = false, ...rest }) => {
        const range = dates ?? { from: null, to: this.date };
        const basis = this.#basis === 'cash' ? 1 : 0;
        return { ...rest, credit, source: { accountIds, ...range, basis, profitCenterId: null, locationId: null } };
      }),
    };
  }

  /** Returns categories, each with the source of its amount. */
  categories(all: readonly CategoryTotal[], range: DateRange) {
    const rest = (total: Cents): CategoryTotal => ({ categoryName: 'All other', total, accountIds: [] });
    const few = this.few(all, rest, (one) => one.total);
    return few.map(({ categoryName, total, accountIds }) => ({
      categoryName,
      total,
      ...this.behind(accountIds, range),
    }));
  }

  /** Returns the first lines, and one line for the others if the response must be small. */
  few<T>(all: readonly T[], rest: (amount: Cents) => T, amountOf: (one: T) => Cents): readonly T[] {
    if (!this.isShort || all.length <= MOST) return all;
    return [...all.slice(0, MOST - 1), rest(sum(all.slice(MOST - 1).map(amountOf)))];
  }
}

function once<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? read();
  known.set(key, found);
  // A failed read is not cached, so that the next caller tries again.
  found.catch(() => known.delete(key));
  return found;
}
