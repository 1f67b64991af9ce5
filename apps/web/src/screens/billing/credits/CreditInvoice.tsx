import '../billing.css';
import type { BillingCredit } from '@evenkeel/contract/credits';
import { BillingCredit as Reply, creditCalls } from '@evenkeel/contract/credits';
import { formatDate } from '@evenkeel/core/dates';
import { paidSoFar } from '@evenkeel/core/documents/invoice';
import { cents, formatAmount, minCents, negate } from '@evenkeel/core/money';
import { ask, useRead } from '../../../client/api.ts';
import { useLineChoices } from '../../../parts/choices/products.ts';
import { InvoiceBadge } from '../../../parts/badges.tsx';
import { DocumentTotals } from '../../../parts/documents/entry/DocumentTotals.tsx';
import { Kept } from '../../../parts/documents/entry/Kept.tsx';
import { LoadedModal, recordFooter, RecordModal } from '../../../records/RecordModal.tsx';
import { useOne, useRemove, useSave } from '../../../records/records.ts';
import { type RecordForm, telling, useRecordForm } from '../../../records/useRecordForm.ts';
import { CheckField } from '../../../ui/fields/CheckField.tsx';
import { DateField } from '../../../ui/fields/DateField.tsx';
import { MoneyField } from '../../../ui/fields/MoneyField.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { useToday } from '../../../ui/hooks/today.tsx';
import { useAlerts } from '../../../ui/alerts/Alerts.tsx';
import { Amount } from '../../../ui/show/Amount.tsx';
import { Totals } from '../../../ui/show/Facts.tsx';
import {
  appliedOf,
  type Origin,
  OriginForm,
  originFaults,
  originForm,
  originInput,
  originOf,
  originTotals,
} from './creditForm.ts';
import { ChosenLines } from '../workItems/ChosenLines.tsx';
import { placedLines } from '../workItems/chosenLines.ts';
import { INVOICES } from '../records.ts';
import { CREDITS } from './records.ts';

interface CreditInvoiceProps {
  invoiceId: number;
  /** The ID of the invoice's saved credit memo, or 0 for a new one. */
  creditId?: number;
  onClose: () => void;
  onSaved: (memo: BillingCredit) => void;
  onDeleted: () => void;
}

const TITLE = 'Credit Memo';

/**
 * The Credit Invoice dialog. It lists the invoice's lines with the uncredited quantities preselected, and the amount
 * applied to the invoice.
 */
export function CreditInvoice(props: CreditInvoiceProps) {
  const { invoiceId, creditId = 0, onClose } = props;
  const invoice = useOne(INVOICES, invoiceId);
  const query = creditId > 0 ? { without: creditId } : {};
  const credited = useRead(ask(creditCalls.creditable, { params: { id: invoiceId }, query }));
  const saved = useOne(CREDITS, creditId);
  const modal = { title: TITLE, size: 'xl' as const, onClose };
  return (
    <LoadedModal {...modal} read={invoice}>
      {(of) => (
        <LoadedModal {...modal} read={credited}>
          {(parts) => (
            <LoadedModal {...modal} id={creditId} read={saved}>
              {(memo) =>
                of && parts && <Dialog {...props} origin={originOf(of, parts, memo)} onFaults={credited.retry} />
              }
            </LoadedModal>
          )}
        </LoadedModal>
      )}
    </LoadedModal>
  );
}

interface DialogProps extends CreditInvoiceProps {
  origin: Origin;
  /** Another user may have credited the invoice in the meantime. */
  onFaults: () => unknown;
}

/** Returns the dialog fields that show their own messages. */
const shownBy = (form: OriginForm): string[] => [
  'invoiceDate',
  'reason',
  'applyAmount',
  ...form.lines.map((_, at) => `lines.${at}.quantity`),
];

