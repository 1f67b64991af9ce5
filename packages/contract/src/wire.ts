import type { FieldMessages } from '@evenkeel/core/failure';
import * as z from 'zod';
import { malformed, predicateOf } from './sentences.ts';

/**
 * The header that identifies the company in requests and responses of signed-in calls. A proxy can use this hint to
 * send one company's calls to one process. The server never reads the header.
 */
export const COMPANY_HEADER = 'evenkeel-company';

/**
 * The header for the version of the caller's permissions in responses to signed-in calls. A client with a different
 * version reads its permissions again with `GET /account`.
 */
export const PERMISSIONS_HEADER = 'evenkeel-permissions';

/**
 * The request header that runs a write, rolls it back, and returns its effects (rehearsal.ts). Its value is `true` or
 * `false`.
 */
export const REHEARSE_HEADER = 'evenkeel-rehearse';

/**
 * Returns the version of a role's name and permissions: a short FNV-1a hash. Identical permissions have the same
 * version.
 */
export function permissionsVersion(role: { userRole: string; permissions: readonly string[] }): string {
  const text = [role.userRole, ...role.permissions].join('\n');
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16);
}

/**
 * Converts between API values and internal values. Keys are matched without regard to case, unknown keys are dropped,
 * and field codecs convert money and dates. Both directions are compiled once per schema.
 */
type Def = {
  type: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  options?: z.ZodType[];
  valueType?: z.ZodType;
  reverseTransform?: (value: unknown, context: unknown) => unknown;
};
type Step = (value: unknown) => unknown;
type Dictionary = Record<string, unknown>;

const same: Step = (value) => value;
const aliases = new WeakMap<z.ZodType, Record<string, string>>();
const readers = new WeakMap<z.ZodType, Step>();
const writers = new WeakMap<z.ZodType, Step>();

/** Allows a second spelling for a field in a request body: `alias(schema, { invoiceid: 'id' })`. */
export function alias<T extends z.ZodType>(schema: T, names: Record<string, string>): T {
  aliases.set(schema, names);
  return schema;
}

function defOf(schema: z.ZodType): Def {
  return schema._zod.def as Def;
}

function isDictionary(value: unknown): value is Dictionary {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function cached(store: WeakMap<z.ZodType, Step>, schema: z.ZodType, build: (schema: z.ZodType) => Step): Step {
  const known = store.get(schema);
  if (known !== undefined) return known;
  // The entry is set first, so that a schema that contains itself finds the entry instead of recursing forever.
  let built: Step = same;
  store.set(schema, (value) => built(value));
  built = build(schema);
  store.set(schema, built);
  return built;
}

/** Returns whether a response with this schema is a list, either as an array or in pages. */
export function isList(schema: z.ZodType): boolean {
  const { element, options = [] } = defOf(schema);
  return element !== undefined || options.some(isList);
}

/** Returns the lowercase keys of all fields in these schemas whose description starts with this text. */
export function keysDescribed(schemas: readonly z.ZodType[], beginning: string): Set<string> {
  const keys = new Set<string>();
  const seen = new Set<z.ZodType>();
  const visit = (schema: z.ZodType, key: string): void => {
    if (schema.description?.startsWith(beginning) === true) keys.add(key.toLowerCase());
    if (seen.has(schema)) return;
    seen.add(schema);
    const { shape = {}, element, innerType, options = [] } = defOf(schema);
    for (const [name, inner] of Object.entries(shape)) visit(inner, name);
    for (const inner of [element, innerType, ...options]) if (inner !== undefined) visit(inner, key);
  };
  for (const schema of schemas) visit(schema, '');
  return keys;
}

const reader = (schema: z.ZodType): Step => cached(readers, schema, buildReader);
const writer = (schema: z.ZodType): Step => cached(writers, schema, buildWriter);

/** Renames keys at all levels to the contract's spelling. */
function buildReader(schema: z.ZodType): Step {
  const def = defOf(schema);
  if (def.shape !== undefined) return objectReader(schema, def.shape);
  if (def.element !== undefined) return listStep(reader(def.element));
  if (def.innerType !== undefined) return reader(def.innerType);
  if (def.type === 'pipe' && def.in !== undefined) return reader(def.in);
  if (def.options !== undefined) return unionStep(def.options, reader);
  return same;
}

function objectReader(schema: z.ZodType, shape: Record<string, z.ZodType>): Step {
  const names = new Map<string, { key: string; step: Step }>();
  // A key's own spelling takes precedence, because a schema may have two keys that differ only in case
  // (customerAccountID, customerAccountId).
  for (const [key, inner] of Object.entries(shape)) names.set(key.toLowerCase(), { key, step: reader(inner) });
  for (const [key, inner] of Object.entries(shape)) names.set(key, { key, step: reader(inner) });
  for (const [other, key] of Object.entries(aliases.get(schema) ?? {})) {
    const target = names.get(key.toLowerCase());
    if (target !== undefined && !names.has(other.toLowerCase())) names.set(other.toLowerCase(), target);
  }
  return (value) => {
    if (!isDictionary(value)) return value;
    const result: Dictionary = {};
    for (const [key, inner] of Object.entries(value)) {
      const target = names.get(key) ?? names.get(key.toLowerCase());
      // If a body has a field in two spellings, the main spelling is used unless its value is null.
      if (target === undefined) continue;
      if ((result[target.key] ?? null) === null || (key === target.key && inner !== null)) {
        result[target.key] = target.step(inner);
      }
    }
    return result;
  };
}

function listStep(step: Step): Step {
  return (value) => (Array.isArray(value) ? value.map(step) : value);
}

/** Returns the step for a union: its array member takes arrays, and its object member takes objects. */
function unionStep(options: z.ZodType[], build: (schema: z.ZodType) => Step): Step {
  const list = options.find((option) => defOf(option).element !== undefined);
  const object = options.find((option) => defOf(option).shape !== undefined);
  const other = options.find((option) => option !== list && option !== object);
  return (value) => {
    const member = Array.isArray(value) ? list : isDictionary(value) ? object : other;
    return member === undefined ? value : build(member)(value);
  };
}

/** Keeps only declared keys and converts Cents to dollars. */
function buildWriter(schema: z.ZodType): Step {
  const def = defOf(schema);
  if (def.shape !== undefined) return objectWriter(def.shape);
  if (def.element !== undefined) return listStep(writer(def.element));
  if (def.innerType !== undefined) return nullable(writer(def.innerType));
  if (def.type === 'record' && def.valueType !== undefined) return recordStep(writer(def.valueType));
  if (def.type === 'pipe') return pipeWriter(def);
  if (def.options !== undefined) return unionStep(def.options, writer);
  return same;
}

function nullable(step: Step): Step {
  return step === same ? same : (value) => (value === null || value === undefined ? value : step(value));
}

function recordStep(step: Step): Step {
  return (value) =>
    isDictionary(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, step(inner)])) : value;
}

