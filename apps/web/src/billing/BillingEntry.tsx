import './billing.css';
import { BillingInvoice } from '@evenkeel/contract/billing';
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { InvoiceBadge } from '../badges.tsx';
import type { Choice } from '../choices/choice.ts';
import { DocumentTotals } from '../documents/DocumentTotals.tsx';
import { LoadedModal, recordFooter, RecordModal } from '../records/RecordModal.tsx';
import { useOne, useRemove, useSave } from '../records/records.ts';
import { type RecordForm, telling, useRecordForm } from '../records/useRecordForm.ts';
import { useMay } from '../session.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { DateField } from '../ui/fields/DateField.tsx';
import { Picker } from '../ui/fields/Picker.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { keptWords } from '../ui/hooks/draft.ts';
import { useWide } from '../ui/hooks/media.ts';
import { useToday } from '../ui/hooks/today.tsx';
import type { LineTableHandle } from '../ui/lines/lineColumns.ts';
import { LineTable } from '../ui/lines/LineTable.tsx';
import { Amount } from '../ui/show/Amount.tsx';
import { entryCard, entryColumns } from './entryColumns.tsx';
import {
  blankEntry,
  blankLine,
  EntryDraft,
  entryFaults,
  type EntryForm,
  type EntryLine,
  entryInput,
  entryOf,
  type EntryTotals,
  entryTotals,
  lineFaults,
  overTheirs,
  settled,
  withInvoiceDate,
  withLine,
  withoutLine,
  workOf,
} from './invoiceForm.ts';
import { NewCustomer } from './NewCustomer.tsx';
import { type LineChoices, useBillingStatuses, useCustomerOptions, useLineChoices, useTaxSources } from './queries.ts';
import { INVOICES } from './records.ts';
import { ratesOf } from './taxRates.ts';
import { useInvoicePreview } from './useInvoicePreview.tsx';

export interface BillingEntryProps {
  /** 0: a new invoice. */
  invoiceId: number;
  onClose: () => void;
  onSaved: (invoice: BillingInvoice) => void;
  onDeleted: () => void;
  /** Pay Invoice, after saving what was changed. */
  onPay: (invoice: BillingInvoice) => void;
}

/** The Billing Entry modal (Specification part 1 §2). */
export function BillingEntry(props: BillingEntryProps) {
  const { invoiceId, onClose } = props;
  return (
    <LoadedModal id={invoiceId} read={useOne(INVOICES, invoiceId)} title="Billing Entry" size="xl" onClose={onClose}>
      {(saved) => <EntryModal {...props} saved={saved} />}
    </LoadedModal>
  );
}

/** What shows its own message: the fields of the head, by the request's path and the form's name. */
const PLACES: Readonly<Record<string, string>> = { arBillingStatus: 'status' };
const HEAD = ['customerId', 'invoiceDate', 'dueDate', 'status'];

/** `lineItems.1.description` → "Line 2: ". */
function lineOf(path: string): string {
  const [, index] = /^lineItems\.(\d+)\./.exec(path) ?? [];
  return index === undefined ? '' : `Line ${Number(index) + 1}: `;
}

function EntryModal(props: BillingEntryProps & { saved: BillingInvoice | undefined }) {
  const { saved, onClose } = props;
  const id = saved?.id ?? 0;
  const today = useToday();
  const choices = useLineChoices();
  const lines = useRef<LineTableHandle>(null);
  const isPaying = useRef(false);
  const alerts = useAlerts();
  const save = useSave(INVOICES);
  const remove = useRemove(INVOICES);
  const form = useRecordForm<BillingInvoice, EntryForm>({
    name: 'billing',
    id,
    saved,
    formOf: (one) => (one === undefined ? blankEntry(today, null) : entryOf(one)),
    schema: EntryDraft,
    check: (typed) => entryFaults(settled(typed), choices.required),
    placed: (fields) => Object.fromEntries(Object.entries(fields).map(([path, text]) => [PLACES[path] ?? path, text])),
    send: (typed, { place, reason }) => save(id, entryInput(settled(typed), id, reason), place),
    remove,
    over: overTheirs,
    reply: BillingInvoice,
    words: { saved: (one) => `Invoice ${one.invoiceNumber} saved` },
    onSaved: (one) => (isPaying.current && one.readyToPay ? props.onPay(one) : props.onSaved(one)),
    onRemoved: () => {
      alerts.success(`Invoice ${saved?.invoiceNumber ?? ''} deleted`);
      props.onDeleted();
    },
  });
  const totals = useTotals(form.values, saved);
  const preview = useInvoicePreview(saved, form.dirty);
  /** Saves what is typed, the line in work included. */
  const send = (pays: boolean) => {
    if (form.busy || (form.values.working !== null && lines.current?.settle() === false)) return;
    isPaying.current = pays;
    if (pays && !form.dirty && saved !== undefined) props.onPay(saved);
    else form.save();
  };
  const pay = { label: 'Pay Invoice', onClick: () => send(true), disabled: form.busy };
  const footer = recordFooter(form, `Delete invoice ${saved?.invoiceNumber ?? ''}?`);
  return (
    <RecordModal
      form={telling(form, HEAD, (path, text) => `${lineOf(path)}${text}`)}
      title="Billing Entry"
      size="xl"
      onClose={onClose}
      beside={
        <>
          {saved !== undefined && <InvoiceBadge invoice={saved} />}
          <span className="ek-muted ek-small bl-kept" role="status">
            {keptWords(form.savedAt)}
          </span>
        </>
      }
      footer={{
        ...footer,
        primary: { label: 'Save', onClick: () => send(false), busy: form.busy },
        actions: saved === undefined ? [] : [preview.action, ...(saved.readyToPay ? [pay] : [])],
        // In sight however many lines there are.
        total: <FootTotal value={totals.priced?.invoiceAmount} />,
      }}
    >
      <div className="ek-stack bl-entry">
        <EntryHead form={form} saved={saved} />
        <EntryLines form={form} choices={choices} isNew={id === 0} handle={lines} onSave={() => send(false)} />
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
      {preview.panel}
    </RecordModal>
  );
}

