import type { IsoDate } from '@evenkeel/core/dates';
import { type Cents, cents } from '@evenkeel/core/money';
import {
  type DocumentKind,
  type PartyBalance,
  type PartyKind,
  type Place,
  refusalAt,
  type SourceAccount,
  type SourceDocument,
  type SourceItem,
  type SourceParty,
  type SourceSystem,
} from './books.ts';
import { roleFor, typeFor } from './accountTypes.ts';
import { amountIn, amountOrZero, Dates, shown } from './cells.ts';
import { FILTERED } from './entries.ts';
import type { Choices, FileBooks, OpenFile, Reader } from './reader.ts';
import { cellOf, factsIn, type Headings, refuseCash, type Report, reportIn } from './report.ts';
import { leafOf } from './signs.ts';
import { onlyCell, type Row } from './table.ts';

const titled = (file: OpenFile, pattern: RegExp): boolean =>
  file
    .table()
    .rows.first(6)
    .some((row) => pattern.test(onlyCell(row) ?? ''));

/** Returns the properties whose values are not empty. */
function filled<Key extends string>(facts: Record<Key, string>): Partial<Record<Key, string>> {
  const found: Partial<Record<Key, string>> = {};
  for (const key in facts) if (facts[key] !== '') found[key] = facts[key];
  return found;
}

const isInactive = (status: string): boolean => /^(inactive|archived|deleted|no|false|n)$/i.test(status);

const ACCOUNTS = {
  number: ['account #', 'code', 'account number', 'accnt #', 'number', 'account code'],
  name: ['full name', 'account full name', 'account', 'name', 'account name'],
  type: ['type', 'account type'],
  detail: ['detail type', 'account detail type', 'reporting name'],
  description: ['description'],
  status: ['status', 'active'],
} satisfies Headings<string>;

/** Reads a list of accounts. */
const accountsReader = (
  system: SourceSystem,
  { format, label, recognizes }: { format: string; label: string; recognizes: (file: OpenFile) => boolean },
): Reader => ({
  format,
  label,
  system,
  isList: true,
  recognizes,
  read: (file) => {
    const report = reportIn(file.table(), ACCOUNTS, ['name', 'type']);
    if (report === undefined)
      throw refusalAt(
        file.name,
        "The list must have columns for the account's name and type. Export it with the default columns.",
      );
    const accounts = [...report.rows].flatMap((row): SourceAccount[] => {
      const name = cellOf(report, row, 'name');
      if (name === '' || /^total$/i.test(name) || onlyCell(row) !== undefined) return [];
      const [number, sourceType, detail] = (['number', 'type', 'detail'] as const).map((key) =>
        cellOf(report, row, key),
      );
      const type = typeFor(sourceType ?? '', detail ?? '', leafOf(name));
      const role = roleFor({ name: leafOf(name), type });
      const isDeleted = /\(deleted\)/i.test(name);
      const plain = name.replace(/\s*\(deleted( \d+)?\)/i, '');
      return [
        {
          key: number === '' || system !== 'Xero' ? name : `${name} (${number ?? ''})`,
          name: isDeleted ? plain : name,
          ...filled({
            number: number ?? '',
            sourceType: sourceType ?? '',
            description: cellOf(report, row, 'description'),
          }),
          ...(type === undefined ? {} : { type }),
          ...(role === undefined ? {} : { role }),
          isActive: !isDeleted && !isInactive(cellOf(report, row, 'status')),
          place: { file: file.name, row: row.row },
        },
      ];
    });
    return { ...factsIn(report), accounts };
  },
});

const PARTIES = {
  name: [
    'customer full name',
    'customer',
    'vendor',
    'vendor full name',
    'contactname',
    'contact name',
    'display name',
    'supplier',
    'name',
  ],
  company: ['company name', 'company', 'legal name'],
  email: ['email', 'email address', 'emailaddress', 'main email'],
  phone: ['phone', 'phone numbers', 'phone number', 'phonenumber', 'main phone'],
  address: ['bill address', 'billing address', 'address', 'poaddressline1', 'bill from'],
  terms: ['terms'],
  taxId: ['tax id', 'taxnumber', 'tax number'],
  status: ['status', 'contactstatus'],
} satisfies Headings<string>;

