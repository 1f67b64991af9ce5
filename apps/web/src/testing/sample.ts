import type * as z from 'zod';

/** Creates a response that a schema accepts, so that a screen can render any data. */

interface Def {
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  options?: z.ZodType[];
}

/**
 * Values for simple fields. The first valid value is used. The strings are for fields that accept only certain values.
 */
const CANDIDATES = [
  1,
  '1',
  '2026-01-15',
  true,
  'invoice',
  'receivable',
  'customer',
  'difference',
  'active',
  'delivered',
  'review',
  'entry',
  'match',
  'both',
  'contains',
  'new',
  'nobody',
  'queued',
  'undeposited',
  'charges',
  'voided',
  'bankLines',
  'month',
  'never',
  'posted',
  'made',
  'count',
  'rate',
  'ready',
  'recognized',
  'create',
  'mdy',
  'none',
  'trialBalance',
  'records',
  'accrual',
  'dateOrder',
  'QuickBooks Online',
  'merge',
  'Income',
  'balanceSheet',
  'frequency',
  'item',
  'oldest',
  'unpaid',
  'discount',
  'tax',
  'creditmemo',
  'waiting',
  'nec',
  'nec1',
  'ein',
  'llc',
  'taxId',
  'text',
  {},
  null,
  undefined,
];

/** Values for fields that screens interpret, by name. */
const GIVEN: Readonly<Record<string, unknown>> = {
  timeZone: 'UTC',
  displayAccountType: 'Expense',
  blocked: { files: '', match: '' },
};

const fits = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

/**
 * Returns a sample for a schema. Lists have one item, and every number and string is `1`, so that references between
 * records match. Optional fields are omitted.
 */
export function sampleOf(schema: z.ZodType): unknown {
  const def = schema._zod.def as Def;
  if (def.shape !== undefined) {
    const fields = Object.entries(def.shape).map(([key, field]) => [key, GIVEN[key] ?? sampleOf(field)]);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }
  if (def.element !== undefined) return [sampleOf(def.element)];
  if (def.options !== undefined) return def.options.map(sampleOf).find((value) => fits(schema, value));
  if (def.innerType !== undefined && (def.innerType._zod.def as Def).shape !== undefined)
    return sampleOf(def.innerType);
  if (def.innerType !== undefined) return fits(schema, undefined) ? undefined : null;
  return CANDIDATES.find((value) => fits(schema, value));
}
