import { BillingInvoice, type DocumentParts } from '@evenkeel/contract/billing';
import { type BillingEstimate, type EstimateInvoiceInput, estimateCalls } from '@evenkeel/contract/estimates';
import { useState } from 'react';
import { ask } from '../../../client/api.ts';
import { useLineChoices } from '../../../parts/choices/products.ts';
import { DocumentTotals } from '../../../parts/documents/entry/DocumentTotals.tsx';
import { Kept } from '../../../parts/documents/entry/Kept.tsx';
import { dueOf, withDate } from '../../../parts/documents/entry/lineForm.ts';
import { useTerms } from '../../../parts/documents/entry/terms.ts';
import { LoadedModal, recordFooter, RecordModal } from '../../../records/RecordModal.tsx';
import { useOne, useSave } from '../../../records/records.ts';
import { telling, useRecordForm } from '../../../records/useRecordForm.ts';
import { DateField } from '../../../ui/fields/DateField.tsx';
import { QuantityField } from '../../../ui/fields/QuantityField.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { useToday } from '../../../ui/hooks/today.tsx';
import { Amount } from '../../../ui/show/Amount.tsx';
import { ChosenLines } from '../workItems/ChosenLines.tsx';
import { type ChoosableLine, placedLines, withPercent } from '../workItems/chosenLines.ts';
import { useTaxSources } from '../queries.ts';
import { BILLING, INVOICES } from '../records.ts';
import { ESTIMATES } from './records.ts';
import { useInvoiceable } from './useInvoiceable.ts';
import { ratesOf } from '../invoices/taxRates.ts';
import {
  choosableLines,
  InvoicingForm,
  invoicingFaults,
  invoicingForm,
  invoicingInput,
  invoicingTotals,
} from './estimateForm.ts';

interface InvoiceEstimateProps {
  estimateId: number;
  onClose: () => void;
  onSaved: (invoice: BillingInvoice) => void;
}

const TITLE = 'Create Invoice';

/** Creates an invoice from an estimate. The uninvoiced quantities of its lines are preselected. */
export function InvoiceEstimate(props: InvoiceEstimateProps) {
  const { estimateId, onClose } = props;
  const read = useOne(ESTIMATES, estimateId);
  const parts = useInvoiceable(estimateId);
  const retry = () => void Promise.all([read.retry(), parts.retry()]);
  const modal = { title: TITLE, size: 'xl' as const, onClose };
  return (
    <LoadedModal {...modal} id={estimateId} read={read}>
      {(estimate) => (
        <LoadedModal {...modal} read={parts}>
          {(of) => estimate && of && <Dialog {...props} estimate={estimate} whole={of.parts} onFaults={retry} />}
        </LoadedModal>
      )}
    </LoadedModal>
  );
}

interface DialogProps extends InvoiceEstimateProps {
  estimate: BillingEstimate;
  /** The estimate, with its invoiced quantities and amounts. */
  whole: DocumentParts;
  /** Another user may have invoiced the estimate in the meantime. */
  onFaults: () => unknown;
}

const invoicesOf = (id: number) => ({
  ...INVOICES,
  create: (body: EstimateInvoiceInput) => ask(estimateCalls.invoiceEstimate, { params: { id }, body }),
  update: (): never => {
    throw new Error('a new invoice has no id');
  },
});

/** Returns the dialog fields that show their own messages. */
const shownBy = (form: InvoicingForm): string[] => [
  'invoiceDate',
  'dueDate',
  ...form.lines.map((_, at) => `lines.${at}.quantity`),
];

function hintOf(lines: readonly ChoosableLine[]): string {
  if (lines.some(({ taken }) => taken.gt(0))) return 'Quantities not yet invoiced are selected';
  return lines.length === 1 ? 'Preselected' : `All ${lines.length} lines are selected`;
}

