import '../../ui/lines/lines.css';
import { RecordModal } from '../../records/RecordModal.tsx';
import type { Dimensions } from '../../parts/choices/dimensions.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { goToUnread } from '../../ui/fields/unread.ts';
import { useNarrow, useWide } from '../../ui/hooks/media.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { Level } from '../../ui/show/Level.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { WalkthroughButton } from '../../ui/tour/Walkthrough.tsx';
import { OUT_OF_BALANCE, totalsOf } from './journalForm.ts';
import { JournalCards } from './JournalCards.tsx';
import { JournalGrid } from './JournalGrid.tsx';
import { JournalLineFields } from './JournalLineFields.tsx';
import { JOURNAL_TOUR } from './journalTour.ts';
import { type Journal, type JournalStart, useJournal } from './useJournal.ts';

export interface JournalModalProps {
  start: JournalStart;
  onClose: () => void;
}

/**
 * The Journal Entry modal, which shows a grid of lines (or one line at a time on narrow screens) and a balance
 * indicator.
 */
export function JournalModal({ start, onClose }: JournalModalProps) {
  const journal = useJournal(start, onClose);
  const { form, choices } = journal;
  const { busy, isKeeping } = form;
  const wide = useWide();
  const hasRoom = useHasRoom(choices.dimensions);
  return (
    <RecordModal
      // The messages appear next to the button that the user selected.
      form={{ ...form, problems: [] }}
      onClose={onClose}
      title="Journal Entry"
      beside={<Standing start={start} restored={form.restored} />}
      tools={<WalkthroughButton steps={JOURNAL_TOUR} />}
      size="xl"
      footer={{
        total: hasRoom ? wide && <Keys /> : <Balance journal={journal} />,
        error: troubleOf(journal),
        actions: [{ label: 'Save Transaction', onClick: unlessUnread(() => form.keep?.()), busy: busy && isKeeping }],
        primary: {
          label: 'Post Transaction',
          onClick: form.save,
          busy: busy && !isKeeping,
          disabled: !choices.isLoaded,
        },
      }}
    >
      <Top journal={journal} />
      {form.values.balancing !== undefined && (
        <p className="ek-second ek-small">
          Enter the balance of each account as of the posting date. The last line balances the entry.
        </p>
      )}
      {hasRoom ? <JournalGrid journal={journal} /> : <OneByOne journal={journal} />}
    </RecordModal>
  );
}

/** Returns whether a line fits in one row. With profit centers or locations, this requires a wide window. */
function useHasRoom({ profitCenters, locations }: Dimensions): boolean {
  const narrow = useNarrow();
  const wide = useWide();
  return wide || (!narrow && profitCenters === undefined && locations === undefined);
}

/** The grid's keyboard shortcuts. */
function Keys() {
  return (
    <span className="ac-keys ek-muted ek-small">
      <kbd>Tab</kbd> next cell · <kbd>Enter</kbd> next line · <kbd>=</kbd> balances · <kbd>Ctrl+Enter</kbd> posts
    </span>
  );
}

/** The date, number, and memo of the entry. */
function Top({ journal: { form, setDate, setMemo } }: { journal: Journal }) {
  return (
    <div className="ac-top">
      <DateField
        id="journal-date"
        label="Posting Date"
        value={form.values.postingDate}
        onChange={setDate}
        error={form.errorOf('postingDate')}
      />
      <TextField label="Number" value="Set when posted" onChange={() => undefined} readOnly />
      <TextField
        label="Memo"
        placeholder="Used for lines without a description"
        value={form.values.memo ?? ''}
        onChange={setMemo}
        maxLength={500}
      />
    </div>
  );
}

/** One line at a time, for narrow screens, above the cards of the entered lines. */
function OneByOne({ journal }: { journal: Journal }) {
  const { form, choices } = journal;
  const { values } = form;
  return (
    <>
      <JournalLineFields
        key={values.at}
        line={journal.line}
        problems={journal.problems}
        accounts={choices.accounts}
        isLoading={choices.isLoading}
        dimensions={choices.dimensions}
        onPatch={journal.patch}
        onSide={journal.side}
        onNext={unlessUnread(journal.next)}
      />
      <JournalCards
        lines={values.lines.filter((line) => line.debit !== null || line.told !== undefined)}
        at={values.at}
        accounts={choices.accounts}
        onOpen={unlessUnread(journal.open)}
        onRemove={journal.remove}
      />
    </>
  );
}

/**
 * Wraps an action so that it does nothing while a field has an unreadable value, which would be saved as empty or lost.
 */
function unlessUnread<Args extends unknown[]>(go: (...args: Args) => void) {
  return (...args: Args) => {
    if (!goToUnread('[role="dialog"]')) go(...args);
  };
}

function Standing({ start, restored }: { start: JournalStart; restored: boolean }) {
  if (restored) return <Status look="draft">Saved on this device</Status>;
  return start.transactionID === 0 ? null : <Status look="draft">Draft, not posted</Status>;
}

/** The balance indicator. It tilts to the larger side and is level when the entry balances. */
function Balance({ journal }: { journal: Journal }) {
  const totals = totalsOf(journal.form.values.lines);
  if (totals.debit === 0 && totals.credit === 0) return null;
  if (totals.heavier === undefined) return <Level />;
  return (
    <span className="ac-balance">
      <Level heavier={totals.heavier}>Out of balance by</Level>
      <span className="ek-semi">
        <Amount value={totals.out} sign />
      </span>
    </span>
  );
}

/** Returns the reason why the entry could not be posted or saved. */
function troubleOf({ form }: Journal) {
  const { heavier } = totalsOf(form.values.lines);
  const unlevel = form.fields[OUT_OF_BALANCE];
  if (unlevel !== undefined && heavier !== undefined) {
    return (
      <div className="ac-unlevel" role="alert">
        <Level heavier={heavier}>{unlevel}</Level>
      </div>
    );
  }
  const message = form.problems[0] ?? Object.values(form.fields)[0];
  return message === undefined ? undefined : <InlineAlert kind="Error">{message}</InlineAlert>;
}
