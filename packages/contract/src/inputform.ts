import type * as z from 'zod';
import type { InputField } from './agents.ts';
import type { Endpoint } from './endpoint.ts';
import { queryOf } from './lists.ts';
import { type JsonSchema, wireSchema } from './openapi.ts';
import { inSpelling } from './wire.ts';

/** The input of any operation as a form, so that a person can change an agent's proposal. */

type Fields = Readonly<Record<string, unknown>>;

/** The input of an operation in the API's format. */
interface GivenInput {
  params?: Fields | null | undefined;
  query?: Fields | null | undefined;
  body?: unknown;
}

/** Returns an input in the contract's spelling, with the parts that the operation has and the input contains. */
export function spelled(endpoint: Endpoint, given: GivenInput): GivenInput {
  const spell = (schema: z.ZodType | undefined, value: unknown) =>
    schema === undefined || value === null || value === undefined ? undefined : inSpelling(schema, value);
  const params = spell(endpoint.params, given.params);
  const query = spell(queryOf(endpoint), given.query);
  const body = spell(endpoint.body, given.body);
  return {
    ...(isObject(params) && { params }),
    ...(isObject(query) && { query }),
    ...(body !== undefined && { body }),
  };
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const schemas = new WeakMap<z.ZodType, JsonSchema>();

function schemaOf(schema: z.ZodType): JsonSchema {
  const known = schemas.get(schema) ?? wireSchema(schema);
  schemas.set(schema, known);
  return known;
}

/** Returns the fields of an input in the contract's spelling and order. Empty values have no field. */
export function inputFields(endpoint: Endpoint, input: GivenInput): InputField[] {
  const fields = new Map<string, InputField>();
  const visit = (schema: JsonSchema | undefined, value: unknown, path: readonly string[]): void => {
    if (value === null || value === undefined) return;
    const known = schema && memberFor(schema, value);
    if (Array.isArray(value)) {
      for (const each of value) visit(partOf(known, 'items'), each, [...path, '#']);
    } else if (isObject(value)) {
      const shape = partOf(known, 'properties') ?? {};
      // The database doesn't keep the order of the fields that the agent sent.
      const keys = new Set([...Object.keys(shape).filter((key) => key in value), ...Object.keys(value)]);
      for (const key of keys) visit(partOf(shape, key), value[key], [...path, key]);
    } else fields.set(path.join('.'), fieldOf(endpoint, known, path));
  };
  for (const [part, value] of Object.entries(input)) {
    visit(part === 'body' && endpoint.body !== undefined ? schemaOf(endpoint.body) : undefined, value, [part]);
  }
  return [...fields.values()];
}

function partOf(schema: JsonSchema | undefined, key: string): JsonSchema | undefined {
  const part = schema?.[key];
  return isObject(part) ? part : undefined;
}

/** Returns the member of a union that describes this type of value. */
function memberFor(schema: JsonSchema, value: unknown): JsonSchema {
  const members = [schema['anyOf'], schema['oneOf']].flat().filter(isObject);
  if (members.length === 0) return schema;
  const wanted = Array.isArray(value) ? 'items' : isObject(value) ? 'properties' : undefined;
  const fits = members.filter((member) =>
    wanted === undefined
      ? !('items' in member || 'properties' in member || member['type'] === 'null')
      : wanted in member,
  );
  // A field may differ between the members of a union, such as the kinds of a record.
  const alike = fits.find((member) => hasLiterals(member, value)) ?? fits[0];
  return alike === undefined ? schema : memberFor(alike, value);
}

function hasLiterals(member: JsonSchema, value: unknown): boolean {
  const literals = Object.entries(partOf(member, 'properties') ?? {}).filter(
    ([, field]) => isObject(field) && 'const' in field,
  );
  return isObject(value) && literals.every(([key, field]) => isObject(field) && field['const'] === value[key]);
}

/** The decimal places of a number that its schema doesn't limit. */
const MOST_PLACES = 6;

function fieldOf(endpoint: Endpoint, schema: JsonSchema | undefined, path: readonly string[]): InputField {
  const field = { path: path.join('.'), places: 0, maxLength: null, choices: [] };
  if (schema === undefined || 'const' in schema || isFixed(endpoint, path)) return { ...field, kind: 'fixed' };
  const { enum: choices, maxLength, description } = schema;
  const type = [schema['type']].flat().find((each) => each !== 'null');
  const told = typeof description === 'string' ? description : '';
  if (Array.isArray(choices)) return { ...field, kind: 'choice', choices };
  if (told.startsWith('date')) return { ...field, kind: 'date' };
  if (told.startsWith('US dollars')) return { ...field, kind: 'money' };
  const [, places] = /^number with at most (\d+)/.exec(told) ?? [];
  if (places !== undefined) return { ...field, kind: 'number', places: Number(places) };
  if (type === 'boolean') return { ...field, kind: 'flag' };
  if (type === 'integer') return { ...field, kind: isReference(path) ? 'id' : 'number' };
  if (type === 'number') return { ...field, kind: 'number', places: MOST_PLACES };
  if (type !== 'string') return { ...field, kind: 'fixed' };
  return { ...field, kind: 'text', maxLength: typeof maxLength === 'number' ? maxLength : null };
}

/** Fields with the ID of a record whose names don't end with "ID". */
const REFERENCES = new Set(['arBillingStatus', 'glid', 'salesTaxScenario']);

/** Returns whether a whole number is the ID of a record. Lists of numbers contain only IDs. */
function isReference(path: readonly string[]): boolean {
  const name = path.at(-1) ?? '';
  return name === '#' || /(^i|I)[dD]$/.test(name) || /(location|center)id$/.test(name) || REFERENCES.has(name);
}

/** The fields that name a saved record in a body, by the first part of the path. All other records have an `id`. */
const OWN_IDS: Readonly<Record<string, readonly string[]>> = {
  accountsetup: ['customerAccountID'],
  bankingaccount: ['bankingAccountID'],
  budget: ['year', 'profitCenterId'],
  discount: ['discountID'],
  generalledger: ['transactionID'],
  locations: ['locationId'],
  package: ['packageID'],
  product: ['productID'],
  productcategory: ['productCategoryID'],
  profitcenters: ['profitcenterid'],
};

/** Returns the fields of a body that name the saved record, its version, and the action. */
function ownFields({ path, names }: Endpoint): readonly (string | undefined)[] {
  const [, segment = ''] = path.split('/');
  return ['id', 'rowVersion', 'action', names, ...(OWN_IDS[segment.toLowerCase()] ?? [])];
}

/** Returns whether no one can change a field, because the change would then be about another record. */
function isFixed(endpoint: Endpoint, path: readonly string[]): boolean {
  const [part, name, ...deeper] = path.filter((each) => each !== '#');
  return part !== 'body' || (deeper.length === 0 && ownFields(endpoint).includes(name));
}

/** Returns the parts of an input that no one can change, as text: the path and query, and the body's own fields. */
export function identityOf(endpoint: Endpoint, { params = {}, query = {}, body }: GivenInput): string {
  const own = ownFields(endpoint);
  const sorted = (fields: Fields | null) => Object.entries(fields ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const fields = sorted(isObject(body) ? body : null).filter(([name]) => own.includes(name));
  return JSON.stringify([sorted(params), sorted(query), fields]);
}
