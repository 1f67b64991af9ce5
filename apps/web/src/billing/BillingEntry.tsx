import './billing.css';
import type { BillingInvoice } from '@evenkeel/contract/billing';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { StaleChoice } from '../records/StaleChoice.tsx';
import { useNarrow, useWide } from '../ui/hooks/media.ts';
import type { LineTableHandle } from '../ui/lines/lineColumns.ts';
import { LineTable } from '../ui/lines/LineTable.tsx';
import { AppModal } from '../ui/overlay/AppModal.tsx';
import type { FooterAction, FooterBarProps } from '../ui/overlay/FooterBar.tsx';
import { Amount } from '../ui/show/Amount.tsx';
import { FormErrorSummary } from '../ui/show/FormErrorSummary.tsx';
import { entryCard, entryColumns } from './entryColumns.tsx';
import { EntryHead } from './EntryHead.tsx';
import {
  blankLine,
  type EntryLine,
  type EntryTotals,
  entryTotals,
  lineFaults,
  settled,
  withLine,
  withoutLine,
} from './invoiceForm.ts';
import { keptWords } from '../ui/hooks/draft.ts';
import { InvoiceBadge } from '../badges.tsx';
import { useInvoiceRemove } from './InvoicePanel.tsx';
import { DocumentTotals } from '../documents/DocumentTotals.tsx';
import { type LineChoices, useInvoice, useLineChoices, useTaxSources } from './queries.ts';
import { ClosingReason, RemoveTrouble } from './SaveTrouble.tsx';
import { ratesOf } from './taxRates.ts';
import { type Entry, useEntry } from './useEntry.ts';
import { useInvoicePreview } from './useInvoicePreview.tsx';
import type { Remove } from './useRemove.ts';

export interface BillingEntryProps {
  /** 0: a new invoice. */
  invoiceId: number;
  /** Preselected on a new invoice. */
  customerId?: number | undefined;
  onClose: () => void;
  onSaved?: ((invoice: BillingInvoice) => void) | undefined;
  onDeleted?: (() => void) | undefined;
  /** Pay Invoice, after saving what was changed; absent: no such button. */
  onPay?: ((invoice: BillingInvoice) => void) | undefined;
}

/** The Billing Entry modal (Specification part 1 §2); needs nothing around it but a session. */
export function BillingEntry(props: BillingEntryProps) {
  const { invoice, error } = useInvoice(props.invoiceId);
  const { onClose } = props;
  useEffect(() => {
    if (error !== undefined && invoice === undefined) onClose();
  }, [error, invoice, onClose]);
  if (props.invoiceId > 0 && invoice === undefined) {
    return (
      <p role="status" className="ek-vh">
        Loading...
      </p>
    );
  }
  return <EntryModal key={props.invoiceId} {...props} saved={invoice} />;
}

function EntryModal(props: BillingEntryProps & { saved: BillingInvoice | undefined }) {
  const { onClose } = props;
  // What it was when it opened: a read meanwhile must not change the ground under the form.
  const [saved, setSaved] = useState(props.saved);
  const choices = useLineChoices();
  const lines = useRef<LineTableHandle>(null);
  const entry = useEntry({ saved, customerId: props.customerId, required: choices.required, lines });
  const preview = useInvoicePreview(saved, entry.draft.dirty);
  const remove = useInvoiceRemove(saved ?? { id: 0, invoiceNumber: '' }, () => {
    entry.draft.clear();
    onClose();
    props.onDeleted?.();
  });
  const totals = useTotals(entry, saved);
  const footer = useEntryFooter({ ...props, saved }, { entry, totals, remove, preview: preview.action });
  const onSave = footer.primary?.onClick;
  return (
    <AppModal
      opened
      onClose={onClose}
      title="Billing Entry"
      size="xl"
      beside={
        <>
          {saved !== undefined && <InvoiceBadge invoice={saved} />}
          <span className="ek-muted ek-small bl-kept" role="status">
            {keptWords(entry.draft.savedAt)}
          </span>
        </>
      }
      dirty={entry.draft.dirty}
      onDiscard={entry.discard}
      footer={footer}
    >
      <div className="ek-stack bl-entry">
        <EntryTrouble entry={entry} onCurrent={setSaved} />
        <RemoveTrouble remove={remove} />
        <EntryHead form={entry.draft.value} set={entry.draft.set} saved={saved} faults={entry.faults} />
        <EntryLines
          entry={entry}
          choices={choices}
          totals={totals}
          isNew={saved === undefined}
          handle={lines}
          onSave={onSave}
        />
      </div>
      {preview.panel}
    </AppModal>
  );
}

