import type { PayableDocument } from '@evenkeel/contract/subledger';
import { capital } from '@evenkeel/core/documents/side';
import { formatAmount, formatUsd, sum } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { RecordModal } from '../../../records/RecordModal.tsx';
import { InlineAlert } from '../../../ui/alerts/InlineAlert.tsx';
import { DateField } from '../../../ui/fields/DateField.tsx';
import { FieldError } from '../../../ui/fields/field.tsx';
import { Picker } from '../../../ui/fields/Picker.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { useWide } from '../../../ui/hooks/media.ts';
import { Amount } from '../../../ui/show/Amount.tsx';
import { Heads } from '../../../ui/table/Heads.tsx';
import { DateText } from '../../../ui/show/DateText.tsx';
import { counted } from '../../../ui/show/words.ts';
import { PartTable } from '../../../ui/table/PartTable.tsx';
import { ApplyCard, ApplyField, DiscountField, headsFor, InvoiceNumber, Late } from './Applications.tsx';
import { Kept } from '../entry/Kept.tsx';
import { moneyOptions } from './moneyAccounts.ts';
import {
  appliedTo,
  canTakeDiscounts,
  discountOf,
  hasDiscounts,
  unpaidOf,
  withApplied,
  withDiscount,
  withDiscounts,
} from './paymentForm.ts';
import { amountOf, ofCheck, ofDocument, ofPayer, type Payer } from './severalForm.ts';
import { PAYMENTS, type Several, type SeveralOptions, useSeveral } from './useSeveral.ts';

/**
 * Pays the selected invoices of several customers or vendors, with one payment for each customer or vendor. Either all
 * payments are posted, or none are.
 */
export function SeveralPayments({ onClose, ...options }: SeveralOptions & { onClose: () => void }) {
  const several = useSeveral(options);
  const { side, form, values, paid, gone } = several;
  const wide = useWide();
  const total = sum(paid.map((payer) => amountOf(values, payer)));
  const count = counted(paid.length, { one: 'Payment', many: 'Payments' });
  return (
    <RecordModal
      form={form}
      title={`Add ${side.words.payment}s`}
      size="xl"
      beside={<Kept at={form.savedAt} />}
      onClose={onClose}
      footer={{
        primary: {
          label: paid.length === 0 ? 'Post Payments' : `Post ${count} ${formatAmount(total)}`,
          onClick: form.save,
          busy: form.busy,
        },
        total: (
          <dl className="dc-sums">
            <div>
              <dt>Total of {counted(paid.length, PAYMENTS)}</dt>
              <dd>{formatUsd(total)}</dd>
            </div>
          </dl>
        ),
      }}
    >
      <Gone gone={gone} side={several.side} />
      <Shared {...several} />
      <TakeDiscounts several={several} />
      {wide ? <PayersTable several={several} /> : <PayersCards several={several} />}
    </RecordModal>
  );
}

/** Lists the selected invoices that are no longer open because another user paid or deleted them. */
function Gone({ gone, side }: Pick<Several, 'gone' | 'side'>) {
  if (gone === undefined) return null;
  const { known, others } = gone;
  const { document } = side.core.words;
  const words = known.map(
    (one) => `${capital(document)} ${one.invoiceNumber} (${one.entityDisplayName}) is no longer open.`,
  );
  const selected = { one: `selected ${document} is`, many: `selected ${document}s are` };
  if (others > 0) words.push(`${counted(others, selected)} no longer open.`);
  return words.length === 0 ? null : <InlineAlert kind="Warning">{words.join(' ')}</InlineAlert>;
}

/** The fields shared by all payments. */
function Shared({ side, form, values, choices, hint }: Several) {
  const { bind } = form;
  const { isLoading } = choices;
  // The first field that the user has to fill in.
  const [first] = useState(() => {
    if (side.core.hasPaymentTypes && values.paymentTypeId === null) return 'paymentTypeId';
    return values.money === null ? 'money' : 'paymentDate';
  });
  const types = choices.types
    .filter(({ id, active }) => active || id === values.paymentTypeId)
    .map(({ id, displayName }) => ({ id, label: displayName }));
  return (
    <div className="ek-form">
      <DateField {...bind('paymentDate')} label="Payment Date" autoFocus={first === 'paymentDate'} span="half" />
      {side.core.hasPaymentTypes && (
        <Picker
          {...bind('paymentTypeId')}
          {...{ isLoading }}
          value={values.paymentTypeId}
          label="Payment Type"
          options={types}
          autoFocus={first === 'paymentTypeId'}
          span="half"
        />
      )}
      <Picker
        {...bind('money')}
        value={values.money}
        label={side.words.moneyAccount}
        options={moneyOptions(choices, side.takes, values.money)}
        isLoading={isLoading}
        hint={hint}
        autoFocus={first === 'money'}
        span={4}
      />
    </div>
  );
}

