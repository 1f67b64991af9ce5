import type { AccountType } from '@evenkeel/core/books/accounts';
import { addDays, type IsoDate, isoDate } from '@evenkeel/core/dates';
import { Dice } from '@evenkeel/core/dice';
import { type Cents, cents } from '@evenkeel/core/money';
import type { PartyKind } from '../books.ts';

/** An account in a random company's books. */
export interface TestAccount {
  name: string;
  number: string;
  type: AccountType;
  isActive: boolean;
}

export interface TestLine {
  account: TestAccount;
  amount: Cents;
  party?: string;
  memo?: string;
}

export interface TestTransaction {
  id: number;
  date: IsoDate;
  type: string;
  number: string;
  party: string;
  partyKind: PartyKind | undefined;
  memo: string;
  lines: TestLine[];
}

/** Six years of a random company's books, in date order. */
export interface TestCompany {
  name: string;
  from: IsoDate;
  to: IsoDate;
  accounts: TestAccount[];
  customers: string[];
  vendors: string[];
  transactions: TestTransaction[];
}

const CHART: readonly [string, string, AccountType][] = [
  ['1000', 'Checking', 'Bank'],
  ['1010', 'Savings', 'Bank'],
  ['1050', 'Undeposited Funds', 'Cash'],
  ['1200', 'Accounts Receivable (A/R)', 'Accounts Receivable'],
  ['1300', 'Inventory Asset', 'Inventory'],
  ['1400', 'Prepaid Expenses', 'Other Current Asset'],
  ['1500', 'Vehicles', 'Fixed Asset'],
  ['1510', 'Vehicles:Original cost', 'Fixed Asset'],
  ['1520', 'Vehicles:Depreciation', 'Fixed Asset'],
  ['1600', 'Equipment', 'Fixed Asset'],
  ['1610', 'Equipment:Original cost', 'Fixed Asset'],
  ['1620', 'Equipment:Depreciation', 'Fixed Asset'],
  ['2000', 'Accounts Payable (A/P)', 'Accounts Payable'],
  ['2100', 'Visa Card', 'Credit Card'],
  ['2200', 'Sales Tax Payable', 'Sales Tax Payable'],
  ['2500', 'Loan from Bank', 'Long-Term Liability'],
  ['3000', 'Owner’s Equity', 'Equity'],
  ['3100', 'Opening Balance Equity', 'Equity'],
  ['3900', 'Retained Earnings', 'Retained Earnings'],
  ['4000', 'Sales', 'Income'],
  ['4010', 'Sales:Design', 'Income'],
  ['4020', 'Sales:Maintenance & Repair', 'Income'],
  ['4900', 'Discounts given', 'Income'],
  ['5000', 'Cost of Goods Sold', 'Cost of Goods Sold'],
  ['6000', 'Rent or Lease', 'Expense'],
  ['6100', 'Automobile', 'Expense'],
  ['6110', 'Automobile:Insurance', 'Expense'],
  ['6120', 'Automobile:Fuel', 'Expense'],
  ['6200', 'Office', 'Expense'],
  ['6210', 'Office:Insurance', 'Expense'],
  ['6220', 'Office:Supplies, paper', 'Expense'],
  ['6300', 'Café & Meals', 'Expense'],
  ['6400', 'Total Marketing', 'Expense'],
  ['7000', 'Interest Earned', 'Other Income'],
  ['8000', 'Penalties', 'Other Expense'],
];

const INACTIVE = ['Total Marketing', 'Prepaid Expenses'];
const FIRST: [string, ...string[]] = [
  'Amy’s',
  'Bill',
  'Cool',
  'Dukes',
  'Élan',
  'Freeman',
  'Müller',
  'Kookies',
  'Red',
  'Shara',
  'Travis',
  'Video',
];
const LAST: [string, ...string[]] = [
  'Bird Sanctuary',
  'Windsurf, Inc.',
  'Cars',
  'Ball “B” Gym',
  'Sporting & Goods',
  'by Kathy',
  'Rock; Roll',
  'Barnett-Jones',
];
const MEMOS: [string, ...string[]] = [
  '',
  'Monthly work',
  'Repair of pump, 2 hours',
  'Said "thank you"',
  'First line\nsecond line',
  'Größe M',
  '(refund later)',
  'Deposit for May',
];

/** Returns a random company, which depends only on the seed. */
export function testCompany(seed: number, count = 1000): TestCompany {
  return new CompanyMaker(seed).make(count);
}

