import { type IsoDate, isIsoDate } from '@evenkeel/core/dates';
import { type Cents, cents } from '@evenkeel/core/money';
import { type Place, refusalAt, type SourceAccount, type SourceLine, type SourceTransaction } from './books.ts';
import { roleFor, typeFor } from './accountTypes.ts';
import { shown } from './cells.ts';
import { checkBalance, Entries, notPosting } from './entries.ts';
import type { FileBooks, Reader } from './reader.ts';
import { readXml } from './xml.ts';

/** The elements that are read in an account, transaction, or split, by their path. */
type Values = Map<string, string>;

interface Split {
  values: Values;
  line: number;
}

interface Account {
  id: string;
  name: string;
  type: string;
  parent: string;
  currency: string;
  code: string;
  description: string;
  isHidden: boolean;
  line: number;
}

/** Converts a rational number of dollars to cents. Throws a Refusal if the result is not a whole number of cents. */
function rational(text: string, account: string, place: Place): Cents {
  const [, sign = '', digits = '', below = ''] = /^(-?)(\d{1,18})\/(\d{1,12})$/.exec(text.trim()) ?? [];
  const denominator = BigInt(below === '' ? '0' : below);
  if (denominator === 0n) throw refusalAt(place, `'${text.slice(0, 40)}' in ${account} is not an amount`);
  const hundredths = BigInt(digits) * BigInt('100');
  if (hundredths % denominator !== 0n) {
    throw refusalAt(
      place,
      `The amount ${text.trim()} in ${account} is not a whole number of cents. Correct it in GnuCash first.`,
    );
  }
  const value = Number(hundredths / denominator);
  return cents(sign === '-' ? -value : value);
}

/** Reads an XML file from GnuCash. */
class GnuCashReader {
  readonly #file: string;
  readonly #accounts = new Map<string, Account>();
  readonly #transactions: { values: Values; splits: Split[]; line: number }[] = [];
  readonly #path: string[] = [];
  #values: Values | undefined;
  #splits: Split[] = [];
  #split: Split | undefined;
  #isTemplate = false;
  #templates = 0;
  #start = 0;
  #slot = '';

  constructor(file: string) {
    this.#file = file;
  }

