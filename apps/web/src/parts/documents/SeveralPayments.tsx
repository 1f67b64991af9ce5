import type { PayableDocument } from '@evenkeel/contract/subledger';
import { type Cents, formatUsd, sum } from '@evenkeel/core/money';
import { useMemo } from 'react';
import { send, useStale } from '../../client/api.ts';
import { RecordModal } from '../../records/RecordModal.tsx';
import { type RecordForm, telling, useRecordForm } from '../../records/useRecordForm.ts';
import { DateField } from '../../ui/fields/DateField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useWide } from '../../ui/hooks/media.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { counted } from '../../ui/show/words.ts';
import { ApplyCard, ApplyField, InvoiceNumber, Late } from './Applications.tsx';
import { Kept } from './Kept.tsx';
import { moneyOptions, onlyMoneyKey, usePaymentChoices } from './moneyAccounts.ts';
import { appliedTo, listedOpen, unpaidOf, withApplied } from './paymentForm.ts';
import {
  amountOf,
  blankSeveral,
  ofPayer,
  type Payer,
  payersOf,
  paying,
  placedSeveral,
  SeveralForm,
  severalFaults,
  severalInput,
} from './severalForm.ts';
import type { DocumentSide } from './side.ts';
import { type PayFor, payText } from './useDocumentPlace.ts';
import { PLACES } from './usePaymentEntry.ts';

export interface SeveralPaymentsProps {
  side: DocumentSide;
  pay: PayFor;
  /** The chosen documents that are still open. */
  documents: readonly PayableDocument[];
  onClose: () => void;
  onPosted: () => void;
  /** After a refused try: what is open may have changed. */
  onFaults: () => void;
}

const PAYMENTS = { one: 'payment', many: 'payments' };
const SHOWN = ['paymentDate', 'paymentTypeId', 'money'];

/** The state of the dialog: the form, the customers or vendors in it, posting. */
function useSeveral({ side, pay, documents, onPosted, onFaults }: SeveralPaymentsProps) {
  const today = useToday();
  const choices = usePaymentChoices();
  const payers = useMemo(() => payersOf(listedOpen(documents, [])), [documents]);
  const stale = useStale();
  const whole = (typed: SeveralForm) => ({ ...typed, money: typed.money ?? onlyMoneyKey(choices, side.takes) });
  const hasCheck = ({ paymentTypeId }: SeveralForm) =>
    !side.core.hasPaymentTypes || choices.types.find(({ id }) => id === paymentTypeId)?.displayName === 'Check';
  const typed = useRecordForm<{ payments: readonly unknown[] }, SeveralForm>({
    name: `${side.draft}:${payText(pay)}`,
    id: 0,
    saved: undefined,
    formOf: () => blankSeveral(today, documents),
    schema: SeveralForm,
    check: (form) => severalFaults(whole(form), payers, side),
    placed: (fields, form) => placedSeveral(fields, paying(form, payers), PLACES),
    send: async (form, { place, reason }) => {
      const bodies = severalInput(whole(form), payers, hasCheck(form));
      const saved = await send(side.payments.createAll(bodies, reason), place);
      stale();
      return saved;
    },
    words: { saved: ({ payments }) => `${counted(payments.length, PAYMENTS)} posted` },
    onSaved: onPosted,
    onFaults,
  });
  const checks = payers.map(({ id }) => `checks.${id}`);
  const nameOf = (path: string) => payers.find(({ id }) => ofPayer(id) === path)?.name;
  const form = telling(typed, [...SHOWN, ...checks], (path, text) => {
    const name = nameOf(path);
    return name === undefined ? text : `${name}: ${text}`;
  });
  const values = whole(form.values);
  return { side, form, values, payers, choices, hasCheck: hasCheck(values) };
}
type Several = ReturnType<typeof useSeveral>;

/** Pays the chosen invoices of several customers or vendors: one payment for each of them, all posted or none. */
export function SeveralPayments(props: SeveralPaymentsProps) {
  const { side, pay, documents, onClose } = props;
  const several = useSeveral(props);
  const { form, values, payers } = several;
  const wide = useWide();
  const paid = paying(values, payers);
  const gone = (pay.kind === 'several' ? pay.ids.length : 0) - documents.length;
  const shared = { several, onApply: (invoice: PayableDocument, amount: Cents | null) => onApply(form, invoice, amount) };
  return (
    <RecordModal
      form={form}
      title={`Add ${side.words.payment}s`}
      size="xl"
      beside={<Kept at={form.savedAt} />}
      onClose={onClose}
      footer={{
        primary: {
          label: `Post ${counted(paid.length, { one: 'Payment', many: 'Payments' })}`,
          onClick: form.save,
          busy: form.busy,
        },
        total: (
          <dl className="dc-sums">
            <div>
              <dt>Total of {counted(paid.length, PAYMENTS)}</dt>
              <dd>{formatUsd(sum(paid.map((payer) => amountOf(values, payer))))}</dd>
            </div>
          </dl>
        ),
      }}
    >
      <Shared {...several} />
      {gone > 0 && (
        <p className="ek-muted" role="status">
          {counted(gone, { one: 'chosen invoice is', many: 'chosen invoices are' })} no longer open.
        </p>
      )}
      {wide ? <PayersTable {...shared} /> : <PayersCards {...shared} />}
    </RecordModal>
  );
}

