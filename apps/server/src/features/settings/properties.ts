import { PropertyDefinition, type PropertyInput } from '@evenkeel/contract/settings';
import { checkPropertyType, propertyValue } from '@evenkeel/core/entities';
import { type FieldMessages, notFound, refuseFields } from '@evenkeel/core/failure';
import { sql } from 'kysely';
import { type RecordKind, saveRecord, updateRecord } from '../../platform/db/records.ts';
import type { Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { EntityDetails } from './entity-details.ts';

/**
 * The custom fields that a company defines for its customers (kind 0), for its vendors (1), or for itself (2), and the
 * values of these fields.
 */

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

/** Returns all custom fields of a kind, sorted by name, including inactive ones, because their values are kept. */
export function definitionsOf(kind: number): Runnable<PropertyDefinition> {
  return definitions.table.find({ kind }, { orderBy: sql`lower(display_name), id` });
}

/** Returns the active custom fields of a kind, or all of them. Throws 404 for an unknown kind. */
export async function listProperties(ctx: Ctx, kind: number, withInactive: boolean): Promise<PropertyDefinition[]> {
  if (kind > 2) throw notFound('Entity kind');
  const all = await ctx.tx.rows(definitionsOf(kind));
  return all.filter(({ active }) => active || withInactive);
}

/**
 * Creates a custom field. Throws 422 for a missing name, an unknown kind, or a type other than date, text, or yes/no.
 */
export async function createProperty(ctx: Ctx, input: PropertyInput): Promise<PropertyDefinition> {
  refuseFields(checkPropertyType(input));
  return saveRecord(ctx, definitions, { ...input, id: 0 });
}

/**
 * Renames a custom field or makes it inactive or active. The kind and type never change, because values may exist.
 * Throws 404 if the field does not exist, and 409 for an outdated version.
 */
export async function updateProperty(ctx: Ctx, id: number, input: PropertyInput): Promise<PropertyDefinition> {
  const { displayName, active, rowVersion } = input;
  return updateRecord(ctx, definitions, { id, displayName, active, rowVersion });
}

/**
 * Makes a custom field inactive. The field is removed from forms, but its values are kept. Throws 404 if the field does
 * not exist.
 */
export async function removeProperty(ctx: Ctx, id: number): Promise<{ ok: true }> {
  await updateRecord(ctx, definitions, { id, active: false });
  return { ok: true };
}

type Values = EntityDetails['extendedProperties'];

/**
 * Returns the values to save: the nonempty values in the request, each in the type of its custom field, plus the stored
 * values of inactive custom fields. Throws 422 for an unknown custom field or an invalid value.
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
