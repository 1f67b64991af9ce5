import { type Cents, cents } from '@evenkeel/core/money';
import { noticeAt, refusalAt, type SourceAccount, type SourceParty, type SourceTransaction } from './books.ts';
import { roleFor, typeFor } from './accountTypes.ts';
import { amountIn, amountOrZero, Dates, shown } from './cells.ts';
import { checkBalance, Entries, FILTERED } from './entries.ts';
import type { FileBooks, OpenFile, Reader } from './reader.ts';
import { cellOf, type Headings, refuseMissing, type Report, reportIn } from './report.ts';
import type { Row } from './table.ts';

const HEADINGS = {
  id: ['transaction id'],
  date: ['transaction date'],
  account: ['account name'],
  description: ['transaction description'],
  memo: ['transaction line description'],
  amount: ['amount (one column)'],
  debit: ['debit amount (two column approach)', 'debit amount'],
  credit: ['credit amount (two column approach)', 'credit amount'],
  customer: ['customer'],
  vendor: ['vendor'],
  invoice: ['invoice number'],
  bill: ['bill number'],
  notes: ['notes / memo'],
  group: ['account group'],
  type: ['account type'],
  accountId: ['account id'],
} satisfies Headings<string>;
type Key = keyof typeof HEADINGS;

const REQUIRED: readonly Key[] = ['id', 'date', 'account', 'debit', 'credit'];
const ADVICE = 'In Wave, open Settings > Data export > Export your accounting data, and choose accounting.csv.';

const reportOf = (file: OpenFile): Report<Key> | undefined => reportIn(file.table(), HEADINGS, REQUIRED);

/** Reads Wave's accounting.csv. The rows of a transaction need not be adjacent. */
class WaveReader {
  readonly #report: Report<Key>;
  readonly #dates: Dates;
  readonly #byId = new Map<string, SourceTransaction>();
  readonly #accounts = new Map<string, SourceAccount>();
  readonly #parties = new Map<string, SourceParty>();

  constructor(report: Report<Key>, dates: Dates) {
    this.#report = report;
    this.#dates = dates;
  }

