import type { AccountType } from '@evenkeel/core/books/accounts';
import { type Cents, cents } from '@evenkeel/core/money';
import { noticeAt, type Place, refusalAt, type SourceAccount, type SourceLine, type SourceSystem } from './books.ts';
import { amountIn, amountOrZero, Dates, shown } from './cells.ts';
import { checkBalance, Entries, FILTERED } from './entries.ts';
import type { Choices, FileBooks, OpenFile, Reader } from './reader.ts';
import { cellOf, type Headings, type Report, reportIn } from './report.ts';
import type { Row } from './table.ts';

const HEADINGS = {
  id: ['transaction id', 'balance_transaction_id', 'id', 'payment id'],
  date: ['created (utc)', 'created_utc', 'created', 'created date (utc)', 'date'],
  type: ['reporting_category', 'type', 'category', 'event type'],
  status: ['status'],
  party: ['name', 'customer name', 'customer_email', 'customer email'],
  memo: ['description', 'subject', 'item title', 'details'],
  currency: ['currency'],
  gross: ['gross', 'amount', 'gross sales', 'amount (cents)', 'amount_cents'],
  fee: ['fee', 'fees', 'fee (cents)', 'fee_cents'],
  net: ['net', 'net total', 'net (cents)', 'net_cents'],
  balance: ['balance'],
  available: ['available on (utc)', 'available_on_utc', 'available on'],
  netSales: ['net sales'],
  tax: ['tax'],
  tip: ['tip'],
  collected: ['total collected'],
} satisfies Headings<string>;
type Key = keyof typeof HEADINGS;

/** A payment processor: its clearing account, and the accounts for its fees, sales, and payouts. */
interface Processor {
  system: SourceSystem;
  label: string;
  required: readonly Key[];
  /** Whether fees are negative, because they reduce the balance. */
  hasNegativeFees: boolean;
  /** Returns whether a row does not change the balance. */
  skips: (type: string, status: string) => boolean;
  /** Returns the account for a row's gross amount. */
  accountFor: (type: string, gross: Cents) => string;
}

const TYPES: readonly [RegExp, AccountType][] = [
  [/ (payouts|transfers)$/, 'Cash'],
  [/ sales$/, 'Income'],
  [/ tax$/, 'Sales Tax Payable'],
  [/ tips$/, 'Other Current Liability'],
  [/ (fees|purchases|adjustments)$/, 'Expense'],
];

const accountOf = (name: string): SourceAccount => ({
  key: name,
  name,
  type: TYPES.find(([pattern]) => pattern.test(name))?.[1] ?? 'Bank',
  isActive: true,
});

/**
 * Reads a balance history. Each row becomes a transaction in the clearing account, with a separate line for the fee.
 */
class ProcessorReader {
  readonly #report: Report<Key>;
  readonly #dates: Dates;
  readonly #processor: Processor;
  readonly #accounts = new Map<string, SourceAccount>();
  readonly #isCents: boolean;
  #skipped = 0;

  constructor(report: Report<Key>, dates: Dates, processor: Processor) {
    this.#report = report;
    this.#dates = dates;
    this.#processor = processor;
    this.#isCents = report.header.cells.some((cell) => /\bamount[ _(]*(in )?cents\b/i.test(cell));
  }

