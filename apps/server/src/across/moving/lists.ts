import type { MoveList } from '@evenkeel/contract/moving';
import { CREATE_RECORD, daysOfTerms, type MoveListKind, SKIP_RECORD, termsChoices } from '@evenkeel/core/moving/lists';
import { displayPercentage } from '@evenkeel/core/documents/salestax';
import { present } from '@evenkeel/core/failure';
import { decimal } from '@evenkeel/core/money';
import type { SourceTax } from '@evenkeel/imports/books';
import type { BooksSummary } from '@evenkeel/imports/summary';
import { sql } from 'kysely';
import { paymentTypes } from '../../features/banking/payment-types.ts';
import { scenarios, taxItems } from '../../features/settings/salestax.sql.ts';
import { COMPANY, takeIds } from '../../platform/db/query.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { idKey, knownBy } from './mapping.ts';
import type { MoveChoices, RecordKind } from './moving.sql.ts';
import { productKeys } from './product-keys.ts';

/**
 * The sales tax codes, payment types, terms, and products in the source, and the records that are created or used for
 * them.
 */

interface Named {
  id: number;
  name: string;
}

/** Returns whether the files are spreadsheets of lists, which can be imported without transactions. */
export const hasLists = ({ system, documents, people, items }: BooksSummary): boolean =>
  system === 'Spreadsheet' &&
  documents.invoices + documents.bills + documents.credits === 0 &&
  people.length + items.length > 0;

/**
 * Returns a message that says what the user can do if the files contain no transactions and can't be imported without
 * them.
 */
export function transactionsMissing(reading: BooksSummary): string | undefined {
  const { system, transactions, documents } = reading;
  if (transactions > 0 || hasLists(reading)) return undefined;
  return system === 'Spreadsheet' && documents.invoices + documents.bills + documents.credits > 0
    ? "Add the journal entries for the open invoices and bills. If you don't have a journal, enter the documents " +
        'under Opening Balances, where you can paste rows.'
    : 'Add the file with the transactions to continue';
}

/** The company's records that can be matched. */
export interface OwnLists {
  taxes: Named[];
  paymentTypes: Named[];
  products: Named[];
  /** The products that earlier imports created or used, by their IDs in the source. */
  knownProducts: ReadonlyMap<string, number>;
}

export const NO_LISTS: OwnLists = { taxes: [], paymentTypes: [], products: [], knownProducts: new Map() };

export async function readOwnLists(tx: Tx, reading: BooksSummary): Promise<OwnLists> {
  const { system, taxes = [], paymentTypes: types = [], items } = reading;
  const withIds = items.flatMap(({ id }) => (id === undefined ? [] : [[id, idKey(id)] as const]));
  const [ownTaxes, ownTypes, ownProducts, knownProducts] = await Promise.all([
    taxes.length === 0 ? [] : tx.rows(scenarios.find({}, { orderBy: sql`id` })),
    types.length === 0 ? [] : tx.rows(paymentTypes.table.find({ active: true }, { orderBy: sql`id` })),
    items.length === 0
      ? []
      : tx.rows(sql<Named>`
          select id, name from product where company_id = ${COMPANY} order by active desc, lower(name), id`),
    knownBy(tx, { system, kind: 'item' }, withIds),
  ]);
  return {
    taxes: ownTaxes.filter(({ name }) => name !== ''),
    paymentTypes: ownTypes.map(({ id, displayName: name }) => ({ id, name })),
    products: ownProducts,
    knownProducts,
  };
}

const CREATE = { value: CREATE_RECORD, label: 'Create' };
const SKIP = { value: SKIP_RECORD, label: "Don't import" };

interface Suggested {
  name: string;
  detail: string;
  uses: number;
  /** The suggestion or the user's decision. Empty if the user must decide. */
  value: string;
}