function Dialog({ estimate, whole, onClose, onSaved, onFaults }: DialogProps) {
  const { id: estimateId, customerId, invoiceNumber: number, rowVersion } = estimate;
  const today = useToday();
  const { items } = useLineChoices();
  const { customer, scenarios } = useTaxSources(customerId);
  const terms = useTerms(BILLING, customerId);
  const lines = choosableLines(estimate);
  const save = useSave<BillingInvoice, EstimateInvoiceInput>(invoicesOf(estimateId));
  const groundOf = (form: InvoicingForm) => {
    const { invoiceDate } = form;
    const rates = ratesOf({ form: { customerId, invoiceDate }, saved: undefined, customer, scenarios });
    return { lines, rates, offers: items, whole };
  };
  const sent =
    (isDraft: boolean) => (form: InvoicingForm, sending: { place: Parameters<typeof save>[2]; reason: string }) =>
      save(0, invoicingInput(form, lines, { isDraft, reason: sending.reason, rowVersion }), sending.place);
  const typed = useRecordForm<BillingInvoice, InvoicingForm>({
    name: `billing:estimate ${estimateId}`,
    id: 0,
    saved: undefined,
    formOf: () => invoicingForm(lines, today),
    schema: InvoicingForm,
    check: (form) => invoicingFaults(form, groundOf(form)),
    placed: placedLines,
    send: sent(false),
    keep: sent(true),
    reply: BillingInvoice,
    onFaults: () => void onFaults(),
    words: {
      saved: (invoice) => `Invoice ${invoice.invoiceNumber} saved`,
      create: INVOICES.words.create,
      update: INVOICES.words.update,
    },
    onSaved,
  });
  const [percent, setPercent] = useState<number | null>(null);
  const form = telling(typed, shownBy(typed.values));
  const { values } = form;
  const totals = invoicingTotals(values, groundOf(values));
  const { remove: _, ...footer } = recordFooter(form, '');
  const fixed = { readOnly: true, onChange: () => undefined };
  return (
    <RecordModal
      form={form}
      title={TITLE}
      size="xl"
      onClose={onClose}
      beside={
        <>
          <span className="ek-muted ek-small">From estimate {number}</span>
          <Kept at={form.savedAt} />
        </>
      }
      footer={{
        ...footer,
        primary: { label: 'Create Invoice', onClick: form.save, busy: form.busy },
        actions: form.keep === undefined ? [] : [{ label: 'Save as Draft', onClick: form.keep, disabled: form.busy }],
        total: (
          <>
            <span className="ek-second">Invoice Total</span>
            <span className="ek-semi">
              {totals.priced === undefined ? '' : <Amount value={totals.priced.invoiceAmount} sign />}
            </span>
          </>
        ),
      }}
    >
      <div className="ek-stack">
        <div className="ek-form">
          <TextField {...fixed} label="Customer" value={estimate.customerDisplayName} span={4} />
          <DateField
            {...form.bind('invoiceDate')}
            label="Invoice Date"
            span="half"
            onChange={(date) => form.onChange(withDate(values, date, terms))}
          />
          <DateField
            label="Due Date"
            value={dueOf(values, terms)}
            error={form.errorOf('dueDate')}
            readOnly={form.isReadOnly}
            span="half"
            onChange={(dueDate) => form.patch({ dueDate })}
          />
          <QuantityField
            label="Percent of Estimate"
            value={percent}
            onChange={(typed) => {
              setPercent(typed);
              if (typed !== null) form.onChange(withPercent(values, lines, Math.min(100, Math.max(0, typed))));
            }}
            placeholder="All remaining"
            span="half"
          />
        </div>
        <ChosenLines
          form={form}
          lines={lines}
          amounts={totals.amounts}
          title={`Lines on estimate ${number}`}
          hint={hintOf(lines)}
          words={{ whole: 'Estimated', taken: 'previously invoiced' }}
        />
        <div className="bl-credit-below">
          <span />
          <DocumentTotals
            subtotal={totals.subtotal}
            taxItems={totals.priced?.taxItems}
            total={totals.priced?.invoiceAmount}
          />
        </div>
      </div>
    </RecordModal>
  );
}
