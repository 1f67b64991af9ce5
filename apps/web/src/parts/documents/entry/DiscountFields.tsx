import type { EntityChoice } from '@evenkeel/contract/entities';
import type { IsoDate } from '@evenkeel/core/dates';
import { discountByTerms, type DocumentDiscount } from '@evenkeel/core/documents/terms';
import { useEntityChoice } from '../../choices/entities.ts';
import { DateField } from '../../../ui/fields/DateField.tsx';
import { QuantityField } from '../../../ui/fields/QuantityField.tsx';
import type { DocumentEntryState } from './DocumentEntry.tsx';
import type { AnyForm, DocumentForm, DocumentLine } from './lineForm.ts';
import { entityOf, type WithEntity } from '../side.ts';

/** The discount fields of a saved document. */
export interface Discounted {
  invoiceDate?: IsoDate;
  discountPercent?: number | undefined;
}

type Terms = Pick<EntityChoice, 'discountPercent' | 'discountDays'> | undefined;

function byTerms(date: IsoDate | null, terms: Terms): DocumentDiscount | undefined {
  const { discountPercent: percent, discountDays: days } = terms ?? {};
  if (typeof percent !== 'number' || typeof days !== 'number' || date === null) return undefined;
  return discountByTerms(date, { percent, days });
}

/**
 * Returns the form after its date has changed. The discount is updated from the terms unless the user has edited it.
 */
export function followingDiscount<Form extends AnyForm>(form: Form, before: AnyForm, terms: Terms): Form {
  const followed = byTerms(before.invoiceDate, terms);
  if (followed === undefined || form.discountUntil !== followed.until) return form;
  if (form.discountPercent !== followed.percent) return form;
  return { ...form, discountPercent: undefined, discountUntil: undefined };
}

interface Props<One, Form extends DocumentForm<Line>, Line extends DocumentLine> {
  entry: DocumentEntryState<One, Form, Line>;
  entityId: number | null;
}

/**
 * The early-payment discount of an invoice or bill, and its expiration date. Both come from the terms until the user
 * edits them. The fields are hidden if neither the document nor its customer or vendor has a discount.
 */
export function DiscountFields<
  One extends WithEntity & Discounted,
  Form extends DocumentForm<Line>,
  Line extends DocumentLine,
>({ entry, entityId }: Props<One, Form, Line>) {
  const { kind, saved } = entry;
  const { values, onChange, errorOf, isReadOnly } = entry.form;
  const terms = useEntityChoice(kind.side.entities, entityId);
  // A saved document keeps its original discount until its date or its customer or vendor changes.
  const keeps = saved !== undefined && saved.invoiceDate === values.invoiceDate && entityOf(saved).id === entityId;
  const followed = keeps ? undefined : byTerms(values.invoiceDate, terms);
  const percent = values.discountPercent === undefined ? (followed?.percent ?? null) : values.discountPercent;
  const until = values.discountUntil === undefined ? (followed?.until ?? null) : values.discountUntil;
  const isThere = percent !== null || until !== null || saved?.discountPercent !== undefined;
  if (kind.hasDiscount !== true || !(isThere || typeof terms?.discountPercent === 'number')) return null;
  const change = (discountPercent: number | null, discountUntil: IsoDate | null) =>
    onChange({ ...values, discountPercent, discountUntil });
  return (
    <>
      <QuantityField
        label="Discount (%)"
        max={100}
        placeholder="None"
        places={3}
        value={percent}
        onChange={(typed) => change(typed, typed === null ? null : until)}
        error={errorOf('discountPercent')}
        readOnly={isReadOnly}
        span="half"
      />
      <DateField
        label="Discount Until"
        value={until}
        onChange={(typed) => change(percent, typed)}
        error={errorOf('discountUntil')}
        readOnly={isReadOnly}
        span="half"
      />
    </>
  );
}
