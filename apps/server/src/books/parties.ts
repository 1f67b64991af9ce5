import type { Entity } from '@evenkeel/contract/entities';
import type { Company } from '@evenkeel/contract/company';
import { addressLines } from '@evenkeel/core/entities';
import { DRAFT } from '@evenkeel/core/documents/invoice';
import { offers } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../platform/db/query.ts';
import { table } from '../platform/db/table.ts';
import { COMPANY_VERSION } from './documents/settlement.sql.ts';

/** A company or a customer, as shown on printed documents. */
export interface Party {
  name: string;
  /** The lines below the name. */
  lines: readonly string[];
}

/** Returns a company's name, its mailing address, and a line with its phone number and email address. */
export function companyParty(company: Company): Party {
  const address = mailingAddress(company.addresses);
  const contact = [company.phone, company.emailAddress].filter((part) => part !== '').join(' · ');
  const lines = [...(address === undefined ? [] : addressLines(address)), contact].filter((line) => line !== '');
  return { name: company.displayname, lines };
}

/**
 * Returns a customer's name and its billing address (type 2), or its mailing address (type 1) if it has no billing
 * address.
 */
export function customerParty({ displayname: name, addresses }: Entity): Party {
  const address = addresses.find((each) => each.addressType === 2) ?? addresses[0];
  return { name, lines: address === undefined ? [] : addressLines(address) };
}

const versions = table('party_version', { entityId: 'entity_id', lastVersion: 'last_version', facts: 'facts' }).typed<{
  facts: Party;
}>();

/** Returns the mailing address (type 1) in a list of addresses. */
export function mailingAddress<T extends { addressType: number }>(addresses: readonly T[]): T | undefined {
  return addresses.find((address) => address.addressType === 1);
}

/** The ID under which the company itself is stored as a party. */
export const OWN_PARTY = 0;

interface Change {
  entityId: number;
  /** The last row version with these names and addresses. */
  lastVersion: number;
  before: Party;
  after: Party;
}

/**
 * Stores the names and addresses that printed documents have shown for a party so far. Must run while the party is
 * locked. Writes nothing if they are unchanged.
 */
export function keepParty({ entityId, lastVersion, before, after }: Change): Runnable<unknown>[] {
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  return isSame ? [] : [versions.insert({ entityId, lastVersion, facts: before })];
}

/** The record whose document is printed, or the email to which the document is attached. */
export type PaperSource = { documentId: number } | { paymentId: number } | { mailId: number };

/** A party's names and addresses at a row version, or null if they are the current ones. */
const factsAt = (entityId: RawBuilder<unknown>, version: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select v.facts from party_version v
  where v.company_id = ${COMPANY} and v.entity_id = ${entityId} and v.last_version >= ${version}
  order by v.last_version limit 1)`;

/** The statuses of documents that show the current parties. */
const DRAFTS = [DRAFT, ...offers().map(({ offer }) => offer.draft)];

/** Selects the parties as stored with a saved record, if they differ from the current ones. */
export function selectKept(source: PaperSource): Runnable<Record<'company' | 'customer', Party | null>> {
  const [name, id] =
    'documentId' in source
      ? (['document', source.documentId] as const)
      : 'paymentId' in source
        ? (['payment', source.paymentId] as const)
        : (['mail', source.mailId] as const);
  return sql`
    select ${factsAt(sql`${OWN_PARTY}`, sql`r.company_version`)} as company,
      ${factsAt(sql`r.entity_id`, sql`r.entity_version`)} as customer
    from ${sql.id(name)} r where r.company_id = ${COMPANY} and r.id = ${id}
      ${name === 'document' ? sql`and r.status <> all(${DRAFTS}::int[])` : sql``}`;
}

/** The current row version of a customer or vendor, as a column of a statement. */
export const versionOf = (entityId: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select e.row_version from entity e where e.company_id = ${COMPANY} and e.id = ${entityId})`;

/**
 * Selects the row versions of the company and the customer or vendor for a new record, so that the record keeps their
 * names and addresses.
 */
export const selectVersions = (entityId: number): Runnable<{ companyVersion: number; entityVersion: number }> => sql`
  select ${COMPANY_VERSION} as "companyVersion", ${versionOf(sql`${entityId}`)} as "entityVersion"`;
