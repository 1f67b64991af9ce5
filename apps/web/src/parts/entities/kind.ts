import type { DocumentLink, DocumentLinkInput } from '@evenkeel/contract/attachments';
import type { Entity, EntityInput, EntityListQuery, EntityRow, PartyRecord } from '@evenkeel/contract/entities';
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

/** Customer, vendor and company as kinds of entities: the shared screens and the facts of each. */

/** A record of any kind: a company is billed nothing, and has a time zone and a logo. */
export type AnyEntity = PartyRecord &
  Partial<Omit<Entity, keyof PartyRecord>> & { timeZone?: string; logo?: DocumentLink | null };
export type EntityBody = EntityInput & { timeZone?: string; logo?: DocumentLinkInput | null };

export interface EntityKind {
  kind: KindNumber;
  /** The kind's name in the address (`?customer=12`) and for drafts on the device. */
  name: 'customer' | 'vendor' | 'company';
  records: Omit<RecordsSpec<AnyEntity, AnyEntity, EntityBody>, 'list' | 'remove'> &
    Partial<Pick<RecordsSpec<AnyEntity, AnyEntity, EntityBody>, 'remove'>>;
  manager: Manager;
  reply: z.ZodType<AnyEntity>;
  /** Looks for others by name; undefined for a company, of which there is one. */
  choose?: EntitySource['choose'];
}

/** Customers and vendors: of them there are many. */
export interface ListedKind extends EntityKind {
  name: 'customer' | 'vendor';
  records: RecordsSpec<EntityRow, Entity, EntityInput>;
}

/** Parameters of a list of customers or vendors. */
export function asked(inactive: boolean, page: PageAsk): EntityListQuery {
  return inactive ? { ...page, inactive: 'true' } : page;
}

/** "Customer", "Vendor" or "Company". */
export function labelOf({ kind }: EntityKind): string {
  return entityLabel(kind);
}

/** The side of the books on which their balance stands. */
export function sideOf({ name }: ListedKind): 'receivable' | 'payable' {
  return name === 'customer' ? 'receivable' : 'payable';
}

/** Contacts are hidden for a company and for individuals, Account for a company. */
export function hasContacts({ kind }: EntityKind, isIndividual: boolean): boolean {
  return kind !== COMPANY && !isIndividual;
}
export function hasAccount({ kind }: EntityKind): boolean {
  return kind !== COMPANY;
}

const NO_DEFINITIONS: readonly never[] = [];

/** Definitions of the Info tab; none while they load. */
export function usePropertyDefinitions(kind: KindNumber) {
  const read = useRead(
    ask(settingsCalls.entityDetails, { params: { kind }, query: {} }),
    inAlert('Error Loading Settings'),
  );
  return read.value ?? NO_DEFINITIONS;
}

/** Sales tax scenarios to choose from; the first is the company's default. */
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
