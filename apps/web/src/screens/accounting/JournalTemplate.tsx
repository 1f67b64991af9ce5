import type { GlEntry, PostedTransaction } from '@evenkeel/contract/ledger';
import { checkSchedule } from '@evenkeel/core/documents/schedule';
import { sum, ZERO } from '@evenkeel/core/money';
import { DebitCredit } from '../../parts/ledger/DebitCredit.tsx';
import { useTransaction } from '../../parts/ledger/queries.ts';
import { ScheduleHead } from '../../parts/scheduled/ScheduleHead.tsx';
import { ScheduleOutcome } from '../../parts/scheduled/ScheduleOutcome.tsx';
import { type TemplateDocument, templateInput } from '../../parts/scheduled/templates.ts';
import { LoadedModal, RecordModal } from '../../records/RecordModal.tsx';
import { useOne, useRemove, useSave } from '../../records/records.ts';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import type { MiniColumn } from '../../ui/table/MiniTable.tsx';
import { entryAgain, JournalTemplateForm, SCHEDULED_JOURNALS, templateFormOf } from './scheduledJournals.ts';

interface JournalTemplateProps {
  /** The ID of a saved template, or 0 for a new template that repeats the entry with the ID `repeats`. */
  id: number;
  repeats: number;
  onClose: () => void;
}

const COLUMNS: readonly MiniColumn<GlEntry>[] = [
  { header: 'Account', render: ({ displayAccountLabel }) => displayAccountLabel },
  { header: 'Description', render: ({ description }) => description },
];

const TITLE = 'Scheduled Journal Entry';

/** The schedule of a recurring journal entry, shown above its lines. */
export function JournalTemplate(props: JournalTemplateProps) {
  const { id, repeats, onClose } = props;
  const saved = useOne(SCHEDULED_JOURNALS, id);
  const posted = useTransaction(id > 0 ? 0 : repeats);
  if (id > 0) {
    return (
      <LoadedModal id={id} read={saved} title={TITLE} size="lg" onClose={onClose}>
        {(one) => one !== undefined && <TemplateForm {...props} saved={one} entry={one} />}
      </LoadedModal>
    );
  }
  return (
    <LoadedModal read={posted} title={TITLE} size="lg" onClose={onClose}>
      {(entry) => entry !== undefined && <TemplateForm {...props} saved={undefined} entry={entry} />}
    </LoadedModal>
  );
}

interface TemplateFormProps extends JournalTemplateProps {
  saved: TemplateDocument<PostedTransaction> | undefined;
  entry: PostedTransaction;
}

function TemplateForm({ id, repeats, saved, entry, onClose }: TemplateFormProps) {
  const today = useToday();
  const save = useSave(SCHEDULED_JOURNALS);
  const form = useRecordForm<TemplateDocument<PostedTransaction>, JournalTemplateForm>({
    name: id > 0 ? 'scheduledjournal' : `scheduledjournal:${repeats}`,
    id,
    saved,
    formOf: (one) => templateFormOf(one, { today, entry }),
    schema: JournalTemplateForm,
    check: ({ schedule }) => {
      const wrong = schedule && checkSchedule(schedule);
      return wrong === undefined ? {} : { schedule: wrong };
    },
    reply: SCHEDULED_JOURNALS.reply,
    send: (typed, { place }) => save(id, templateInput({ ...typed, invoiceDate: null }, entryAgain(entry)), place),
    remove: useRemove(SCHEDULED_JOURNALS),
    words: { saved: ({ template }) => `${template.name} saved` },
    onSaved: onClose,
    onRemoved: onClose,
  });
  const { values, fields, patch, isReadOnly } = form;
  return (
    <RecordModal form={form} title={TITLE} size="lg" question="Delete this scheduled entry?" onClose={onClose}>
      <div className="ek-form">
        <ScheduleHead
          isSent={false}
          values={{ ...values, invoiceDate: null }}
          {...{ fields, isReadOnly, patch }}
          onSchedule={(schedule) => patch({ schedule })}
          hasDrafts
          hasPrices={false}
          many="entries"
          template={saved?.template}
        />
      </div>
      <DebitCredit label="Lines" lines={entry.generalLedgerEntries} columns={COLUMNS} />
      <ScheduleOutcome
        schedule={values.schedule}
        noun="a journal entry"
        amount={sum(entry.generalLedgerEntries.map(({ debitAmount }) => debitAmount ?? ZERO))}
        makes={values.makes}
      />
    </RecordModal>
  );
}