interface EntryTroubleProps {
  entry: Entry;
  /** Theirs is now what is saved, whichever of the two is kept. */
  onCurrent: (theirs: BillingInvoice) => void;
}

function EntryTrouble({ entry, onCurrent }: EntryTroubleProps) {
  const { theirs, asksReason } = entry;
  return (
    <>
      <FormErrorSummary problems={entry.problems.map((message) => ({ message }))} />
      {theirs !== undefined && (
        <StaleChoice
          onTheirs={() => {
            entry.takeTheirs(theirs);
            onCurrent(theirs);
          }}
          onMine={() => {
            entry.keepMine(theirs);
            onCurrent(theirs);
          }}
        />
      )}
      {asksReason && <ClosingReason value={entry.reason} onChange={entry.setReason} />}
    </>
  );
}

interface EntryLinesProps {
  entry: Entry;
  choices: LineChoices;
  totals: EntryTotals;
  isNew: boolean;
  onSave: (() => void) | undefined;
  handle: RefObject<LineTableHandle | null>;
}

/** Subtotal, tax and total of what is typed, the line in work included, by the rates of the chosen customer. */
function useTotals(entry: Entry, saved: BillingInvoice | undefined): EntryTotals {
  const form = entry.draft.value;
  const sources = useTaxSources(form.customerId);
  return entryTotals(settled(form).lines, ratesOf({ form, saved, ...sources }));
}

/** The line table with the totals under it; what is in work counts at once. */
function EntryLines({ entry, choices, totals, isNew, onSave, handle }: EntryLinesProps) {
  const { draft } = entry;
  const form = draft.value;
  const wide = useWide();
  // Tab has begun one more line and nothing is in it: Ctrl+Enter then saves what is there, without that line.
  const onKeyDownCapture = (event: KeyboardEvent) => {
    const saves = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (!saves || !wide || entry.isWorking()) return;
    event.stopPropagation();
    onSave?.();
  };
  return (
    <div onKeyDownCapture={onKeyDownCapture}>
      <LineTable<EntryLine>
        ref={handle}
        label="Line items"
        columns={entryColumns(choices)}
        lines={form.lines}
        lineId={(line) => String(line.id)}
        blank={(lines) => blankLine(lines, form)}
        validate={(line) => lineFaults(line, choices.required)}
        onCommit={(line) => draft.set((before) => ({ ...before, lines: withLine(before.lines, line), working: null }))}
        onRemove={(line) => draft.set((before) => withoutLine(before, line.id))}
        addLabel="Add Billing Line Item"
        card={entryCard}
        startNew={isNew && wide && form.lines.length === 0}
        onWork={entry.keepWork}
      />
      <div className="bl-below">
        <div>
          <DocumentTotals
            subtotal={totals.subtotal}
            taxItems={totals.priced?.taxItems ?? []}
            total={totals.priced?.invoiceAmount}
          />
          {totals.problem !== undefined && <p className="bl-late">{totals.problem}</p>}
        </div>
      </div>
    </div>
  );
}

interface FooterParts {
  entry: Entry;
  totals: EntryTotals;
  remove: Remove;
  preview: FooterAction;
}

/** Delete, Preview Invoice, Pay Invoice, Save (Specification part 1 §2). */
function useEntryFooter(
  { saved, onPay, onSaved, onClose }: BillingEntryProps & { saved: BillingInvoice | undefined },
  { entry, totals, remove, preview }: FooterParts,
): FooterBarProps {
  const narrow = useNarrow();
  const save = async () => {
    const invoice = await entry.save();
    if (invoice === undefined) return;
    onClose();
    onSaved?.(invoice);
  };
  const pay = async () => {
    const invoice = entry.draft.dirty ? await entry.save() : saved;
    if (invoice?.readyToPay === true) onPay?.(invoice);
  };
  const primary = { label: 'Save', onClick: () => void save(), busy: entry.busy };
  const sum = narrow ? { total: <PhoneTotal value={totals.priced?.invoiceAmount} /> } : {};
  if (saved === undefined) return { primary, ...sum };
  const payAction = { label: 'Pay Invoice', onClick: () => void pay(), disabled: entry.busy };
  return {
    primary,
    ...sum,
    actions: [preview, ...(saved.readyToPay && onPay !== undefined ? [payAction] : [])],
    remove: remove.action,
  };
}

function PhoneTotal({ value }: { value: Parameters<typeof Amount>[0]['value'] }) {
  return (
    <>
      <span className="ek-second">Total</span>
      <span className="ek-semi">{value === undefined ? '–' : <Amount value={value} sign />}</span>
    </>
  );
}
