import type { BillingEstimate } from '@evenkeel/contract/estimates';
import { ESTIMATE_DAYS, estimateSendingFault } from '@evenkeel/core/documents/estimate';
import { useLineChoices } from '../../../parts/choices/products.ts';
import {
  documentEntry,
  DocumentModal,
  type EntryModalProps,
  useDocumentEntry,
} from '../../../parts/documents/entry/DocumentEntry.tsx';
import { EntityField } from '../../../parts/documents/entry/EntityField.tsx';
import { dueOf } from '../../../parts/documents/entry/lineForm.ts';
import { entityOf } from '../../../parts/documents/side.ts';
import { DateField } from '../../../ui/fields/DateField.tsx';
import { Picker } from '../../../ui/fields/Picker.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { EntryLines, useTotals } from '../invoices/BillingEntry.tsx';
import { BILLING } from '../records.ts';
import { ESTIMATE_ENTRY, statusesFor } from './estimateForm.ts';

/** The form for an estimate. */
export const EstimateEntry = documentEntry(ESTIMATE_ENTRY, EntryModal);

function EntryModal(props: EntryModalProps<BillingEstimate>) {
  const { saved } = props;
  const choices = useLineChoices();
  const entry = useDocumentEntry(ESTIMATE_ENTRY, props, { required: choices.required });
  const { bind, patch, values, errorOf, isReadOnly, onChange, busy } = entry.form;
  const { subtotal, priced, problem } = useTotals(values, { saved, choices });
  const isSent = props.onSend !== undefined && estimateSendingFault(values.status) === '';
  const sends = isSent ? [{ label: 'Save and Send', onClick: () => entry.send('send'), disabled: busy }] : [];
  return (
    <DocumentModal
      entry={entry}
      actions={sends}
      totals={{ subtotal, taxItems: priced?.taxItems, total: priced?.invoiceAmount, problem }}
    >
      <div className="ek-form">
        <EntityField side={BILLING} field={bind('customerId')} current={saved && entityOf(saved)} />
        <DateField
          {...bind('invoiceDate')}
          label="Estimate Date"
          span="half"
          onChange={(date) => onChange(ESTIMATE_ENTRY.withDate(values, date, ESTIMATE_DAYS))}
        />
        <DateField
          label="Expiration Date"
          value={dueOf(values, ESTIMATE_DAYS)}
          error={errorOf('dueDate')}
          readOnly={isReadOnly}
          span="half"
          onChange={(dueDate) => patch({ dueDate })}
        />
        <TextField
          label="Estimate Number"
          value={saved?.invoiceNumber ?? ''}
          placeholder="Set when saved"
          readOnly
          onChange={() => undefined}
          span="half"
        />
        <Picker
          {...bind('status')}
          onChange={(status) => patch({ status: status ?? values.status })}
          options={statusesFor(saved)}
          label="Status"
          span="half"
        />
        <TextField {...bind('note')} label="Note (appears on the estimate)" maxLength={500} span={6} />
      </div>
      <EntryLines entry={entry} choices={choices} isDated={false} />
    </DocumentModal>
  );
}