  read(): FileBooks {
    const { file } = this.#report;
    const entries = new Entries(file);
    const isNewestFirst = this.#isNewestFirst();
    const rows = isNewestFirst ? [...this.#report.rows].toReversed() : this.#report.rows;
    let balance: Cents | undefined;
    for (const row of rows) {
      const place = { file, row: row.row };
      if (this.#processor.skips(this.#cell(row, 'type'), this.#cell(row, 'status'))) {
        this.#skipped += 1;
        continue;
      }
      const net = this.#add(row, entries);
      const said = amountIn(this.#cell(row, 'balance'), place);
      if (said !== undefined && balance !== undefined && said !== balance + net) {
        throw refusalAt(
          place,
          `The balance is ${shown(said)}, but the earlier rows add up to ${shown(cents(balance + net))}. ${FILTERED}`,
        );
      }
      balance = said ?? balance;
    }
    const warnings = entries.warnings();
    if (this.#skipped > 0) {
      warnings.push(
        noticeAt(file, `Rows that don't change the balance, such as pending payments, are excluded: ${this.#skipped}`),
      );
    }
    if (this.#processor.system === 'Square') {
      warnings.push(
        noticeAt(file, "The file doesn't include payouts. Import them from your bank, as transfers from Square."),
      );
    }
    return { accounts: [...this.#accounts.values()], transactions: entries.transactions, warnings };
  }

  #cell(row: Row, key: Key): string {
    return cellOf(this.#report, row, key);
  }

  /** Returns whether the rows are in reverse chronological order. Within a day, the balances determine the order. */
  #isNewestFirst(): boolean {
    const { rows, file } = this.#report;
    const [first, last] = [rows.at(0), rows.at(-1)];
    if (first === undefined || last === undefined) return false;
    const dateOf = (row: Row): string => this.#dates.dateIn(this.#cell(row, 'date'), { file, row: row.row });
    if (dateOf(first) !== dateOf(last)) return dateOf(first) > dateOf(last);
    const [a, b] = rows;
    if (a === undefined || b === undefined) return false;
    const [before, after, net] = [this.#amount(a, 'balance'), this.#amount(b, 'balance'), this.#amount(a, 'net')];
    return net !== 0 && before - net === after;
  }

  #amount(row: Row, key: Key): Cents {
    const place = { file: this.#report.file, row: row.row };
    const text = this.#cell(row, key);
    if (!this.#isCents || text === '') return amountOrZero(text, place);
    if (!/^-?\d+$/.test(text)) throw refusalAt(place, `'${text.slice(0, 40)}' is not a whole number of cents`);
    return cents(Number(text));
  }

  /** Adds the transaction for a row, and returns the amount by which it changes the balance. */
  #add(row: Row, entries: Entries): Cents {
    const { system, hasNegativeFees } = this.#processor;
    const place = { file: this.#report.file, row: row.row };
    const currency = this.#cell(row, 'currency');
    if (currency !== '' && currency.toUpperCase() !== 'USD') {
      throw refusalAt(place, `The row is in ${currency.slice(0, 10)}. Only US dollars can be imported.`);
    }
    const [rawFee, net] = [this.#amount(row, 'fee'), this.#amount(row, 'net')];
    const fee = hasNegativeFees ? cents(-rawFee) : rawFee;
    const lines = this.#linesFor(row, place);
    const gross = cents(-lines.reduce((sum, { amount }) => sum + amount, 0));
    if (net !== gross - fee) {
      throw refusalAt(
        place,
        `The net amount is ${shown(net)}, but the amount less the fee is ${shown(cents(gross - fee))}. ${FILTERED}`,
      );
    }
    const [id, party, memo] = (['id', 'party', 'memo'] as const).map((key) => this.#cell(row, key));
    const transaction = {
      ...(id === undefined || id === '' ? {} : { id }),
      date: this.#dates.dateIn(this.#cell(row, 'date'), place),
      type: this.#cell(row, 'type') || 'Payment',
      ...(party === undefined || party === '' ? {} : { party }),
      ...(memo === undefined || memo === '' ? {} : { memo }),
      lines: [this.#line(system, net, place), this.#line(`${system} fees`, fee, place), ...lines],
      place,
    };
    checkBalance(transaction, FILTERED);
    entries.add(transaction);
    return net;
  }

  #linesFor(row: Row, place: Place): SourceLine[] {
    const { system, accountFor } = this.#processor;
    if (this.#report.columns.collected === undefined) {
      const gross = this.#amount(row, 'gross');
      return [this.#line(accountFor(this.#cell(row, 'type'), gross), cents(-gross), place)];
    }
    const [sales, tax, tip, collected] = (['netSales', 'tax', 'tip', 'collected'] as const).map((key) =>
      this.#amount(row, key),
    );
    const other = (collected ?? 0) - (sales ?? 0) - (tax ?? 0) - (tip ?? 0);
    return [
      this.#line(`${system} sales`, cents(-(sales ?? 0)), place),
      this.#line(`${system} tax`, cents(-(tax ?? 0)), place),
      this.#line(`${system} tips`, cents(-(tip ?? 0)), place),
      this.#line(`${system} adjustments`, cents(-other), place),
    ];
  }

  #line(account: string, amount: Cents, place: Place): SourceLine {
    if (!this.#accounts.has(account) && amount !== 0) this.#accounts.set(account, accountOf(account));
    return { account, amount, place };
  }
}

const STRIPE: Processor = {
  system: 'Stripe',
  label: 'Stripe balance history',
  required: ['id', 'date', 'gross', 'fee', 'net', 'currency', 'available'],
  hasNegativeFees: false,
  skips: () => false,
  accountFor: (type) => {
    if (/payout|transfer/i.test(type)) return 'Stripe payouts';
    if (/fee/i.test(type)) return 'Stripe fees';
    return /charge|payment|refund/i.test(type) ? 'Stripe sales' : 'Stripe adjustments';
  },
};

const PAYPAL: Processor = {
  system: 'PayPal',
  label: 'PayPal activity',
  required: ['id', 'date', 'status', 'currency', 'gross', 'fee', 'net'],
  hasNegativeFees: true,
  skips: (type, status) =>
    /pending|denied|cancel|expired|removed|failed/i.test(status) ||
    /^(.*authorization|order|invoice sent|request sent)$/i.test(type),
  accountFor: (type, gross) => {
    if (/withdrawal|transfer|bank deposit|deposit to pp/i.test(type)) return 'PayPal transfers';
    return gross > 0 || /refund|reversal|chargeback/i.test(type) ? 'PayPal sales' : 'PayPal purchases';
  },
};

const SQUARE: Processor = {
  system: 'Square',
  label: 'Square transactions',
  required: ['id', 'date', 'netSales', 'collected', 'fee', 'net'],
  hasNegativeFees: true,
  skips: () => false,
  accountFor: () => 'Square sales',
};

const reportFor = (file: OpenFile, { required }: Processor): Report<Key> | undefined =>
  reportIn(file.table(), HEADINGS, required);

function readHistory(file: OpenFile, processor: Processor, choices: Choices): FileBooks {
  const report = reportFor(file, processor);
  if (report === undefined) throw refusalAt(file.name, `The file is not a ${processor.label}`);
  const dates = new Dates(file.name, choices.dateOrder?.[file.name]);
  for (const row of report.rows) dates.add(cellOf(report, row, 'date'), { file: file.name, row: row.row });
  dates.decide();
  const books = new ProcessorReader(report, dates, processor).read();
  return { ...books, questions: dates.question === undefined ? [] : [dates.question] };
}

/** The readers for balance histories from Stripe, PayPal, and Square. */
export const processorReaders: readonly Reader[] = [STRIPE, PAYPAL, SQUARE].map((processor) => ({
  format: processor.system.toLowerCase(),
  label: processor.label,
  system: processor.system,
  recognizes: (file: OpenFile) => reportFor(file, processor) !== undefined,
  read: (file: OpenFile, choices: Choices) => readHistory(file, processor, choices),
}));
