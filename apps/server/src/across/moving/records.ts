import type { MoveList } from '@evenkeel/contract/moving';
import {
  type AccountType,
  FIRST_USER_ACCOUNT,
  type MasterAccount,
  masterAccounts,
  SALES_TAX_PAYABLE,
} from '@evenkeel/core/books/accounts';
import { present, refuse } from '@evenkeel/core/failure';
import { decimal, toCents } from '@evenkeel/core/money';
import { SKIP_RECORD } from '@evenkeel/core/moving/lists';
import { PRODUCT, SERVICE } from '@evenkeel/core/documents/products';
import { type Notice, noticeAt, type SourceItem } from '@evenkeel/imports/books';
import type { BooksSummary, PersonSummary } from '@evenkeel/imports/summary';
import { sql } from 'kysely';
import { accounts } from '../../books/ledger/accounts.sql.ts';
import { highestAccountSql, lockCompanySql } from '../../features/accounting/account-setup.sql.ts';
import { locations, profitCenters } from '../../features/accounting/dimensions.ts';
import { products } from '../../features/catalogue/products.sql.ts';
import { entities } from '../../features/entities/entities.sql.ts';
import { mergeDetails, NO_DETAILS } from '../../features/settings/entity-details.ts';
import { COMPANY } from '../../platform/db/query.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { type MovedBank, writeBanks } from './banking.ts';
import { type Decided, decisions, takeSome, writePaymentTypes, writeTaxes } from './lists.ts';
import { accountsOf, chosenAccount, identityOf, idKey, isBankType, type OwnRecords, peopleOf } from './mapping.ts';
import { activate, type Brought, type MoveChoices, type RecordKind } from './moving.sql.ts';

/** Creates a move's accounts, customers, vendors, products, and dimensions in its transaction. */

/** The records by their keys in the source. */
export interface WrittenRecords {
  accounts: Map<string, number>;
  people: Map<string, number>;
  /** The bank accounts by GL account. */
  banks: Map<number, number>;
  profitCenters: Map<string, number>;
  locations: Map<string, number>;
  brought: Brought[];
  counts: Record<'accounts' | 'accountsCreated' | 'bankAccounts' | 'customers' | 'vendors' | 'products', number>;
  /** The rows that were skipped. */
  rejected: Notice[];
}

interface Source {
  summary: BooksSummary;
  choices: MoveChoices;
  own: OwnRecords;
  /** The decisions about sales tax codes, payment types, terms, and products. */
  lists: readonly MoveList[];
}

/**
 * Returns the base account for a new account. The base account has the same type, and is a contra account only if the
 * type is contra.
 */
export function baseFor(type: AccountType): MasterAccount {
  const all = masterAccounts.filter((master) => master.accountTypeLabel === type);
  const plain = all.find(({ contra, system }) => !contra && !system) ?? all.find(({ contra }) => !contra);
  return present(plain ?? all[0], `base account for ${type}`);
}

/** Creates the records that the company does not have yet. `names` are the profit centers and locations on lines. */
export async function writeRecords(
  tx: Tx,
  source: Source,
  names: { profitCenters: ReadonlySet<string>; locations: ReadonlySet<string> },
): Promise<WrittenRecords> {
  const { system } = source.summary;
  const brought: Brought[] = [];
  const note = (kind: RecordKind, key: string, recordId: number, isNew: boolean): void =>
    void brought.push({ kind, identity: identityOf(system, kind, key), recordId, isNew });
  await tx.rows(lockCompanySql());
  const { written, created, banks } = await writeAccounts(tx, source, note);
  const bankAccounts = await writeBanks(tx, banks, note);
  const decided = decisions(source.lists);
  await writePaymentTypes(tx, source.summary, decided, note);
  const taxAccount = source.summary.accounts.find(({ role }) => role === 'salesTax')?.key ?? '';
  const accountId = written.get(taxAccount) ?? SALES_TAX_PAYABLE;
  const taxes = await writeTaxes(tx, source.summary, { decided, accountId, note });
  const people = await writePeople(tx, source, { note, decided, taxes });
  const items = await writeItems(tx, source, { written, note, decided });
  return {
    accounts: written,
    people: people.written,
    banks: bankAccounts.byAccount,
    profitCenters: await writeNames(tx, { kind: 'profitCenter', names: names.profitCenters }, note),
    locations: await writeNames(tx, { kind: 'location', names: names.locations }, note),
    brought,
    counts: {
      accounts: written.size,
      accountsCreated: created,
      bankAccounts: bankAccounts.created,
      ...people.counts,
      products: items.count,
    },
    rejected: items.rejected,
  };
}

