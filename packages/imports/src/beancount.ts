import { type IsoDate, isIsoDate } from '@evenkeel/core/dates';
import { type Cents, cents } from '@evenkeel/core/money';
import { type Place, refusalAt, type SourceAccount, type SourceLine, type SourceTransaction } from './books.ts';
import { checkBalance, Entries } from './entries.ts';
import { type Assertion, dollars, linesOf, plainAccount, Running, type TextLine } from './plainText.ts';
import type { FileBooks, Reader } from './reader.ts';

const HEAD = /^(\d{4}[-/]\d{2}[-/]\d{2})\s+(\S+)\s*(.*)$/;
const POSTING = /^\s+(?:[!*]\s+)?([A-Z][^\s;"]*(?::[^\s;"]+)+)(?:\s+([^;]*?))?\s*(?:;.*)?$/;
const METADATA = /^\s+([a-z][\w-]*):\s*(.*)$/;
const IGNORED = ['note', 'document', 'event', 'query', 'custom', 'price', 'commodity'];

/** Returns a string without its quotation marks and escapes. */
const plain = (text: string): string =>
  text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/\\(["\\])/g, '$1');

/** Reads a beancount file. */
class BeancountReader {
  readonly #transactions: { transaction: SourceTransaction; open: SourceLine[] }[] = [];
  readonly #assertions: Assertion[] = [];
  readonly accounts = new Map<string, SourceAccount>();
  #account: SourceAccount | undefined;
  #now: { transaction: SourceTransaction; open: SourceLine[] } | undefined;
  #isLine = false;
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  read(lines: readonly TextLine[]): FileBooks {
    for (const line of lines) this.#line(line);
    const entries = new Entries(this.#file);
    const running = new Running();
    const assertions = this.#assertions.toSorted((a, b) => (a.date < b.date ? -1 : 1));
    const transactions = this.#transactions.toSorted((a, b) =>
      a.transaction.date < b.transaction.date ? -1 : a.transaction.date > b.transaction.date ? 1 : 0,
    );
    let next = 0;
    const checkUntil = (date: IsoDate | undefined): void => {
      for (; next < assertions.length; next += 1) {
        const assertion = assertions[next];
        if (assertion === undefined || (date !== undefined && assertion.date > date)) return;
        running.check(assertion);
      }
    };
    for (const { transaction, open } of transactions) {
      // A stated balance is the balance at the start of its day.
      checkUntil(transaction.date);
      const [single, second] = open;
      if (second !== undefined) throw refusalAt(second.place, 'Two postings in the transaction have no amount');
      if (single !== undefined) single.amount = cents(-transaction.lines.reduce((sum, { amount }) => sum + amount, 0));
      checkBalance(transaction, 'Correct the file first.');
      for (const { account, amount } of transaction.lines) running.add(account, amount);
      entries.add(transaction);
    }
    checkUntil(undefined);
    return { accounts: [...this.accounts.values()], transactions: entries.transactions, warnings: entries.warnings() };
  }

  #line({ text, place }: TextLine): void {
    if (text.trim() === '' || /^[;*#]/.test(text)) {
      this.#now = undefined;
      return;
    }
    if (/^\s*;/.test(text)) return;
    if (/^\s/.test(text)) this.#indented(text, place);
    else if (/^(option|plugin|pushtag|poptag|pushmeta|popmeta)\b/.test(text)) this.#now = undefined;
    else this.#directive(text, place);
  }

  #directive(text: string, place: Place): void {
    this.#now = undefined;
    this.#account = undefined;
    const [, day = '', word = '', rest = ''] = HEAD.exec(text) ?? [];
    const date = day.replaceAll('/', '-');
    if (!isIsoDate(date)) throw refusalAt(place, `'${text.slice(0, 40)}' is not a beancount directive`);
    if (word === 'open') this.#open(rest, place);
    else if (word === 'close') {
      const account = this.accounts.get(rest.trim());
      if (account !== undefined) account.isActive = false;
    } else if (word === 'balance') {
      const [, account = '', amount = ''] = /^(\S+)\s+(.*?)\s*(?:;.*)?$/.exec(rest) ?? [];
      this.#assertions.push({
        date,
        account,
        amount: dollars(amount.replace(/\s*~\s*\S+/, ''), account, place),
        isInclusive: true,
        place,
      });
    } else if (word === 'pad') {
      throw refusalAt(place, 'The file has a “pad” directive, which creates amounts. Replace it with a transaction.');
    } else if (/^(txn|[*!&#?%PSTCURM])$/.test(word)) this.#head({ date, rest, place });
    else if (!IGNORED.includes(word)) throw refusalAt(place, `'${word.slice(0, 20)}' is not a beancount directive`);
  }

  #open(rest: string, place: Place): void {
    const [path = '', currencies = ''] = rest.trim().split(/\s+/);
    this.#account = plainAccount(path, { place });
    if (currencies !== '' && !currencies.startsWith('"') && !currencies.split(',').includes('USD')) {
      this.#account.description = currencies;
    }
    this.accounts.set(path, this.#account);
  }

  #head({ date, rest, place }: { date: IsoDate; rest: string; place: Place }): void {
    const texts = [...rest.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => plain(text));
    const [payee, memo] = texts.length > 1 ? texts : [undefined, texts[0]];
    const transaction: SourceTransaction = {
      date,
      type: 'Transaction',
      ...(payee === undefined || payee === '' ? {} : { party: payee }),
      ...(memo === undefined || memo === '' ? {} : { memo }),
      lines: [],
      place,
    };
    this.#now = { transaction, open: [] };
    this.#isLine = false;
    this.#transactions.push(this.#now);
  }

  #indented(text: string, place: Place): void {
    const [, key, value = ''] = METADATA.exec(text) ?? [];
    if (key !== undefined) {
      this.#metadata(key, plain(value));
      return;
    }
    const now = this.#now;
    if (now === undefined) throw refusalAt(place, "The line doesn't belong to a transaction");
    const [, account, written = ''] = POSTING.exec(text) ?? [];
    if (account === undefined) {
      if (/^\s+[#^]/.test(text)) return;
      throw refusalAt(place, `'${text.trim().slice(0, 40)}' is not a posting`);
    }
    if (written.includes('{')) {
      throw refusalAt(place, `${account} holds a commodity at cost. Only amounts in US dollars can be imported.`);
    }
    if (!this.accounts.has(account)) this.accounts.set(account, plainAccount(account));
    const amountText = written.replace(/@.*/, '').trim();
    const amount: Cents = amountText === '' ? cents(0) : dollars(amountText, account, place);
    const { party } = now.transaction;
    const line: SourceLine = { account, amount, ...(party === undefined ? {} : { party }), place };
    now.transaction.lines.push(line);
    if (amountText === '') now.open.push(line);
    this.#isLine = true;
  }

  #metadata(key: string, value: string): void {
    if (value === '') return;
    const now = this.#now;
    if (now === undefined) {
      if (this.#account !== undefined) this.#accountMetadata(this.#account, key, value);
    } else if (this.#isLine) this.#lineMetadata(now.transaction, key, value);
    else if (key === 'txn') now.transaction.id = value;
    else if (key === 'source' || key === 'type') now.transaction.type = value;
    else if (key === 'code') now.transaction.number = value;
  }

  #accountMetadata(account: SourceAccount, key: string, value: string): void {
    if (key === 'name') account.name = value;
    else if (key === 'number') account.number = value;
  }

  #lineMetadata(transaction: SourceTransaction, key: string, value: string): void {
    const line = transaction.lines.at(-1);
    if (line === undefined) return;
    if (key === 'customer' || key === 'vendor') {
      line.party = value;
      line.partyKind = key;
    } else if (key === 'memo') line.memo = value;
    else if (key === 'pc') line.profitCenter = value;
    else if (key === 'loc') line.location = value;
  }
}

/** The reader for beancount files. Stated balances are checked. */
export const beancount: Reader = {
  format: 'beancount',
  label: 'beancount file',
  system: 'beancount',
  isList: true,
  isText: true,
  recognizes: ({ head: text }) =>
    text !== undefined &&
    (/^\d{4}-\d\d-\d\d (open|balance) [A-Z]\S*/m.test(text.slice(0, 40_000)) ||
      /^\d{4}-\d\d-\d\d (txn|[*!]) "[^"\n]*"/m.test(text.slice(0, 40_000)) ||
      /^include "[^"\n]+\.(bean|beancount)"/m.test(text.slice(0, 40_000))),
  read: ({ name, text: textOf, others }) => {
    const text = textOf();
    const lines = linesOf({ name, text: text }, others, /^include\s+"([^"]+)"/);
    const company = /^option "title" "((?:[^"\\]|\\.)*)"/m.exec(text)?.[1];
    return { ...(company === undefined ? {} : { company: plain(company) }), ...new BeancountReader(name).read(lines) };
  },
};
