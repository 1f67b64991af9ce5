import { type TaxPayment, taxReturnCalls } from '@evenkeel/contract/taxreturns';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { type Cents, formatUsd, ZERO } from '@evenkeel/core/money';
import * as z from 'zod';
import { ask, send, useStale } from '../../client/api.ts';
import { bankOptions, useBanks } from '../../parts/banking/moves.ts';
import { Day, Money } from '../../records/formFields.ts';
import { useManages } from '../../records/active.tsx';
import { RecordModal } from '../../records/RecordModal.tsx';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { useRemoval } from '../../records/useRemoval.ts';
import { DateField } from '../../ui/fields/DateField.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { useToday } from '../../ui/hooks/today.tsx';
import { Facts } from '../../ui/show/Facts.tsx';

const PaymentForm = z.object({
  bankAccountId: z.number().nullable(),
  paymentDate: Day.nullable(),
  amount: Money.nullable(),
});
type PaymentForm = z.output<typeof PaymentForm>;

export interface Payable {
  agencyId: number;
  /** The return's agency and period: "Ohio, May 2026". */
  name: string;
  to: IsoDate;
  /** Null for a prepayment, which is made before the return is filed. */
  unpaid: Cents | null;
}

/** Records a payment for a filed return, or a prepayment. */
export function PaymentModal({ payable, onClose }: { payable: Payable; onClose: () => void }) {
  const { agencyId, name, to, unpaid } = payable;
  const today = useToday();
  const stale = useStale();
  const banks = useBanks();
  const form = useRecordForm<TaxPayment, PaymentForm>({
    name: `taxpayment ${agencyId} ${to}`,
    id: 0,
    saved: undefined,
    formOf: () => ({ bankAccountId: null, paymentDate: today, amount: unpaid }),
    schema: PaymentForm,
    check: (typed) => ({
      ...(typed.bankAccountId === null && { bankAccountId: 'Please Select a Bank Account' }),
      ...(typed.paymentDate === null && { paymentDate: 'Please enter a date' }),
      ...((typed.amount ?? 0) <= 0 && { amount: 'Please enter an amount above 0' }),
    }),
    send: async (typed, { place, reason }) => {
      const body = {
        agencyId,
        periodEnd: to,
        bankAccountId: typed.bankAccountId ?? 0,
        paymentDate: typed.paymentDate ?? today,
        amount: typed.amount ?? ZERO,
        ...(reason === '' ? {} : { closingOverrideReason: reason }),
      };
      const saved = await send(ask(taxReturnCalls.payTaxReturn, { body }), place);
      stale();
      return saved;
    },
    words: { saved: (one) => `Payment for ${one.name} saved` },
    onSaved: onClose,
    posts: true,
  });
  const { bind } = form;
  return (
    <RecordModal
      form={form}
      title={unpaid === null ? 'Record Prepayment' : 'Record Payment'}
      size="sm"
      onClose={onClose}
    >
      <p className="ek-second tx-for">{name}</p>
      <div className="ek-form">
        <Picker
          {...bind('bankAccountId')}
          label="Bank Account"
          options={bankOptions(banks, () => true, undefined)}
          autoFocus
        />
        <DateField {...bind('paymentDate')} label="Payment Date" span={6} />
        <MoneyField {...bind('amount')} label="Amount" span={6} />
      </div>
    </RecordModal>
  );
}

/** A payment, which can be deleted. */
export function PaymentView({ payment, onClose }: { payment: TaxPayment; onClose: () => void }) {
  const { id, name, amount, paymentDate, returnId, bankAccountId } = payment;
  const stale = useStale();
  const banks = useBanks();
  const manages = useManages('Manage Accounting');
  const form = useRemoval({
    name: 'tax payment',
    saved: payment,
    remove: async (reason) => {
      const query = reason === '' ? {} : { closingOverrideReason: reason };
      await send(ask(taxReturnCalls.deleteTaxPayment, { params: { id }, query }));
      stale();
    },
    words: { removed: 'Payment deleted', failed: 'Error Deleting Payment' },
    onRemoved: onClose,
  });
  const facts = [
    { label: 'Return', value: name },
    { label: 'Payment Date', value: formatDate(paymentDate) },
    {
      label: 'Bank Account',
      value: banks.value?.find(({ bankingAccountID }) => bankingAccountID === bankAccountId)?.name ?? '',
    },
    { label: 'Amount', value: formatUsd(amount) },
  ];
  const deleting = form.remove && {
    question: `Delete this payment of ${formatUsd(amount)}?`,
    onConfirm: form.remove,
    busy: form.busy,
  };
  return (
    <RecordModal
      form={form}
      title={returnId === null ? 'Prepayment' : 'Payment'}
      size="sm"
      onClose={onClose}
      footer={manages ? { remove: deleting } : null}
    >
      <Facts facts={facts} />
    </RecordModal>
  );
}