class CompanyMaker {
  readonly #dice: Dice;
  readonly #accounts: TestAccount[];
  readonly #customers: string[];
  readonly #vendors: string[];
  readonly #transactions: TestTransaction[] = [];
  readonly #first: IsoDate;
  #id: number;
  #invoice = 1001;

  constructor(seed: number) {
    this.#dice = new Dice(seed);
    this.#accounts = CHART.map(([number, name, type]) => ({ number, name, type, isActive: !INACTIVE.includes(name) }));
    this.#customers = this.#names(12);
    this.#vendors = this.#names(10).map((name) => `${name} Supply`);
    this.#first = isoDate(`${this.#dice.between(2008, 2019)}-01-01`);
    this.#id = this.#dice.between(20, 400);
  }

  #names(count: number): string[] {
    const names = new Set<string>();
    while (names.size < count) names.add(`${this.#dice.pick(FIRST)} ${this.#dice.pick(LAST)}`);
    return [...names];
  }

  make(count: number): TestCompany {
    const to = isoDate(`${Number(this.#first.slice(0, 4)) + 5}-12-31`);
    this.#opening();
    // Each month has a transaction, so that there are 72 month ends.
    const days = 2190;
    for (let at = 0; this.#transactions.length < count; at += 1) {
      const day = at < 72 ? Math.floor(at * 30.42) + this.#dice.between(0, 20) : this.#dice.between(1, days);
      this.#any(addDays(this.#first, Math.min(day, days)));
    }
    const transactions = this.#transactions.toSorted((a, b) =>
      a.date === b.date ? a.id - b.id : a.date < b.date ? -1 : 1,
    );
    return {
      name: `${this.#dice.pick(FIRST)} Landscaping, LLC`,
      from: this.#first,
      to,
      accounts: this.#accounts,
      customers: this.#customers,
      vendors: this.#vendors,
      transactions,
    };
  }

  #account(name: string): TestAccount {
    const found = this.#accounts.find((account) => account.name === name);
    if (found === undefined) throw new Error(`no account ${name}`);
    return found;
  }

  #oneOf(...types: AccountType[]): TestAccount {
    const all = this.#accounts.filter(({ type }) => types.includes(type));
    const [first] = all;
    if (first === undefined) throw new Error('no account');
    return this.#dice.any(all) ?? first;
  }

  #money(most = 250_000): Cents {
    return cents(this.#dice.chance(10) ? this.#dice.between(1, 99) : this.#dice.between(100, most));
  }

  #add(
    transaction: Omit<TestTransaction, 'id' | 'memo' | 'partyKind' | 'party' | 'number'> & Partial<TestTransaction>,
  ): void {
    this.#id += this.#dice.between(1, 3);
    this.#transactions.push({
      id: this.#id,
      memo: this.#dice.pick(MEMOS),
      partyKind: undefined,
      party: '',
      number: '',
      ...transaction,
    });
  }

  #opening(): void {
    const equity = this.#account('Opening Balance Equity');
    const lines: TestLine[] = [
      { account: this.#account('Checking'), amount: this.#money(2_000_000) },
      { account: this.#account('Vehicles:Original cost'), amount: this.#money(3_000_000) },
      { account: this.#account('Accounts Receivable (A/R)'), amount: this.#money(), party: this.#customers[0] ?? '' },
    ];
    const total = lines.reduce((sum, { amount }) => sum + amount, 0);
    this.#add({
      date: this.#first,
      type: 'Journal Entry',
      number: '1',
      lines: [...lines, { account: equity, amount: cents(-total) }],
    });
  }

  #any(date: IsoDate): void {
    const kinds: [() => void, ...(() => void)[]] = [
      () => this.#sale(date, 'Invoice'),
      () => this.#sale(date, 'Invoice'),
      () => this.#sale(date, 'Credit Memo'),
      () => this.#sale(date, 'Sales Receipt'),
      () => this.#payment(date),
      () => this.#payment(date),
      () => this.#purchase(date, 'Bill'),
      () => this.#purchase(date, 'Expense'),
      () => this.#purchase(date, 'Expense'),
      () => this.#purchase(date, 'Vendor Credit'),
      () => this.#billPayment(date),
      () => this.#transfer(date),
      () => this.#journal(date),
    ];
    this.#dice.pick(kinds)();
    // There are identical transactions, such as two coffee purchases.
    const last = this.#transactions.at(-1);
    if (last !== undefined && this.#dice.chance(3)) this.#add({ ...last, id: this.#id + 1 });
  }

  #sale(date: IsoDate, type: string): void {
    const party = this.#dice.any(this.#customers) ?? '';
    const control =
      type === 'Sales Receipt'
        ? this.#account(this.#dice.chance(50) ? 'Checking' : 'Undeposited Funds')
        : this.#account('Accounts Receivable (A/R)');
    const lines: TestLine[] = [];
    for (let line = this.#dice.between(1, 4); line > 0; line -= 1) {
      lines.push({ account: this.#oneOf('Income'), amount: cents(-this.#money()), memo: this.#dice.pick(MEMOS) });
    }
    if (this.#dice.chance(60))
      lines.push({ account: this.#account('Sales Tax Payable'), amount: cents(-this.#money(9000)) });
    const total = lines.reduce((sum, { amount }) => sum + amount, 0);
    const sign = type === 'Credit Memo' ? -1 : 1;
    this.#invoice += 1;
    this.#add({
      date,
      type,
      number: String(this.#invoice),
      party,
      partyKind: 'customer',
      lines: [{ account: control, amount: cents(-total) }, ...lines].map((line) => ({
        ...line,
        amount: cents(line.amount * sign),
      })),
    });
  }

  #payment(date: IsoDate): void {
    const amount = this.#money();
    this.#add({
      date,
      type: 'Payment',
      // Transactions of different types may have the same number.
      number: this.#dice.chance(50) ? String(this.#dice.between(1001, this.#invoice)) : '',
      party: this.#dice.any(this.#customers) ?? '',
      partyKind: 'customer',
      lines: [
        { account: this.#account(this.#dice.chance(50) ? 'Checking' : 'Undeposited Funds'), amount },
        { account: this.#account('Accounts Receivable (A/R)'), amount: cents(-amount) },
      ],
    });
  }

  #purchase(date: IsoDate, type: string): void {
    const lines: TestLine[] = [];
    for (let line = this.#dice.between(1, 3); line > 0; line -= 1) {
      const account = this.#oneOf(
        'Expense',
        'Cost of Goods Sold',
        'Other Expense',
        'Other Current Asset',
        'Inventory',
        'Fixed Asset',
      );
      lines.push({ account, amount: this.#money(120_000), memo: this.#dice.pick(MEMOS) });
    }
    const total = lines.reduce((sum, { amount }) => sum + amount, 0);
    const control = type === 'Expense' ? this.#oneOf('Bank', 'Credit Card') : this.#account('Accounts Payable (A/P)');
    const sign = type === 'Vendor Credit' ? -1 : 1;
    this.#add({
      date,
      type,
      number: type === 'Expense' && this.#dice.chance(60) ? '' : String(this.#dice.between(1, 5000)),
      party: this.#dice.any(this.#vendors) ?? '',
      partyKind: 'vendor',
      lines: [{ account: control, amount: cents(-total) }, ...lines].map((line) => ({
        ...line,
        amount: cents(line.amount * sign),
      })),
    });
  }

  #billPayment(date: IsoDate): void {
    const amount = this.#money();
    this.#add({
      date,
      type: 'Bill Payment',
      number: String(this.#dice.between(1, 900)),
      party: this.#dice.any(this.#vendors) ?? '',
      partyKind: 'vendor',
      lines: [
        { account: this.#oneOf('Bank', 'Credit Card'), amount: cents(-amount) },
        { account: this.#account('Accounts Payable (A/P)'), amount },
      ],
    });
  }

  #transfer(date: IsoDate): void {
    const amount = this.#money(1_500_000);
    this.#add({
      date,
      type: 'Transfer',
      lines: [
        { account: this.#account('Checking'), amount: cents(-amount) },
        { account: this.#account(this.#dice.chance(50) ? 'Savings' : 'Loan from Bank'), amount },
      ],
    });
  }

  #journal(date: IsoDate): void {
    const lines: TestLine[] = [];
    for (let line = this.#dice.between(1, 5); line > 0; line -= 1) {
      const account = this.#oneOf(
        'Fixed Asset',
        'Equity',
        'Expense',
        'Other Income',
        'Income',
        'Accounts Receivable',
        'Bank',
      );
      const party = account.type === 'Accounts Receivable' ? { party: this.#dice.any(this.#customers) ?? '' } : {};
      lines.push({
        account,
        amount: cents(this.#money() * (this.#dice.chance(50) ? 1 : -1)),
        memo: this.#dice.pick(MEMOS),
        ...party,
      });
    }
    const total = lines.reduce((sum, { amount }) => sum + amount, 0);
    if (total !== 0) lines.push({ account: this.#account('Owner’s Equity'), amount: cents(-total) });
    this.#add({ date, type: 'Journal Entry', number: String(this.#dice.between(2, 400)), lines });
  }
}