const partiesReader = (
  system: SourceSystem,
  {
    format,
    label,
    kind,
    recognizes,
  }: { format: string; label: string; kind?: PartyKind; recognizes: (file: OpenFile) => boolean },
): Reader => ({
  format,
  label,
  system,
  isList: true,
  recognizes,
  read: (file) => {
    const report = reportIn(file.table(), PARTIES, ['name']);
    if (report === undefined)
      throw refusalAt(file.name, 'The list has no column for the name. Export it with the default columns.');
    const parties = [...report.rows].flatMap((row): SourceParty[] => {
      const name = cellOf(report, row, 'name');
      if (name === '' || /^total$/i.test(name)) return [];
      return [
        {
          name: name.replace(/\s*\(deleted\)$/i, ''),
          ...(kind === undefined ? {} : { kind }),
          ...filled({
            company: cellOf(report, row, 'company'),
            email: cellOf(report, row, 'email'),
            phone: cellOf(report, row, 'phone').replace(/^Phone:\s*/i, ''),
            address: cellOf(report, row, 'address'),
            terms: cellOf(report, row, 'terms'),
            taxId: cellOf(report, row, 'taxId'),
          }),
          isActive: !/\(deleted\)$/i.test(name) && !isInactive(cellOf(report, row, 'status')),
          place: { file: file.name, row: row.row },
        },
      ];
    });
    return { ...factsIn(report), parties };
  },
});

const ITEMS = {
  name: ['product/service name', 'product/service full name', 'product/service', 'item name', 'itemname', 'name'],
  kind: ['type', 'item type'],
  description: ['sales description', 'description', 'memo/description', 'salesdescription'],
  price: ['sales price / rate', 'sales price/rate', 'price', 'sales price', 'rate', 'salesunitprice'],
  cost: ['purchase cost', 'cost', 'purchasesunitprice'],
  income: ['income account', 'salesaccount'],
  expense: ['expense account', 'purchasesaccount'],
  taxable: ['taxable'],
  code: ['itemcode', 'sku'],
} satisfies Headings<string>;

const items: Reader = {
  format: 'qbo-items',
  label: 'QuickBooks Online Product/Service List',
  system: 'QuickBooks Online',
  isList: true,
  recognizes: (file) =>
    titled(file, /^product(s|\/)? ?(and )?services? list$/i) ||
    file
      .table()
      .rows.first(10)
      .some(
        ({ cells }) =>
          cells.some((cell) => /^product\/service (full )?name$/i.test(cell)) &&
          cells.some((cell) => /price|income account/i.test(cell)),
      ),
  read: (file) => {
    const report = reportIn(file.table(), ITEMS, ['name']);
    if (report === undefined)
      throw refusalAt(file.name, "The list has no column for the product's name. Export it with the default columns.");
    const found = [...report.rows].flatMap((row): SourceItem[] => {
      const name = cellOf(report, row, 'name');
      if (name === '' || onlyCell(row) !== undefined) return [];
      const place = { file: file.name, row: row.row };
      for (const key of ['price', 'cost'] as const) checkPrice(cellOf(report, row, key), place);
      const taxable = cellOf(report, row, 'taxable');
      return [
        {
          name: name.replace(/\s*\(deleted\)$/i, ''),
          ...filled({
            kind: cellOf(report, row, 'kind'),
            description: cellOf(report, row, 'description'),
            price: cellOf(report, row, 'price').replaceAll(/[$,]/g, ''),
            cost: cellOf(report, row, 'cost').replaceAll(/[$,]/g, ''),
            incomeAccount: cellOf(report, row, 'income'),
            expenseAccount: cellOf(report, row, 'expense'),
          }),
          ...(taxable === '' ? {} : { isTaxable: /^(yes|y|true|1)$/i.test(taxable) }),
          isActive: !/\(deleted\)$/i.test(name),
          place,
        },
      ];
    });
    return { ...factsIn(report), items: found };
  },
};

function checkPrice(text: string, place: Place): void {
  if (text !== '' && !/^-?\$?[\d,]+(\.\d{1,4})?$/.test(text)) {
    throw refusalAt(place, `'${text.slice(0, 40)}' is not a price with up to 4 decimal places`);
  }
}

