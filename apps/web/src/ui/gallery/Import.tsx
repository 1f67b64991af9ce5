import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { type Schedule, scheduleFrom } from '@evenkeel/core/schedule';
import { useState } from 'react';
import { ScheduleField } from '../fields/ScheduleField.tsx';
import { MatchCard } from '../show/MatchCard.tsx';
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

const BANK = { title: 'FAIRLAWN HEIGHTS HOA', date: isoDate('2026-05-03'), amount: cents(125000) };
const BOOKS = {
  title: 'Invoice 1042, Fairlawn Heights HOA',
  date: isoDate('2026-05-01'),
  amount: cents(125000),
  detail: 'Posts a payment on 5/3/2026',
};
const REASON = 'Same amount, 2 days apart';

/** Parts of statement import and of what is scheduled. */
export function Import() {
  const [schedule, setSchedule] = useState<Schedule>(() => scheduleFrom(isoDate('2026-01-31')));
  const [mapping, setMapping] = useState<Mapping<Field>>({ '0': 'date' });
  const [isMatched, setMatched] = useState(false);
  const quiet = { isMatched: false, onAccept: () => undefined, onOther: () => undefined, onUndo: () => undefined };
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
      <Section title="Matches" wide>
        <MatchCard
          {...quiet}
          bank={BANK}
          books={BOOKS}
          reason={REASON}
          isMatched={isMatched}
          onAccept={() => setMatched(true)}
          onUndo={() => setMatched(false)}
        />
        <MatchCard {...quiet} bank={BANK} books={BOOKS} reason={REASON} isBusy />
        <MatchCard {...quiet} bank={BANK} books={BOOKS} error="Invoice 1042 was paid meanwhile" />
        <MatchCard {...quiet} bank={BANK} />
      </Section>
    </>
  );
}
