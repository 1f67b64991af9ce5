import { PropertyDefinition, type PropertyInput } from '@evenkeel/contract/settings';
import { checkPropertyType, propertyValue } from '@evenkeel/core/entities';
import { type FieldMessages, notFound, refuseFields } from '@evenkeel/core/failure';
import { sql } from 'kysely';
import { type RecordKind, saveRecord, updateRecord } from '../../platform/db/records.ts';
import type { Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { EntityDetails } from './entity-details.ts';

/** Properties that a company defines for its customers (kind 0), vendors (1) or itself (2), and their values. */

const definitions: RecordKind<PropertyDefinition> = {
  label: 'Property',
  table: table('extended_property', {
    id: 'id',
    kind: 'kind',
    displayName: 'display_name',
    dataType: 'data_type',
    active: 'active',
    rowVersion: 'row_version',
  }),
  schema: PropertyDefinition,
  id: 'id',
  name: 'displayName',
  blank: { id: 0, kind: 0, displayName: '', dataType: 2, active: true, rowVersion: 0 },
};

/** Every definition of a kind, by name, the deactivated ones too: what was entered under them stays. */
export function definitionsOf(kind: number): Runnable<PropertyDefinition> {
  return definitions.table.find({ kind }, { orderBy: sql`lower(display_name), id` });
}

/** The definitions of a kind, the active ones or all; 404 for another kind. */
export async function listProperties(ctx: Ctx, kind: number, withInactive: boolean): Promise<PropertyDefinition[]> {
  if (kind > 2) throw notFound('Entity kind');
  const all = await ctx.tx.rows(definitionsOf(kind));
  return all.filter(({ active }) => active || withInactive);
}

/** Defines a property. 422 without a name, for another kind or another type than date, text and yes/no. */
export async function createProperty(ctx: Ctx, input: PropertyInput): Promise<PropertyDefinition> {
  refuseFields(checkPropertyType(input));
  return saveRecord(ctx, definitions, { ...input, id: 0 });
}

/** Renames, deactivates or restores one; kind and type stay, because values of that type were entered. 404, 409. */
export async function updateProperty(ctx: Ctx, id: number, input: PropertyInput): Promise<PropertyDefinition> {
  const { displayName, active, rowVersion } = input;
  return updateRecord(ctx, definitions, { id, displayName, active, rowVersion });
}

/** Deactivates one: no form shows it any more, and its values stay. 404 when there is none. */
export async function removeProperty(ctx: Ctx, id: number): Promise<{ ok: true }> {
  await updateRecord(ctx, definitions, { id, active: false });
  return { ok: true };
}

type Values = EntityDetails['extendedProperties'];

/**
 * The values to keep of those that were sent: in the type of their definition, empty ones left out, and what is stored
 * under deactivated definitions besides. 422 for a property that is not defined, or a value that is none of its type.
 */
export function keptValues(sent: Values, stored: Values, known: readonly PropertyDefinition[]): Values {
  const fields: FieldMessages = {};
  const kept = sent.flatMap(({ baseExtendedPropertyId, propertyValue: text }, index): Values => {
    const definition = known.find(({ id }) => id === baseExtendedPropertyId);
    const at = `extendedProperties.${index}`;
    if (definition === undefined) {
      fields[`${at}.baseExtendedPropertyId`] = "This field doesn't exist";
      return [];
    }
    const { value, message } = propertyValue(definition.dataType, text);
    if (message !== undefined) fields[`${at}.propertyValue`] = message;
    const { dataType } = definition;
    return value === undefined || value === '' ? [] : [{ baseExtendedPropertyId, propertyValue: value, dataType }];
  });
  refuseFields(fields);
  const given = new Set(sent.map((each) => each.baseExtendedPropertyId));
  const hidden = new Set(known.filter(({ active }) => !active).map(({ id }) => id));
  const aside = ({ baseExtendedPropertyId: id }: Values[number]): boolean => hidden.has(id) && !given.has(id);
  return [...kept, ...stored.filter(aside)];
}
