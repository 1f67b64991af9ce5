import { type TaxPayment, type TaxReturn, taxReturnCalls } from '@evenkeel/contract/taxreturns';
import { addDays, formatDate } from '@evenkeel/core/dates';
import { cents, sum, ZERO } from '@evenkeel/core/money';
import { badDebtAdjustments } from '@evenkeel/core/taxes/bad-debts';
import { adjustmentKinds, checkAdjustments } from '@evenkeel/core/taxes/returns';
import { adjustmentName, adjustmentNames } from '@evenkeel/core/taxes/summary';
import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import * as z from 'zod';
import { ask, send, useStale } from '../../client/api.ts';
import { useAccountChoices } from '../../parts/choices/accounts.ts';
import { useManages } from '../../records/active.tsx';
import { Day, Money } from '../../records/formFields.ts';
import { recordFooter, RecordModal } from '../../records/RecordModal.tsx';
import { binderOf, type RecordForm, useRecordForm } from '../../records/useRecordForm.ts';
import { DateField } from '../../ui/fields/DateField.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useToday } from '../../ui/hooks/today.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { keyed } from '../../ui/show/keyed.ts';
import { PaymentView } from './PaymentModal.tsx';
import { BadDebts, Documents, ItemTable, Payments } from './ReturnTables.tsx';

const AdjustmentForm = z.object({
  key: z.number(),
  kind: z.enum(adjustmentKinds),
  accountId: z.number().nullable(),
  amount: Money.nullable(),
  reason: z.string(),
});
type AdjustmentForm = z.output<typeof AdjustmentForm>;
const FilingForm = z.object({
  filedDate: Day.nullable(),
  confirmation: z.string(),
  adjustments: z.array(AdjustmentForm),
});
type FilingForm = z.output<typeof FilingForm>;

const sentOf = ({ kind, reason, accountId, amount }: AdjustmentForm) => ({
  kind,
  reason,
  accountId: accountId ?? 0,
  amount: amount ?? ZERO,
});

export interface PrepareModalProps {
  prepared: TaxReturn;
  onPrepay: () => void;
  onClose: () => void;
}

/** An agency's next return, or an amendment: its amounts from the ledger, the adjustments, and the filing. */
export function PrepareModal({ prepared, onPrepay, onClose }: PrepareModalProps) {
  const today = useToday();
  const stale = useStale();
  const [payment, setPayment] = useState<TaxPayment>();
  const { agencyId, name, to, discount } = prepared;
  const amends = prepared.version > 1;
  const hasEnded = to < today;
  const suggested: AdjustmentForm[] = [
    ...(discount === null
      ? []
      : [{ kind: 'discount' as const, accountId: null, amount: cents(-discount.amount), reason: discount.rule }]),
    ...badDebtAdjustments(prepared),
  ]
    .filter(({ amount }) => amount !== 0)
    .map((each, key) => ({ key, ...each }));
  const form = useRecordForm<TaxReturn, FilingForm>({
    name: `file ${agencyId} ${to}${amends ? ` ${prepared.version}` : ''}`,
    id: 0,
    saved: undefined,
    formOf: () => ({ filedDate: today, confirmation: '', adjustments: suggested }),
    schema: FilingForm,
    check: (typed) => ({
      ...checkAdjustments(typed.adjustments.map(sentOf), -1),
      ...(typed.filedDate === null && { filedDate: 'Please enter a date' }),
    }),
    send: async (typed, { place, reason }) => {
      const body = {
        agencyId,
        periodEnd: to,
        amends,
        filedDate: typed.filedDate ?? today,
        confirmation: typed.confirmation,
        adjustments: typed.adjustments.map(sentOf),
        netDue: netDueOf(prepared, typed),
        ...(reason === '' ? {} : { closingOverrideReason: reason }),
      };
      try {
        return await send(ask(taxReturnCalls.fileTaxReturn, { body }), place);
      } finally {
        stale();
      }
    },
    words: { saved: (one) => `${one.name} filed` },
    onSaved: onClose,
    isReadOnly: !useManages('Manage Accounting'),
    posts: true,
  });
  const file = {
    label: amends ? 'File Amendment' : 'File Return',
    onClick: form.save,
    busy: form.busy,
    disabled: !hasEnded,
  };
  const prepay = amends ? [] : [{ label: 'Record Prepayment', onClick: onPrepay, quiet: true }];
  return (
    <>
      <RecordModal
        form={form}
        title={name}
        size="lg"
        onClose={onClose}
        footer={form.isReadOnly ? null : { ...recordFooter(form), primary: file, actions: prepay }}
      >
        <p className="ek-second tx-for">
          {`${formatDate(prepared.from)} – ${formatDate(to)} · ${prepared.basis} basis`}
          {!hasEnded && ` · can be filed on or after ${formatDate(addDays(to, 1))}`}
        </p>
        <Ladder of={prepared} adjustments={form.values.adjustments.map(sentOf)} />
        {discount?.isLost === true && (
          <p className="ek-muted ek-small">The discount of {discount.rule} is lost after the due date.</p>
        )}
        <Adjustments form={form} />
        <div className="ek-form">
          <DateField {...form.bind('filedDate')} label="Filed On" span={6} />
          <TextField {...form.bind('confirmation')} label="Confirmation Number" span={6} maxLength={100} />
        </div>
        <p className="ek-muted ek-small">
          Filing permanently saves every amount and its documents. Evenkeel doesn't send the return to the agency.
        </p>
        <Payments rows={prepared.payments} onOpen={setPayment} />
        <ItemTable rows={prepared.items} />
        <BadDebts of={prepared} />
        <Documents rows={prepared.documents} />
      </RecordModal>
      {payment !== undefined && <PaymentView payment={payment} onClose={() => setPayment(undefined)} />}
    </>
  );
}

