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

interface PaymentHeadProps {
  entry: PaymentEntry;
  saved: AnyPayment | undefined;
}

/**
 * The fields above the invoices: customer or vendor, Amount, Payment Date, Payment Type, Ref Number, account, Check
 * Number, and Description. If the customer, vendor, or amount changes, the amount is applied to the invoices again, and
 * amounts that were entered by hand are discarded.
 */
export function PaymentHead({ entry, saved }: PaymentHeadProps) {
  const { side, form, payment, choices, hasCheck, hint } = entry;
  const { bind, patch } = form;
  const hasEntity = payment.entityId !== null;
  const current = saved && entityOf(saved);
  const known = current?.id === payment.entityId ? { id: current.id, label: current.name } : undefined;
  const entities = useEntityOptions(side.entities, payment.entityId, known);
  const chosen = payment.paymentTypeId;
  const { isLoading } = choices;
  const types = choices.types
    .filter(({ id, active }) => active || id === chosen)
    .map(({ id, displayName }) => ({ id, label: displayName }));
  const dimensions = useDimensions();
  const locations = side.core.hasPaymentTypes ? undefined : dimensions.locations;
  const isShared = side.core.hasPaymentTypes ? hasCheck : locations !== undefined;
  const anew = { applied: null, discounts: {} };
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
      <MoneyField
        {...bind('amount')}
        onChange={(amount) => patch({ amount, ...anew })}
        id="payment-amount"
        label="Amount"
        autoFocus={hasEntity}
        span="third"
      />
      <DateField {...bind('paymentDate')} label="Payment Date" span="third" />
      {side.core.hasPaymentTypes && (
        <Picker
          {...bind('paymentTypeId')}
          {...{ isLoading }}
          value={payment.paymentTypeId}
          label="Payment Type"
          options={types}
          span="third"
        />
      )}
      <TextField {...bind('refNumber')} label="Ref Number" maxLength={100} span="third" />
      {!side.core.hasPaymentTypes && <CheckNumber entry={entry} />}
      <Picker
        {...bind('money')}
        value={payment.money}
        label={side.words.moneyAccount}
        options={moneyOptions(choices, side.takes, payment.money)}
        isLoading={isLoading}
        hint={hint}
        span={4}
      />
      {side.core.hasPaymentTypes && hasCheck && <CheckNumber entry={entry} />}
      {locations !== undefined && (
        <Picker {...bind('locationId')} label="Location" options={locations} noneLabel="None" span="third" />
      )}
      <TextField {...bind('description')} label="Description" maxLength={500} span={isShared ? 8 : undefined} />
    </div>
  );
}

/** The check number, which continues from the account's last check. */
function CheckNumber({ entry: { form, payment, nextCheck } }: Pick<PaymentHeadProps, 'entry'>) {
  return (
    <TextField
      {...form.bind('checkNumber')}
      value={payment.checkNumber ?? ''}
      label="Check Number"
      placeholder={nextCheck === '' ? undefined : `Next is ${nextCheck}`}
      maxLength={50}
      span={4}
    />
  );
}