function pipeWriter(def: Def): Step {
  const { reverseTransform } = def;
  if (reverseTransform === undefined) return def.in === undefined ? same : writer(def.in);
  return (value) => reverseTransform(value, { value, issues: [] });
}

function objectWriter(shape: Record<string, z.ZodType>): Step {
  const steps = Object.entries(shape).map(([key, inner]) => ({ key, step: writer(inner) }));
  return (value) => {
    if (!isDictionary(value)) return value;
    const result: Dictionary = {};
    for (const { key, step } of steps) {
      const inner = value[key];
      if (inner !== undefined) result[key] = step === same ? inner : step(inner);
    }
    return result;
  };
}

/**
 * Returns each issue with its complete path. For a union, returns the issues of the member that accepts this type of
 * value.
 */
function issuesOf(issues: readonly z.core.$ZodIssue[], before = ''): { path: string; message: string }[] {
  return issues.flatMap((issue) => {
    const path = [before, ...issue.path.map(String)].filter((part) => part !== '').join('.');
    const members = issue.code === 'invalid_union' ? issue.errors : [];
    const meant = members.find((errors) =>
      errors.every(({ code, path: at }) => code !== 'invalid_type' || at.length > 0),
    );
    return meant === undefined ? [{ path, message: issue.message }] : issuesOf(meant, path);
  });
}

/** Converts an API value to an internal value. Throws Failure 'malformed' (400) with a message for each field. */
export function decode<T extends z.ZodType>(schema: T, raw: unknown): z.output<T> {
  const value = reader(schema)(raw);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  // Messages are created only for an invalid request, because a union requests the messages of each branch.
  const issues = schema.safeParse(value, { error: predicateOf }).error?.issues ?? [];
  const said: FieldMessages = {};
  for (const { path, message } of issuesOf(issues)) said[path] ??= message;
  throw malformed(said);
}

/** Returns an API value in the contract's spelling and without unknown keys. The values themselves are not checked. */
export function inSpelling(schema: z.ZodType, raw: unknown): unknown {
  return reader(schema)(raw);
}

/**
 * Converts an internal value to JSON for the API. The value is not checked, because tests verify that responses match
 * their schema.
 */
export function encode<T extends z.ZodType>(schema: T, value: z.output<T>): unknown {
  return writer(schema)(value);
}

/**
 * The depth down to which lists and objects are converted in pieces: report, sections, section, blocks, block, lines.
 * Deeper data is converted in a single piece.
 */
const DEPTH = 6;

/** The number of lines in one piece. Converting each line separately would cost more than creating its text. */
const TOGETHER = 16;

/**
 * Converts a value to JSON in pieces, and encodes it if a schema is given. Together, the pieces are the same text as
 * `JSON.stringify(encode(schema, value))`. Converting thousands of lines in one step would delay other requests, and
 * encoding them all before they are converted would keep a second copy of them in memory.
 */
export function jsonPieces(value: unknown, schema?: z.ZodType): Generator<string> {
  return pieces(value, DEPTH, schema);
}

function* pieces(value: unknown, depth: number, schema?: z.ZodType): Generator<string> {
  const isPlain = schema === undefined;
  const { shape, element }: Partial<Def> = isPlain ? {} : defOf(schema);
  const step = isPlain ? same : writer(schema);
  if (depth > 0 && Array.isArray(value) && (isPlain || element !== undefined)) {
    yield '[';
    for (let at = 0; at < value.length; at += depth === 1 ? TOGETHER : 1) {
      if (at > 0) yield ',';
      if (depth > 1) yield* pieces(value[at], depth - 1, element);
      else yield JSON.stringify(step(value.slice(at, at + TOGETHER))).slice(1, -1);
    }
    yield ']';
  } else if (depth > 0 && isDictionary(value) && (isPlain || shape !== undefined)) {
    let before = '{';
    for (const key of Object.keys(shape ?? value)) {
      if (value[key] === undefined) continue;
      yield `${before}${JSON.stringify(key)}:`;
      yield* pieces(value[key], depth - 1, shape?.[key]);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else {
    yield JSON.stringify(step(value)) ?? 'null';
  }
}

/**
 * Stops schemas from using `eval`. Under a content security policy that forbids `eval`, browsers report even an attempt
 * as a violation. Call this function before the first decode.
 */
export function readWithoutEval(): void {
  z.config({ jitless: true });
}
