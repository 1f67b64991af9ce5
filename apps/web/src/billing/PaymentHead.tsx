import type { BillingPayment } from '@evenkeel/contract/billing';
import { DateField } from '../ui/fields/DateField.tsx';
import { MoneyField } from '../ui/fields/MoneyField.tsx';
import { Picker } from '../ui/fields/Picker.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { depositOptions } from './deposits.ts';
import { useCustomerOptions } from './queries.ts';
import type { PaymentEntry } from './usePaymentEntry.ts';

/**
 * Customer, Payment Date, Payment Type, Ref Number, Amount, Deposit Account, Check Number. Another customer or amount
 * spreads the amount anew: what was applied by hand is forgotten.
 */
export function PaymentHead({ entry, saved }: { entry: PaymentEntry; saved: BillingPayment | undefined }) {
  const { form, payment, choices, isCheck } = entry;
  const { bind, patch } = form;
  const hasCustomer = payment.customerId !== null;
  const customers = useCustomerOptions(saved && { id: saved.customerId, label: saved.customerDisplayName });
  const types = choices.types.map(({ id, displayName }) => ({ id, label: displayName }));
  const anew = { applied: null };
  return (
    <div className="ek-form">
      <Picker
        {...bind('customerId')}
        onChange={(customerId) => patch({ customerId, ...anew })}
        label="Customer"
        options={customers}
        autoFocus={!hasCustomer}
        span={4}
      />
      <DateField {...bind('paymentDate')} label="Payment Date" span="half" />
      <Picker {...bind('paymentTypeId')} label="Payment Type" options={types} span="half" />
      <TextField {...bind('refNumber')} label="Ref Number" maxLength={100} span="half" />
      <MoneyField
        {...bind('amount')}
        onChange={(amount) => patch({ amount, ...anew })}
        id="payment-amount"
        label="Amount"
        autoFocus={hasCustomer}
        span="half"
      />
      <Picker
        {...bind('deposit')}
        value={payment.deposit}
        label="Deposit Account"
        options={depositOptions(choices, payment.deposit)}
        span={4}
      />
      {isCheck && <TextField {...bind('checkNumber')} label="Check Number" maxLength={50} span="half" />}
      <p className={`bl-hint ${isCheck ? 'ek-c6' : 'ek-c8'}`}>
        Typing the amount fills the invoices in list order. Change one to apply less; what is left stays as the
        customer’s credit.
      </p>
    </div>
  );
}
