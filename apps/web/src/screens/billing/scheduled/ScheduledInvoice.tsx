import type { BillingInvoice } from '@evenkeel/contract/billing';
import { CUSTOMERS, useEntityChoice } from '../../../parts/choices/entities.ts';
import { useLineChoices } from '../../../parts/choices/products.ts';
import {
  documentEntry,
  DocumentModal,
  type EntryModalProps,
  useDocumentEntry,
} from '../../../parts/documents/entry/DocumentEntry.tsx';
import { ScheduledHead } from '../../../parts/scheduled/ScheduledHead.tsx';
import { ScheduleOutcome } from '../../../parts/scheduled/ScheduleOutcome.tsx';
import { scheduleIn, type TemplateDocument } from '../../../parts/scheduled/templates.ts';
import { EntryLines, useTotals } from '../invoices/BillingEntry.tsx';
import { SCHEDULED_ENTRY } from './scheduledForm.ts';

/** The form for a scheduled invoice. */
export const ScheduledInvoice = documentEntry(SCHEDULED_ENTRY, EntryModal);

function EntryModal(props: EntryModalProps<TemplateDocument<BillingInvoice>>) {
  const choices = useLineChoices();
  const entry = useDocumentEntry(SCHEDULED_ENTRY, props, { required: choices.required });
  const { subtotal, priced, problem } = useTotals(entry.form.values, { saved: undefined, choices });
  const { values } = entry.form;
  const customer = useEntityChoice(CUSTOMERS, values.customerId);
  return (
    <DocumentModal
      entry={entry}
      totals={{ subtotal, taxItems: priced?.taxItems, total: priced?.invoiceAmount, problem }}
      below={
        <ScheduleOutcome
          schedule={scheduleIn(values)}
          noun="an invoice"
          amount={priced?.invoiceAmount}
          makes={values.makes}
          due={values.dueDate ?? entry.terms}
          email={customer?.emailAddress}
        />
      }
    >
      <ScheduledHead entry={entry} entity={entry.form.bind('customerId')} hasDrafts isSent hasPrices many="invoices" />
      <EntryLines entry={entry} choices={choices} isDated={false} />
    </DocumentModal>
  );
}
