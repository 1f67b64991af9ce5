import {
  type AccountType,
  accountTypeInfo,
  AP,
  AR,
  INVENTORY,
  isAccountType,
  isControlAccount,
  isMoneyAccount,
  OPENING_BALANCE_EQUITY,
  RETAINED_EARNINGS,
  SALES_TAX_PAYABLE,
  UNDEPOSITED,
} from '@evenkeel/core/books/accounts';
import type { MatchReason } from '@evenkeel/core/moving/sources';
import type { AccountRole, SourceAccount } from './books.ts';
import { leafOf } from './signs.ts';

/** An account of the company that imports the books. */
export interface OwnAccount {
  id: number;
  number: string;
  name: string;
  type: string;
}

/** An account to create. */
export interface NewAccount {
  number: string;
  name: string;
  type: AccountType;
}

/**
 * The account that is proposed for a source account, either an existing one or a new one. Both are null if the user
 * must choose.
 */
export interface Suggestion {
  reason: MatchReason;
  accountId: number | null;
  create: NewAccount | null;
}

/** The system account for each role. */
const BY_ROLE: Record<AccountRole, number> = {
  receivable: AR,
  payable: AP,
  retainedEarnings: RETAINED_EARNINGS,
  openingBalance: OPENING_BALANCE_EQUITY,
  undepositedFunds: UNDEPOSITED,
  salesTax: SALES_TAX_PAYABLE,
  inventory: INVENTORY,
};

/** The maximum length of an account's name. */
const MOST_LETTERS = 100;

/** Returns a name in lowercase, without punctuation or remarks in parentheses. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/\([^)]*\)/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const SMALL_WORDS = new Set(['and', 'or', 'of', 'the', 'for', 'to', 'other', 'account', 'accounts', 'a']);

/** Returns the words of a name in the singular. */
const wordsOf = (name: string): string[] =>
  plain(name)
    .split(' ')
    .filter((word) => word.length > 2 && !SMALL_WORDS.has(word))
    .map((word) => word.replace(/s$/, ''));

const namesOf = ({ name }: SourceAccount): string[] => [plain(name), plain(leafOf(name))];

/**
 * Returns whether entries of an account with one type may post to an account of the other type: both have the same
 * root, both or neither are control accounts, and both or neither hold money.
 */
export function isCompatible(source: string | undefined, own: string): boolean {
  if (source === undefined || !isAccountType(source) || !isAccountType(own)) return source === undefined;
  const [a, b] = [accountTypeInfo(source), accountTypeInfo(own)];
  const isSameControl = isControlAccount(a) === isControlAccount(b) && (!isControlAccount(a) || source === own);
  // A card's balance is money that is owed, and undeposited funds may be another current asset in the source.
  const isSameMoney = isMoneyAccount(a) === isMoneyAccount(b) || own === 'Cash';
  return a.root === b.root && isSameControl && isSameMoney;
}

/**
 * Proposes an account for each source account, in this order: the account from an earlier import (`known`, by key),
 * then an account with the same role, an account with the same number and name, an account with the same name and type,
 * and finally an account with a similar name and the same type. Each account is proposed only once. A source account
 * without a match is proposed as a new account, unless its type is unknown.
 */
export function suggestAccounts(
  accounts: readonly SourceAccount[],
  own: readonly OwnAccount[],
  known: ReadonlyMap<string, number>,
): Map<string, Suggestion> {
  const found = new Map<string, Suggestion>();
  const free = new Map(own.map((account) => [account.id, account]));
  const take = (source: SourceAccount, reason: MatchReason, account: OwnAccount | undefined): void => {
    if (account === undefined || found.has(source.key)) return;
    free.delete(account.id);
    found.set(source.key, { reason, accountId: account.id, create: null });
  };
  const each = (reason: MatchReason, pick: (source: SourceAccount) => OwnAccount | undefined): void => {
    for (const source of accounts) if (!found.has(source.key)) take(source, reason, pick(source));
  };
  const byId = new Map(own.map((account) => [account.id, account]));
  each('imported', ({ key }) => byId.get(known.get(key) ?? 0));
  each('role', ({ role, type }) => {
    const account = role === undefined ? undefined : free.get(BY_ROLE[role]);
    return account !== undefined && isCompatible(type, account.type) ? account : undefined;
  });
  // A system account is proposed only for a source account with the same role, because Evenkeel itself posts to these
  // accounts.
  for (const id of Object.values(BY_ROLE)) free.delete(id);
  const all = (): OwnAccount[] => [...free.values()];
  each('numberAndName', (source) =>
    source.number === undefined || source.number === ''
      ? undefined
      : all().find(
          ({ number, name, type }) =>
            number === source.number && namesOf(source).includes(plain(name)) && isCompatible(source.type, type),
        ),
  );
  each('nameAndType', (source) =>
    all().find(({ name, type }) => type === source.type && namesOf(source).includes(plain(name))),
  );
  each('similarName', (source) => similar(source, all()));
  const names = new Set(own.map(({ name }) => name.toLowerCase()));
  const numbers = new Set(own.map(({ number }) => number));
  for (const source of accounts) {
    if (found.has(source.key)) continue;
    const create = newAccount(source, { own, names, numbers });
    found.set(source.key, { reason: create === null ? 'unknownType' : 'none', accountId: null, create });
  }
  return found;
}

/**
 * Returns the only account of the same type whose words are all in the name, or whose name contains all words of the
 * source account. Returns undefined if there are several.
 */
function similar(source: SourceAccount, own: readonly OwnAccount[]): OwnAccount | undefined {
  // Without a type, even the same name needs confirmation.
  if (source.type === undefined) return own.find(({ name }) => namesOf(source).includes(plain(name)));
  const words = wordsOf(source.name);
  const contains = (a: readonly string[], b: readonly string[]): boolean =>
    b.length > 0 && b.every((word) => a.includes(word));
  const all = own.filter(({ name, type }) => {
    const others = wordsOf(name);
    return type === source.type && (contains(words, others) || contains(others, words));
  });
  return all.length === 1 ? all[0] : undefined;
}

interface Taken {
  own: readonly OwnAccount[];
  names: Set<string>;
  numbers: Set<string>;
}

function newAccount(source: SourceAccount, { own, names, numbers }: Taken): NewAccount | null {
  const { type } = source;
  if (type === undefined) return null;
  const full = source.name.replace(/\s*:\s*/g, ': ').trim();
  let name = full.slice(0, MOST_LETTERS);
  for (let copy = 2; names.has(name.toLowerCase()); copy += 1) {
    const end = ` (${copy})`;
    name = `${full.slice(0, MOST_LETTERS - end.length)}${end}`;
  }
  names.add(name.toLowerCase());
  const given = (source.number ?? '').slice(0, 20);
  const number = given !== '' && !numbers.has(given) ? given : nextNumber(type, own, numbers);
  if (number !== '') numbers.add(number);
  return { number, name, type };
}

/**
 * Returns an unused number after the numbers of accounts of the same type, or an empty string if accounts of that type
 * have no numbers.
 */
function nextNumber(type: AccountType, own: readonly OwnAccount[], numbers: ReadonlySet<string>): string {
  const used = own.flatMap((one) => (one.type === type && /^\d{3,8}$/.test(one.number) ? [Number(one.number)] : []));
  if (used.length === 0) return '';
  let next = Math.max(...used) + 1;
  while (numbers.has(String(next))) next += 1;
  return String(next);
}
