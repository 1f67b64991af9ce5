import { MAKES } from '@evenkeel/contract/scheduled';
import type { FieldMessages } from '@evenkeel/core/failure';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Schedule } from '@evenkeel/core/documents/schedule';
import { capital } from '@evenkeel/core/documents/side';
import type { ReactNode } from 'react';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { NextDates, ScheduleField, SchedulePart } from '../../ui/fields/ScheduleField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useToday } from '../../ui/hooks/today.tsx';
import { type AnyTemplate, type ScheduleForm, scheduleIn, skippableFrom } from './templates.ts';

export interface ScheduleHeadProps {
  values: ScheduleForm & { invoiceDate: IsoDate | null };
  fields: FieldMessages;
  onSchedule: (schedule: Schedule) => void;
  patch: (change: Partial<Omit<ScheduleForm, 'schedule'>>) => void;
  /** Whether documents can be created as drafts. Bills can't. */
  hasDrafts: boolean;
  /** Whether documents can be sent when they are created. */
  isSent: boolean;
  /** Whether the document has products whose prices can be fixed. */
  hasPrices: boolean;
  isReadOnly: boolean;
  /** The plural noun for the created documents, for example `invoices`. */
  many: string;
  /** The saved template. Undefined for a new one. */
  template: Pick<AnyTemplate, 'occurrences'> | undefined;
  /** The fields after the name. */
  children?: ReactNode;
}

const CHOICES = MAKES.map((id) => ({ id, label: id === 'sent' ? 'posted and sent' : id }));

/** The schedule of a recurring template, how its documents are created, and its next dates. */
export function ScheduleHead(props: ScheduleHeadProps) {
  const { values, fields, onSchedule, patch, hasDrafts, isSent, hasPrices, isReadOnly, many, template } = props;
  const schedule = scheduleIn(values);
  const from = skippableFrom(template, useToday());
  return (
    <>
      {schedule !== undefined && (
        <>
          <div className="ek-c12">
            <ScheduleField
              label="Schedule"
              value={schedule}
              onChange={onSchedule}
              error={fields['schedule']}
              readOnly={isReadOnly}
            >
              {hasDrafts && (
                <SchedulePart word="as" width={isSent ? '164px' : '110px'}>
                  <Picker
                    inRow
                    readOnly={isReadOnly}
                    label="Makes"
                    options={CHOICES.filter(({ id }) => isSent || id !== 'sent')}
                    value={values.makes}
                    onChange={(makes) => makes !== null && patch({ makes })}
                  />
                </SchedulePart>
              )}
            </ScheduleField>
          </div>
          <div className="ek-c12">
            <NextDates
              label={`Next ${capital(many)}`}
              value={schedule}
              from={from}
              skipped={values.skips}
              onSkip={(skips) => patch({ skips })}
              readOnly={isReadOnly}
            />
          </div>
        </>
      )}
      <TextField
        label="Name"
        value={values.name}
        onChange={(name) => patch({ name })}
        hint="Name shown in the list. Leave empty to use the customer or vendor name."
        maxLength={200}
        readOnly={isReadOnly}
        span={4}
      />
      {props.children}
      {hasPrices && (
        <CheckField
          label="Fix Prices"
          hint="If this is off, each invoice uses the current product prices"
          value={values.fixesPrices}
          onChange={(fixesPrices) => patch({ fixesPrices })}
          readOnly={isReadOnly}
          span={4}
        />
      )}
    </>
  );
}
