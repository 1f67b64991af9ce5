import { chargeCalls, type FinanceChargeSettings } from '@evenkeel/contract/charges';
import { CHARGE_KINDS, checkChargeRule, isChargeSet } from '@evenkeel/core/documents/charges';
import { decimal, ZERO } from '@evenkeel/core/money';
import * as z from 'zod';
import { ask, messageOf, useRead, useWrite } from '../../client/api.ts';
import { useAccountChoices } from '../../parts/choices/accounts.ts';
import { keeping } from '../../parts/choices/choice.ts';
import { Money } from '../../records/formFields.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { SwitchField } from '../../ui/fields/SwitchField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Choice } from '../../ui/show/Choice.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { ExcludedCustomers } from './ExcludedCustomers.tsx';
import { FormNotes } from './FormNotes.tsx';
import { Section } from './Section.tsx';
import { changedLabels, useSettingsForm } from './settingsForm.ts';

export const CHARGES = ask(chargeCalls.getFinanceChargeSettings, {});
const TITLE = 'Finance Charges';

/** The finance charge rule, and the customers excluded from it. */
export function ChargesCard() {
  const { value, error, retry } = useRead(CHARGES, { alert: 'Error Loading Finance Charges' });
  return (
    <Section title={TITLE} hint="Charges for late payment, which you post on Billing" anchor="charges">
      {error !== undefined && <ErrorState message={error} onRetry={retry} />}
      {value !== undefined && (
        <div className="ek-stack">
          <Form settings={value} />
          <Others settings={value} />
        </div>
      )}
    </Section>
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

const KINDS = [
  { value: 'rate', label: 'Interest' },
  { value: 'amount', label: 'Amount' },
] as const;

const LABELS = [
  ['kind', 'Charge'],
  ['annualRate', 'Annual Percentage Rate'],
  ['amount', 'Amount'],
  ['graceDays', 'Grace Period (Days)'],
  ['minimum', 'Minimum'],
  ['accountId', 'Account'],
  ['chargesCharges', 'Charge on Overdue Finance Charges'],
] as const satisfies readonly (readonly [keyof ChargesForm, string])[];

function Form({ settings }: { settings: FinanceChargeSettings }) {
  const write = useWrite(chargeCalls.saveFinanceChargeSettings);
  const { revenue, accounts } = useAccountChoices();
  const form = useSettingsForm<FinanceChargeSettings, ChargesForm>({
    name: 'charges',
    asked: CHARGES,
    saved: settings,
    formOf,
    changesOf: (typed, stored) => changedLabels<ChargesForm>(typed, stored, LABELS),
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
  });
  const isRate = form.values.kind === 'rate';
  return (
    <div className="ek-stack">
      <FormNotes form={form} />
      {!isChargeSet(settings) && <p>Finance charges are off.</p>}
      <div className="st-rows">
        <Choice label="Charge" options={KINDS} value={form.values.kind} onChange={(kind) => form.patch({ kind })} />
        {isRate ? (
          <TextField
            {...form.bind('annualRate')}
            label="Annual Percentage Rate"
            hint="Simple interest: unpaid amount × percent × days ÷ 365"
            maxLength={8}
          />
        ) : (
          <MoneyField {...form.bind('amount')} label="Amount" hint="Charged once per overdue invoice" />
        )}
        <TextField
          {...form.bind('graceDays')}
          label="Grace Period (Days)"
          hint="Days after the due date before finance charges apply"
          maxLength={3}
        />
        {isRate && (
          <MoneyField {...form.bind('minimum')} label="Minimum" hint="The minimum finance charge per customer" />
        )}
        <Picker
          {...form.bind('accountId')}
          label="Account"
          options={keeping(
            revenue,
            accounts.find(({ id }) => id === form.values.accountId),
          )}
        />
        <SwitchField {...form.bind('chargesCharges')} label="Charge on Overdue Finance Charges" />
      </div>
    </div>
  );
}
