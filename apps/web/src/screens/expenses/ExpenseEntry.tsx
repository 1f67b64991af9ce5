import { ExpenseInvoice } from '@evenkeel/contract/expenses';
import { useCallback, useMemo } from 'react';
import { AttachmentPane, AttachmentTabs } from '../../parts/attachments/AttachmentTabs.tsx';
import { useAttachments } from '../../parts/attachments/useAttachments.ts';
import { useSpendingChoices } from '../../parts/choices/accounts.ts';
import { useDimensions } from '../../parts/choices/dimensions.ts';
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
import { dueOf } from '../../parts/documents/lineForm.ts';
import { bankOptions, usePaymentChoices } from '../../parts/documents/moneyAccounts.ts';
import { entityOf } from '../../parts/documents/side.ts';
import { useKnownTerms, useTerms } from '../../parts/documents/terms.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useToday } from '../../ui/hooks/today.tsx';
import {
  billFaults,
  BillForm,
  billFormOf,
  billFormTotal,
  billInput,
  type BillLine,
  billLineFaults,
  blankBill,
  blankBillLine,
  isBlankBillLine,
  isChanged,
  postingDateOf,
  withBillDate,
} from './billForm.ts';
import { billCard, billColumns } from './billLines.tsx';
import { BILLS, EXPENSES } from './records.ts';
import { useDuplicate } from './useDuplicate.ts';

/** The Expense Entry modal. */
export const ExpenseEntry = documentEntry(BILLS, 'Expense Entry', EntryModal);

const WORDS = { save: 'Save/Send', remove: 'Delete Invoice' };

function EntryModal(props: EntryModalProps<ExpenseInvoice>) {
  const { saved, title, onClose } = props;
  const today = useToday();
  const dimensions = useDimensions();
  const terms = useKnownTerms(EXPENSES);
  const files = useAttachments();
  const duplicate = useDuplicate(saved?.id ?? 0);
  const formOf = (one: ExpenseInvoice | undefined) => (one === undefined ? blankBill(today) : billFormOf(one));
  const entry = useDocumentEntry({
    ...props,
    name: 'expense',
    kind: BILLS,
    formOf,
    schema: BillForm,
    reply: ExpenseInvoice,
    check: (form: BillForm) => billFaults(form, dimensions.required),
    input: billInput,
    isPayable: (one) => one.openAmount > 0,
    isChanged: (form) => isChanged(form, formOf(saved), terms(form.vendorId)),
    ask: duplicate.ask,
    files,
  });
  // Its answer may change whether there is something to save.
  useTerms(EXPENSES, entry.form.values.vendorId);
  const warning = duplicate.warningOf(entry.form.values);
  const total = billFormTotal(entry.form.values);
  return (
    <DocumentModal
      entry={entry}
      title={title}
      onClose={onClose}
      words={WORDS}
      total={total}
      tabs={<AttachmentTabs main="Invoice" form={entry.form} files={files} />}
    >
      <AttachmentPane form={entry.form} files={files}>
        {warning !== undefined && <InlineAlert kind="Warning">{warning}</InlineAlert>}
        <EntryHead entry={entry} />
        <EntryLines entry={entry} />
        <div className="dc-below">
          <DocumentTotals total={total} />
        </div>
      </AttachmentPane>
    </DocumentModal>
  );
}

interface PartProps {
  entry: DocumentEntryState<ExpenseInvoice, BillForm>;
}

/** Vendor, Invoice Number, Location, the three dates, and how it is paid: over the vendor's account or at once. */
function EntryHead({ entry: { form, saved } }: PartProps) {
  const { bind, values } = form;
  const { locations } = useDimensions();
  const choices = usePaymentChoices();
  const terms = useTerms(EXPENSES, values.vendorId);
  const set = (date: BillForm['invoiceDate']) => form.onChange(withBillDate(values, date, terms));
  const banks = bankOptions(choices, 'allowPayments', values.bankAccountId);
  return (
    <div className="ek-form">
      <EntityField side={EXPENSES} field={bind('vendorId')} current={saved && entityOf(saved)} />
      <TextField {...bind('invoiceNumber')} label="Invoice Number" maxLength={50} span="half" />
      <DateField {...bind('invoiceDate')} onChange={set} label="Invoice Date" span="half" />
      <DateField {...bind('dueDate')} value={dueOf(values, terms)} label="Due Date" span="half" />
      <DateField {...bind('postingDate')} value={postingDateOf(values)} label="Posting Date" span="half" />
      {locations !== undefined && (
        <Picker {...bind('locationId')} label="Location" options={locations} noneLabel="None" span={4} />
      )}
      <CheckField
        {...bind('postToVendorAccount')}
        label="Post To Vendor Account"
        hint="Off: paid at once from a cash account"
        span={4}
      />
      {!values.postToVendorAccount && (
        <Picker
          {...bind('bankAccountId')}
          label="Cash Account"
          options={banks}
          isLoading={choices.isLoading}
          span={4}
        />
      )}
    </div>
  );
}

function EntryLines({ entry }: PartProps) {
  const { values } = entry.form;
  const dimensions = useDimensions();
  const accounts = useSpendingChoices();
  const columns = useMemo(() => billColumns(dimensions, accounts), [dimensions, accounts]);
  const { required } = dimensions;
  const faultsOf = useCallback((line: BillLine) => billLineFaults(line, required), [required]);
  return (
    <DocumentLines<BillLine, BillForm>
      entry={entry}
      columns={columns}
      card={billCard}
      blank={(before) => blankBillLine(before, values)}
      isBlank={isBlankBillLine}
      faultsOf={faultsOf}
      addLabel="Add Expense Line Item"
    />
  );
}