function Dialog({ origin, onClose, onSaved, onDeleted, onFaults }: DialogProps) {
  const { invoice, saved } = origin;
  const today = useToday();
  const alerts = useAlerts();
  const { items } = useLineChoices();
  const save = useSave(CREDITS);
  const id = saved?.id ?? 0;
  const sent =
    (isDraft: boolean) => (form: OriginForm, sending: { place: Parameters<typeof save>[2]; reason: string }) => {
      const applied = appliedOf(form, origin, originTotals(form, origin, items).credit);
      return save(id, originInput(form, origin, { applied, isDraft, reason: sending.reason }), sending.place);
    };
  const typed = useRecordForm<BillingCredit, OriginForm>({
    name: saved === undefined ? `billingcredit:invoice ${invoice.id}` : 'billingcredit',
    id,
    saved,
    formOf: (memo) => originForm({ ...origin, saved: memo }, today),
    schema: OriginForm,
    check: (form) => originFaults(form, origin, items),
    placed: placedLines,
    send: sent(false),
    keep: sent(true),
    remove: useRemove(CREDITS),
    reply: Reply,
    onFaults: () => void onFaults(),
    words: {
      saved: (memo) => `Credit memo ${memo.invoiceNumber} saved`,
      create: CREDITS.words.create,
      update: CREDITS.words.update,
    },
    onSaved,
    onRemoved: () => {
      alerts.success(`Credit memo ${saved?.invoiceNumber ?? ''} deleted`);
      onDeleted();
    },
  });
  const form = telling(typed, shownBy(typed.values));
  const { values } = form;
  const totals = originTotals(values, origin, items);
  const applied = appliedOf(values, origin, totals.credit);
  const { remove, ...footer } = recordFooter(form, `Delete credit memo ${saved?.invoiceNumber ?? ''}?`);
  const isDraft = saved === undefined || saved.badge === 'Draft';
  return (
    <RecordModal
      form={form}
      title={TITLE}
      size="xl"
      onClose={onClose}
      beside={
        <>
          <span className="ek-muted ek-small">From invoice {invoice.invoiceNumber}</span>
          {saved !== undefined && <InvoiceBadge invoice={saved} />}
          <Kept at={form.savedAt} />
        </>
      }
      footer={{
        ...footer,
        remove,
        primary: {
          label: applied > 0 ? `Save and Apply ${formatAmount(applied)}` : 'Save Credit Memo',
          onClick: form.save,
          busy: form.busy,
        },
        actions:
          isDraft && form.keep !== undefined
            ? [{ label: 'Save as Draft', onClick: form.keep, disabled: form.busy }]
            : [],
        total: <FootCredit credit={totals.credit} />,
      }}
    >
      <div className="bl-credit">
        <div className="ek-stack">
          <Head form={form} origin={origin} />
          <ChosenLines
            form={form}
            lines={origin.lines}
            amounts={totals.amounts}
            title={`Lines on invoice ${invoice.invoiceNumber}`}
            hint={hintOf(origin)}
            words={{ whole: 'Billed', taken: 'previously credited' }}
          />
          <div className="bl-credit-below">
            <TextField
              {...form.bind('reason')}
              kind="lines"
              label="Reason (appears on the credit memo)"
              maxLength={500}
            />
            <DocumentTotals
              subtotal={totals.subtotal}
              taxItems={totals.priced?.taxItems}
              total={totals.credit}
              label="Credit"
            />
          </div>
        </div>
        <Aside form={form} origin={origin} credit={totals.credit} applied={applied} />
      </div>
    </RecordModal>
  );
}

interface PartProps {
  form: RecordForm<OriginForm>;
  origin: Origin;
}

function Head({ form, origin: { invoice, saved } }: PartProps) {
  const fixed = { readOnly: true, onChange: () => undefined };
  return (
    <div className="ek-form">
      <TextField {...fixed} label="Customer" value={invoice.customerDisplayName} span={4} />
      <DateField {...form.bind('invoiceDate')} label="Credit Date" span="half" />
      <TextField
        {...fixed}
        label="Credit Memo Number"
        value={saved?.invoiceNumber ?? ''}
        placeholder="When saved"
        span="half"
      />
    </div>
  );
}

function hintOf({ lines, saved }: Origin): string {
  if (saved !== undefined) return '';
  if (lines.some(({ taken }) => taken.gt(0))) return 'Quantities not yet credited are selected';
  return lines.length === 1 ? 'Preselected' : `All ${lines.length} lines are selected`;
}

/** Shows how the invoice's new unpaid amount is calculated, and a field for the amount to apply to the invoice. */
function Aside({ form, origin, credit, applied }: PartProps & { credit: number; applied: number }) {
  const { invoice, saved } = origin;
  const { invoiceNumber, invoiceDate, dueDate, invoiceAmount, openAmount } = invoice;
  const paid = paidSoFar({ ...invoice, status: invoice.arBillingStatus });
  const most = minCents(cents(credit), openAmount);
  const due = dueDate === null ? '' : `, due ${formatDate(dueDate)}`;
  const after = cents(openAmount - applied);
  return (
    <aside className="bl-credit-aside" aria-label={`Invoice ${invoiceNumber}`}>
      <h3>Invoice {invoiceNumber}</h3>
      <p className="ek-muted ek-small ek-num">
        {formatDate(invoiceDate)}
        {due}
      </p>
      <Totals
        lines={[
          { label: 'Total', value: <Amount value={invoiceAmount} /> },
          ...(paid === 0 ? [] : [{ label: 'Paid or credited', value: <Amount value={negate(paid)} /> }]),
          { label: 'Unpaid now', value: <Amount value={openAmount} /> },
          ...(applied === 0 ? [] : [{ label: 'This credit memo', value: <Amount value={negate(cents(applied))} /> }]),
          { label: 'Unpaid After Credit', value: <Amount value={after} sign />, sum: true },
        ]}
      />
      {saved === undefined && openAmount > 0 && (
        <div className="bl-credit-apply">
          <CheckField {...form.bind('isApplied')} label={`Apply to invoice ${invoiceNumber}`} />
          <MoneyField
            inRow
            label="Amount to apply"
            value={form.values.isApplied ? cents(applied) : null}
            disabled={!form.values.isApplied}
            error={form.errorOf('applyAmount')}
            onChange={(applyAmount) => form.patch({ applyAmount })}
          />
          <p className="ek-muted ek-small ek-num">
            {form.errorOf('applyAmount') ??
              `Up to ${formatAmount(most)}. Any amount that you don't apply remains as a credit for the ` +
                `customer: ${formatAmount(cents(credit - applied))}.`}
          </p>
        </div>
      )}
    </aside>
  );
}

function FootCredit({ credit }: { credit: number }) {
  return (
    <>
      <span className="ek-second">Credit</span>
      <span className="ek-semi">
        <Amount value={cents(credit)} sign />
      </span>
    </>
  );
}
