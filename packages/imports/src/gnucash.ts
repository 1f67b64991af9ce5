import { type GnuCashAccount, gnucashBooks, type GnuCashSplit, type GnuCashTransaction } from './gnucashBooks.ts';
import type { FileBooks, Reader } from './reader.ts';
import { readXml } from './xml.ts';

/** The elements of an account, transaction, or split that are read, by their path. */
type Values = Map<string, string>;

interface Split {
  values: Values;
  line: number;
}

const textIn = (values: Values, key: string): string => values.get(key) ?? '';

/** Reads an XML file from GnuCash. */
class GnuCashReader {
  readonly #file: string;
  readonly #accounts: GnuCashAccount[] = [];
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
    return gnucashBooks(this.#file, {
      accounts: this.#accounts,
      transactions: this.#transactions.map(transactionOf),
      templates: () => this.#templates,
    });
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
    this.#values = undefined;
    if (this.#isTemplate) return;
    this.#accounts.push({
      id: textIn(values, 'act:id'),
      name: textIn(values, 'act:name'),
      type: textIn(values, 'act:type'),
      parent: textIn(values, 'act:parent'),
      currency: textIn(values, 'act:commodity cmdty:id'),
      code: textIn(values, 'act:code'),
      description: textIn(values, 'act:description'),
      isHidden: textIn(values, 'slot hidden') === 'true',
      row: this.#start,
    });
  }
}

const splitOf = ({ values, line }: Split): GnuCashSplit => ({
  account: textIn(values, 'split:account'),
  value: textIn(values, 'split:value'),
  quantity: textIn(values, 'split:quantity'),
  memo: textIn(values, 'split:memo'),
  row: line,
});

const transactionOf = ({
  values,
  splits,
  line,
}: {
  values: Values;
  splits: Split[];
  line: number;
}): GnuCashTransaction => ({
  id: textIn(values, 'trn:id'),
  date: textIn(values, 'trn:date-posted'),
  number: textIn(values, 'trn:num'),
  description: textIn(values, 'trn:description'),
  splits: splits.map(splitOf),
  row: line,
});

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
