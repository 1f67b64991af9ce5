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

/** Defines a document type's form: the fields, rules, and labels that differ between types. */
export interface EntrySpec<One extends SavedLines, Form extends DocumentForm<Line>, Line extends DocumentLine, Body> {
  title: string;
  /** The labels of the form's buttons. */
  words: { save: string; remove: string };
  /** The key under which the type's drafts are stored on the device. */
  draft: string;
  side: DocumentSide;
  records: Omit<RecordsSpec<never, One, Body>, 'list' | 'idOf'> & { idOf: (one: One) => number };
  schema: Schema<Form>;
  line: Schema<Line>;
  reply: z.ZodType<One>;
  /**
   * Return the form fields of a saved document (`headOf`) and of its lines (`lineOf`) whose names differ from the
   * record's.
   */
  headOf?: (saved: One) => Partial<Form>;
  lineOf: (line: One['lineItems'][number], saved: One) => Partial<Line>;
  /** The initial values of a new document and a new line, if they are not empty. */
  starts: Partial<Form>;
  /** Whether saving posts the document. If so, its form can show the effects before saving. */
  posts?: boolean;
  /** Whether the document can have an early-payment discount. */
  hasDiscount?: boolean;
  lineStarts?: (form: Form) => Partial<Line>;
  /** Returns whether a line is empty, apart from its description. */
  isBlankLine: (line: Line) => boolean;
  /** Returns the fields whose values in a copy differ from the values in the original document. */
  copied?: (form: Form) => Partial<Form>;
  /** Returns the ID of the customer or vendor. */
  entityId: (form: Form) => number | null;
  /**
   * Returns the form after its date has changed, with the fields that depend on the date. The due date is handled
   * separately.
   */
  dated?: (form: Form, before: Form) => Form;
  /** Validates the form. Returns messages by field. Lines are validated by `lineFaults`. */
  check: (form: Form, required: LineRequirements) => FieldMessages;
  /** Validates one line. Returns messages by column. */
  lineFaults: (line: Line, required: LineRequirements) => FieldMessages;
  /**
   * Returns the fields that are calculated from other fields until the user edits them. Required if Save is disabled
   * until the user makes a change.
   */
  following?: (form: Form) => Partial<Form>;
  /** Returns the request body for a valid form. `reason` is the reason for changing a closed period. */
  input: (form: Form, id: number, reason: string) => Body;
  /** Maps paths in the request to names of form fields, where they differ. */
  places?: Readonly<Record<string, string>>;
  isPayable: (saved: One) => boolean;
}

/** The fields that come from the terms of the customer or vendor until the user edits them. */
const BY_TERMS = { dueDate: undefined, discountPercent: undefined, discountUntil: undefined };

/** Defines the form for a document type: its blank form, the form for a saved document, and its messages. */
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
    /** The name of the document type, for example "invoice". */
    noun: spec.records.words.one,
    /** Returns a blank form, with the customer or vendor if it is known. */
    blank: (today: IsoDate, entityId?: number): Form => {
      const whose = entityId === undefined ? {} : { [`${spec.side.core.words.entity}Id`]: entityId };
      return asForm(schema, { ...emptyFields(schema), invoiceDate: today, ...spec.starts, ...whose });
    },
    formOf,
    /** Returns a function that saves a document with changed form fields. */
    saving:
      (change: Partial<Form>) =>
      (saved: One, reason: string): Ask<One> => {
        const id = spec.records.idOf(saved);
        return spec.records.update(id, spec.input({ ...formOf(saved), ...change }, id, reason));
      },
    /**
     * Returns a new form that is copied from a saved document. The copy has today's date, the dates calculated from it,
     * and no payments.
     */
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
    /** Returns whether the form has changes to save. */
    isChanged: (form: Form, stored: Form, terms: number): boolean =>
      following === undefined || differs(form, stored, (one) => ({ dueDate: dueOf(one, terms), ...following(one) })),
    /** Returns a blank line with the profit center and location of the last line. */
    blankLine: (before: readonly Line[], form: Form): Line =>
      asForm(line, { ...emptyFields(line), ...nextLine(before, form), ...spec.lineStarts?.(form) }),
    /**
     * Returns the messages that prevent saving. Header fields are keyed by name, and line fields by path, for example
     * `lineItems.0.description`.
     */
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
