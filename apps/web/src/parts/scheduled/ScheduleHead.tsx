import { MAKES } from '@evenkeel/contract/scheduled';
import type { FieldMessages } from '@evenkeel/core/failure';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Schedule } from '@evenkeel/core/documents/schedule';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { ScheduleField } from '../../ui/fields/ScheduleField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Choice } from '../../ui/show/Choice.tsx';
import { MAKES_WORDS, type ScheduleForm, scheduleIn } from './templates.ts';

export interface ScheduleHeadProps {
  values: ScheduleForm & { invoiceDate: IsoDate | null };
  fields: FieldMessages;
  onSchedule: (schedule: Schedule) => void;
  patch: (change: Partial<Omit<ScheduleForm, 'schedule'>>) => void;
  /** Whether documents can be created as drafts. Bills can't. */
  hasDrafts: boolean;
  /** Whether documents can be sent when they are created. */
  isSent: boolean;
  /** Whether the products have prices that can be fixed. */
  hasPrices: boolean;
  isReadOnly: boolean;
}

const CHOICES = MAKES.map((value) => ({ value, label: MAKES_WORDS[value] }));

/** The schedule of a recurring template, and how its documents are created. */
export function ScheduleHead(props: ScheduleHeadProps) {
  const { values, fields, onSchedule, patch, hasDrafts, isSent, hasPrices, isReadOnly } = props;
  const schedule = scheduleIn(values);
  return (
    <>
      <div className="ek-c12">
        {schedule !== undefined && (
          <ScheduleField label="Schedule" value={schedule} onChange={onSchedule} error={fields['schedule']} />
        )}
      </div>
      <TextField
        label="Name"
        value={values.name}
        onChange={(name) => patch({ name })}
        hint="Name shown in the list. Leave empty to use the customer or vendor name."
        maxLength={200}
        readOnly={isReadOnly}
        span={6}
      />
      {hasDrafts && (
        <div className="ek-c3">
          <Choice
            label="Makes"
            options={CHOICES.filter(({ value }) => isSent || value !== 'sent')}
            value={values.makes}
            onChange={(makes) => patch({ makes })}
            disabled={isReadOnly}
          />
        </div>
      )}
      {hasPrices && (
        <CheckField
          label="Fix Prices"
          hint="If off, each invoice uses the current product prices"
          value={values.fixesPrices}
          onChange={(fixesPrices) => patch({ fixesPrices })}
          readOnly={isReadOnly}
          span={3}
        />
      )}
    </>
  );
}
