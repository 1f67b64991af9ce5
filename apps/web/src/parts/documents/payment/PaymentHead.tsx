import { capital } from '@evenkeel/core/documents/side';
import { useDimensions } from '../../choices/dimensions.ts';
import { useEntityOptions } from '../../choices/entities.ts';
import { DateField } from '../../../ui/fields/DateField.tsx';
import { MoneyField } from '../../../ui/fields/MoneyField.tsx';
import { Picker } from '../../../ui/fields/Picker.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { moneyOptions } from './moneyAccounts.ts';
import { type AnyPayment, entityOf } from '../side.ts';
import type { PaymentEntry } from './usePaymentEntry.ts';

/**
 * The fields above the invoices: customer or vendor, Payment Date, Payment Type, Ref Number, Amount, account, Check
 * Number, and Description. Changing the customer, vendor, or amount applies the amount to the invoices again and
 * discards amounts entered by hand.
 */
export function PaymentHead({ entry, saved }: { entry: PaymentEntry; saved: AnyPayment | undefined }) {
  const { side, form, payment, choices, hasCheck } = entry;
  const { bind, patch } = form;
  const hasEntity = payment.entityId !== null;
  const current = saved && entityOf(saved);
  const known = current?.id === payment.entityId ? { id: current.id, label: current.name } : undefined;
  const entities = useEntityOptions(side.entities, payment.entityId, known);
  const chosen = form.values.paymentTypeId;
  const { isLoading } = choices;
  const types = choices.types
    .filter(({ id, active }) => active || id === chosen)
    .map(({ id, displayName }) => ({ id, label: displayName }));
  const dimensions = useDimensions();
  const locations = side.core.hasPaymentTypes ? undefined : dimensions.locations;
  const anew = { applied: null, discounts: {} };
  const check = <TextField {...bind('checkNumber')} label="Check Number" maxLength={50} span="half" />;
  const isFull = side.core.hasPaymentTypes ? hasCheck : locations !== undefined;
  return (
    <div className="ek-form">
      <Picker
        {...bind('entityId')}
        onChange={(entityId) => patch({ entityId, ...anew })}
        label={capital(side.core.words.entity)}
        {...entities}
        autoFocus={!hasEntity}
        span={4}
      />
      <DateField {...bind('paymentDate')} label="Payment Date" span="half" />
      {side.core.hasPaymentTypes && (
        <Picker {...bind('paymentTypeId')} {...{ isLoading }} label="Payment Type" options={types} span="half" />
      )}
      <TextField {...bind('refNumber')} label="Ref Number" maxLength={100} span="half" />
      <MoneyField
        {...bind('amount')}
        onChange={(amount) => patch({ amount, ...anew })}
        id="payment-amount"
        label="Amount"
        autoFocus={hasEntity}
        span="half"
      />
      {!side.core.hasPaymentTypes && check}
      <Picker
        {...bind('money')}
        value={payment.money}
        label={side.words.moneyAccount}
        options={moneyOptions(choices, side.takes, payment.money)}
        isLoading={isLoading}
        span={4}
      />
      {side.core.hasPaymentTypes && hasCheck && check}
      {locations !== undefined && (
        <Picker {...bind('locationId')} label="Location" options={locations} noneLabel="None" span="half" />
      )}
      <TextField {...bind('description')} label="Description" maxLength={500} span={8} />
      <p className={`dc-hint ${isFull ? 'ek-c6' : 'ek-c8'}`}>
        When you enter an amount, it is applied to the invoices in list order. To apply less to an invoice, change its
        amount. Any remaining amount is kept as {side.words.credit}.
      </p>
    </div>
  );
}
