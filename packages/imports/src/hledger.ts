import { type IsoDate, isIsoDate } from '@evenkeel/core/dates';
import { type Cents, cents } from '@evenkeel/core/money';
import { type Place, refusalAt, type SourceAccount, type SourceLine, type SourceTransaction } from './books.ts';
import { checkBalance, Entries, notPosting } from './entries.ts';
import { type Assertion, dollars, linesOf, plainAccount, Running, type TextLine } from './plainText.ts';
import type { FileBooks, Reader } from './reader.ts';

/** A transaction's first line: a date, a second date, a status, a code in parentheses, a description, and a comment. */
const HEAD = new RegExp(
  '^(?<date>(?:\\d{4}[-/.])?\\d{1,2}[-/.]\\d{1,2})(?:=[-/.\\d]+)?(?:\\s+(?<status>[*!]))?' +
    '(?:\\s+\\((?<code>[^)]*)\\))?\\s*(?<text>[^;]*)(?:;(?<comment>.*))?$',
);
const POSTING =
  /^\s+(?:[*!]\s+)?(?<account>[^\s;](?:\S| (?! ))*)(?:(?:\s{2,}|\t)\s*(?<rest>[^;]*))?(?:;(?<comment>.*))?$/;
const DIRECTIVE = /^(account|commodity|decimal-mark|D|P|N|payee|tag|apply|end|year|Y|alias|include|comment|bucket|A)\b/;

/** A posting. Its amount may be derived from the other postings or from a balance. */
interface Posting {
  line: SourceLine;
  amount: Cents | undefined;
  assertion?: Omit<Assertion, 'date'>;
}

interface Draft {
  transaction: SourceTransaction;
  postings: Posting[];
}

/** Returns the value of a tag in a comment. */
function tagIn(comment: string | undefined, name: string): string | undefined {
  const value = new RegExp(`(?:^|[\\s,])${name}:\\s*([^,]*)`).exec(comment ?? '')?.[1]?.trim();
  return value === '' ? undefined : value;
}

/** Reads an hledger journal. */
class HledgerReader {
  readonly #drafts: Draft[] = [];
  readonly accounts = new Map<string, SourceAccount>();
  #year: string | undefined;
  #prefix: string[] = [];
  #isComment = false;
  #now: Draft | undefined;
  #skipped = 0;
  /** Whether the next indented lines belong to a directive, or to a rule for automatic or periodic transactions. */
  #isRule = false;
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  read(lines: readonly TextLine[]): FileBooks {
    for (const line of lines) this.#line(line);
    const running = new Running();
    const entries = new Entries(this.#file);
    // Stated balances apply in date order and, within a day, in the order of the journal.
    const byDate = this.#drafts.toSorted((a, b) => compare(a.transaction.date, b.transaction.date));
    for (const draft of byDate) entries.add(this.#finish(draft, running));
    const warnings = entries.warnings();
    if (this.#skipped > 0) {
      warnings.push(
        notPosting(this.#file, this.#skipped, {
          one: 'periodic or automatic rule',
          many: 'periodic and automatic rules',
        }),
      );
    }
    return { accounts: [...this.accounts.values()], transactions: entries.transactions, warnings };
  }

  #line({ text, place }: TextLine): void {
    if (this.#isComment) {
      if (/^end comment\b/.test(text)) this.#isComment = false;
      return;
    }
    if (/^(comment|test)\s*$/.test(text)) {
      this.#isComment = true;
    } else if (text.trim() === '' || /^\s*[;#*]/.test(text)) {
      if (text.trim() === '') this.#now = undefined;
      else this.#note(text.replace(/^\s*[;#*]/, ''));
    } else if (/^\s/.test(text)) this.#posting(text, place);
    else if (/^[=~]/.test(text)) {
      this.#isRule = true;
      this.#now = undefined;
      this.#skipped += 1;
    } else if (/^\d/.test(text)) this.#head(text, place);
    else this.#directive(text, place);
  }

  /** Adds a comment line in a transaction. The comment may contain tags. */
  #note(comment: string): void {
    const last = this.#now?.postings.at(-1)?.line;
    if (last === undefined) return;
    this.#tags(last, comment);
  }

