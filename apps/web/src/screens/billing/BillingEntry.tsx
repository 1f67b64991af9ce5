import { BillingInvoice } from '@evenkeel/contract/billing';
import { useCallback, useDeferredValue, useMemo } from 'react';
import { type LineChoices, useLineChoices } from '../../parts/choices/products.ts';
import {
  type DocumentEntryState,
  DocumentLines,
  documentEntry,
  DocumentModal,
  type EntryModalProps,
  useDocumentEntry,
} from '../../parts/documents/DocumentEntry.tsx';
import { DocumentTotals } from '../../parts/documents/DocumentTotals.tsx';
import { EntityField } from '../../parts/documents/EntityField.tsx';
import { dueOf, settled } from '../../parts/documents/lineForm.ts';
import { entityOf } from '../../parts/documents/side.ts';
import { useTerms } from '../../parts/documents/terms.ts';
import { DateField } from '../../ui/fields/DateField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useToday } from '../../ui/hooks/today.tsx';
import { entryCard, entryColumns, entryParts, entryTwoRows } from './entryColumns.tsx';
import {
  blankEntry,
  blankLine,
  entryFaults,
  EntryForm,
  type EntryLine,
  entryInput,
  entryOf,
  type EntryTotals,
  entryTotals,
  isBlankLine,
  lineAmounts,
  lineFaults,
  withInvoiceDate,
} from './invoiceForm.ts';
import { useBillingStatuses, useTaxSources } from './queries.ts';
import { BILLING, INVOICES } from './records.ts';
import { ratesOf } from './taxRates.ts';
import { useInvoicePreview } from './useInvoicePreview.tsx';

/** The Billing Entry modal. */
export const BillingEntry = documentEntry(INVOICES, 'Billing Entry', EntryModal);

function EntryModal(props: EntryModalProps<BillingInvoice>) {
  const { saved, title, onClose } = props;
  const today = useToday();
  const choices = useLineChoices();
  const entry = useDocumentEntry({
    ...props,
    name: 'billing',
    kind: INVOICES,
    formOf: (one: BillingInvoice | undefined) => (one === undefined ? blankEntry(today, null) : entryOf(one)),
    schema: EntryForm,
    reply: BillingInvoice,
    check: (form: EntryForm) => entryFaults(form, choices.required),
    input: entryInput,
    places: { arBillingStatus: 'status' },
    isPayable: (one) => one.readyToPay,
  });
  const totals = useTotals(entry.form.values, { saved, choices });
  const preview = useInvoicePreview(saved, entry.form.dirty);
  return (
    <DocumentModal
      entry={entry}
      title={title}
      onClose={onClose}
      actions={saved === undefined ? [] : [preview.action]}
      total={totals.priced?.invoiceAmount}
    >
      <div className="ek-stack dc-entry">
        <EntryHead entry={entry} />
        <EntryLines entry={entry} choices={choices} />
        <div className="dc-below">
          <div>
            <DocumentTotals
              subtotal={totals.subtotal}
              taxItems={totals.priced?.taxItems ?? []}
              total={totals.priced?.invoiceAmount}
            />
            {totals.problem !== undefined && <p className="dc-late">{totals.problem}</p>}
          </div>
        </div>
      </div>
      {preview.panel}
    </DocumentModal>
  );
}

/** Subtotal, tax and total of what is typed, the line in work included, by the rates of the chosen customer. */
function useTotals(
  form: EntryForm,
  { saved, choices }: { saved: BillingInvoice | undefined; choices: LineChoices },
): EntryTotals {
  const { customer, scenarios } = useTaxSources(form.customerId);
  const { items } = choices;
  // After the key is shown: pricing hundreds of lines takes longer than a key may.
  const later = useDeferredValue(form);
  return useMemo(
    () => entryTotals(settled(later).lines, ratesOf({ form: later, saved, customer, scenarios }), items),
    [later, saved, customer, scenarios, items],
  );
}

interface PartProps {
  entry: DocumentEntryState<BillingInvoice, EntryForm>;
}

/** Customer, Invoice Date, Due Date, Invoice Number (read-only), Billing Status. */
function EntryHead({ entry: { form, saved } }: PartProps) {
  const { bind, values } = form;
  const terms = useTerms(BILLING, values.customerId);
  const set = (date: EntryForm['invoiceDate']) => form.onChange(withInvoiceDate(values, date, terms));
  return (
    <div className="ek-form">
      <EntityField side={BILLING} field={bind('customerId')} current={saved && entityOf(saved)} />
      <DateField {...bind('invoiceDate')} onChange={set} label="Invoice Date" span="half" />
      <DateField {...bind('dueDate')} value={dueOf(values, terms)} label="Due Date" span="half" />
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

function EntryLines({ entry, choices }: PartProps & { choices: LineChoices }) {
  const { values } = entry.form;
  const later = useDeferredValue(values);
  const amounts = useMemo(() => lineAmounts(settled(later).lines, choices.items), [later, choices.items]);
  const columns = useMemo(() => entryColumns(choices), [choices]);
  const twoRows = useMemo(() => entryTwoRows(choices), [choices]);
  const { required } = choices;
  const faultsOf = useCallback((line: EntryLine) => lineFaults(line, required), [required]);
  return (
    <DocumentLines<EntryLine, EntryForm>
      entry={entry}
      columns={columns}
      twoRows={twoRows}
      amountOf={(line) => amounts.get(line.id)}
      card={entryCard}
      below={entryParts}
      blank={(before) => blankLine(before, values)}
      isBlank={isBlankLine}
      faultsOf={faultsOf}
      addLabel="Add Billing Line Item"
    />
  );
}
