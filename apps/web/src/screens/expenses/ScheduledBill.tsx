import type { ExpenseInvoice } from '@evenkeel/contract/expenses';
import { useMemo } from 'react';
import { useSpendingChoices } from '../../parts/choices/accounts.ts';
import { useDimensions } from '../../parts/choices/dimensions.ts';
import {
  DocumentLines,
  documentEntry,
  DocumentModal,
  type EntryModalProps,
  useDocumentEntry,
} from '../../parts/documents/entry/DocumentEntry.tsx';
import { ScheduledHead } from '../../parts/scheduled/ScheduledHead.tsx';
import { ScheduleOutcome } from '../../parts/scheduled/ScheduleOutcome.tsx';
import { scheduleIn, type TemplateDocument } from '../../parts/scheduled/templates.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import { billFormTotal } from './billForm.ts';
import { billCard, billColumns, billTwoRows } from './billLines.tsx';
import { PaidHow } from './ExpenseEntry.tsx';
import { SCHEDULED_BILL_ENTRY } from './scheduledForm.ts';

/** The form for a scheduled bill. */
export const ScheduledBill = documentEntry(SCHEDULED_BILL_ENTRY, EntryModal);

function EntryModal(props: EntryModalProps<TemplateDocument<ExpenseInvoice>>) {
  const dimensions = useDimensions();
  const accounts = useSpendingChoices();
  const entry = useDocumentEntry(SCHEDULED_BILL_ENTRY, props, { required: dimensions.required });
  const columns = useMemo(() => billColumns(dimensions, accounts), [dimensions, accounts]);
  const twoRows = useMemo(() => billTwoRows(columns), [columns]);
  const { bind, values } = entry.form;
  return (
    <DocumentModal
      entry={entry}
      totals={{ total: billFormTotal(values) }}
      below={
        <ScheduleOutcome
          schedule={scheduleIn(values)}
          noun="a bill"
          amount={billFormTotal(values)}
          makes={values.makes}
          due={values.dueDate ?? entry.terms}
        />
      }
    >
      <ScheduledHead entry={entry} entity={bind('vendorId')} many="bills">
        <TextField
          {...bind('invoiceNumber')}
          label="Invoice Number"
          hint="The date of each bill is added to this number"
          maxLength={30}
          span="half"
        />
        <PaidHow entry={entry} />
      </ScheduledHead>
      <DocumentLines {...{ entry, columns, twoRows }} card={billCard} addLabel="Add Expense Line Item" />
    </DocumentModal>
  );
}