const BALANCES = {
  account: ['account full name', 'full name', 'account', 'account name'],
  code: ['account code', 'code'],
  type: ['account type', 'type'],
  debit: ['debit', 'debit - year to date', 'ytd debit', 'debit year to date'],
  credit: ['credit', 'credit - year to date', 'ytd credit', 'credit year to date'],
} satisfies Headings<string>;

/** Reads a trial balance. The column for the account may have no name in the header. */
function readTrialBalance(file: OpenFile, system: SourceSystem): FileBooks {
  const report = reportIn(file.table(), BALANCES, ['debit', 'credit']);
  if (report === undefined)
    throw refusalAt(
      file.name,
      'The trial balance must have columns for debits and credits. Export it with the default columns.',
    );
  const facts = factsIn(report);
  refuseCash(file.name, facts.basis);
  const to = facts.to ?? facts.from;
  const place = { file: file.name, row: report.header.row };
  if (to === undefined) throw refusalAt(place, 'The trial balance has no date. Export it with its header.');
  const sums = { debit: 0, credit: 0 };
  const accounts: SourceAccount[] = [];
  let hasTotal = false;
  const balances = [...report.rows].flatMap((row) => {
    const at = { file: file.name, row: row.row };
    const [debit, credit] = (['debit', 'credit'] as const).map((key) => amountIn(cellOf(report, row, key), at));
    const label = cellOf(report, row, 'account') || (row.cells.find((cell) => cell !== '') ?? '');
    if (/^total$/i.test(label)) {
      hasTotal = true;
      if (debit !== sums.debit || credit !== sums.credit) {
        throw refusalAt(
          at,
          `The total has debits of ${shown(debit ?? cents(0))} and credits of ${shown(credit ?? cents(0))}, ` +
            `but the rows add ` +
            `up to ${shown(cents(sums.debit))} and ${shown(cents(sums.credit))}. ${FILTERED}`,
        );
      }
      return [];
    }
    if (debit === undefined && credit === undefined) return [];
    sums.debit += debit ?? 0;
    sums.credit += credit ?? 0;
    const code = cellOf(report, row, 'code');
    const account = code === '' ? label : `${label} (${code})`;
    const sourceType = cellOf(report, row, 'type');
    const type = typeFor(sourceType);
    if (code !== '' || type !== undefined) {
      accounts.push({
        key: account,
        name: label,
        ...(code === '' ? {} : { number: code }),
        ...(type === undefined ? {} : { type, sourceType }),
        isActive: true,
      });
    }
    return [{ account, amount: cents((debit ?? 0) - (credit ?? 0)), place: at }];
  });
  if (!hasTotal || sums.debit !== sums.credit) {
    const row = report.rows.at(-1)?.row ?? report.header.row;
    throw refusalAt(
      { file: file.name, row },
      `The trial balance is incomplete or has a filter: debits are ${shown(cents(sums.debit))} and credits ` +
        `are ${shown(cents(sums.credit))}. ${FILTERED}`,
    );
  }
  const basis = facts.basis === undefined ? {} : { basis: facts.basis };
  return { ...facts, system, accounts, trialBalances: [{ asOf: to, ...basis, balances, place }] };
}

const OPEN = {
  date: ['date', 'transaction date', 'invoice date', 'bill date', 'invoicedate'],
  type: ['transaction type', 'type'],
  number: ['num', 'no', 'invoice number', 'invoicenumber', 'number'],
  party: ['name', 'customer full name', 'vendor display name', 'customer', 'vendor', 'contact', 'supplier', 'donor'],
  due: ['due date', 'duedate'],
  total: ['amount', 'total', 'foreign amount'],
  open: ['open balance', 'balance due', 'amount due', 'invoiceamountdue', 'outstanding', 'balance'],
  memo: ['memo', 'memo/description', 'description'],
} satisfies Headings<string>;
type OpenKey = keyof typeof OPEN;