type Note = (kind: RecordKind, key: string, recordId: number, isNew: boolean) => void;

async function writeAccounts(
  tx: Tx,
  { summary, choices, own }: Source,
  note: Note,
): Promise<{ written: Map<string, number>; created: number; banks: MovedBank[] }> {
  const written = new Map<string, number>();
  const banks: MovedBank[] = [];
  const types = new Map(own.accounts.map(({ id, name, type }) => [id, { name, type }]));
  const { id: highest } = await tx.one(highestAccountSql());
  let next = Math.max(FIRST_USER_ACCOUNT, highest + 1);
  const categories = new Map(own.accounts.map(({ id, categoryId }) => [id, categoryId]));
  const rows = [];
  const views = accountsOf(summary, choices, own);
  for (const [at, view] of views.entries()) {
    const chosen = chosenAccount(view);
    const account = present(summary.accounts[at], 'account');
    // An account that is never used doesn't need to exist.
    if (chosen === undefined && view.lines === 0) continue;
    if (chosen === undefined) throw refuse(`Choose an account for ${view.name}`);
    // An inactive account with a balance stays in use.
    const active = account.isActive || view.balance !== 0;
    if ('accountId' in chosen) {
      const { name = '', type = '' } = types.get(chosen.accountId) ?? {};
      if (isBankType(type)) banks.push({ key: view.key, name, accountId: chosen.accountId, isActive: active });
      written.set(view.key, chosen.accountId);
      note('account', view.key, chosen.accountId, false);
      continue;
    }
    const { create } = chosen;
    const base = baseFor(create.type);
    const id = next;
    next += 1;
    rows.push({
      id,
      masterAccountId: base.id,
      number: create.number,
      name: create.name,
      type: create.type,
      root: base.root,
      contra: base.contra,
      system: false,
      description: account.description ?? '',
      categoryId: present(categories.get(base.id), 'account category'),
      active,
    });
    if (isBankType(create.type)) banks.push({ key: view.key, name: create.name, accountId: id, isActive: active });
    written.set(view.key, id);
    note('account', view.key, id, true);
  }
  if (rows.length > 0) await tx.rows(accounts.insertMany(rows));
  const reactivated = own.accounts.filter(({ id, active }) => !active && [...written.values()].includes(id));
  if (reactivated.length > 0) {
    await tx.rows(accounts.update({ id: reactivated.map(({ id }) => id) }, { active: true }));
  }
  return { written, created: rows.length, banks };
}