  read(bytes: Uint8Array): FileBooks {
    readXml(this.#file, bytes, {
      open: (_, __, { prefixed, line }) => this.#open(prefixed, line),
      close: (_, text, { prefixed }) => this.#close(prefixed, text.trim()),
    });
    const accounts = this.#named();
    const entries = new Entries(this.#file);
    for (const transaction of this.#transactions) entries.add(this.#transaction(transaction, accounts));
    const warnings = entries.warnings();
    if (this.#templates > 0) {
      warnings.push(
        notPosting(this.#file, this.#templates, { one: 'scheduled transaction', many: 'scheduled transactions' }),
      );
    }
    return {
      accounts: [...accounts.values()].flatMap((account) => account ?? []),
      transactions: entries.transactions,
      warnings,
    };
  }

  #open(name: string, line: number): void {
    this.#path.push(name);
    if (name === 'gnc:template-transactions') this.#isTemplate = true;
    if (name === 'gnc:account' || name === 'gnc:transaction') {
      this.#values = new Map();
      this.#splits = [];
      this.#start = line;
    }
    if (name === 'trn:split') {
      this.#split = { values: new Map(), line };
      this.#splits.push(this.#split);
    }
  }

  #close(name: string, text: string): void {
    this.#path.pop();
    const parent = this.#path.at(-1) ?? '';
    if (name === 'gnc:template-transactions') this.#isTemplate = false;
    else if (name === 'trn:split') this.#split = undefined;
    else if (name === 'gnc:account') this.#account();
    else if (name === 'gnc:transaction') {
      if (this.#isTemplate) this.#templates += 1;
      else if (this.#values !== undefined) {
        this.#transactions.push({ values: this.#values, splits: this.#splits, line: this.#start });
      }
      this.#values = undefined;
    } else if (name === 'slot:key') this.#slot = text;
    else {
      const key = name === 'slot:value' ? `slot ${this.#slot}` : parent.startsWith('trn:date') ? parent : name;
      const values = this.#split?.values ?? this.#values;
      const isCurrency = name === 'cmdty:id' || name === 'cmdty:space';
      if (values !== undefined && !values.has(key)) values.set(isCurrency ? `${parent} ${name}` : key, text);
    }
  }

  #account(): void {
    const values = this.#values ?? new Map<string, string>();
    const text = (key: string): string => values.get(key) ?? '';
    this.#values = undefined;
    if (this.#isTemplate) return;
    this.#accounts.set(text('act:id'), {
      id: text('act:id'),
      name: text('act:name'),
      type: text('act:type'),
      parent: text('act:parent'),
      currency: text('act:commodity cmdty:id'),
      code: text('act:code'),
      description: text('act:description'),
      isHidden: text('slot hidden') === 'true',
      line: this.#start,
    });
  }

  /** Returns the accounts by ID, with full names. Root accounts are undefined. */
  #named(): Map<string, SourceAccount | undefined> {
    const found = new Map<string, SourceAccount | undefined>();
    for (const account of this.#accounts.values()) {
      if (account.type === 'ROOT') {
        found.set(account.id, undefined);
        continue;
      }
      const parts = [account.name];
      for (
        let above = this.#accounts.get(account.parent), depth = 0;
        above !== undefined && above.type !== 'ROOT' && depth < 50;
        depth += 1
      ) {
        parts.unshift(above.name);
        above = this.#accounts.get(above.parent);
      }
      const type = typeFor(account.type);
      const role = roleFor({ name: account.name, type });
      found.set(account.id, {
        key: account.id,
        name: parts.join(':'),
        ...(account.code === '' ? {} : { number: account.code }),
        ...(type === undefined ? {} : { type }),
        sourceType: account.type,
        ...(role === undefined ? {} : { role }),
        ...(account.description === '' ? {} : { description: account.description }),
        isActive: !account.isHidden,
        place: { file: this.#file, row: account.line },
      });
    }
    return found;
  }

  #transaction(
    { values, splits, line }: { values: Values; splits: Split[]; line: number },
    accounts: ReadonlyMap<string, SourceAccount | undefined>,
  ): SourceTransaction {
    const place = { file: this.#file, row: line };
    const date: IsoDate | undefined = dateIn(values.get('trn:date-posted') ?? '');
    if (date === undefined) throw refusalAt(place, 'The transaction has no date');
    const [memo, number, id] = ['trn:description', 'trn:num', 'trn:id'].map((key) => values.get(key) ?? '');
    const lines = splits.map((split) => this.#line(split, accounts, memo ?? ''));
    const transaction: SourceTransaction = {
      ...(id === undefined || id === '' ? {} : { id }),
      date,
      type: 'Transaction',
      ...(number === undefined || number === '' ? {} : { number }),
      ...(memo === undefined || memo === '' ? {} : { memo }),
      lines,
      place,
    };
    checkBalance(transaction, 'Correct it in GnuCash first.');
    return transaction;
  }

  #line(
    { values, line }: Split,
    accounts: ReadonlyMap<string, SourceAccount | undefined>,
    description: string,
  ): SourceLine {
    const place = { file: this.#file, row: line };
    const id = values.get('split:account') ?? '';
    const account = accounts.get(id);
    if (account === undefined) throw refusalAt(place, 'The split has no account');
    const currency = this.#accounts.get(id)?.currency ?? '';
    if (currency !== 'USD') {
      throw refusalAt(
        place,
        `The account ${account.name} is in ${currency === '' ? 'another commodity' : currency}. Only US ` +
          `dollars can be imported.`,
      );
    }
    const [amount, quantity] = ['split:value', 'split:quantity'].map((key) =>
      rational(values.get(key) ?? '', account.name, place),
    );
    if (amount !== quantity) {
      throw refusalAt(
        place,
        `The split in ${account.name} has the value ${shown(amount ?? cents(0))} and another quantity. ` +
          'Correct it in GnuCash first.',
      );
    }
    const memo = values.get('split:memo') ?? '';
    const isControl = account.role === 'receivable' || account.role === 'payable';
    return {
      account: id,
      amount: amount ?? cents(0),
      ...(isControl && description !== '' ? { party: description } : {}),
      ...(memo === '' ? {} : { memo }),
      place,
    };
  }
}

function dateIn(text: string): IsoDate | undefined {
  const day = text.slice(0, 10);
  return isIsoDate(day) ? day : undefined;
}

/** The reader for GnuCash's XML files. Compressed files are unpacked before they are passed to it. */
export const gnucash: Reader = {
  format: 'gnucash-xml',
  label: 'GnuCash XML file',
  system: 'GnuCash',
  isList: true,
  isText: true,
  recognizes: ({ head: text }) => text !== undefined && /<gnc-v2[\s>]/.test(text.slice(0, 5000)),
  read: ({ name, text }) => new GnuCashReader(name).read(new TextEncoder().encode(text())),
};