const KINDS: readonly [RegExp, DocumentKind][] = [
  [/^(invoice|finance charge|statement charge|journal entry|sales receipt)$/i, 'invoice'],
  [/^(credit memo|refund|credit note)$/i, 'creditMemo'],
  [/^(payment|receive payment)$/i, 'customerPayment'],
];
const BILLS: readonly [RegExp, DocumentKind][] = [
  [/^(bill|journal entry|expense|check)$/i, 'bill'],
  [/^(vendor credit|bill credit|credit|supplier credit)$/i, 'vendorCredit'],
  [/^(bill payment.*)$/i, 'vendorPayment'],
];

/** Reads open invoices or unpaid bills, grouped by customer or vendor, with all totals. */
function readOpen(file: OpenFile, side: 'receivable' | 'payable', choices: Choices): FileBooks {
  const report = reportIn(file.table(), OPEN, ['date', 'open']);
  if (report === undefined)
    throw refusalAt(
      file.name,
      'The report must have columns for the date and the open balance. Export it with the default columns.',
    );
  const facts = factsIn(report);
  const dates = new Dates(file.name, choices.dateOrder?.[file.name]);
  for (const row of report.rows) {
    for (const key of ['date', 'due'] as const) {
      const text = cellOf(report, row, key);
      if (dates.isDate(text)) dates.add(text, { file: file.name, row: row.row });
    }
  }
  dates.decide();
  const { documents, partyBalances } = new OpenReader(report, dates, { side, asOf: facts.to }).read();
  return { ...facts, documents, partyBalances, questions: dates.question === undefined ? [] : [dates.question] };
}

class OpenReader {
  readonly #report: Report<OpenKey>;
  readonly #dates: Dates;
  readonly #side: 'receivable' | 'payable';
  readonly #asOf: IsoDate | undefined;
  readonly #documents: SourceDocument[] = [];
  readonly #balances = new Map<string, PartyBalance>();
  #party: string | undefined;
  #sum = 0;
  #all = 0;

  constructor(
    report: Report<OpenKey>,
    dates: Dates,
    { side, asOf }: { side: 'receivable' | 'payable'; asOf: IsoDate | undefined },
  ) {
    this.#report = report;
    this.#dates = dates;
    this.#side = side;
    this.#asOf = asOf;
  }

