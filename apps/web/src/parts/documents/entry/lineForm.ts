import type { IsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import { dueByTerms } from '@evenkeel/core/documents/terms';
import * as z from 'zod';
import { Day } from '../../../records/formFields.ts';
import { because } from '../../../records/reads.ts';
import type { Shape } from '../../../records/useRecordForm.ts';

/** Shared by the forms of invoices and bills: lines, the line in work, dates, a draft of it all. */

/** Fields that lines of every document have, for their schema. */
export const lineFields = {
  /** Negative until the line is saved. */
  id: z.number(),
  description: z.string(),
  accountId: z.number().nullable(),
  profitCenterId: z.number().nullable(),
  locationId: z.number().nullable(),
};

/** The discount for early payment; missing until it is typed, as the due date is. */
const discountFields = {
  discountPercent: z.number().nullable().optional(),
  discountUntil: Day.nullable().optional(),
};

/** Fields that documents of both sides have, for their schema; `line` is that of their lines. */
export const documentFields = <Line extends z.ZodType>(line: Line) => ({
  invoiceDate: Day.nullable(),
  dueDate: Day.nullable().optional(),
  ...discountFields,
  lines: z.array(line),
  working: line.nullable(),
  /** Saved lines that were removed; they are sent as deleted. */
  removed: z.array(z.number()),
  rowVersion: z.number().nullable(),
});

/** A line as every document has it: where it posts to, and why. */
export interface DocumentLine {
  id: number;
  description: string;
  accountId: number | null;
  profitCenterId: number | null;
  locationId: number | null;
}

export interface DocumentForm<Line extends DocumentLine> {
  invoiceDate: IsoDate | null;
  /** Missing until it is typed: the server takes it from the terms; null where there is none. */
  dueDate?: IsoDate | null | undefined;
  /** As the due date: missing until it is typed; null where there is none. */
  discountPercent?: number | null | undefined;
  discountUntil?: IsoDate | null | undefined;
  lines: Line[];
  /** The line being typed, once something is in it: a draft keeps it too. */
  working: Line | null;
  removed: number[];
  rowVersion: number | null;
}
export type AnyForm = DocumentForm<DocumentLine>;

/** The part of the request that every kind has. Throws without a date, which the form's check asks for. */
export function documentInput(form: AnyForm, id: number, reason: string) {
  const { invoiceDate, dueDate, discountPercent, discountUntil, rowVersion } = form;
  if (invoiceDate === null) throw new Error('an unchecked document is not sent');
  return { id, invoiceDate, dueDate, discountPercent, discountUntil, rowVersion, ...because(reason) };
}

/**
 * Whether there is something to save: a typed change that was taken back is none. `dates` answers those that follow
 * others until they are typed.
 */
export function differs<Form extends AnyForm>(form: Form, stored: Form, dates: (form: Form) => object): boolean {
  const textOf = (one: Form) => {
    const entries = Object.entries({ ...settled(one), ...dates(one), rowVersion: null });
    return JSON.stringify(entries.toSorted(([a], [b]) => a.localeCompare(b)));
  };
  return textOf(form) !== textOf(stored);
}

/** A draft as it comes back from this device, its line in work among the lines. */
export function draftOf<Form extends AnyForm>(schema: Shape<Form>): Shape<Form> {
  return {
    safeParse: (stored) => {
      const read = schema.safeParse(stored);
      return read.success ? { success: true, data: settled(read.data) } : { success: false };
    },
  };
}

/** The first values of a new line: an id, and profit center and location as on the line before. */
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
 * The line in work as the draft keeps it: null while nothing is in it that the lines do not have. `isBlank` tells
 * whether nothing else than a description was typed.
 */
export function workOf<Line extends DocumentLine>(
  line: Line | undefined,
  lines: readonly Line[],
  isBlank: (line: Line) => boolean,
): Line | null {
  if (line === undefined || lines.includes(line)) return null;
  return line.id < 0 && line.description.trim() === '' && isBlank(line) ? null : line;
}

/** The line in its place among the lines, or after them. */
export function withLine<Line extends DocumentLine>(lines: readonly Line[], line: Line): Line[] {
  return lines.some((one) => one.id === line.id)
    ? lines.map((one) => (one.id === line.id ? line : one))
    : [...lines, line];
}

/** The form with its line in work committed. */
export function settled<Form extends AnyForm>(form: Form): Form {
  if (form.working === null) return form;
  return { ...form, lines: withLine(form.lines, form.working), working: null };
}

export function withoutLine<Form extends AnyForm>(form: Form, id: number): Form {
  const removed = id > 0 ? [...form.removed, id] : form.removed;
  return { ...form, lines: form.lines.filter((line) => line.id !== id), working: null, removed };
}

type Dated = Pick<AnyForm, 'invoiceDate' | 'dueDate'>;

/** The due date as typed, else what the terms (days) make of the date. */
export function dueOf({ invoiceDate, dueDate }: Dated, terms: number): IsoDate | null {
  if (dueDate !== undefined) return dueDate;
  return invoiceDate === null ? null : dueByTerms(invoiceDate, terms);
}

/** The form with another date: unless it was typed otherwise, the due date goes on following the terms. */
export function withDate<Form extends Dated>(form: Form, invoiceDate: IsoDate | null, terms: number): Form {
  const followed = form.dueDate === dueOf({ ...form, dueDate: undefined }, terms);
  return { ...form, invoiceDate, dueDate: followed ? undefined : form.dueDate };
}

/** Checks each line once: a line that is the same object under the same rules has the same faults. */
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

/** The lines to send: those of the form, and the removed ones as deleted. `gone` has fields that a line must have. */
export function linesInput<Line extends DocumentLine, Sent, Gone>(
  { lines, removed }: Pick<DocumentForm<Line>, 'lines' | 'removed'>,
  sentOf: (line: Line) => Sent,
  gone: Gone,
) {
  return [...lines.map(sentOf), ...removed.map((id) => ({ id, description: '', ...gone, deleted: true }))];
}

/** Messages about the only line of a document, by the line's own names; `names` has those of the form that differ. */
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

/** Messages for wrong lines, as `lineItems.0.description`. */
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

/** Mine, to be saved over theirs: their version, and lines that they removed come back as new ones. */
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