/** Returns the lists that the source has, with the suggestions and the user's decisions. */
export function listsOf(reading: BooksSummary, choices: MoveChoices, own: OwnLists): MoveList[] {
  const { taxes = [], paymentTypes: types = [], people, items } = reading;
  const among = (records: readonly Named[], name: string): string | undefined => {
    const found = records.find((one) => one.name.trim().toLowerCase() === name.trim().toLowerCase());
    return found === undefined ? undefined : String(found.id);
  };
  const known = (id: string): string | undefined => {
    const product = own.products.find((one) => one.id === own.knownProducts.get(id));
    return product === undefined ? undefined : String(product.id);
  };
  const offered = (records: readonly Named[]) => [
    CREATE,
    SKIP,
    ...records.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  const terms = new Map<string, number>();
  for (const person of people) {
    if (person.terms !== '') terms.set(person.terms, (terms.get(person.terms) ?? 0) + 1);
  }
  const keys = new Set(productKeys(items));
  const products = items.filter(({ name }) => keys.delete(name.trim().toLowerCase()));
  const lists: { kind: MoveListKind; options: MoveList['options']; items: Suggested[] }[] = [
    {
      kind: 'tax',
      options: offered(own.taxes),
      items: taxes.map((tax) => ({
        name: tax.name,
        detail: [rateWords(tax), tax.agency ?? ''].filter((part) => part !== '').join(' · '),
        uses: people.filter(({ taxCode }) => taxCode === tax.name).length,
        // Exempt and non-taxable sales are reported differently on a return, so nothing is chosen for a rate of 0%.
        value: among(own.taxes, tax.name) ?? (Number(tax.rate) === 0 ? '' : CREATE_RECORD),
      })),
    },
    {
      kind: 'paymentType',
      options: offered(own.paymentTypes),
      items: types.map(({ name }) => ({
        name,
        detail: '',
        uses: 0,
        value: among(own.paymentTypes, name) ?? CREATE_RECORD,
      })),
    },
    {
      kind: 'terms',
      options: termsChoices([...terms.keys()].flatMap((text) => daysOfTerms(text) ?? [])),
      items: [...terms].map(([name, uses]) => ({
        name,
        detail: '',
        uses,
        value: String(daysOfTerms(name) ?? SKIP_RECORD),
      })),
    },
    {
      kind: 'product',
      options: offered(own.products),
      items: products.map(({ id = '', name, kind = '', price = '' }) => ({
        name: name.trim(),
        detail: [kind, price].filter((part) => part !== '').join(' · '),
        uses: 0,
        value: known(id) ?? among(own.products, name) ?? CREATE_RECORD,
      })),
    },
  ];
  return lists
    .filter(({ items: all }) => all.length > 0)
    .map(({ kind, options, items: all }) => ({
      kind,
      options,
      items: all.map(({ value, ...item }) => {
        const key = listKey(kind, item.name);
        const chosen = choices.lists?.[key];
        // A decision for a record that no longer exists is ignored.
        const isKnown = chosen !== undefined && options.some((one) => one.value === chosen);
        return { key, ...item, value: isKnown ? chosen : value, isDecided: isKnown || value !== '' };
      }),
    }));
}

export const listKey = (kind: MoveListKind, name: string): string => `${kind} ${name.trim().toLowerCase()}`;

const rateWords = ({ rate }: SourceTax): string => displayPercentage(decimal(rate));

/** Returns the decision about a record, or an empty string if there is none. */
export function decisions(lists: readonly MoveList[]): (kind: MoveListKind, name: string) => string {
  const values = new Map(lists.flatMap(({ items }) => items.map(({ key, value }) => [key, value] as const)));
  return (kind, name) => values.get(listKey(kind, name)) ?? '';
}

type Note = (kind: RecordKind, key: string, recordId: number, isNew: boolean) => void;

/** Creates or uses payment types. */
export async function writePaymentTypes(
  tx: Tx,
  { paymentTypes: types = [] }: BooksSummary,
  decided: Decided,
  note: Note,
) {
  const fresh = types.filter(({ name }) => decided('paymentType', name) === CREATE_RECORD);
  for (const { name } of types) {
    const id = Number(decided('paymentType', name));
    if (id > 0) note('paymentType', name.toLowerCase(), id, false);
  }
  if (fresh.length === 0) return;
  const ids = await takeSome(tx, 'payment_type_id_seq', fresh.length);
  const rows = fresh.map(({ name }, at) => ({
    id: present(ids[at], 'payment type ID'),
    displayName: name.slice(0, 50),
  }));
  await tx.rows(paymentTypes.table.insertMany(rows));
  for (const { id, displayName } of rows) note('paymentType', displayName.toLowerCase(), id, true);
}

export type Decided = ReturnType<typeof decisions>;

/**
 * Creates or uses sales tax codes, each as a scenario with one item. Returns the scenarios by the names of the codes.
 */
export async function writeTaxes(
  tx: Tx,
  { taxes = [] }: BooksSummary,
  { decided, accountId, note }: { decided: Decided; accountId: number; note: Note },
): Promise<Map<string, number>> {
  const written = new Map<string, number>();
  const fresh = taxes.filter(({ name }) => decided('tax', name) === CREATE_RECORD);
  for (const { name } of taxes) {
    const id = Number(decided('tax', name));
    if (!(id > 0)) continue;
    written.set(name, id);
    note('tax', name.toLowerCase(), id, false);
  }
  if (fresh.length === 0) return written;
  const ids = await takeSome(tx, 'sales_tax_scenario_id_seq', fresh.length);
  const itemIds = await takeSome(tx, 'sales_tax_item_id_seq', fresh.length);
  const rows = fresh.map((tax, at) => ({
    ...tax,
    id: present(ids[at], 'scenario ID'),
    itemId: present(itemIds[at], 'tax item ID'),
  }));
  await tx.rows(
    scenarios.insertMany(rows.map(({ id, name }) => ({ id, name, glAccountId: accountId, filingFrequency: 0 }))),
  );
  await tx.rows(
    taxItems.insertMany(
      rows.map(({ id, itemId, name, rate }) => {
        return { id: itemId, scenarioId: id, label: name, salesTaxType: 0, percentage: rate };
      }),
    ),
  );
  for (const { id, itemId, name } of rows) {
    written.set(name, id);
    note('tax', name.toLowerCase(), id, true);
    note('taxItem', name.toLowerCase(), itemId, true);
  }
  return written;
}

/** Reserves IDs from a sequence. */
export async function takeSome(tx: Tx, sequence: string, count: number): Promise<number[]> {
  if (count === 0) return [];
  const { ids } = await tx.one(sql<{ ids: number[] }>`select ${takeIds(sequence, count)} as ids`);
  return ids;
}
