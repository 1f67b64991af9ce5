import type { SourceBooks, SourceLine, SourceTransaction } from './books.ts';

/** The kinds of records that Evenkeel has for names. */
export type Person = 'customer' | 'vendor';

/**
 * Returns the key that identifies a customer or vendor in the books. Names that differ only in case have the same key.
 */
export const personKey = (kind: Person, name: string): string => `${kind} ${name.trim().toLowerCase()}`;

const isPerson = (kind: string | undefined): kind is Person => kind === 'customer' || kind === 'vendor';

/**
 * Words in the types of transactions that involve a vendor or a customer. The words for vendors are checked first, so
 * "Bill Payment" involves a vendor.
 */
const TO_VENDOR = /\b(bill|expense|check|cheque|purchase|vendor|credit card|charge|spend)\b/i;
const FROM_CUSTOMER = /\b(invoice|sales?|receipt|payment|credit memo|refund|statement charge|receive)\b/i;

/**
 * Decides which names in lines are customers and which are vendors, based on the account, the file, the lists, and the
 * type of the transaction, in this order. Names of employees and other names get no record.
 */
export class People {
  readonly #roles: ReadonlyMap<string, string | undefined>;
  readonly #kinds = new Map<string, Set<string>>();

  constructor(books: Pick<SourceBooks, 'accounts' | 'parties'>) {
    this.#roles = new Map(books.accounts.map(({ key, role }) => [key, role]));
    for (const { name, kind, place } of books.parties) {
      if (place === undefined || kind === undefined) continue;
      const key = name.trim().toLowerCase();
      const kinds = this.#kinds.get(key) ?? new Set();
      this.#kinds.set(key, kinds.add(kind));
    }
  }

  /** Returns the kind of the name on a line, or undefined if the line has no customer or vendor. */
  kindOf(line: SourceLine, { type }: SourceTransaction): Person | undefined {
    if (line.party === undefined || line.party.trim() === '') return undefined;
    const role = this.#roles.get(line.account);
    if (role === 'receivable') return 'customer';
    if (role === 'payable') return 'vendor';
    if (line.partyKind !== undefined) return isPerson(line.partyKind) ? line.partyKind : undefined;
    const listed = [...(this.#kinds.get(line.party.trim().toLowerCase()) ?? [])];
    const [only] = listed;
    if (listed.length === 1) return isPerson(only) ? only : undefined;
    if (TO_VENDOR.test(type)) return 'vendor';
    return FROM_CUSTOMER.test(type) ? 'customer' : undefined;
  }
}

/** A customer or vendor in the source, with the data that determines whether the record duplicates another record. */
export interface PersonFacts {
  key: string;
  kind: Person;
  name: string;
  email: string;
  phone: string;
}

/** Returns a name in lowercase, without punctuation or the words for its legal form. */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\b(llc|inc|ltd|co|corp|corporation|company|incorporated|limited|the)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const digits = (phone: string): string => phone.replace(/\D/g, '').slice(-10);

/** The record that a name could be a duplicate of, and the reason as text. */
export interface Duplicate {
  key: string;
  /** The other record: an earlier name in the source by key, or the company's own record by ID. */
  other: { key: string } | { id: number };
  reason: string;
}

/** The result of comparing names: exact matches by key, and questions. */
export interface Compared {
  matches: Map<string, number>;
  duplicates: Duplicate[];
}

interface OwnPerson extends Omit<PersonFacts, 'key'> {
  id: number;
}

/**
 * Compares the source's customers and vendors with each other and with the company's own records. Records with the same
 * name count as the same. If names differ only in punctuation or legal form, or if the email and phone are the same,
 * the user is asked.
 */
export function comparePeople(people: readonly PersonFacts[], own: readonly OwnPerson[]): Compared {
  const matches = new Map<string, number>();
  const byName = new Map(own.map((one) => [personKey(one.kind, one.name), one.id]));
  for (const { key } of people) {
    const id = byName.get(key);
    if (id !== undefined) matches.set(key, id);
  }
  const seen = new Map<string, Duplicate['other']>();
  for (const one of own) for (const { sign } of signsOf(one)) if (!seen.has(sign)) seen.set(sign, { id: one.id });
  const duplicates: Duplicate[] = [];
  for (const one of people) {
    const matched = matches.get(one.key);
    const signs = signsOf(one);
    const hit = matched === undefined ? signs.find(({ sign }) => seen.has(sign)) : undefined;
    const other = seen.get(hit?.sign ?? '');
    if (hit !== undefined && other !== undefined) duplicates.push({ key: one.key, other, reason: hit.reason });
    for (const { sign } of signs)
      if (!seen.has(sign)) seen.set(sign, matched === undefined ? { key: one.key } : { id: matched });
  }
  return { matches, duplicates };
}

function signsOf({ kind, name, email, phone }: Omit<PersonFacts, 'key'>): { sign: string; reason: string }[] {
  const plain = plainName(name);
  const number = digits(phone);
  const mail = email.trim().toLowerCase();
  return [
    ...(plain === '' ? [] : [{ sign: `${kind} name ${plain}`, reason: 'Same name without punctuation' }]),
    ...(mail === '' || number.length < 7
      ? []
      : [{ sign: `${kind} contact ${mail} ${number}`, reason: 'Same email and phone' }]),
  ];
}