async function writePeople(
  tx: Tx,
  { summary, choices, own }: Source,
  { note, decided, taxes }: { note: Note; decided: Decided; taxes: ReadonlyMap<string, number> },
): Promise<{ written: Map<string, number>; counts: { customers: number; vendors: number } }> {
  const { into } = peopleOf(summary, choices, own);
  const fresh = summary.people.filter(({ key }) => !into.has(key));
  const ids = await takeSome(tx, 'entity_id_seq', fresh.length);
  const written = new Map<string, number>();
  const rows = fresh.map((person, at) => {
    const id = present(ids[at], 'entity ID');
    written.set(person.key, id);
    note('party', person.key, id, true);
    if (person.id !== undefined) note('party', idKey(person.id, person.kind), id, false);
    const days = decided('terms', person.terms);
    const termsDays = /^\d+$/.test(days) ? Number(days) : null;
    return entityRow(person, { id, termsDays, salesTaxScenarioId: taxes.get(person.taxCode ?? '') ?? null });
  });
  for (const { key, kind, id: sourceId } of summary.people) {
    const target = into.get(key);
    if (target === undefined) continue;
    let end: { id: number } | { key: string } = target;
    while ('key' in end && into.has(end.key)) end = into.get(end.key) ?? end;
    const id = 'id' in end ? end.id : present(written.get(end.key), 'merged record');
    written.set(key, id);
    note('party', key, id, false);
    if (sourceId !== undefined) note('party', idKey(sourceId, kind), id, false);
  }
  for (let at = 0; at < rows.length; at += TOGETHER) {
    await tx.rows(entities.insertMany(rows.slice(at, at + TOGETHER), ['id']));
  }
  const used = summary.people.flatMap(({ key, transactions }) => (transactions > 0 ? (written.get(key) ?? []) : []));
  await tx.rows(activate(used));
  const count = (kind: string): number => fresh.filter((one) => one.kind === kind).length;
  return { written, counts: { customers: count('customer'), vendors: count('vendor') } };
}

const TOGETHER = 1000;

function entityRow(
  person: PersonSummary,
  decided: { id: number; termsDays: number | null; salesTaxScenarioId: number | null },
) {
  const { kind, name, company, email, phone, address, isActive } = person;
  const input = {
    dba: company !== '' && company !== name ? company : '',
    phones: phone === '' ? [] : [{ phoneID: -1, displayNumber: phone, primary: true }],
    addresses: addressOf(address),
  };
  return {
    ...decided,
    kind: kind === 'customer' ? 0 : 1,
    displayname: name,
    name,
    emailAddress: /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+/.exec(email.trim())?.[0] ?? '',
    details: mergeDetails(NO_DETAILS, input),
    deleted: !isActive && person.transactions === 0,
  };
}

