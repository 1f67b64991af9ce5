import type { BillingInvoice } from '@evenkeel/contract/billing';
import { useLineChoices } from '../../../parts/choices/products.ts';
import {
  documentEntry,
  DocumentModal,
  type EntryModalProps,
  useDocumentEntry,
} from '../../../parts/documents/entry/DocumentEntry.tsx';
import { ScheduledHead } from '../../../parts/scheduled/ScheduledHead.tsx';
import type { TemplateDocument } from '../../../parts/scheduled/templates.ts';
import { EntryLines, useTotals } from '../invoices/BillingEntry.tsx';
import { SCHEDULED_ENTRY } from './scheduledForm.ts';

/** The form for a scheduled invoice. */
export const ScheduledInvoice = documentEntry(SCHEDULED_ENTRY, EntryModal);

function EntryModal(props: EntryModalProps<TemplateDocument<BillingInvoice>>) {
  const choices = useLineChoices();
  const entry = useDocumentEntry(SCHEDULED_ENTRY, props, { required: choices.required });
  const { subtotal, priced, problem } = useTotals(entry.form.values, { saved: undefined, choices });
  return (
    <DocumentModal
      entry={entry}
      totals={{ subtotal, taxItems: priced?.taxItems, total: priced?.invoiceAmount, problem }}
    >
      <ScheduledHead entry={entry} entity={entry.form.bind('customerId')} hasDrafts isSent hasPrices />
      <EntryLines entry={entry} choices={choices} isDated={false} />
    </DocumentModal>
  );
}
