/**
 * The browser's replacement for the schema library (see apps/web/vite.config.ts). The light library supports the
 * structure of a schema, the conversions in codecs, and the check that a value has that structure. Ranges, patterns,
 * and messages are ignored, because core checks forms and the server checks requests. light.test.ts verifies that both
 * libraries give the same results for the whole contract.
 */
interface Issue {
  path: PropertyKey[];
  message: string;
}
interface Def {
  type: string;
  shape?: Shape;
  element?: Schema;
  innerType?: Schema;
  in?: Schema;
  options?: readonly Schema[];
  valueType?: Schema;
  reverseTransform?: (value: unknown, context: Context) => unknown;
}
interface Context {
  value: unknown;
  issues: { message?: string }[];
}
type Shape = Record<string, Schema>;
type Mask = Record<string, true>;
type Path = readonly PropertyKey[];
type Read = (value: unknown, issues: Issue[], path: Path) => unknown;

export const NEVER: unknown = Object.freeze({});

/** Checks in schemas that only the server needs. In the browser, they have no effect. */
const CHECKS = ['min', 'max', 'int', 'regex', 'refine', 'trim', 'overwrite', 'describe'] as const;

class Schema {
  readonly _zod: { def: Def };
  readonly #read: Read;

  constructor(def: Def, read: Read) {
    this._zod = { def };
    this.#read = read;
  }

  static {
    for (const check of CHECKS) Object.defineProperty(Schema.prototype, check, { value: same });
  }

  read(value: unknown, issues: Issue[], path: Path = []): unknown {
    return this.#read(value, issues, path);
  }

  safeParse(value: unknown) {
    const issues: Issue[] = [];
    const data = this.read(value, issues);
    return issues.length === 0 ? { success: true, data } : { success: false, error: { issues } };
  }

  get shape(): Shape {
    return this._zod.def.shape ?? {};
  }

  optional(): Schema {
    return wrapped('optional', this, [undefined]);
  }

  nullable(): Schema {
    return wrapped('nullable', this, [null]);
  }

  nullish(): Schema {
    return wrapped('optional', this, [undefined, null]);
  }

  extend(more: Shape): Schema {
    return object({ ...this.shape, ...more });
  }

  pick(mask: Mask): Schema {
    return object(Object.fromEntries(Object.entries(this.shape).filter(([key]) => mask[key])));
  }

  omit(mask: Mask): Schema {
    return object(Object.fromEntries(Object.entries(this.shape).filter(([key]) => !mask[key])));
  }
}

function same(this: Schema): Schema {
  return this;
}

function wrapped(type: string, inner: Schema, nothing: readonly unknown[]): Schema {
  return new Schema({ type, innerType: inner }, (value, issues, path) =>
    nothing.includes(value) ? value : inner.read(value, issues, path),
  );
}

/** Returns a schema for values that pass `fits` and need no conversion. */
function plain(type: string, fits: (value: unknown) => boolean): Schema {
  return new Schema({ type }, (value, issues, path) => {
    if (!fits(value)) issues.push({ path: [...path], message: `must be of type ${type}` });
    return value;
  });
}

function isDictionary(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isString = (value: unknown): boolean => typeof value === 'string';

export const string = (): Schema => plain('string', isString);
export const number = (): Schema => plain('number', Number.isFinite);
export const boolean = (): Schema => plain('boolean', (value) => typeof value === 'boolean');
export const unknown = (): Schema => plain('unknown', () => true);
export const literal = (one: unknown): Schema => plain('literal', (value) => value === one);
export const custom = (fits: (value: unknown) => boolean = () => true): Schema => plain('custom', fits);
const nothing = (): Schema => plain('null', (value) => value === null);
const oneOf = (words: readonly unknown[]): Schema => plain('enum', (value) => words.includes(value));
export { nothing as null, oneOf as enum };

export function object(shape: Shape): Schema {
  const fields = Object.entries(shape);
  return new Schema({ type: 'object', shape }, (value, issues, path) => {
    if (!isDictionary(value)) return refuse('object', issues, path);
    const result: Record<string, unknown> = {};
    for (const [key, field] of fields) {
      const read = field.read(value[key], issues, [...path, key]);
      if (read !== undefined || key in value) result[key] = read;
    }
    return result;
  });
}

export function array(element: Schema): Schema {
  return new Schema({ type: 'array', element }, (value, issues, path) =>
    Array.isArray(value)
      ? value.map((item, index) => element.read(item, issues, [...path, index]))
      : refuse('array', issues, path),
  );
}

export function record(_: Schema, valueType: Schema): Schema {
  return new Schema({ type: 'record', valueType }, (value, issues, path) => {
    if (!isDictionary(value)) return refuse('record', issues, path);
    const read = ([key, item]: [string, unknown]) => [key, valueType.read(item, issues, [...path, key])] as const;
    return Object.fromEntries(Object.entries(value).map(read));
  });
}

/** Reads a value with the first option that matches the value. */
export function union(options: readonly Schema[]): Schema {
  return new Schema({ type: 'union', options }, (value, issues, path) => {
    for (const option of options) {
      const found: Issue[] = [];
      const read = option.read(value, found, path);
      if (found.length === 0) return read;
    }
    return refuse('union', issues, path);
  });
}

interface Conversion {
  decode: (value: unknown, context: Context) => unknown;
  encode: (value: unknown, context: Context) => unknown;
}

export function codec(wire: Schema, _: Schema, { decode, encode }: Conversion): Schema {
  return new Schema({ type: 'pipe', in: wire, reverseTransform: encode }, (value, issues, path) => {
    const found: Issue[] = [];
    const raw = wire.read(value, found, path);
    issues.push(...found);
    if (found.length > 0) return raw;
    const context: Context = { value: raw, issues: [] };
    const read = decode(raw, context);
    for (const { message = 'is not valid' } of context.issues) issues.push({ path: [...path], message });
    return read;
  });
}

function refuse(expected: string, issues: Issue[], path: Path): undefined {
  issues.push({ path: [...path], message: `must be of type ${expected}` });
  return undefined;
}

/** Replaces the full library's settings, which have no effect here. */
export function config(): void {}