/** Returns the mailing address. The last line may have a city, a state, and a ZIP code. */
function addressOf(address: string) {
  const lines = address
    .split(/\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return [];
  const last = /^(.+?),?\s+([A-Z]{2})\s+(\d{5})(?:-\d{4})?$/.exec(lines.at(-1) ?? '');
  const [address1 = '', ...others] = last === null ? lines : lines.slice(0, -1);
  const place = last === null ? {} : { city: last[1] ?? '', state: last[2] ?? '', zipCode: last[3] ?? '' };
  return [{ addressType: 1, address1, address2: others.join(', '), ...place }];
}

/** Creates or uses products as the user decided. A product that can't be created is skipped. */
async function writeItems(
  tx: Tx,
  { summary, own }: Source,
  { written, note, decided }: { written: ReadonlyMap<string, number>; note: Note; decided: Decided },
): Promise<{ count: number; rejected: Notice[] }> {
  const known = await tx.rows(sql<{ id: number; key: string }>`
    select id, lower(name) as key from product where company_id = ${COMPANY}`);
  const ids = new Map(known.map(({ id, key }) => [key, id]));
  const rejected: Notice[] = [];
  const noteItem = ({ name, id }: SourceItem, recordId: number, isNew: boolean): void => {
    note('item', name.trim().toLowerCase(), recordId, isNew);
    if (id !== undefined) note('item', idKey(id), recordId, false);
  };
  const byLabel = new Map(
    summary.accounts.flatMap(({ key, name, number }) => {
      const id = written.get(key);
      if (id === undefined) return [];
      return [key, name, ...(number === undefined ? [] : [`${number} ${name}`])].map(
        (label) => [label.toLowerCase(), id] as const,
      );
    }),
  );
  const types = new Map<number | undefined, string | undefined>(own.accounts.map(({ id, type }) => [id, type]));
  for (const { key, type } of summary.accounts) {
    const id = written.get(key);
    if (!types.has(id)) types.set(id, type);
  }
  const fresh: (SourceItem & { price: string; accountId: number })[] = [];
  for (const item of summary.items) {
    if (/^(category|bundle)$/i.test(item.kind ?? '')) continue;
    const key = item.name.trim().toLowerCase();
    const value = decided('product', item.name);
    if (value === SKIP_RECORD) continue;
    const existing = Number(value) > 0 ? Number(value) : ids.get(key);
    if (existing !== undefined) {
      if (existing > 0) noteItem(item, existing, false);
      else
        rejected.push(
          noticeAt(item.place, `Another row has the name ${item.name}. Rename one of them to import both.`),
        );
      continue;
    }
    const account = item.incomeAccount === undefined ? undefined : byLabel.get(item.incomeAccount.toLowerCase());
    const fault = faultOf(item, account, types.get(account));
    if (fault !== undefined) rejected.push(noticeAt(item.place, fault));
    else if (account !== undefined) {
      ids.set(key, 0);
      fresh.push({ ...item, price: item.price ?? '0', accountId: account });
    }
  }
  const taken = await takeSome(tx, 'product_id_seq', fresh.length);
  const rows = fresh.map((item, at) => {
    const productID = present(taken[at], 'product ID');
    noteItem(item, productID, true);
    return {
      productID,
      name: item.name.trim(),
      description: item.description ?? item.name.trim(),
      salesPrice: toCents(decimal(item.price)),
      taxable: item.isTaxable ?? false,
      productServiceType: /service/i.test(item.kind ?? '') ? SERVICE : PRODUCT,
      GLAccountID: item.accountId,
      active: item.isActive,
    };
  });
  if (rows.length > 0) await tx.rows(products.insertMany(rows, ['productID']));
  return { count: rows.length, rejected };
}

function faultOf({ name, price = '0' }: SourceItem, account: number | undefined, type: string | undefined) {
  if (name.trim() === '') return 'The row has no name.';
  if (!/^\d+(\.\d+)?$/.test(price)) return `The price “${price}” isn’t an amount.`;
  if (/\.\d\d0*[1-9]/.test(price)) return `The price ${price} has more than 2 decimal places.`;
  if (account === undefined) return 'The product has no income account among the imported accounts.';
  if (type !== 'Income' && type !== 'Other Income') return "The product's account is not an income account.";
  return undefined;
}

async function writeNames(
  tx: Tx,
  { kind, names }: { kind: 'profitCenter' | 'location'; names: ReadonlySet<string> },
  note: Note,
): Promise<Map<string, number>> {
  const written = new Map<string, number>();
  if (names.size === 0) return written;
  const isCenter = kind === 'profitCenter';
  const name = sql.id(isCenter ? 'profit_center' : 'location');
  const rows = await tx.rows(sql<{ id: number; key: string }>`
    select id, lower(name) as key from ${name} where company_id = ${COMPANY}`);
  const known = new Map(rows.map(({ id, key }) => [key, id]));
  const fresh = new Map([...names].flatMap((one) => (known.has(one.toLowerCase()) ? [] : [[one.toLowerCase(), one]])));
  const ids = await takeSome(tx, isCenter ? 'profit_center_id_seq' : 'location_id_seq', fresh.size);
  const made = [...fresh].map(([key, text], at) => ({ id: present(ids[at], 'ID'), key, text }));
  for (const { id, key } of made) known.set(key, id);
  if (made.length > 0) {
    await tx.rows(
      isCenter
        ? profitCenters.table.insertMany(made.map(({ id, text }) => ({ profitcenterid: id, profitcentername: text })))
        : locations.table.insertMany(made.map(({ id, text }) => ({ locationId: id, locationName: text }))),
    );
  }
  for (const one of names) {
    const id = known.get(one.toLowerCase());
    if (id === undefined) continue;
    written.set(one, id);
    note(kind, one.toLowerCase(), id, fresh.has(one.toLowerCase()));
  }
  return written;
}