function onApply(form: RecordForm<SeveralForm>, invoice: PayableDocument, amount: Cents | null) {
  form.change((now) => withApplied(now, invoice, amount));
}

/** The fields that all the payments share. */
function Shared({ side, form, values, choices }: Several) {
  const { bind } = form;
  const { isLoading } = choices;
  const types = choices.types.filter(({ active }) => active).map(({ id, displayName }) => ({ id, label: displayName }));
  return (
    <div className="ek-form">
      <DateField {...bind('paymentDate')} label="Payment Date" autoFocus span="half" />
      {side.core.hasPaymentTypes && (
        <Picker {...bind('paymentTypeId')} {...{ isLoading }} label="Payment Type" options={types} span="half" />
      )}
      <Picker
        {...bind('money')}
        value={values.money}
        label={side.words.moneyAccount}
        options={moneyOptions(choices, side.takes, values.money)}
        isLoading={isLoading}
        span={4}
      />
    </div>
  );
}

interface PayersProps {
  several: Several;
  onApply: (invoice: PayableDocument, amount: Cents | null) => void;
}

/** The check number of one payer's payment. */
function CheckNumber({ several: { form, values, hasCheck }, payer }: { several: Several; payer: Payer }) {
  if (!hasCheck) return null;
  const key = String(payer.id);
  return (
    <div className="dc-check-field">
      <TextField
        label={`Check Number for ${payer.name}`}
        inRow
        placeholder="Check Number"
        maxLength={50}
        value={values.checks[key] ?? ''}
        onChange={(number) => form.change((now) => ({ ...now, checks: { ...now.checks, [key]: number } }))}
        error={form.errorOf(`checks.${key}`)}
      />
    </div>
  );
}

function PayersTable({ several, onApply: apply }: PayersProps) {
  const { payers, values, side } = several;
  return (
    <table className="dc-apply dc-payers ek-heads" aria-label={`Open invoices by ${side.core.words.entity}`}>
      <thead>
        <tr>
          <th scope="col">Invoice Number</th>
          <th scope="col">Invoice Date</th>
          <th scope="col">Due Date</th>
          <th scope="col" data-right="">
            Unpaid Amount
          </th>
          <th scope="col" data-right="">
            Apply Amount
          </th>
        </tr>
      </thead>
      {payers.map((payer) => (
        <tbody key={payer.id}>
          <tr className="dc-payer">
            <th scope="rowgroup" colSpan={2}>
              {payer.name}
            </th>
            <td colSpan={2}>
              <CheckNumber several={several} payer={payer} />
            </td>
            <td data-right="">
              <Amount value={amountOf(values, payer)} />
            </td>
          </tr>
          {payer.open.map((invoice) => (
            <tr key={invoice.invoiceId}>
              <td>
                <InvoiceNumber invoice={invoice} />
              </td>
              <td className="ek-second">
                <DateText value={invoice.invoiceDate} />
              </td>
              <td>
                <DateText value={invoice.dueDate} /> <Late invoice={invoice} />
              </td>
              <td data-right="">
                <Amount value={unpaidOf(invoice)} />
              </td>
              <td data-right="">
                <ApplyField
                  invoice={invoice}
                  applied={appliedTo(values, invoice.invoiceId)}
                  onApply={(_, amount) => apply(invoice, amount)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

function PayersCards({ several, onApply: apply }: PayersProps) {
  const { payers, values } = several;
  return payers.map((payer) => (
    <section key={payer.id} aria-label={payer.name}>
      <div className="dc-payer">
        <strong>{payer.name}</strong>
        <Amount value={amountOf(values, payer)} />
      </div>
      <CheckNumber several={several} payer={payer} />
      <ul className="dc-apply-cards" aria-label={`Open invoices of ${payer.name}`}>
        {payer.open.map((invoice) => (
          <ApplyCard
            key={invoice.invoiceId}
            invoice={invoice}
            detail={false}
            applied={appliedTo(values, invoice.invoiceId)}
            onApply={(_, amount) => apply(invoice, amount)}
          />
        ))}
      </ul>
    </section>
  ));
}
