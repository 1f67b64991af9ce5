import '../ui/lines/lines.css';
import { Button } from '@mantine/core';
import { InlineAlert } from '../ui/alerts/InlineAlert.tsx';
import { DateField } from '../ui/fields/DateField.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { AppModal } from '../ui/overlay/AppModal.tsx';
import { Amount } from '../ui/show/Amount.tsx';
import { Level } from '../ui/show/Level.tsx';
import { Status } from '../ui/show/Status.tsx';
import { WalkthroughButton } from '../ui/tour/Walkthrough.tsx';
import { totalsOf } from './journalForm.ts';
import { JournalLineFields } from './JournalLineFields.tsx';
import { JournalLines } from './JournalLines.tsx';
import { JOURNAL_TOUR } from './journalTour.ts';
import { type Journal, type JournalStart, useJournal } from './useJournal.ts';

export interface JournalModalProps {
  start: JournalStart;
  onClose: () => void;
  /** The saved draft as it is now, after someone else has saved it. */
  onReload: () => void;
}

/** The Journal Entry modal (Specification part 2 §2, §4): lines are entered one at a time until the level is flat. */
export function JournalModal({ start, onClose, onReload }: JournalModalProps) {
  const journal = useJournal(start, onClose);
  const { form, choices } = journal;
  return (
    <AppModal
      opened
      onClose={onClose}
      title="Journal Entry"
      beside={<Standing start={start} restored={journal.restored} />}
      tools={<WalkthroughButton steps={JOURNAL_TOUR} />}
      size="lg"
      dirty={journal.dirty}
      onDiscard={journal.forget}
      footer={{
        total: <Balance journal={journal} />,
        error: journal.refusal === undefined ? undefined : <Trouble journal={journal} onReload={onReload} />,
        actions: [{ label: 'Save Transaction', onClick: journal.keep, busy: journal.busy === 'save' }],
        primary: {
          label: 'Post Transaction',
          onClick: journal.post,
          busy: journal.busy === 'post',
          disabled: !choices.isLoaded,
        },
      }}
    >
      <div className="ek-stack">
        <div className="ac-date">
          <DateField
            id="journal-date"
            label="Posting Date"
            value={form.postingDate}
            onChange={journal.setDate}
            error={journal.refusal?.fields['postingDate']}
          />
        </div>
        <JournalLineFields
          key={form.at}
          line={journal.line}
          problems={journal.problems}
          accounts={choices.accounts}
          dimensions={choices.dimensions}
          onPatch={journal.patch}
          onSide={journal.side}
          onNext={journal.next}
        />
        <JournalLines
          lines={form.lines.filter((line) => line.debit !== null)}
          at={form.at}
          accounts={choices.accounts}
          dimensions={choices.dimensions}
          onOpen={journal.open}
          onRemove={journal.remove}
        />
      </div>
    </AppModal>
  );
}

function Standing({ start, restored }: { start: JournalStart; restored: boolean }) {
  if (restored) return <Status look="draft">Kept on this device</Status>;
  return start.kept.transactionID === 0 ? null : <Status look="draft">Saved, not posted</Status>;
}

/** The level: tilted to the heavier side, flat when the entry may be posted. */
function Balance({ journal }: { journal: Journal }) {
  const totals = totalsOf(journal.form.lines);
  if (totals.debit === 0 && totals.credit === 0) return null;
  if (totals.heavier === undefined) return <Level />;
  return (
    <span className="ac-balance">
      <Level heavier={totals.heavier}>Out by</Level>
      <span className="ek-semi">
        <Amount value={totals.out} sign />
      </span>
    </span>
  );
}

/** Why it could not be posted or saved, beside the buttons that tried. */
function Trouble({ journal, onReload }: { journal: Journal; onReload: () => void }) {
  const { refusal, form } = journal;
  if (refusal === undefined) return null;
  if (refusal.isStale === true) {
    return (
      <InlineAlert kind="Warning">
        <div className="ac-stale">
          <span className="ek-grow">Someone else has saved this meanwhile. What you typed is still here.</span>
          <Button variant="default" onClick={onReload}>
            Reload theirs
          </Button>
          <Button variant="default" onClick={journal.keepMine}>
            Keep mine
          </Button>
        </div>
      </InlineAlert>
    );
  }
  const { heavier } = totalsOf(form.lines);
  return (
    <div className="ac-trouble">
      {heavier !== undefined && refusal.message.startsWith('Debit and Credit must balance') ? (
        <div className="ac-unlevel" role="alert">
          <Level heavier={heavier}>{refusal.message}</Level>
        </div>
      ) : (
        <InlineAlert kind="Error">{refusal.message}</InlineAlert>
      )}
      {journal.asksReason && (
        <TextField
          label="Reason for changing closed books"
          hint="Kept in the audit log. Post again to go on."
          value={journal.reason}
          onChange={journal.setReason}
          maxLength={500}
        />
      )}
    </div>
  );
}
