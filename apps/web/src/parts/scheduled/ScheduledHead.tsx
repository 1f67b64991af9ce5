import type { ReactNode } from 'react';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Bound } from '../../records/useRecordForm.ts';
import { DateField } from '../../ui/fields/DateField.tsx';
import type { DocumentEntryState } from '../documents/DocumentEntry.tsx';
import { EntityField } from '../documents/EntityField.tsx';
import type { DocumentForm, DocumentLine } from '../documents/lineForm.ts';
import { entityOf, type WithEntity } from '../documents/side.ts';
import { ScheduleHead } from './ScheduleHead.tsx';
import type { ScheduleForm } from './templates.ts';

interface ScheduledHeadProps<One, Form extends DocumentForm<Line> & ScheduleForm, Line extends DocumentLine> {
  entry: DocumentEntryState<One, Form, Line>;
  entity: Bound<number | null>;
  hasDrafts?: boolean;
  isSent?: boolean;
  hasPrices?: boolean;
  children?: ReactNode;
}

/** The fields above the lines of a document that comes again: whom it is for, and the schedule in place of its date. */
export function ScheduledHead<
  One extends WithEntity,
  Form extends DocumentForm<Line> & ScheduleForm,
  Line extends DocumentLine,
>({
  entry,
  entity,
  hasDrafts = false,
  isSent = false,
  hasPrices = false,
  children,
}: ScheduledHeadProps<One, Form, Line>) {
  const { kind, saved, terms } = entry;
  const { values, fields, onChange, errorOf, isReadOnly } = entry.form;
  const onDue = (dueDate: IsoDate | null) => onChange({ ...values, dueDate: dueDate ?? undefined });
  return (
    <div className="ek-form">
      <EntityField side={kind.side} field={entity} current={saved && entityOf(saved)} />
      {children}
      <DateField
        label="Due Date"
        placeholder="By terms"
        hint="Of the first; it moves along"
        value={values.dueDate ?? null}
        onChange={onDue}
        error={errorOf('dueDate')}
        readOnly={isReadOnly}
        span="half"
      />
      <ScheduleHead
        {...{ values, fields, hasDrafts, isSent, hasPrices, isReadOnly }}
        onSchedule={(schedule) => onChange({ ...kind.withDate(values, schedule.start, terms), schedule })}
        patch={(change) => onChange({ ...values, ...change })}
      />
    </div>
  );
}