  read(): FileBooks {
    for (const row of this.#report.rows) this.#row(row);
    const entries = new Entries(this.#report.file);
    for (const transaction of this.#byId.values()) {
      checkBalance(transaction, FILTERED);
      entries.add(transaction);
    }
    const { file } = this.#report;
    const count = entries.transactions.length.toLocaleString('en-US');
    return {
      accounts: [...this.#accounts.values()],
      parties: [...this.#parties.values()],
      transactions: entries.transactions,
      warnings: [
        ...entries.warnings(),
        noticeAt(file, `The file has no total at the end. It has ${count} transactions.`),
      ],
    };
  }

  #cell(row: Row, key: Key): string {
    return cellOf(this.#report, row, key);
  }

  #row(row: Row): void {
    const place = { file: this.#report.file, row: row.row };
    const id = this.#cell(row, 'id');
    if (/e\+?\d+$/i.test(id)) {
      throw refusalAt(
        place,
        `The transaction ID ${id} was shortened by a spreadsheet program. Download the file again and don't open it.`,
      );
    }
    if (id === '' || this.#cell(row, 'account') === '') {
      throw refusalAt(
        place,
        'The row has no transaction ID or account, so the file may be incomplete. Download it again.',
      );
    }
    const transaction = this.#transactionOf(row, id);
    const [customer, vendor] = [this.#cell(row, 'customer'), this.#cell(row, 'vendor')];
    const party = customer === '' ? vendor : customer;
    const memo = this.#cell(row, 'memo');
    transaction.lines.push({
      account: this.#account(row),
      amount: this.#amountOf(row),
      ...(party === '' ? {} : { party, partyKind: customer === '' ? 'vendor' : 'customer' }),
      ...(memo === '' || memo === transaction.memo ? {} : { memo }),
      place,
    });
    if (customer !== '') this.#parties.set(`c ${customer}`, { name: customer, kind: 'customer', isActive: true });
    if (vendor !== '') this.#parties.set(`v ${vendor}`, { name: vendor, kind: 'vendor', isActive: true });
  }

  #transactionOf(row: Row, id: string): SourceTransaction {
    const place = { file: this.#report.file, row: row.row };
    const date = this.#dates.dateIn(this.#cell(row, 'date'), place);
    const known = this.#byId.get(id);
    if (known !== undefined) {
      if (known.date !== date)
        throw refusalAt(
          place,
          `The date differs from the date in row ${known.place.row}, which belongs to the same transaction`,
        );
      return known;
    }
    const [invoice, bill] = [this.#cell(row, 'invoice'), this.#cell(row, 'bill')];
    const number = invoice === '' ? bill : invoice;
    const memo = this.#cell(row, 'description');
    const transaction: SourceTransaction = {
      id,
      date,
      type: invoice === '' ? (bill === '' ? 'Transaction' : 'Bill') : 'Invoice',
      ...(number === '' ? {} : { number }),
      ...(memo === '' ? {} : { memo }),
      lines: [],
      place,
    };
    this.#byId.set(id, transaction);
    return transaction;
  }

  /**
   * Returns the debit minus the credit. The separate amount column has the same absolute value, with a sign that
   * depends on the account.
   */
  #amountOf(row: Row): Cents {
    const place = { file: this.#report.file, row: row.row };
    const [debit, credit] = [this.#cell(row, 'debit'), this.#cell(row, 'credit')].map((cell) =>
      amountOrZero(cell, place),
    );
    const amount = cents((debit ?? 0) - (credit ?? 0));
    const single = amountIn(this.#cell(row, 'amount'), place);
    if (single !== undefined && Math.abs(single) !== Math.abs(amount)) {
      throw refusalAt(
        place,
        `The amount is ${shown(single)}, but the debit and credit are ${shown(amount)}. ${FILTERED}`,
      );
    }
    return amount;
  }

  /** Returns the account's key. Accounts with the same name have different types or IDs. */
  #account(row: Row): string {
    const name = this.#cell(row, 'account');
    const [group, sourceType, accountId] = (['group', 'type', 'accountId'] as const).map((key) => this.#cell(row, key));
    const type = typeFor(sourceType ?? '') ?? typeFor(group ?? '');
    const role = roleFor({ name, type });
    const candidates = [name, `${name} (${accountId === '' ? sourceType : accountId})`];
    for (const key of candidates) {
      const known = this.#accounts.get(key);
      if (known !== undefined && known.sourceType !== sourceType && key === name) continue;
      if (known === undefined) {
        this.#accounts.set(key, {
          key,
          name: key,
          ...(type === undefined ? {} : { type }),
          ...(sourceType === undefined || sourceType === '' ? {} : { sourceType }),
          ...(role === undefined ? {} : { role }),
          isActive: true,
        });
      }
      return key;
    }
    return name;
  }
}

/** The reader for Wave's accounting.csv. */
export const wave: Reader = {
  format: 'wave',
  label: 'Wave accounting.csv',
  system: 'Wave',
  recognizes: (file) =>
    reportIn(file.table(), HEADINGS, ['id', 'date', 'account']) !== undefined &&
    reportIn(file.table(), HEADINGS, ['description']) !== undefined,
  read: (file, choices) => {
    const report = reportOf(file);
    if (report === undefined)
      return refuseMissing(file.table(), { headings: HEADINGS, required: REQUIRED, advice: ADVICE });
    const last = report.rows.at(-1);
    if (file.head !== undefined && last !== undefined && last.cells.length < report.header.cells.length) {
      throw refusalAt({ file: file.name, row: last.row }, 'The file ends within this row. Download it again.');
    }
    const dates = new Dates(file.name, choices.dateOrder?.[file.name]);
    for (const row of report.rows) dates.add(cellOf(report, row, 'date'), { file: file.name, row: row.row });
    dates.decide();
    return { ...new WaveReader(report, dates).read(), questions: dates.question === undefined ? [] : [dates.question] };
  },
};
