import type { ExpenseInvoice } from '@evenkeel/contract/expenses';
import { useMemo } from 'react';
import { RECEIPT_WAITS } from '../../parts/attachments/ReceiptPane.tsx';
import { useAttachments } from '../../parts/attachments/useAttachments.ts';
import { useSpendingChoices } from '../../parts/choices/accounts.ts';
import { useDimensions } from '../../parts/choices/dimensions.ts';
import { useEntityChoice } from '../../parts/choices/entities.ts';
import {
  AttachedDocumentModal,
  type DocumentEntryState,
  DocumentLines,
  documentEntry,
  type EntryModalProps,
  useDocumentEntry,
} from '../../parts/documents/entry/DocumentEntry.tsx';
import { DocumentHead } from '../../parts/documents/entry/DocumentHead.tsx';
import { bankOptions, usePaymentChoices } from '../../parts/documents/payment/moneyAccounts.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useWide } from '../../ui/hooks/media.ts';
import { BILL_ENTRY, billFormTotal, type BillForm, type BillLine, postingDateOf } from './billForm.ts';
import { billCard, billColumns, billTwoRows } from './billLines.tsx';
import { EXPENSES } from './records.ts';
import { useDuplicate } from './useDuplicate.ts';

/** The Expense Entry modal. */
export const ExpenseEntry = documentEntry(BILL_ENTRY, EntryModal, RECEIPT_WAITS);

function EntryModal(props: EntryModalProps<ExpenseInvoice>) {
  const dimensions = useDimensions();
  const accounts = useSpendingChoices();
  const files = useAttachments({ isBeside: useWide() });
  const duplicate = useDuplicate(props.saved?.id ?? 0);
  const entry = useDocumentEntry(BILL_ENTRY, props, { required: dimensions.required, files, ask: duplicate.ask });
  const columns = useMemo(() => billColumns(dimensions, accounts), [dimensions, accounts]);
  const twoRows = useMemo(() => billTwoRows(columns), [columns]);
  const { values } = entry.form;
  const starts = useUsualAccount(values, accounts.options);
  const warning = duplicate.warningOf(values);
  return (
    <AttachedDocumentModal entry={entry} files={files} totals={{ total: billFormTotal(values) }}>
      {warning !== undefined && <InlineAlert kind="Warning">{warning}</InlineAlert>}
      <EntryHead entry={entry} wasVoid={props.saved?.voided === true} />
      <DocumentLines {...{ entry, columns, twoRows, starts }} card={billCard} addLabel="Add Expense Line Item" />
    </AttachedDocumentModal>
  );
}

/**
 * Returns the account for the bill's first line: the account on the vendor's newest bill, if it can still be selected.
 */
function useUsualAccount({ vendorId, lines }: BillForm, options: readonly { id: number }[]) {
  const id = useEntityChoice(EXPENSES.entities, vendorId)?.usualAccountId ?? null;
  const isOffered = lines.length === 0 && options.some((account) => account.id === id);
  return isOffered ? { accountId: id } : undefined;
}

interface EntryHeadProps {
  entry: DocumentEntryState<ExpenseInvoice, BillForm, BillLine>;
  wasVoid: boolean;
}

/**
 * The fields Vendor, Invoice Number, the three dates, and the payment method. For a void bill, also the Void checkbox.
 */
function EntryHead({ entry, wasVoid }: EntryHeadProps) {
  const { bind, values } = entry.form;
  const number = <TextField {...bind('invoiceNumber')} label="Invoice Number" maxLength={50} span="half" />;
  return (
    <DocumentHead entry={entry} entity={bind('vendorId')} first={number}>
      <DateField {...bind('postingDate')} value={postingDateOf(values)} label="Posting Date" span="half" />
      <PaidHow entry={entry} />
      {wasVoid && (
        <CheckField {...bind('voided')} label="Void" hint="If this is off, the bill is posted again" span={4} />
      )}
    </DocumentHead>
  );
}

interface PaidHowProps<Form extends BillForm> {
  entry: Pick<DocumentEntryState<object, Form, BillLine>, 'form'>;
}

/** The location, and the payment method: on the vendor's account, or paid immediately. */
export function PaidHow<Form extends BillForm>({ entry }: PaidHowProps<Form>) {
  const { bind, values } = entry.form;
  const { locations } = useDimensions();
  const choices = usePaymentChoices();
  const banks = bankOptions(choices, 'allowPayments', values.bankAccountId);
  return (
    <>
      {locations !== undefined && (
        <Picker {...bind('locationId')} label="Location" options={locations} noneLabel="None" span={4} />
      )}
      <CheckField
        {...bind('postToVendorAccount')}
        label="Post To Vendor Account"
        hint="If this is off, the bill is paid immediately from a cash account"
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
    </>
  );
}
