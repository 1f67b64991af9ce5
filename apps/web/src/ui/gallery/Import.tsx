import { isoDate } from '@evenkeel/core/dates';
import { type Schedule, scheduleFrom } from '@evenkeel/core/documents/schedule';
import { useState } from 'react';
import { ScheduleField } from '../fields/ScheduleField.tsx';
import { type Step, Stepper } from '../show/Stepper.tsx';
import type { FileColumn, FileField, Mapping } from '../table/mapping.ts';
import { MappingTable } from '../table/MappingTable.tsx';
import { Section } from './Section.tsx';

const STEPS: readonly Step[] = [
  { id: 'file', label: 'File', state: 'done' },
  { id: 'columns', label: 'Columns', state: 'failed' },
  { id: 'check', label: 'Check', state: 'current' },
  { id: 'save', label: 'Save', state: 'next' },
];

type Field = 'date' | 'text' | 'amount' | 'check';

const FIELDS: readonly FileField<Field>[] = [
  { id: 'date', label: 'Date', isRequired: true },
  { id: 'text', label: 'Text', isRequired: true },
  { id: 'amount', label: 'Amount', isRequired: true },
  { id: 'check', label: 'Check Number' },
];

const COLUMNS: readonly FileColumn[] = [
  { id: '0', header: 'Posted', samples: ['05/01/2026', '05/03/2026'] },
  { id: '1', header: 'Payee', samples: ['STAPLES #1042', 'FAIRLAWN HEIGHTS HOA'] },
  { id: '2', header: 'Debit/Credit', samples: ['-42.17', '1,250.00'] },
];

/** Parts of statement import and of what is scheduled. */
export function Import() {
  const [schedule, setSchedule] = useState<Schedule>(() => scheduleFrom(isoDate('2026-01-31')));
  const [mapping, setMapping] = useState<Mapping<Field>>({ '0': 'date' });
  return (
    <>
      <Section title="Stepper" wide>
        <Stepper label="Import a statement" steps={STEPS} onGo={() => undefined} />
      </Section>
      <Section title="Schedule" wide>
        <ScheduleField label="Repeats" value={schedule} onChange={setSchedule} />
      </Section>
      <Section title="Columns of a file" wide>
        <MappingTable
          label="Columns of the file"
          columns={COLUMNS}
          fields={FIELDS}
          value={mapping}
          onChange={setMapping}
        />
      </Section>
    </>
  );
}
