import type { ReactNode } from 'react';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { fillPeriodWords, periodWordFault } from '@evenkeel/core/period-words';
import { type Schedule, scheduledDate } from '@evenkeel/core/documents/schedule';
import type { Bound } from '../../records/useRecordForm.ts';
import { DateField } from '../../ui/fields/DateField.tsx';
import type { DocumentEntryState } from '../documents/entry/DocumentEntry.tsx';
import { EntityField } from '../documents/entry/EntityField.tsx';
import type { DocumentForm, DocumentLine } from '../documents/entry/lineForm.ts';
import { entityOf, type WithEntity } from '../documents/side.ts';
import { ScheduleHead } from './ScheduleHead.tsx';
import { keyed } from '../../ui/show/keyed.ts';
import { type AnyTemplate, type ScheduleForm, scheduleIn } from './templates.ts';

interface ScheduledHeadProps<One, Form extends DocumentForm<Line> & ScheduleForm, Line extends DocumentLine> {
  entry: DocumentEntryState<One, Form, Line>;
  entity: Bound<number | null>;
  hasDrafts?: boolean;
  isSent?: boolean;
  hasPrices?: boolean;
  /** The plural noun for the created documents. */
  many: string;
  children?: ReactNode;
}

/** The fields above the lines of a scheduled document: the customer or vendor, and the schedule instead of a date. */
export function ScheduledHead<
  One extends WithEntity & { template: AnyTemplate },
  Form extends DocumentForm<Line> & ScheduleForm,
  Line extends DocumentLine,
>({
  entry,
  entity,
  hasDrafts = false,
  isSent = false,
  hasPrices = false,
  many,
  children,
}: ScheduledHeadProps<One, Form, Line>) {
  const { kind, saved, terms } = entry;
  const { values, fields, onChange, errorOf, isReadOnly } = entry.form;
  const onDue = (dueDate: IsoDate | null) => onChange({ ...values, dueDate: dueDate ?? undefined });
  return (
    <div className="ek-form">
      <EntityField side={kind.side} field={entity} current={saved && entityOf(saved)} />
      {children}
      <ScheduleHead
        {...{ values, fields, hasDrafts, isSent, hasPrices, isReadOnly, many }}
        template={saved?.template}
        onSchedule={(schedule) => onChange({ ...kind.withDate(values, schedule.start, terms), schedule })}
        patch={(change) => onChange({ ...values, ...change })}
      >
        <DateField
          label="Due Date"
          placeholder="From terms"
          hint="Due date of the first document. The schedule sets the later due dates."
          value={values.dueDate ?? null}
          onChange={onDue}
          error={errorOf('dueDate')}
          readOnly={isReadOnly}
          span={4}
        />
      </ScheduleHead>
      <PeriodPreview schedule={scheduleIn(values)} lines={values.lines} />
    </div>
  );
}

interface PeriodPreviewProps {
  schedule: Schedule | undefined;
  lines: readonly Pick<DocumentLine, 'description'>[];
}

/**
 * Previews the lines with period placeholders for the first date. If no line has a placeholder, explains the
 * placeholders.
 */
function PeriodPreview({ schedule, lines }: PeriodPreviewProps) {
  const first = schedule && scheduledDate(schedule, 0);
  const texts = lines.map(({ description }) => description).filter((text) => text.includes('{'));
  const filled = first === undefined ? [] : texts.filter((text) => periodWordFault(text) === undefined);
  return (
    <div className="ek-c12 ek-muted ek-small">
      {first === undefined || filled.length === 0
        ? 'Line descriptions can contain {month}, {quarter}, and {year}. For example, {month+1} is the next month.'
        : keyed(filled, (text) => text).map(({ key, item }) => (
            <div key={key}>{`On ${formatDate(first)}: ${fillPeriodWords(item, first)}`}</div>
          ))}
    </div>
  );
}
