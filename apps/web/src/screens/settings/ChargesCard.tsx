import { chargeCalls, type FinanceChargeSettings } from '@evenkeel/contract/charges';
import { CHARGE_KINDS, checkChargeRule, isChargeSet } from '@evenkeel/core/documents/charges';
import { decimal, formatUsd, ZERO } from '@evenkeel/core/money';
import * as z from 'zod';
import { ask, messageOf, useRead, useWrite } from '../../client/api.ts';
import { useAccountChoices } from '../../parts/choices/accounts.ts';
import { keeping, labelOf } from '../../parts/choices/choice.ts';
import { Money } from '../../records/formFields.ts';
import { useOpenRecord } from '../../records/openRecord.ts';
import { LoadedModal, RecordModal } from '../../records/RecordModal.tsx';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Choice } from '../../ui/show/Choice.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { ExcludedCustomers } from './ExcludedCustomers.tsx';
import { Section } from './Section.tsx';
import { EditButton } from './SettingsCards.tsx';

export const CHARGES = ask(chargeCalls.getFinanceChargeSettings, {});
const TITLE = 'Finance Charges';

/** The finance charge rule, and the customers excluded from it. */
export function ChargesCard() {
  const { value, error, retry } = useRead(CHARGES, { alert: 'Error Loading Finance Charges' });
  const edit = useOpenRecord('charges', { hasNew: false });
  return (
    <Section title={TITLE} actions={value !== undefined && <EditButton of={TITLE} onEdit={() => edit.open(1)} />}>
      {error !== undefined && <ErrorState message={error} onRetry={retry} />}
      {value !== undefined && (
        <div className="ek-stack">
          {isChargeSet(value) ? <Rule settings={value} /> : <p>Finance charges are off.</p>}
          <Others settings={value} />
        </div>
      )}
      {edit.id !== undefined && <ChargesModal onClose={edit.close} />}
    </Section>
  );
}

function Rule({ settings }: { settings: FinanceChargeSettings }) {
  const { kind, annualRate, amount, graceDays, minimum, accountId, chargesCharges } = settings;
  const { accounts } = useAccountChoices();
  const isRate = kind === 'rate';
  return (
    <div className="st-facts">
      <Facts
        facts={[
          isRate
            ? { label: 'Rate', value: `${annualRate.toString()} % a year` }
            : { label: 'Amount', value: `${formatUsd(amount)} per overdue invoice` },
          { label: 'Grace Period (Days)', value: String(graceDays) },
          ...(isRate ? [{ label: 'Minimum', value: formatUsd(minimum) }] : []),
          { label: 'Account', value: labelOf(accounts, accountId) },
          { label: 'Overdue Charges', value: chargesCharges ? 'Charged' : 'Not charged' },
        ]}
      />
    </div>
  );
}

function Others({ settings: { leftOut } }: { settings: FinanceChargeSettings }) {
  const alerts = useAlerts();
  const write = useWrite(chargeCalls.leaveOutOfFinanceCharges);
  const onBack = (customerId: number) =>
    write.mutate(
      { params: { customerId }, body: { leftOut: false } },
      { onError: (error) => alerts.error(messageOf(error)) },
    );
  return <ExcludedCustomers of={leftOut} busy={write.isPending} verb="Charge" onBack={onBack} />;
}

const ChargesForm = z.object({
  kind: z.enum(CHARGE_KINDS),
  annualRate: z.string(),
  amount: Money.nullable(),
  graceDays: z.string(),
  minimum: Money.nullable(),
  accountId: z.number().nullable(),
  chargesCharges: z.boolean(),
  rowVersion: z.number(),
});
type ChargesForm = z.output<typeof ChargesForm>;

const formOf = ({ annualRate, graceDays, leftOut: _, ...settings }: FinanceChargeSettings): ChargesForm => ({
  ...settings,
  annualRate: annualRate.toString(),
  graceDays: String(graceDays),
});

/** Invalid numbers are treated as out of range. */
const ruleOf = (typed: ChargesForm) => ({
  kind: typed.kind,
  annualRate: decimal(/^\d{1,3}(\.\d+)?$/.test(typed.annualRate.trim()) ? typed.annualRate.trim() : -1),
  amount: typed.amount ?? ZERO,
  graceDays: /^\d+$/.test(typed.graceDays.trim()) ? Number(typed.graceDays) : -1,
  minimum: typed.minimum ?? ZERO,
});

/** Returns the rule to send. Hidden fields keep their saved values. */
function shownRule(typed: ChargesForm, { annualRate, amount, minimum }: FinanceChargeSettings) {
  return { ...ruleOf(typed), ...(typed.kind === 'rate' ? { amount } : { annualRate, minimum }) };
}

function ChargesModal({ onClose }: { onClose: () => void }) {
  return (
    <LoadedModal read={useRead(CHARGES)} title={TITLE} onClose={onClose}>
      {(settings) => settings !== undefined && <Form settings={settings} onClose={onClose} />}
    </LoadedModal>
  );
}

const KINDS = [
  { value: 'rate', label: 'Interest' },
  { value: 'amount', label: 'Amount' },
] as const;

function Form({ settings, onClose }: { settings: FinanceChargeSettings; onClose: () => void }) {
  const write = useWrite(chargeCalls.saveFinanceChargeSettings);
  const { revenue, accounts } = useAccountChoices();
  const form = useRecordForm<FinanceChargeSettings, ChargesForm>({
    name: 'charges',
    id: 1,
    saved: settings,
    formOf: (saved) => formOf(saved ?? settings),
    schema: ChargesForm,
    check: (typed) => ({
      ...checkChargeRule(shownRule(typed, settings)),
      ...(typed.accountId === null && { accountId: 'Please Select an Account' }),
    }),
    send: (typed) => {
      const { accountId, chargesCharges, rowVersion } = typed;
      return write.mutateAsync({ body: { ...shownRule(typed, settings), accountId, chargesCharges, rowVersion } });
    },
    reply: chargeCalls.saveFinanceChargeSettings.reply,
    words: { saved: () => `${TITLE} saved` },
    onSaved: onClose,
  });
  const isRate = form.values.kind === 'rate';
  return (
    <RecordModal form={form} title={TITLE} onClose={onClose}>
      <div className="ek-form">
        <div className="ek-c12">
          <Choice label="Charge" options={KINDS} value={form.values.kind} onChange={(kind) => form.patch({ kind })} />
        </div>
        {isRate ? (
          <TextField
            {...form.bind('annualRate')}
            label="Annual Percentage Rate"
            hint="Simple interest: unpaid amount × percent × days ÷ 365"
            span={6}
            maxLength={8}
            autoFocus
          />
        ) : (
          <MoneyField
            {...form.bind('amount')}
            label="Amount"
            hint="Charged once per overdue invoice"
            span={6}
            autoFocus
          />
        )}
        <TextField
          {...form.bind('graceDays')}
          label="Grace Period (Days)"
          hint="Days after the due date without a finance charge"
          span={6}
          maxLength={3}
        />
        {isRate && (
          <MoneyField
            {...form.bind('minimum')}
            label="Minimum"
            hint="The smallest amount to charge a customer"
            span={6}
          />
        )}
        <Picker
          {...form.bind('accountId')}
          label="Account"
          options={keeping(
            revenue,
            accounts.find(({ id }) => id === form.values.accountId),
          )}
          span={6}
        />
        <div className="ek-c12">
          <CheckField {...form.bind('chargesCharges')} label="Also charge on overdue finance charges" />
        </div>
      </div>
    </RecordModal>
  );
}
