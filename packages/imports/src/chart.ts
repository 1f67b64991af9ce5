import type { AccountType } from '@evenkeel/core/books/accounts';
import { type Notice, noticeAt, type Place, refusalAt, type SourceAccount, type SourceSystem } from './books.ts';
import { roleFor, ROLE_TYPES, typeFor } from './accountTypes.ts';
import { leafOf } from './signs.ts';

const plain = (label: string): string =>
  label
    .toLowerCase()
    .replace(/\s*:\s*/g, ':')
    .replace(/\s+/g, ' ')
    .trim();

const NUMBERED = /^(\d[\d.-]*)\s+(?:[·–-]\s+)?(\S.*)$/;
const CODED = /^(.*\S) \(([\w.-]+)\)$/;

/** Returns the account number that QuickBooks shows before an account's name ("1200 · Accounts Receivable"). */
function split(label: string, isSure: boolean): { name: string; number?: string } {
  const leaf = leafOf(label);
  const pattern = isSure ? /^(\d[\d.-]*)\s+·\s+(\S.*)$/ : NUMBERED;
  const match = pattern.exec(leaf);
  if (match === null) return { name: label };
  const name = label
    .split(':')
    .map((part) => pattern.exec(part)?.[2] ?? part)
    .join(':');
  return { name, number: match[1] ?? '' };
}

/** Returns an account with the role that its name implies, and with the type that the role implies. */
function withRole(account: SourceAccount): SourceAccount {
  const role = account.role ?? roleFor({ name: leafOf(account.name), type: account.type });
  if (role === undefined) return account;
  return { ...account, role, type: ROLE_TYPES[role] };
}

/** The accounts in all files. Labels in transactions are matched to the accounts in lists. */
export class Chart {
  readonly #accounts = new Map<string, SourceAccount>();
  /** The keys of accounts by label. */
  readonly #labels = new Map<string, string>();
  /** The keys of accounts by the last part of the name. */
  readonly #leaves = new Map<string, Set<string>>();
  readonly #system: SourceSystem | undefined;
  #hasList = false;
  /**
   * Whether transactions refer to accounts by their full names, which include the parents. If so, a name without
   * parents is a complete name.
   */
  usesFullNames = false;
  readonly #unlisted: string[] = [];
  #unlistedFile = '';

  constructor(system: SourceSystem | undefined) {
    this.#system = system;
  }

  get accounts(): SourceAccount[] {
    const byName = new Map([...this.#accounts.values()].map((account) => [plain(account.name), account.key]));
    return [...this.#accounts.values()].map((account) => {
      const at = account.name.lastIndexOf(':');
      const parent = at < 0 ? undefined : byName.get(plain(account.name.slice(0, at)));
      return parent === undefined || parent === account.key ? account : { ...account, parent };
    });
  }

  /** Adds an account from a list or from a file that contains its type. A later file adds missing information. */
  add(account: SourceAccount): void {
    const known = this.#accounts.get(account.key) ?? this.#accounts.get(this.#find(account.key) ?? '');
    if (account.place !== undefined) this.#hasList = true;
    const merged = withRole(known === undefined ? account : { ...account, ...known });
    this.#accounts.set(merged.key, merged);
    this.#index(merged);
    if (known !== undefined) this.#label(account.key, merged.key);
  }

  #index({ key, name, number }: SourceAccount): void {
    const own = [key, name];
    if (number !== undefined)
      own.push(`${number} ${name}`, `${number} · ${name}`, `${number} - ${name}`, `${name} (${number})`);
    if (number !== undefined && name.includes(':'))
      own.push(`${number} ${leafOf(name)}`, `${number} · ${leafOf(name)}`);
    for (const label of own) this.#label(label, key);
    const leaf = plain(leafOf(name));
    const keys = this.#leaves.get(leaf) ?? new Set();
    keys.add(key);
    this.#leaves.set(leaf, keys);
  }

  #label(label: string, key: string): void {
    if (!this.#labels.has(plain(label))) this.#labels.set(plain(label), key);
  }

  #find(label: string): string | undefined {
    if (this.#accounts.has(label)) return label;
    const exact = this.#labels.get(plain(label));
    if (exact !== undefined) return exact;
    const { name, number } = split(label, false);
    const key = number === undefined ? undefined : this.#labels.get(plain(name));
    return key !== undefined && this.#accounts.get(key)?.number === number ? key : undefined;
  }

  /** Returns the type of the account with this label, if the type is known. */
  typeOf = (label: string): AccountType | undefined => {
    const single = this.#leaves.get(plain(leafOf(label)));
    const key = this.#find(label) ?? (single?.size === 1 ? [...single][0] : undefined);
    return key === undefined ? undefined : this.#accounts.get(key)?.type;
  };

  /** Returns the key for a label in a transaction. Throws a Refusal if the label could mean several accounts. */
  keyFor(label: string, place: Place): string {
    const known = this.#find(label);
    if (known !== undefined) return known;
    const isWhole = this.usesFullNames || label.includes(':');
    const leaves = isWhole ? undefined : this.#leaves.get(plain(label));
    const [leaf, other] = [...(leaves ?? [])];
    if (this.#hasList && leaf !== undefined) {
      if (other === undefined) {
        this.#label(label, leaf);
        return leaf;
      }
      const names = [leaf, other].map((key) => this.#accounts.get(key)?.name).join(' and ');
      throw refusalAt(place, `“${label}” could be ${names}. Export the report with full account names.`);
    }
    return this.#forRole(label) ?? this.#create(label, place);
  }

  /** Returns the account that a spreadsheet means by the name of a role, such as Accounts Receivable. */
  #forRole(label: string): string | undefined {
    const role = this.#system === 'Spreadsheet' ? roleFor({ name: label }) : undefined;
    if (role === undefined) return undefined;
    return [...this.#accounts.values()].find((account) => account.role === role)?.key;
  }

  #create(label: string, place: Place): string {
    const isDesktop = this.#system === 'QuickBooks Desktop';
    const coded = this.#system === 'Xero' ? CODED.exec(label) : null;
    const { name, number } =
      coded === null ? split(label, !isDesktop) : { name: coded[1] ?? label, number: coded[2] ?? '' };
    const role = roleFor({ name: leafOf(name) });
    const type = role === undefined ? typeFor(leafOf(name) === 'Cash' ? 'cash' : '') : ROLE_TYPES[role];
    const isGone = this.#hasList || /\(deleted\)/i.test(label);
    const account: SourceAccount = {
      key: label,
      name,
      ...(number === undefined ? {} : { number }),
      ...(type === undefined ? {} : { type }),
      ...(role === undefined ? {} : { role }),
      isActive: !isGone,
    };
    if (this.#hasList) {
      this.#unlisted.push(label);
      this.#unlistedFile = place.file;
    }
    this.#accounts.set(label, account);
    this.#index(account);
    return label;
  }

  /** Returns a warning about accounts that transactions use but no list contains. */
  warnings(): Notice[] {
    const [first] = this.#unlisted;
    if (first === undefined) return [];
    const count = this.#unlisted.length;
    const which = count === 1 ? `The account ${first} is` : `${count} accounts, such as ${first}, are`;
    return [noticeAt(this.#unlistedFile, `${which} not in the account list and will be imported as inactive.`)];
  }
}
