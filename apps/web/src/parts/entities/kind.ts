import type { DocumentLink, DocumentLinkInput } from '@evenkeel/contract/attachments';
import type { Entity, EntityInput, EntityListQuery, EntityRow } from '@evenkeel/contract/entities';
import type { PartyRecord } from '@evenkeel/contract/party';
import { settingsCalls } from '@evenkeel/contract/settings';
import { COMPANY, type EntityKind as KindNumber, entityLabel } from '@evenkeel/core/entities';
import { useMemo } from 'react';
import type * as z from 'zod';
import { ask, inAlert, useRead } from '../../client/api.ts';
import type { EntitySource } from '../choices/entities.ts';
import { useSalesTaxScenarios } from '../choices/salesTax.ts';
import type { Manager } from '../../records/active.tsx';
import type { PageAsk } from '../../records/reads.ts';
import type { RecordsSpec } from '../../records/records.ts';

/** The three kinds of entities (customer, vendor, and company), and how the shared screens treat each kind. */

/** A record of any kind. A company has no billing fields, but it has a time zone and a logo. */
export type AnyEntity = PartyRecord &
  Partial<Omit<Entity, keyof PartyRecord>> & { timeZone?: string; logo?: DocumentLink | null };
export type EntityBody = EntityInput & { timeZone?: string; logo?: DocumentLinkInput | null };

export interface EntityKind {
  kind: KindNumber;
  /** The kind's name in the URL (`?customer=12`) and in draft keys. */
  name: 'customer' | 'vendor' | 'company';
  records: Omit<RecordsSpec<AnyEntity, AnyEntity, EntityBody>, 'list' | 'remove'> &
    Partial<Pick<RecordsSpec<AnyEntity, AnyEntity, EntityBody>, 'remove'>>;
  manager: Manager;
  reply: z.ZodType<AnyEntity>;
  /** Searches entities by name. Undefined for the company, because there is only one company. */
  choose?: EntitySource['choose'];
}

/** The kinds with a list: customers and vendors. */
export interface ListedKind extends EntityKind {
  name: 'customer' | 'vendor';
  records: RecordsSpec<EntityRow, Entity, EntityInput>;
}

/** Returns the query for a list of customers or vendors. */
export function asked(inactive: boolean, page: PageAsk): EntityListQuery {
  return inactive ? { ...page, inactive: 'true' } : page;
}

/** Returns "Customer", "Vendor", or "Company". */
export function labelOf({ kind }: EntityKind): string {
  return entityLabel(kind);
}

/** Returns whether the kind's balance is a receivable or a payable. */
export function sideOf({ name }: ListedKind): 'receivable' | 'payable' {
  return name === 'customer' ? 'receivable' : 'payable';
}

/**
 * Returns whether the kind has contacts. A company and individuals have no contacts. A company also has no Account tab.
 */
export function hasContacts({ kind }: EntityKind, isIndividual: boolean): boolean {
  return kind !== COMPANY && !isIndividual;
}
export function hasAccount({ kind }: EntityKind): boolean {
  return kind !== COMPANY;
}

const NO_DEFINITIONS: readonly never[] = [];

/** Loads the custom field definitions for the Info tab. Returns an empty list while loading. */
export function usePropertyDefinitions(kind: KindNumber) {
  const read = useRead(
    ask(settingsCalls.entityDetails, { params: { kind }, query: {} }),
    inAlert('Error Loading Settings'),
  );
  return read.value ?? NO_DEFINITIONS;
}

/** Loads the sales tax scenarios to choose from. The first is the company's default. */
export function useScenarioOptions() {
  const scenarios = useSalesTaxScenarios();
  return useMemo(
    () =>
      (scenarios ?? []).map((scenario, index) => {
        const items = scenario.salesTaxItems.filter((item) => !item.deleted);
        const words = items.map((item) => `${item.displayLabel} ${item.displayValue}`).join(', ');
        const name = scenario.name || (index === 0 ? 'Sales Tax' : `Scenario ${index + 1}`);
        return { id: scenario.id, label: name, detail: words === '' ? 'no tax' : words };
      }),
    [scenarios],
  );
}
