import { createHash } from 'node:crypto';
import type { MoveAccount, MoveParty, PartyQuestion } from '@evenkeel/contract/moving';
import { isAccountType } from '@evenkeel/core/books/accounts';
import { cents } from '@evenkeel/core/money';
import { needsConfirmation } from '@evenkeel/core/moving/sources';
import { comparePeople, type Person } from '@evenkeel/imports/people';
import { isCompatible, type NewAccount, suggestAccounts } from '@evenkeel/imports/suggest';
import type { BooksSummary, PersonSummary } from '@evenkeel/imports/summary';
import { type AccountRow, accountsSql } from '../../books/ledger/accounts.sql.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { knownRecords, type MoveChoices, ownPeople, type RecordKind } from './moving.sql.ts';

/** Maps each account, customer, and vendor in the source to one of the company's records. */

/** Returns the digest that identifies a record in a source, so that the record is imported only once. */
export const identityOf = (system: string, kind: string, text: string): Buffer =>
  createHash('sha256').update(`${system}\n${kind}\n${text}`).digest();

/** Returns the key for a record's ID in its source. A renamed record is recognized by this key. */
export const idKey = (id: string, kind = ''): string => `id ${kind} ${id}`;

interface OwnPerson {
  id: number;
  kind: Person;
  name: string;
  email: string;
  phone: string;
}

/** The company's records that can be matched, and the records that earlier imports created or used, by key. */
export interface OwnRecords {
  accounts: AccountRow[];
  people: OwnPerson[];
  knownAccounts: Map<string, number>;
  knownPeople: Map<string, number>;
}

/** Reads the company's records for matching. */
export async function readOwn(tx: Tx, { system, accounts, people }: BooksSummary): Promise<OwnRecords> {
  const names = people.map(({ key }) => [key, key] as const);
  const ids = people.flatMap(({ key, kind, id }) => (id === undefined ? [] : [[key, idKey(id, kind)] as const]));
  const [own, persons, knownAccounts, byName, byId] = await Promise.all([
    tx.rows(accountsSql('every', true)),
    tx.rows(ownPeople()),
    knownBy(
      tx,
      { system, kind: 'account' },
      accounts.map(({ key }) => [key, key] as const),
    ),
    knownBy(tx, { system, kind: 'party' }, names),
    knownBy(tx, { system, kind: 'party' }, ids),
  ]);
  return {
    accounts: own,
    people: persons.map(({ kind, ...one }) => ({ ...one, kind: kind === 0 ? 'customer' : 'vendor' })),
    knownAccounts,
    knownPeople: new Map([...byName, ...byId]),
  };
}

/**
 * Returns the records that earlier imports created or used, by key. `texts` has each key with the text that identifies
 * its record.
 */
export async function knownBy(
  tx: Tx,
  { system, kind }: { system: string; kind: RecordKind },
  texts: readonly (readonly [string, string])[],
): Promise<Map<string, number>> {
  if (texts.length === 0) return new Map();
  const identities = texts.map(([key, text]) => ({ key, identity: identityOf(system, kind, text) }));
  const rows = await tx.rows(
    knownRecords(
      kind,
      identities.map(({ identity }) => identity),
    ),
  );
  const known = new Map(rows.map(({ identity, recordId }) => [identity.toString('hex'), recordId]));
  return new Map(
    identities.flatMap(({ key, identity }) => {
      const id = known.get(identity.toString('hex'));
      return id === undefined ? [] : [[key, id] as const];
    }),
  );
}

/** Returns the source's accounts with their suggestions and the user's choices. */
export function accountsOf({ accounts }: BooksSummary, choices: MoveChoices, own: OwnRecords): MoveAccount[] {
  const types = new Map(own.accounts.map(({ id, type: ownType }) => [id, ownType]));
  const suggestions = suggestAccounts(accounts, own.accounts, own.knownAccounts);
  return accounts.map((account): MoveAccount => {
    const { key, number = '', name, sourceType = account.type ?? '', type = null, isActive, lines, balance } = account;
    const suggestion = suggestions.get(key) ?? { reason: 'unknownType', accountId: null, create: null };
    const choice = choices.accounts?.[key] ?? null;
    const { accountId, create } = choice ?? suggestion;
    const becomes = accountId === null ? create?.type : types.get(accountId);
    return {
      key,
      number,
      name,
      sourceType,
      type,
      active: isActive,
      lines,
      balance,
      suggestion,
      choice,
      confirmed: choice !== null || !needsConfirmation(suggestion.reason),
      isBank: isBankType(becomes ?? '') && (isActive || balance !== 0),
      reconciled: choices.reconciled?.[key] ?? null,
    };
  });
}

