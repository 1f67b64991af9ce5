import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { isCertificateExpired } from '@evenkeel/core/documents/salestax';
import { capital } from '@evenkeel/core/documents/side';
import type { ReactNode } from 'react';
import type { Bound } from '../../../records/useRecordForm.ts';
import { DateField } from '../../../ui/fields/DateField.tsx';
import type { DocumentEntryState } from './DocumentEntry.tsx';
import { useEntityChoice } from '../../choices/entities.ts';
import { type Discounted, DiscountFields, followingDiscount } from './DiscountFields.tsx';
import { EntityField } from './EntityField.tsx';
import { type DocumentForm, type DocumentLine, dueOf } from './lineForm.ts';
import { entityOf, type WithEntity } from '../side.ts';

export interface DocumentHeadProps<One, Form extends DocumentForm<Line>, Line extends DocumentLine> {
  entry: DocumentEntryState<One, Form, Line>;
  entity: Bound<number | null>;
  /** Shown before the dates. */
  first?: ReactNode;
  children: ReactNode;
}

/** The fields above the lines: customer or vendor, Invoice Date, Due Date, and the document type's own fields. */
export function DocumentHead<
  One extends WithEntity & Discounted,
  Form extends DocumentForm<Line>,
  Line extends DocumentLine,
>({ entry, entity, first, children }: DocumentHeadProps<One, Form, Line>) {
  const { kind, saved, terms } = entry;
  const entityId = kind.entityId(entry.form.values);
  const choice = useEntityChoice(kind.side.entities, entityId);
  const { values, onChange, errorOf, isReadOnly } = entry.form;
  const dateField = (name: 'invoiceDate' | 'dueDate') => ({
    error: errorOf(name),
    readOnly: isReadOnly,
    span: 'half' as const,
  });
  return (
    <div className="ek-form">
      <EntityField
        side={kind.side}
        field={entity}
        current={saved && entityOf(saved)}
        hint={expiredCertificate(choice, values.invoiceDate)}
      />
      {first}
      <DateField
        {...dateField('invoiceDate')}
        label={`${capital(kind.noun)} Date`}
        value={values.invoiceDate}
        onChange={(date) => onChange(followingDiscount(kind.withDate(values, date, terms), values, choice))}
      />
      <DateField
        {...dateField('dueDate')}
        label="Due Date"
        value={dueOf(values, terms)}
        onChange={(dueDate) => onChange({ ...values, dueDate })}
      />
      <DiscountFields entry={entry} entityId={entityId} />
      {children}
    </div>
  );
}

/** Returns the warning for an exempt customer whose certificate has expired on the document's date. */
function expiredCertificate(choice: ReturnType<typeof useEntityChoice>, date: IsoDate | null): string | undefined {
  const { exemptUntil } = choice ?? {};
  if (date === null || !exemptUntil || !isCertificateExpired(choice ?? {}, date)) return undefined;
  return `The certificate of exemption expired on ${formatDate(exemptUntil)}`;
}