const openOf = ({ payers }: Several): PayableDocument[] => payers.flatMap(({ open }) => open);

/** The button that takes all discounts that are available on the payment date. */
function TakeDiscounts({ several }: PayersProps) {
  const open = openOf(several);
  if (!canTakeDiscounts(open, several.values.paymentDate)) return null;
  // Each document keeps its own amount. The money that a discount saves isn't applied to another document.
  const take = () =>
    several.form.change((now) =>
      several.payers.reduce(
        (all, payer) => payer.open.reduce((form, invoice) => withDiscounts(form, [invoice], payer.open).form, all),
        now,
      ),
    );
  return (
    <div className="dc-apply-head">
      <span />
      <Button variant="default" onClick={take}>
        Take discounts
      </Button>
    </div>
  );
}

interface PayerProps {
  several: Several;
  payer: Payer;
}

/** The check number of one payer's payment. */
function CheckNumber({ several: { form, values, hasCheck }, payer }: PayerProps) {
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
        error={form.errorOf(ofCheck(payer.id))}
      />
    </div>
  );
}

/** The reason why one payer's payment can't be posted. */
function PayerFault({ several, payer }: PayerProps) {
  const message = several.form.errorOf(ofPayer(payer.id));
  return message === undefined ? null : <FieldError message={message} />;
}

/** Connects an invoice's amount field to the form. */
function applying(several: Several, invoice: PayableDocument) {
  const { form, values } = several;
  return {
    invoice,
    heads: headsFor(several.side),
    applied: appliedTo(values, invoice.invoiceId),
    error: form.errorOf(ofDocument(invoice.invoiceId)),
    ...(hasDiscounts(openOf(several)) && {
      discount: discountOf(several.values, invoice.invoiceId),
      paymentDate: several.values.paymentDate,
      onDiscount: (_: unknown, amount: Parameters<typeof withApplied>[2]) =>
        several.form.change((now) => withDiscount(now, invoice, amount)),
    }),
    onApply: (_: unknown, amount: Parameters<typeof withApplied>[2]) =>
      form.change((now) => withApplied(now, invoice, amount)),
  };
}

interface PayersProps {
  several: Several;
}

function PayersTable({ several }: PayersProps) {
  const { payers, side } = several;
  const isTaking = hasDiscounts(openOf(several));
  return (
    <PartTable
      className="dc-apply dc-payers ek-heads"
      label={`Open ${side.core.words.document}s by ${side.core.words.entity}`}
    >
      <Heads
        texts={['Invoice Number', 'Invoice Date', 'Due Date']}
        numbers={['Unpaid Amount', isTaking && 'Discount', 'Apply Amount']}
      />
      {payers.map((payer) => (
        <PayerRows key={payer.id} {...{ several, payer, isTaking }} />
      ))}
    </PartTable>
  );
}

/** A customer or vendor with the payment amount, followed by its invoices. */
function PayerRows({ several, payer, isTaking }: PayerProps & { isTaking: boolean }) {
  return (
    <tbody>
      <tr className="dc-payer">
        <th scope="rowgroup" colSpan={2}>
          {payer.name}
          <PayerFault {...{ several, payer }} />
        </th>
        <td colSpan={isTaking ? 3 : 2}>
          <CheckNumber {...{ several, payer }} />
        </td>
        <td data-right="" className="dc-apply-sum">
          <Amount value={amountOf(several.values, payer)} />
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
          {isTaking && (
            <td data-right="">
              <DiscountField {...applying(several, invoice)} />
            </td>
          )}
          <td data-right="">
            <ApplyField {...applying(several, invoice)} />
          </td>
        </tr>
      ))}
    </tbody>
  );
}

function PayersCards({ several }: PayersProps) {
  return several.payers.map((payer) => (
    <section key={payer.id} aria-label={payer.name}>
      <div className="dc-payer">
        <div>
          <strong>{payer.name}</strong>
          <PayerFault {...{ several, payer }} />
        </div>
        <Amount value={amountOf(several.values, payer)} />
      </div>
      <CheckNumber {...{ several, payer }} />
      <ul className="dc-apply-cards" aria-label={`Open ${several.side.core.words.document}s for ${payer.name}`}>
        {payer.open.map((invoice) => (
          <ApplyCard key={invoice.invoiceId} detail={false} {...applying(several, invoice)} />
        ))}
      </ul>
    </section>
  ));
}
