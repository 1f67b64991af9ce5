import type { IsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import { dueByTerms } from '@evenkeel/core/documents/terms';
import * as z from 'zod';
import { Day } from '../../../records/formFields.ts';
import { because } from '../../../records/reads.ts';
import type { Shape } from '../../../records/useRecordForm.ts';

/** The parts that the invoice and bill forms share: lines, the unfinished line, dates, and drafts. */

/** The schema fields that lines of all document types share. */
export const lineFields = {
  /** The ID of the line. Negative until the line is saved. */
  id: z.number(),
  description: z.string(),
  accountId: z.number().nullable(),
  profitCenterId: z.number().nullable(),
  locationId: z.number().nullable(),
};

/** The early-payment discount. Like the due date, it is missing until the user edits it. */
const discountFields = {
  discountPercent: z.number().nullable().optional(),
  discountUntil: Day.nullable().optional(),
};

/** Returns the schema fields that invoices and bills share. `line` is the schema of their lines. */
export const documentFields = <Line extends z.ZodType>(line: Line) => ({
  invoiceDate: Day.nullable(),
  dueDate: Day.nullable().optional(),
  ...discountFields,
  lines: z.array(line),
  working: line.nullable(),
  /** The IDs of saved lines that were removed, which are sent as deleted. */
  removed: z.array(z.number()),
  rowVersion: z.number().nullable(),
});

/** The fields that lines of all document types have: account, profit center, location, and description. */
export interface DocumentLine {
  id: number;
  description: string;
  accountId: number | null;
  profitCenterId: number | null;
  locationId: number | null;
}

export interface DocumentForm<Line extends DocumentLine> {
  invoiceDate: IsoDate | null;
  /** The due date. Missing until the user edits it, so that the server uses the terms. Null if there is none. */
  dueDate?: IsoDate | null | undefined;
  /** The discount. Like the due date, it is missing until the user edits it. Null if there is none. */
  discountPercent?: number | null | undefined;
  discountUntil?: IsoDate | null | undefined;
  lines: Line[];
  /** The unfinished line, or null if it is empty. It is included in drafts. */
  working: Line | null;
  removed: number[];
  rowVersion: number | null;
}
export type AnyForm = DocumentForm<DocumentLine>;

/**
 * Returns the part of the request that all document types share. Throws if the date is missing, which validation
 * prevents.
 */
export function documentInput(form: AnyForm, id: number, reason: string) {
  const { invoiceDate, dueDate, discountPercent, discountUntil, rowVersion } = form;
  if (invoiceDate === null) throw new Error('the document was not validated');
  return { id, invoiceDate, dueDate, discountPercent, discountUntil, rowVersion, ...because(reason) };
}

/**
 * Returns whether there are changes to save. An edit that was undone doesn't count. `dates` returns the fields that are
 * calculated from other fields until the user edits them.
 */
export function differs<Form extends AnyForm>(form: Form, stored: Form, dates: (form: Form) => object): boolean {
  const textOf = (one: Form) => {
    const entries = Object.entries({ ...settled(one), ...dates(one), rowVersion: null });
    return JSON.stringify(entries.toSorted(([a], [b]) => a.localeCompare(b)));
  };
  return textOf(form) !== textOf(stored);
}

/** Returns a schema that reads a draft from this device and adds its unfinished line to the lines. */
export function draftOf<Form extends AnyForm>(schema: Shape<Form>): Shape<Form> {
  return {
    safeParse: (stored) => {
      const read = schema.safeParse(stored);
      return read.success ? { success: true, data: settled(read.data) } : { success: false };
    },
  };
}

/** Returns the initial values of a new line: an ID, and the profit center and location of the last line. */
export function nextLine(lines: readonly DocumentLine[], form: Pick<AnyForm, 'lines'>): DocumentLine {
  const before = lines.at(-1);
  return {
    id: Math.min(0, ...lines.map((line) => line.id), ...form.lines.map((line) => line.id)) - 1,
    description: '',
    accountId: null,
    profitCenterId: before?.profitCenterId ?? null,
    locationId: before?.locationId ?? null,
  };
}

/**
 * Returns the unfinished line to store in the draft, or null if it has no changes. `isBlank` returns whether a line is
 * empty, apart from its description.
 */
export function workOf<Line extends DocumentLine>(
  line: Line | undefined,
  lines: readonly Line[],
  isBlank: (line: Line) => boolean,
): Line | null {
  if (line === undefined || lines.includes(line)) return null;
  return line.id < 0 && line.description.trim() === '' && isBlank(line) ? null : line;
}

/** Returns the lines after one line is replaced or added at the end. */
export function withLine<Line extends DocumentLine>(lines: readonly Line[], line: Line): Line[] {
  return lines.some((one) => one.id === line.id)
    ? lines.map((one) => (one.id === line.id ? line : one))
    : [...lines, line];
}

/** Returns the form with its unfinished line added to the lines. */
export function settled<Form extends AnyForm>(form: Form): Form {
  if (form.working === null) return form;
  return { ...form, lines: withLine(form.lines, form.working), working: null };
}

export function withoutLine<Form extends AnyForm>(form: Form, id: number): Form {
  const removed = id > 0 ? [...form.removed, id] : form.removed;
  return { ...form, lines: form.lines.filter((line) => line.id !== id), working: null, removed };
}

type Dated = Pick<AnyForm, 'invoiceDate' | 'dueDate'>;

/** Returns the due date that the user entered or, if there is none, the date plus `terms` days. */
export function dueOf({ invoiceDate, dueDate }: Dated, terms: number): IsoDate | null {
  if (dueDate !== undefined) return dueDate;
  return invoiceDate === null ? null : dueByTerms(invoiceDate, terms);
}

/** Returns the form with another date. The due date is calculated from the terms unless the user has edited it. */
export function withDate<Form extends Dated>(form: Form, invoiceDate: IsoDate | null, terms: number): Form {
  const followed = form.dueDate === dueOf({ ...form, dueDate: undefined }, terms);
  return { ...form, invoiceDate, dueDate: followed ? undefined : form.dueDate };
}

/**
 * Returns a validator that caches its results. A line is validated again only if the line object or the rules object
 * has changed.
 */
export function rememberedFaults<Line extends object, Rules extends object>(
  faultsOf: (line: Line, rules: Rules) => FieldMessages,
): (line: Line, rules: Rules) => FieldMessages {
  const byRules = new WeakMap<Rules, WeakMap<Line, FieldMessages>>();
  return (line, rules) => {
    const known = byRules.get(rules) ?? new WeakMap<Line, FieldMessages>();
    byRules.set(rules, known);
    const faults = known.get(line) ?? faultsOf(line, rules);
    known.set(line, faults);
    return faults;
  };
}

/**
 * Returns the lines to send: the form's lines, and the removed lines marked as deleted. `gone` supplies the required
 * fields of a deleted line.
 */
export function linesInput<Line extends DocumentLine, Sent, Gone>(
  { lines, removed }: Pick<DocumentForm<Line>, 'lines' | 'removed'>,
  sentOf: (line: Line) => Sent,
  gone: Gone,
) {
  return [...lines.map(sentOf), ...removed.map((id) => ({ id, description: '', ...gone, deleted: true }))];
}

/**
 * Returns the messages about the only line in a document, by line field. `names` maps fields that have other names in
 * the form.
 */
export function faultsOfLine(faults: FieldMessages, names: Readonly<Record<string, string>>): FieldMessages {
  const start = 'lineItems.0.';
  const own = Object.entries(faults).filter(([path]) => path.startsWith(start));
  return Object.fromEntries(
    own.map(([path, text]) => {
      const name = path.slice(start.length);
      return [names[name] ?? name, text];
    }),
  );
}

/** Returns messages for invalid lines, for example under `lineItems.0.description`. */
export function faultsOfLines<Line>(lines: readonly Line[], faultsOf: (line: Line) => FieldMessages): FieldMessages {
  return Object.fromEntries(
    lines.flatMap((line, index) =>
      Object.entries(faultsOf(line)).map(([name, message]) => [`lineItems.${index}.${name}`, message]),
    ),
  );
}

interface SavedLines {
  lineItems: readonly { id: number }[];
  rowVersion: number;
}

/**
 * Returns the user's form, ready to overwrite the version that another user saved. The form gets the new row version,
 * and lines that the other user removed are sent as new lines.
 */
export function overTheirs<Form extends AnyForm>(form: Form, theirs: SavedLines): Form {
  const known = new Set(theirs.lineItems.map((line) => line.id));
  const lowest = Math.min(0, ...form.lines.map((line) => line.id));
  const lines = form.lines.map((line, index) =>
    line.id > 0 && !known.has(line.id) ? { ...line, id: lowest - 1 - index } : line,
  );
  const kept = new Set(lines.map((line) => line.id));
  const removed = theirs.lineItems.map((line) => line.id).filter((id) => !kept.has(id));
  return { ...form, lines, removed, rowVersion: theirs.rowVersion };
}