/** Returns the amount to pay, including the entered adjustments. */
function netDueOf(prepared: TaxReturn, { adjustments }: FilingForm) {
  const { tax, sinceTax, carriedIn, prepaid } = prepared;
  const rest = tax + sinceTax + sum(adjustments.map((each) => each.amount ?? ZERO)) + carriedIn - prepaid;
  return rest > 0 ? cents(rest) : ZERO;
}

type Row = { label: string; note?: string; amount: ReturnType<typeof cents>; isTotal?: boolean };

/** The amounts on a return, from gross sales to the amount due. */
function Ladder({ of, adjustments }: { of: TaxReturn; adjustments: TaxReturn['adjustments'] }) {
  const adjusted = sum(adjustments.map(({ amount }) => amount));
  const rest = cents(of.tax + of.sinceTax + adjusted + of.carriedIn - of.prepaid);
  const optional = (rows: Row[]) => rows.filter(({ amount }) => amount !== 0);
  const sales: Row[] = [
    { label: 'Gross sales', amount: of.gross },
    { label: 'Non-taxable and exempt', amount: cents(-of.nonTaxable) },
    { label: 'Taxable sales', amount: of.taxable, isTotal: true },
    { label: 'Tax', amount: of.tax },
    ...optional([{ label: 'Changes since filing', note: 'In periods that are already filed', amount: of.sinceTax }]),
  ];
  const changes: Row[] = [
    { label: 'Change in taxable sales', amount: of.sinceTaxable },
    { label: 'Change in tax', amount: of.sinceTax },
  ];
  const rows: Row[] = [
    ...(of.version > 1 ? changes : sales),
    ...adjustments.map(({ kind, reason, amount }) => ({ label: adjustmentName(kind), note: reason, amount })),
    ...optional([
      { label: 'Credit carried over', note: 'From the previous return', amount: of.carriedIn },
      { label: 'Prepayments', amount: cents(-of.prepaid) },
    ]),
    {
      label: 'Net due',
      note: of.dueDate === null ? '' : `by ${formatDate(of.dueDate)}`,
      amount: rest > 0 ? rest : ZERO,
      isTotal: true,
    },
    ...optional([{ label: 'Carried over to the next return', amount: rest < 0 ? rest : ZERO }]),
  ];
  return (
    <table className="tx-ladder" aria-label="Amounts">
      <tbody>
        {keyed(rows, ({ label }) => label).map(({ key, item: { label, note, amount, isTotal } }) => (
          <tr key={key} data-total={isTotal === true ? '' : undefined}>
            <th scope="row">
              {label}
              {note !== undefined && note !== '' && <span className="ek-second ek-small tx-note">{note}</span>}
            </th>
            <td className="ek-num">
              <Amount value={amount} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Adjustments({ form }: { form: RecordForm<FilingForm> }) {
  const { values, patch } = form;
  const { accounts } = useAccountChoices();
  const change = (at: number, next: AdjustmentForm) =>
    patch({ adjustments: values.adjustments.map((each, index) => (index === at ? next : each)) });
  const add = () => {
    const key = Math.max(-1, ...values.adjustments.map((each) => each.key)) + 1;
    patch({ adjustments: [...values.adjustments, { key, kind: 'other', accountId: null, amount: null, reason: '' }] });
  };
  return (
    <section className="ek-stack" aria-label="Adjustments">
      {values.adjustments.map((adjustment, at) => {
        const bind = binderOf({
          values: adjustment,
          onChange: (next) => change(at, next),
          errorOf: (field) => form.errorOf(`adjustments.${at}.${field}`),
          isReadOnly: form.isReadOnly,
        });
        return (
          <div className="tx-adjustment" key={adjustment.key}>
            <Picker
              {...bind('kind')}
              onChange={(kind) => kind && change(at, { ...adjustment, kind })}
              label="Adjustment"
              options={adjustmentNames}
            />
            <Picker
              {...bind('accountId')}
              label="Account"
              options={accounts.filter(({ isRetired }) => isRetired !== true)}
            />
            <MoneyField {...bind('amount')} label="Amount" hint="A negative amount reduces the tax" />
            <TextField {...bind('reason')} label="Reason" maxLength={200} />
            <ActionIcon
              aria-label={`Delete adjustment ${at + 1}`}
              onClick={() => patch({ adjustments: values.adjustments.filter((_, index) => index !== at) })}
            >
              <IconTrash {...ICON_SMALL} />
            </ActionIcon>
          </div>
        );
      })}
      {!form.isReadOnly && (
        <div>
          <Button variant="default" size="xs" leftSection={<IconPlus {...ICON_SMALL} />} onClick={add}>
            Add Adjustment
          </Button>
        </div>
      )}
    </section>
  );
}
