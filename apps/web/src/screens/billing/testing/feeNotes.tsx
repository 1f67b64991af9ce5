import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import { FeeNote, feeNoteCalls, type FeeNoteInput } from '@evenkeel/contract/testing/fee-notes';
import { OPEN, sendingFault } from '@evenkeel/core/documents/invoice';
import { ZERO } from '@evenkeel/core/money';
import { FEE_NOTE } from '@evenkeel/core/testing/fee-note';
import * as z from 'zod';
import { useSpendingChoices } from '../../../parts/choices/accounts.ts';
import { useDimensions } from '../../../parts/choices/dimensions.ts';
import {
  documentEntry,
  DocumentLines,
  DocumentModal,
  type EntryModalProps,
  useDocumentEntry,
} from '../../../parts/documents/entry/DocumentEntry.tsx';
import { EntityField } from '../../../parts/documents/entry/EntityField.tsx';
import { entryKind } from '../../../parts/documents/entry/entryKind.ts';
import { DESCRIPTION, moneyColumn, postingColumns } from '../../../parts/documents/entry/lineColumns.tsx';
import { documentFields, lineFields, linesInput } from '../../../parts/documents/entry/lineForm.ts';
import { AMOUNT, entityColumn, numberColumn } from '../../../parts/documents/list/documentColumns.tsx';
import { DocumentPanel, type DocumentPanelProps } from '../../../parts/documents/panel/DocumentPanel.tsx';
import { entityOf } from '../../../parts/documents/side.ts';
import { useSentDocument } from '../../../parts/sending/useSentDocument.tsx';
import { Money } from '../../../records/formFields.ts';
import { useOne } from '../../../records/records.ts';
import { Amount } from '../../../ui/show/Amount.tsx';
import { documentTab } from '../documentTab.tsx';
import { BILLING, billingRecords } from '../records.ts';

// The screen for a kind of document that Evenkeel doesn't have: its form, its panel, and its tab.

const { records, side } = billingRecords<BillingInvoiceRow, FeeNote, FeeNoteInput>(FEE_NOTE, feeNoteCalls);

const Line = z.object({ ...lineFields, amount: Money.nullable() });
const Form = z.object({ ...documentFields(Line), customerId: z.number().nullable() });
type Line = z.output<typeof Line>;

const ENTRY = entryKind({
  title: FEE_NOTE.label,
  words: { save: 'Save', remove: 'Delete' },
  draft: FEE_NOTE.source,
  side,
  records,
  schema: Form,
  line: Line,
  reply: FeeNote,
  lineOf: (line) => ({ amount: line.lineItemAmount }),
  starts: {},
  isBlankLine: (line) => line.amount === null && line.accountId === null,
  entityId: (form) => form.customerId,
  check: ({ customerId }) => (customerId === null ? { customerId: 'Please Select a Customer' } : {}),
  lineFaults: ({ amount }) => (amount === null ? { amount: 'Please enter an amount' } : {}),
  input: (form: z.output<typeof Form>, id): FeeNoteInput => {
    const { customerId, invoiceDate, rowVersion } = form;
    if (customerId === null || invoiceDate === null) throw new Error('an unchecked fee note is not sent');
    const lineItems = linesInput(
      form,
      ({ amount, accountId, ...line }) => ({ ...line, accountId: accountId ?? 0, lineItemAmount: amount ?? ZERO }),
      { accountId: 0, lineItemAmount: ZERO },
    );
    return { id, customerId, invoiceDate, rowVersion, lineItems };
  },
  isPayable: () => false,
});

const FEE = moneyColumn<Line>({
  id: 'amount',
  header: 'Fee',
  width: 140,
  show: (line) => <Amount value={line.amount ?? ZERO} />,
  of: (line) => line.amount,
  patch: (amount) => ({ amount }),
});

const Entry = documentEntry(ENTRY, function EntryModal(props: EntryModalProps<FeeNote>) {
  const dimensions = useDimensions();
  const entry = useDocumentEntry(ENTRY, props, { required: dimensions.required });
  const accounts = useSpendingChoices();
  const columns = [...postingColumns(dimensions, accounts), DESCRIPTION, FEE];
  return (
    <DocumentModal entry={entry} totals={{ total: ZERO }}>
      <EntityField
        side={BILLING}
        field={entry.form.bind('customerId')}
        current={props.saved && entityOf(props.saved)}
      />
      <DocumentLines
        {...{ entry, columns }}
        card={(line) => ({ title: line.description, amount: '', detail: '' })}
        addLabel="Add Fee"
      />
    </DocumentModal>
  );
});

function Panel(props: DocumentPanelProps) {
  const { value } = useOne(records, props.id);
  const { preview, send, ...sent } = useSentDocument(
    { kind: FEE_NOTE, calls: feeNoteCalls },
    { id: props.id, number: value?.invoiceNumber, isSendable: value?.arBillingStatus === OPEN },
  );
  return (
    <DocumentPanel<FeeNote>
      {...props}
      {...sent}
      side={side}
      papers={[preview]}
      primary={send}
      statusOf={(note) => note.arBillingStatus}
      facts={() => []}
      lineNotes={() => null}
    />
  );
}

export const FEE_NOTE_TAB = documentTab<BillingInvoiceRow, FeeNote>({
  kind: FEE_NOTE,
  value: 'feenotes',
  records,
  columns: (record) => [
    numberColumn(record, { id: 'invoiceNumber', header: 'Fee Note', width: '134px' }, (row) => row.invoiceNumber),
    entityColumn(BILLING, 'customerDisplayName', entityOf),
    AMOUNT,
  ],
  faultOf: sendingFault,
  hint: 'Charge a fee.',
  panel: Panel,
  entry: Entry,
  edit: 'editfeenote',
});