/** Subtotal, tax and total of what is typed, the line in work included, by the rates of the chosen customer. */
function useTotals(form: EntryForm, saved: BillingInvoice | undefined): EntryTotals {
  const sources = useTaxSources(form.customerId);
  return entryTotals(settled(form).lines, ratesOf({ form, saved, ...sources }));
}

interface PartProps {
  form: RecordForm<EntryForm>;
  saved: BillingInvoice | undefined;
}

/** Customer, Invoice Date, Due Date, Invoice Number (read-only), Billing Status. */
function EntryHead({ form, saved }: PartProps) {
  const { bind, values } = form;
  const set = (date: EntryForm['invoiceDate']) => form.onChange(withInvoiceDate(values, date));
  return (
    <div className="ek-form">
      <CustomerField form={form} saved={saved} />
      <DateField {...bind('invoiceDate')} onChange={set} label="Invoice Date" span="half" />
      <DateField {...bind('dueDate')} label="Due Date" span="half" />
      <TextField
        label="Invoice Number"
        value={saved?.invoiceNumber ?? ''}
        placeholder="Given when saved"
        readOnly
        onChange={() => undefined}
        span="half"
      />
      <Picker
        {...bind('status')}
        onChange={(status) => form.patch({ status: status ?? values.status })}
        options={useBillingStatuses()}
        label="Billing Status"
        span="half"
      />
    </div>
  );
}

/** The customer picker; what is in no option can be added on the spot. */
function CustomerField({ form, saved }: PartProps) {
  const mayAdd = useMay()('Manage Customers');
  const [adding, setAdding] = useState<string>();
  const [added, setAdded] = useState<Choice>();
  const current = saved && { id: saved.customerId, label: saved.customerDisplayName };
  const options = useCustomerOptions(added ?? current);
  return (
    <>
      <Picker
        {...form.bind('customerId')}
        options={options}
        label="Customer"
        span={4}
        autoFocus={form.values.customerId === null}
        onCreate={mayAdd ? setAdding : undefined}
      />
      {adding !== undefined && (
        <NewCustomer
          name={adding}
          onClose={() => setAdding(undefined)}
          onCreated={({ id, displayname }) => {
            setAdding(undefined);
            setAdded({ id, label: displayname });
            form.patch({ customerId: id });
          }}
        />
      )}
    </>
  );
}

interface EntryLinesProps {
  form: RecordForm<EntryForm>;
  choices: LineChoices;
  isNew: boolean;
  onSave: () => void;
  handle: RefObject<LineTableHandle | null>;
}

/** The line table; what is in work is in the form too. */
function EntryLines({ form, choices, isNew, handle, onSave }: EntryLinesProps) {
  const { values, patch } = form;
  const wide = useWide();
  // Tab has begun one more line and nothing is in it: Ctrl+Enter then saves what is there, without that line.
  const onKeyDownCapture = (event: KeyboardEvent) => {
    const saves = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (!saves || !wide || values.working !== null) return;
    event.stopPropagation();
    onSave();
  };
  return (
    <div onKeyDownCapture={onKeyDownCapture}>
      <LineTable<EntryLine>
        ref={handle}
        label="Line items"
        columns={entryColumns(choices)}
        lines={values.lines}
        lineId={(line) => String(line.id)}
        blank={(before) => blankLine(before, values)}
        validate={(line) => lineFaults(line, choices.required)}
        onCommit={(line) => patch({ lines: withLine(values.lines, line), working: null })}
        onRemove={(line) => form.onChange(withoutLine(values, line.id))}
        addLabel="Add Billing Line Item"
        card={entryCard}
        startNew={isNew && wide && values.lines.length === 0}
        onWork={(line) => {
          const working = workOf(line, values.lines);
          if (working !== values.working) patch({ working });
        }}
      />
    </div>
  );
}

function FootTotal({ value }: { value: Parameters<typeof Amount>[0]['value'] }) {
  return (
    <>
      <span className="ek-second">Invoice Total</span>
      <span className="ek-semi">{value === undefined ? '–' : <Amount value={value} sign />}</span>
    </>
  );
}
