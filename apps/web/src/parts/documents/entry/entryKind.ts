import type { IsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import type { LineRequirements } from '@evenkeel/core/documents/invoice';
import { documentDiscountFaults } from '@evenkeel/core/documents/terms';
import type * as z from 'zod';
import type { Ask } from '../../../client/api.ts';
import type { RecordsSpec } from '../../../records/records.ts';
import { asForm, emptyFields } from '../../../records/formFields.ts';
import { type DocumentForm, type DocumentLine, differs, dueOf, faultsOfLines, nextLine, withDate } from './lineForm.ts';
import type { DocumentSide } from '../side.ts';

type Schema<Form> = z.ZodType<Form> & { shape: Readonly<Record<string, z.ZodType>> };

interface SavedLines {
  lineItems: readonly { deleted: boolean }[];
}

/** The form of a kind of document, as its feature declares it: fields, rules and words that no other kind shares. */
export interface EntrySpec<One extends SavedLines, Form extends DocumentForm<Line>, Line extends DocumentLine, Body> {
  title: string;
  /** The labels of its buttons. */
  words: { save: string; remove: string };
  /** The subject of its drafts on the device. */
  draft: string;
  side: DocumentSide;
  records: Omit<RecordsSpec<never, One, Body>, 'list' | 'idOf'> & { idOf: (one: One) => number };
  schema: Schema<Form>;
  line: Schema<Line>;
  reply: z.ZodType<One>;
  /** The fields of a saved document's form, and of its lines, that the record names otherwise. */
  headOf?: (saved: One) => Partial<Form>;
  lineOf: (line: One['lineItems'][number], saved: One) => Partial<Line>;
  /** The fields of a new document, and of a new line, that are not empty. */
  starts: Partial<Form>;
  /** It may be paid with a discount for early payment. */
  hasDiscount?: boolean;
  lineStarts?: (form: Form) => Partial<Line>;
  /** Nothing is in a line but perhaps a description. */
  isBlankLine: (line: Line) => boolean;
  /** The fields of a copy that are not those of the one that it was made from. */
  copied?: (form: Form) => Partial<Form>;
  /** The customer or vendor. */
  entityId: (form: Form) => number | null;
  /** The form after its date was changed, with what follows the date besides the due date. */
  dated?: (form: Form, before: Form) => Form;
  /** Messages by the form's fields; those of lines are left to `lineFaults`. */
  check: (form: Form, required: LineRequirements) => FieldMessages;
  /** Messages of one line by the columns they belong to. */
  lineFaults: (line: Line, required: LineRequirements) => FieldMessages;
  /** Given where Save waits for a change: the fields that follow others until they are typed. */
  following?: (form: Form) => Partial<Form>;
  /** The request of a form that was checked; `reason` is that for changing closed books. */
  input: (form: Form, id: number, reason: string) => Body;
  /** The form's names of the request's paths, where they differ. */
  places?: Readonly<Record<string, string>>;
  isPayable: (saved: One) => boolean;
}

/** The fields that follow the terms of the customer or vendor until they are typed. */
const BY_TERMS = { dueDate: undefined, discountPercent: undefined, discountUntil: undefined };

/** Declares the form of a kind of document; the blank form, that of a saved one and all its messages follow. */
export function entryKind<One extends SavedLines, Form extends DocumentForm<Line>, Line extends DocumentLine, Body>(
  spec: EntrySpec<One, Form, Line, Body>,
) {
  const { schema, line, check, lineFaults, following } = spec;
  const formOf = (saved: One): Form => {
    const live = saved.lineItems.filter((one) => !one.deleted);
    const lines = live.map((one) => asForm(line, { ...one, ...spec.lineOf(one, saved) }));
    return asForm(schema, { ...saved, ...spec.headOf?.(saved), lines, working: null, removed: [] });
  };
  return {
    ...spec,
    /** Its name: "invoice". */
    noun: spec.records.words.one,
    /** A new one, for a customer or vendor where that is known. */
    blank: (today: IsoDate, entityId?: number): Form => {
      const whose = entityId === undefined ? {} : { [`${spec.side.core.words.entity}Id`]: entityId };
      return asForm(schema, { ...emptyFields(schema), invoiceDate: today, ...spec.starts, ...whose });
    },
    formOf,
    /** Saves one as its form would with other fields. */
    saving:
      (change: Partial<Form>) =>
      (saved: One, reason: string): Ask<One> => {
        const id = spec.records.idOf(saved);
        return spec.records.update(id, spec.input({ ...formOf(saved), ...change }, id, reason));
      },
    /** A new one of this day like a saved one: its dates go by its own day, and nothing of it is paid. */
    copyOf: (saved: One, today: IsoDate): Form => {
      const from = formOf(saved);
      const own = { ...from, ...spec.copied?.(from) };
      const fresh = { ...own, lines: own.lines.map((one, at) => ({ ...one, id: -1 - at })) };
      const moved = { ...fresh, invoiceDate: today, ...BY_TERMS, rowVersion: null, ...spec.starts };
      return spec.dated?.(moved, fresh) ?? moved;
    },
    withDate: (form: Form, date: IsoDate | null, terms: number): Form => {
      const moved = withDate(form, date, terms);
      return spec.dated?.(moved, form) ?? moved;
    },
    /** Whether there is something to save. */
    isChanged: (form: Form, stored: Form, terms: number): boolean =>
      following === undefined || differs(form, stored, (one) => ({ dueDate: dueOf(one, terms), ...following(one) })),
    /** A new line after others; profit center and location as on the line before. */
    blankLine: (before: readonly Line[], form: Form): Line =>
      asForm(line, { ...emptyFields(line), ...nextLine(before, form), ...spec.lineStarts?.(form) }),
    /** Messages that stand in the way of saving: fields of the head by name, lines as `lineItems.0.description`. */
    faults: (form: Form, required: LineRequirements): FieldMessages => {
      const ofHead = Object.entries(check(form, required)).filter(([path]) => !path.startsWith('lineItems.'));
      return {
        ...Object.fromEntries(ofHead),
        ...(form.invoiceDate === null ? { invoiceDate: 'Please enter a date' } : {}),
        ...documentDiscountFaults(form, form.invoiceDate),
        ...faultsOfLines(form.lines, (one) => lineFaults(one, required)),
      };
    },
  };
}

export type EntryKind<
  One extends SavedLines,
  Form extends DocumentForm<Line>,
  Line extends DocumentLine,
  Body,
> = ReturnType<typeof entryKind<One, Form, Line, Body>>;