  read(): { documents: SourceDocument[]; partyBalances: PartyBalance[] } {
    for (const row of this.#report.rows) this.#row(row);
    return { documents: this.#documents, partyBalances: [...this.#balances.values()] };
  }

  #cell(row: Row, key: OpenKey): string {
    return cellOf(this.#report, row, key);
  }

  #row(row: Row): void {
    const place = { file: this.#report.file, row: row.row };
    const [first = ''] = row.cells;
    const isDated = this.#dates.isDate(this.#cell(row, 'date'));
    if (/^total\b/i.test(first) && !isDated) {
      const said = amountIn(this.#cell(row, 'open'), place);
      const isAll = /^total$/i.test(first);
      const sum = isAll ? this.#all : this.#sum;
      if (said !== undefined && said !== sum) {
        throw refusalAt(place, `${first} is ${shown(said)}, but its rows add up to ${shown(cents(sum))}. ${FILTERED}`);
      }
      this.#sum = 0;
      this.#party = undefined;
    } else if (onlyCell(row) !== undefined && first !== '') {
      // Aging reports are grouped by age and have a column for the customer or vendor.
      this.#party = /^current$|past due$/i.test(first) ? undefined : first;
      this.#sum = 0;
    } else if (isDated) this.#document(row);
  }

  #document(row: Row): void {
    const place = { file: this.#report.file, row: row.row };
    const party = this.#cell(row, 'party') || this.#party;
    if (party === undefined) throw refusalAt(place, 'The row has no customer or vendor');
    const open = amountOrZero(this.#cell(row, 'open'), place);
    this.#sum += open;
    this.#all += open;
    const type = this.#cell(row, 'type');
    const words = this.#side === 'receivable' ? KINDS : BILLS;
    const plain = words.find(([pattern]) => pattern.test(type))?.[1];
    const kind = open < 0 ? this.#credit(plain) : (plain ?? (this.#side === 'receivable' ? 'invoice' : 'bill'));
    const amount: Cents = cents(Math.abs(open));
    const key = party.toLowerCase();
    const balance = this.#balances.get(key) ?? { side: this.#side, party, asOf: this.#asOf, amount: cents(0), place };
    this.#balances.set(key, { ...balance, amount: cents(balance.amount + open) });
    if (amount === 0) return;
    const [number, due, memo] = (['number', 'due', 'memo'] as const).map((one) => this.#cell(row, one));
    const total = amountIn(this.#cell(row, 'total'), place);
    this.#documents.push({
      kind,
      ...filled({ number: number ?? '', memo: memo ?? '' }),
      date: this.#dates.dateIn(this.#cell(row, 'date'), place),
      ...(due === undefined || !this.#dates.isDate(due) ? {} : { dueDate: this.#dates.dateIn(due, place) }),
      party,
      open: amount,
      ...(total === undefined ? {} : { total: cents(Math.abs(total)) }),
      lines: [],
      place,
    });
  }

  #credit(plain: DocumentKind | undefined): DocumentKind {
    if (plain === 'customerPayment' || plain === 'vendorPayment') return plain;
    return this.#side === 'receivable' ? 'creditMemo' : 'vendorCredit';
  }
}

const heads = (file: OpenFile, ...wanted: RegExp[]): boolean =>
  file
    .table()
    .rows.first(12)
    .some(({ cells }) => wanted.every((pattern) => cells.some((cell) => pattern.test(cell))));

/** The readers for lists and balances from QuickBooks Online and Xero. */
export const listReaders: readonly Reader[] = [
  accountsReader('QuickBooks Online', {
    format: 'qbo-accounts',
    label: 'QuickBooks Online Account List',
    recognizes: (file) =>
      titled(file, /^(account list|chart of accounts)$/i) ||
      heads(file, /^(full name|account)$/i, /^type$/i, /^detail type$/i),
  }),
  accountsReader('Xero', {
    format: 'xero-accounts',
    label: 'Xero Chart of Accounts',
    recognizes: (file) => heads(file, /^\*?code$/i, /^\*?name$/i, /^\*?type$/i, /^\*?tax code$/i),
  }),
  partiesReader('QuickBooks Online', {
    format: 'qbo-customers',
    label: 'QuickBooks Online Customer Contact List',
    kind: 'customer',
    recognizes: (file) =>
      titled(file, /^customer contact list$/i) ||
      heads(file, /^customer( full name)?$/i, /^(phone numbers|ship address)$/i),
  }),
  partiesReader('QuickBooks Online', {
    format: 'qbo-vendors',
    label: 'QuickBooks Online Vendor Contact List',
    kind: 'vendor',
    recognizes: (file) =>
      titled(file, /^(vendor|supplier) contact list$/i) || heads(file, /^vendor$/i, /^phone numbers$/i),
  }),
  partiesReader('Xero', {
    format: 'xero-contacts',
    label: 'Xero Contacts',
    recognizes: (file) => heads(file, /^\*?contactname$/i, /^emailaddress$/i) && !heads(file, /^\*?invoicenumber$/i),
  }),
  items,
  {
    format: 'trial-balance',
    label: 'Trial Balance',
    system: 'QuickBooks Online',
    recognizes: (file) => titled(file, /^trial balance$/i) && heads(file, /^(ytd )?debit/i, /^(ytd )?credit/i),
    read: (file) => readTrialBalance(file, heads(file, /^account code$/i) ? 'Xero' : 'QuickBooks Online'),
  },
  {
    format: 'open-invoices',
    label: 'QuickBooks Online Open Invoices or A/R Aging Detail',
    system: 'QuickBooks Online',
    recognizes: (file) =>
      titled(file, /^(open invoices|a\/r aging detail|accounts receivable aging detail)( report)?$/i),
    read: (file, choices) => readOpen(file, 'receivable', choices),
  },
  {
    format: 'unpaid-bills',
    label: 'QuickBooks Online Unpaid Bills or A/P Aging Detail',
    system: 'QuickBooks Online',
    recognizes: (file) => titled(file, /^(unpaid bills|a\/p aging detail|accounts payable aging detail)( report)?$/i),
    read: (file, choices) => readOpen(file, 'payable', choices),
  },
];
