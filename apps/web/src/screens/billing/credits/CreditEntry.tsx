import type { BillingCredit } from '@evenkeel/contract/credits';
import { DRAFT, OPEN, SENT, VOID } from '@evenkeel/core/documents/invoice';
import { useLineChoices } from '../../../parts/choices/products.ts';
import {
  documentEntry,
  type DocumentEntryProps,
  DocumentModal,
  type EntryModalProps,
  useDocumentEntry,
} from '../../../parts/documents/entry/DocumentEntry.tsx';
import { EntityField } from '../../../parts/documents/entry/EntityField.tsx';
import { entityOf } from '../../../parts/documents/side.ts';
import { LoadedModal } from '../../../records/RecordModal.tsx';
import { useOne } from '../../../records/records.ts';
import { DateField } from '../../../ui/fields/DateField.tsx';
import { Picker } from '../../../ui/fields/Picker.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { EntryLines, useTotals } from '../invoices/BillingEntry.tsx';
import { CREDIT_ENTRY } from './creditForm.ts';
import { CreditInvoice } from './CreditInvoice.tsx';
import { BILLING } from '../records.ts';
import { CREDITS } from './records.ts';

/** The form for a credit memo with its own lines. */
export const FreeEntry = documentEntry(CREDIT_ENTRY, EntryModal);

/**
 * The form for a credit memo. If the credit memo credits an invoice, the form shows that invoice's lines. Otherwise,
 * its lines work like those of an invoice.
 */
export function CreditEntry(props: DocumentEntryProps<BillingCredit>) {
  const { invoiceId: id, onClose } = props;
  return (
    <LoadedModal id={id} read={useOne(CREDITS, id)} title={CREDIT_ENTRY.title} size="xl" onClose={onClose}>
      {(saved) =>
        saved === undefined || saved.creditedInvoiceId === null ? (
          <FreeEntry {...props} />
        ) : (
          <CreditInvoice {...props} invoiceId={saved.creditedInvoiceId} creditId={id} />
        )
      }
    </LoadedModal>
  );
}

const STATUSES = [
  { id: DRAFT, label: 'Draft' },
  { id: OPEN, label: 'Open' },
  { id: SENT, label: 'Sent' },
  { id: VOID, label: 'Void' },
];

function EntryModal(props: EntryModalProps<BillingCredit>) {
  const { saved } = props;
  const choices = useLineChoices();
  const entry = useDocumentEntry(CREDIT_ENTRY, props, { required: choices.required });
  const { bind, patch, values } = entry.form;
  const { subtotal, priced, problem } = useTotals(values, { saved, choices });
  return (
    <DocumentModal
      entry={entry}
      totals={{ subtotal, taxItems: priced?.taxItems, total: priced?.invoiceAmount, label: 'Credit', problem }}
    >
      <div className="ek-form">
        <EntityField side={BILLING} field={bind('customerId')} current={saved && entityOf(saved)} />
        <DateField
          {...bind('invoiceDate')}
          label="Credit Date"
          span="half"
          onChange={(date) => entry.form.onChange(CREDIT_ENTRY.withDate(values, date, 0))}
        />
        <TextField
          label="Credit Memo Number"
          value={saved?.invoiceNumber ?? ''}
          placeholder="Set when saved"
          readOnly
          onChange={() => undefined}
          span="half"
        />
        <Picker
          {...bind('status')}
          onChange={(status) => patch({ status: status ?? values.status })}
          options={STATUSES}
          label="Status"
          span="half"
        />
        <TextField {...bind('reason')} label="Reason (appears on the credit memo)" maxLength={500} span={6} />
      </div>
      <EntryLines entry={entry} choices={choices} />
    </DocumentModal>
  );
}
