import type { BillingInvoice } from '@evenkeel/contract/billing';
import { sendingFault } from '@evenkeel/core/documents/invoice';
import { useDeferredValue, useMemo } from 'react';
import { type LineChoices, useLineChoices } from '../../../parts/choices/products.ts';
import {
  type DocumentEntryState,
  DocumentLines,
  documentEntry,
  DocumentModal,
  type EntryModalProps,
  useDocumentEntry,
} from '../../../parts/documents/entry/DocumentEntry.tsx';
import { DocumentHead } from '../../../parts/documents/entry/DocumentHead.tsx';
import { settled } from '../../../parts/documents/entry/lineForm.ts';
import { Picker } from '../../../ui/fields/Picker.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { useSame } from '../../../ui/hooks/stable.ts';
import { entryCard, entryColumns, entryParts, entryTwoRows, undatedColumns, undatedTwoRows } from './entryColumns.tsx';
import {
  type EntryForm,
  type EntryLine,
  type EntryTotals,
  entryTotals,
  INVOICE_ENTRY,
  lineAmounts,
  type Pricing,
} from './invoiceForm.ts';
import { useInvoiceable } from '../estimates/useInvoiceable.ts';
import { useBillingStatuses, useTaxSources } from '../queries.ts';
import { ratesOf, type TaxSources } from './taxRates.ts';
import { useInvoicePreview } from './useInvoicePreview.tsx';

/** The Billing Entry modal. */
export const BillingEntry = documentEntry(INVOICE_ENTRY, EntryModal);

function EntryModal(props: EntryModalProps<BillingInvoice>) {
  const { saved } = props;
  const choices = useLineChoices();
  const entry = useDocumentEntry(INVOICE_ENTRY, props, { required: choices.required });
  const parts = useInvoiceable(saved?.estimateId ?? 0, saved?.id);
  const whole = parts.value?.parts;
  const isWaiting = parts.isLoading;
  const { subtotal, priced, problem } = useTotals(entry.form.values, { saved, choices, whole, isWaiting });
  const preview = useInvoicePreview(saved, entry.form.dirty);
  const isSent = props.onSend !== undefined && sendingFault(entry.form.values.status) === '';
  const sends = isSent
    ? [{ label: 'Save and Send', onClick: () => entry.send('send'), disabled: entry.form.busy }]
    : [];
  return (
    <DocumentModal
      entry={entry}
      actions={[...(saved === undefined ? [] : [preview.action]), ...sends]}
      totals={{ subtotal, taxItems: priced?.taxItems, total: priced?.invoiceAmount, problem }}
    >
      <EntryHead entry={entry} />
      <EntryLines entry={entry} choices={choices} whole={whole} />
      <CustomerNote entry={entry} />
      {preview.panel}
    </DocumentModal>
  );
}

interface TotalsOf extends Pick<TaxSources, 'saved'>, Pick<Pricing, 'whole'> {
  choices: LineChoices;
  /** Whether the whole document that contains these lines is still loading. */
  isWaiting?: boolean;
}

/**
 * Returns the form to calculate amounts from. Deferred until the typed character is shown, because pricing hundreds of
 * lines on every key press takes too long. Texts are omitted, so that typing them doesn't render the form twice.
 */
function usePricedForm<Form extends EntryForm>(form: Form): Form {
  const working = useSame(form.working && { ...form.working, description: '' });
  return useDeferredValue(useSame({ ...form, working, poNumber: '', customerNote: '' }));
}

/** Calculates the subtotal, tax, and total, including the unfinished line, with the selected customer's tax rates. */
export function useTotals(form: EntryForm, { saved, choices, whole, isWaiting = false }: TotalsOf): EntryTotals {
  const { customer, scenarios } = useTaxSources(form.customerId);
  const { items } = choices;
  const later = usePricedForm(form);
  return useMemo(
    () =>
      entryTotals(settled(later).lines, isWaiting ? undefined : ratesOf({ form: later, saved, customer, scenarios }), {
        offers: items,
        whole,
      }),
    [later, saved, customer, scenarios, items, whole, isWaiting],
  );
}

interface PartProps {
  entry: DocumentEntryState<BillingInvoice, EntryForm, EntryLine>;
}

/** The fields Customer, Invoice Date, Due Date, Invoice Number (read-only), and Billing Status. */
function EntryHead({ entry }: PartProps) {
  const { bind, patch, values } = entry.form;
  return (
    <DocumentHead entry={entry} entity={bind('customerId')}>
      <TextField
        label="Invoice Number"
        value={entry.saved?.invoiceNumber ?? ''}
        placeholder="Set when saved"
        readOnly
        onChange={() => undefined}
        span="half"
      />
      <Picker
        {...bind('status')}
        onChange={(status) => patch({ status: status ?? values.status })}
        options={useBillingStatuses()}
        label="Billing Status"
        span="half"
      />
    </DocumentHead>
  );
}

/**
 * The customer's PO number, and a note that is printed below the lines of the invoice. Both fields come after the
 * lines, because most invoices use neither.
 */
function CustomerNote({ entry: { form } }: PartProps) {
  return (
    <div className="bl-note">
      <TextField {...form.bind('poNumber')} value={form.values.poNumber ?? ''} label="PO Number" maxLength={50} />
      <TextField
        {...form.bind('customerNote')}
        value={form.values.customerNote ?? ''}
        label="Note to Customer"
        kind="lines"
        maxLength={2000}
      />
    </div>
  );
}

interface LinesProps<Form extends EntryForm> extends Pick<Pricing, 'whole'> {
  entry: DocumentEntryState<object, Form, EntryLine>;
  choices: LineChoices;
  /** Whether lines have their own dates. */
  isDated?: boolean;
}

/** The lines of an invoice, including the amounts of discounts. */
export function EntryLines<Form extends EntryForm>({ entry, choices, whole, isDated = true }: LinesProps<Form>) {
  const later = usePricedForm(entry.form.values);
  const amounts = useMemo(
    () => lineAmounts(settled(later).lines, { offers: choices.items, whole }),
    [later, choices.items, whole],
  );
  const columns = useMemo(() => (isDated ? entryColumns : undatedColumns)(choices), [choices, isDated]);
  const twoRows = useMemo(() => (isDated ? entryTwoRows : undatedTwoRows)(choices), [choices, isDated]);
  return (
    <DocumentLines
      entry={entry}
      columns={columns}
      twoRows={twoRows}
      amountOf={(line) => amounts.get(line.id)}
      card={entryCard}
      below={entryParts}
      addLabel="Add Billing Line Item"
    />
  );
}
