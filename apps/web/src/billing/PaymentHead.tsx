import type { BillingPayment } from '@evenkeel/contract/billing';
import { DateField } from '../ui/fields/DateField.tsx';
import { MoneyField } from '../ui/fields/MoneyField.tsx';
import { Picker } from '../ui/fields/Picker.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { depositOptions } from './deposits.ts';
import type { PaymentForm } from './paymentForm.ts';
import { useCustomerOptions } from './queries.ts';
import type { PaymentEntry } from './usePaymentEntry.ts';

export interface PaymentHeadProps {
  entry: PaymentEntry;
  saved: BillingPayment | undefined;
}

/** Customer, Payment Date, Payment Type, Ref Number, Amount, Check Number, Deposit Account. */
export function PaymentHead({ entry, saved }: PaymentHeadProps) {
  const { form, faults, draft } = entry;
  const patch = (change: Partial<PaymentForm>) => draft.set({ ...form, ...change });
  return (
    <div className="ek-form">
      <div className="ek-c4">
        <CustomerField entry={entry} saved={saved} onChange={(customerId) => patch({ customerId, applied: null })} />
      </div>
      <div className="ek-c2 ek-half">
        <DateField
          label="Payment Date"
          value={form.paymentDate}
          error={faults['paymentDate']}
          onChange={(paymentDate) => patch({ paymentDate })}
        />
      </div>
      <div className="ek-c2 ek-half">
        <Picker
          label="Payment Type"
          options={entry.choices.types.map(({ id, displayName }) => ({ id, label: displayName }))}
          value={form.paymentTypeId}
          error={faults['paymentTypeId']}
          onChange={(paymentTypeId) => patch({ paymentTypeId })}
        />
      </div>
      <div className="ek-c2 ek-half">
        <TextField
          label="Ref Number"
          value={form.refNumber}
          error={faults['paymentRefNo']}
          maxLength={100}
          onChange={(refNumber) => patch({ refNumber })}
        />
      </div>
      <div className="ek-c2 ek-half">
        <MoneyField
          id="payment-amount"
          label="Amount"
          value={form.amount}
          error={faults['paymentAmount']}
          autoFocus={form.customerId !== null}
          onChange={(value) => patch({ amount: value, applied: null })}
        />
      </div>
      <DepositFields entry={entry} patch={patch} />
    </div>
  );
}

/** Another customer has other invoices: what was applied is forgotten, the amount stays and is spread anew. */
function CustomerField({ entry, saved, onChange }: PaymentHeadProps & { onChange: (id: number | null) => void }) {
  const { form, faults } = entry;
  const current = saved && { id: saved.customerId, label: saved.customerDisplayName };
  const options = useCustomerOptions(current);
  return (
    <Picker
      label="Customer"
      options={options}
      value={form.customerId}
      error={faults['customerId']}
      autoFocus={form.customerId === null}
      onChange={onChange}
    />
  );
}

interface DepositFieldsProps {
  entry: PaymentEntry;
  patch: (change: Partial<PaymentForm>) => void;
}

function DepositFields({ entry, patch }: DepositFieldsProps) {
  const { form, choices, faults, isCheck } = entry;
  return (
    <>
      <div className="ek-c4">
        <Picker
          label="Deposit Account"
          options={depositOptions(choices, form.deposit)}
          value={form.deposit}
          error={faults['bankAccountId'] ?? faults['paymentAccountId']}
          onChange={(deposit) => patch({ deposit })}
        />
      </div>
      {isCheck && (
        <div className="ek-c2 ek-half">
          <TextField
            label="Check Number"
            value={form.checkNumber}
            error={faults['paymentCheckNo']}
            maxLength={50}
            onChange={(checkNumber) => patch({ checkNumber })}
          />
        </div>
      )}
      <p className={`bl-hint ${isCheck ? 'ek-c6' : 'ek-c8'}`}>
        Typing the amount fills the invoices in list order. Change one to apply less; what is left stays as the
        customer’s credit.
      </p>
    </>
  );
}