  #tags(line: SourceLine, comment: string | undefined): void {
    const [customer, vendor, memo] = ['customer', 'vendor', 'memo'].map((name) => tagIn(comment, name));
    const party = customer ?? vendor;
    if (party !== undefined) {
      line.party = party;
      line.partyKind = customer === undefined ? 'vendor' : 'customer';
    }
    if (memo !== undefined) line.memo = memo;
    const [profitCenter, location] = ['pc', 'loc'].map((name) => tagIn(comment, name));
    if (profitCenter !== undefined) line.profitCenter = profitCenter;
    if (location !== undefined) line.location = location;
  }

  #directive(text: string, place: Place): void {
    this.#now = undefined;
    // The indented lines below a directive, such as notes on an account, are ignored, like the lines below a rule.
    this.#isRule = true;
    const [word = '', ...rest] = text.split(/\s+/);
    if (word === 'account') this.#declare(text.slice(8), place);
    else if (word === 'Y' || word === 'year') this.#year = rest[0];
    else if (/^Y\d{4}$/.test(word)) this.#year = word.slice(1);
    else if (word === 'apply' && rest[0] === 'account') this.#prefix.push(rest.slice(1).join(' '));
    else if (word === 'end' && rest[0] === 'apply') this.#prefix.pop();
    else if (word === 'decimal-mark' && rest[0] !== '.') {
      throw refusalAt(place, 'The journal uses a comma as its decimal mark. Export it with periods.');
    } else if (word === 'alias') {
      throw refusalAt(place, 'The journal has aliases. Print it with “hledger print” and import the result.');
    } else if (!DIRECTIVE.test(text) && !/^(Y\d|!)/.test(text)) {
      throw refusalAt(place, `'${text.slice(0, 40)}' is not a transaction or an hledger directive`);
    }
  }

  #declare(text: string, place: Place): void {
    const [, name = '', comment] = /^(.*?)(?:\s{2,};?(.*)|\s*;(.*))?$/.exec(text.trim()) ?? [];
    const path = this.#full(name.trim());
    if (path !== '') this.accounts.set(path, plainAccount(path, { letter: tagIn(comment, 'type'), place }));
  }

  readonly #full = (account: string): string => [...this.#prefix, account].join(':');

  #head(text: string, place: Place): void {
    this.#isRule = false;
    const groups = HEAD.exec(text)?.groups;
    const date = groups?.['date'] === undefined ? undefined : this.#date(groups['date']);
    if (groups === undefined || date === undefined) throw refusalAt(place, `'${text.slice(0, 40)}' has no valid date`);
    const { code = '', text: title = '', comment } = groups;
    const [payee = '', ...note] = title.split('|').map((part) => part.trim());
    const hasPayee = note.length > 0;
    const memo = hasPayee ? note.join(' | ') : payee;
    const id = tagIn(comment, 'txn');
    const transaction: SourceTransaction = {
      ...(id === undefined ? {} : { id }),
      date,
      type: tagIn(comment, 'source') ?? tagIn(comment, 'type') ?? 'Transaction',
      ...(code === '' ? {} : { number: code }),
      ...(hasPayee && payee !== '' ? { party: payee } : {}),
      ...(memo === '' ? {} : { memo }),
      lines: [],
      place,
    };
    this.#now = { transaction, postings: [] };
    this.#drafts.push(this.#now);
  }

  #date(text: string): IsoDate | undefined {
    const parts = text.split(/[-/.]/);
    const [year, month = '', day = ''] = parts.length === 2 ? [this.#year, ...parts] : parts;
    const date = `${year ?? ''}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    return isIsoDate(date) ? date : undefined;
  }

  #posting(text: string, place: Place): void {
    const now = this.#now;
    if (this.#isRule) return;
    const groups = POSTING.exec(text)?.groups;
    if (now === undefined || groups === undefined) throw refusalAt(place, "The line doesn't belong to a transaction");
    const { rest = '', comment } = groups;
    const written = groups['account'] ?? '';
    if (written.startsWith('(')) {
      throw refusalAt(
        place,
        "The journal has virtual postings that don't balance. Remove them, or print it with “hledger print --real”.",
      );
    }
    if (tagIn(comment, 'date') !== undefined || /\[[\d=/.-]+\]/.test(comment ?? '')) {
      throw refusalAt(
        place,
        'The posting and its transaction have different dates. Move the posting to a separate transaction.',
      );
    }
    const account = this.#full(written.replace(/^\[(.*)\]$/, '$1'));
    if (!this.accounts.has(account)) this.accounts.set(account, plainAccount(account));
    const [, amountText = '', equals = '', target = ''] = /^([^=@]*)(?:@[^=]*)?(==?\*?)?(.*)$/.exec(rest.trim()) ?? [];
    const amount = amountText.trim() === '' ? undefined : dollars(amountText, account, place);
    const { party } = now.transaction;
    const line: SourceLine = { account, amount: amount ?? cents(0), ...(party === undefined ? {} : { party }), place };
    this.#tags(line, comment);
    const posting: Posting = { line, amount };
    if (equals !== '') {
      posting.assertion = {
        account,
        amount: dollars(target.replace(/@.*/, ''), account, place),
        isInclusive: equals.endsWith('*'),
        place,
      };
    }
    now.postings.push(posting);
  }

  #finish({ transaction, postings }: Draft, running: Running): SourceTransaction {
    const open = postings.filter(({ amount, assertion }) => amount === undefined && assertion === undefined);
    let total = 0;
    for (const { line, amount, assertion } of postings) {
      if (amount === undefined && assertion === undefined) continue;
      // If a posting has a balance but no amount, its amount is calculated from this balance.
      if (amount === undefined && assertion !== undefined) {
        line.amount = cents(assertion.amount - running.of(line.account, assertion.isInclusive));
      }
      total += line.amount;
      running.add(line.account, line.amount);
      if (assertion !== undefined) running.check({ ...assertion, date: transaction.date });
    }
    const [single, second] = open;
    if (second !== undefined) throw refusalAt(second.line.place, 'Two postings in the transaction have no amount');
    if (single !== undefined) {
      single.line.amount = cents(-total);
      running.add(single.line.account, single.line.amount);
    }
    const whole = { ...transaction, lines: postings.map(({ line }) => line) };
    checkBalance(whole, 'Correct the journal first.');
    return whole;
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const JOURNAL = /^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2})(=[-/.\d]+)?( [*!])?( \([^)\n]*\))?( [^\n"]*)?\n[ \t]+\S/m;

/** The reader for hledger journals, and for ledger journals with the same syntax. */
export const hledger: Reader = {
  format: 'hledger',
  label: 'hledger journal',
  system: 'hledger',
  isList: true,
  isText: true,
  recognizes: ({ head: text }) => {
    if (text === undefined) return false;
    const start = text.slice(0, 40_000);
    const isBeancount =
      /^\d{4}-\d\d-\d\d (open|close|balance|commodity|pad) [A-Z]/m.test(start) || /^option "/m.test(start);
    return (
      !isBeancount &&
      (JOURNAL.test(start) || /^(include [^"\n]+\.(journal|hledger|j|ledger)|account [A-Za-z][^\n,]*:)/m.test(start))
    );
  },
  read: ({ name, text: textOf, others }) => {
    const text = textOf();
    const lines = linesOf({ name, text: text }, others, /^!?include\s+([^;]+?)\s*(?:;.*)?$/);
    const company = /^; company: (.*?)(?: {3}|$)/m.exec(text)?.[1];
    return { ...(company === undefined ? {} : { company }), ...new HledgerReader(name).read(lines) };
  },
};