/** Returns whether an account of this type gets a bank account. */
export const isBankType = (type: string): boolean => type === 'Bank' || type === 'Credit Card';

/** Returns the account that a source account is mapped to, or undefined if the user has not decided. */
export function chosenAccount(account: MoveAccount): { accountId: number } | { create: NewAccount } | undefined {
  if (!account.confirmed) return undefined;
  const { accountId, create } = account.choice ?? account.suggestion;
  if (accountId !== null) return { accountId };
  return create !== null && isAccountType(create.type) ? { create: { ...create, type: create.type } } : undefined;
}

/** Returns the reason why a source account can't post to one of the company's accounts, or undefined if it can. */
export function matchFault(account: { type: string | null }, own: AccountRow | undefined): string | undefined {
  if (own === undefined) return "The selected account doesn't exist";
  if (isCompatible(account.type ?? undefined, own.type)) return undefined;
  return (
    `${own.name} has the type ${own.type}, but this account has the type ${account.type ?? ''}. ` +
    'Choose another account.'
  );
}

/** The result of matching customers and vendors: the decision about each one, by key, and the open questions. */
export interface PeopleMatch {
  parties: MoveParty[];
  questions: PartyQuestion[];
  /**
   * Maps a key to the existing record, or to the key of the record to merge with. New records are created for all other
   * keys.
   */
  into: Map<string, { id: number } | { key: string }>;
}

/** Matches the source's customers and vendors, using the user's answers. */
export function peopleOf({ people }: BooksSummary, choices: MoveChoices, own: OwnRecords): PeopleMatch {
  const { matches, duplicates } = comparePeople(people, own.people);
  for (const [key, id] of own.knownPeople) if (own.people.some((one) => one.id === id)) matches.set(key, id);
  const byKey = new Map(people.map((person) => [person.key, person]));
  const byId = new Map(own.people.map((person) => [person.id, person]));
  const into = new Map<string, { id: number } | { key: string }>([...matches].map(([key, id]) => [key, { id }]));
  const questions = duplicates.flatMap(({ key, other, reason }): PartyQuestion[] => {
    const source = byKey.get(key);
    const known = 'id' in other ? byId.get(other.id) : byKey.get(other.key);
    if (source === undefined || known === undefined || matches.has(key)) return [];
    const answer = choices.parties?.[key] ?? null;
    if (answer === 'merge') into.set(key, other);
    const shown = 'key' in known ? sideOf(known) : { ...NO_SIDE, ...sideOfOwn(known) };
    return [{ key, kind: source.kind, reason, source: sideOf(source), other: shown, answer }];
  });
  const nameOf = (target: { id: number } | { key: string }): string =>
    ('id' in target ? byId.get(target.id)?.name : byKey.get(target.key)?.name) ?? '';
  const parties = people.map(({ key, name, kind, email, phone, transactions, balance }): MoveParty => {
    const target = into.get(key);
    const action = target === undefined ? 'create' : matches.has(key) ? 'match' : 'merge';
    return {
      key,
      name,
      kind,
      email,
      phone,
      transactions,
      balance,
      action,
      into: target === undefined ? '' : nameOf(target),
    };
  });
  return { parties, questions, into };
}

const NO_SIDE = { key: '', entityId: 0, file: '', row: null, transactions: 0, balance: cents(0) };

const sideOfOwn = ({ id, name, email, phone }: OwnPerson) => ({ entityId: id, name, email, phone });

const sideOf = ({ key, name, email, phone, place, transactions, balance }: PersonSummary): PartyQuestion['source'] => ({
  ...NO_SIDE,
  key,
  name,
  email,
  phone,
  file: place?.file ?? '',
  row: place?.row ?? null,
  transactions,
  balance,
});
