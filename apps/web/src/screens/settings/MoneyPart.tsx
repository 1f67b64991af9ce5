import type { CustomerSetting } from '@evenkeel/contract/company';
import { settingsCalls } from '@evenkeel/contract/settings';
import type { AccountItem } from '@evenkeel/contract/ledger';
import { parseDate } from '@evenkeel/core/dates';
import { NOTHING } from '@evenkeel/core/nothing';
import { type SettingName, settingRule } from '@evenkeel/core/settings';
import { SETTING_LABELS } from '@evenkeel/core/words/audit';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ask, asKey, useStale, useWrite } from '../../client/api.ts';
import { RecordModal } from '../../records/RecordModal.tsx';
import { type RecordForm, useRecordForm } from '../../records/useRecordForm.ts';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import type { Span } from '../../ui/fields/field.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Choice } from '../../ui/show/Choice.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import {
  BASES,
  changedSettings,
  FinancialEdits,
  financialFaults,
  type FinancialForm,
  financialFormOf,
  MONTHS,
  placedSettings,
  withEdits,
} from './financialForm.ts';
import { Pane } from './Pane.tsx';
import { Section } from './Section.tsx';
import { EditButton, SettingFacts } from './SettingsCards.tsx';

const TITLE = 'Financial Info';

export interface MoneyPartProps {
  settings: readonly CustomerSetting[];
  accounts: readonly AccountItem[];
  takesFocus?: boolean;
  /** Whether the form is open on top of the page. */
  isEdited: boolean;
  onEdit: () => void;
  onClose: () => void;
}

/** The financial settings as read-only text. Edit opens the form. */
export function MoneyPart({ settings, accounts, takesFocus = false, isEdited, onEdit, onClose }: MoneyPartProps) {
  const stored = financialFormOf(settings);
  const fact = (name: SettingName) => ({
    label: SETTING_LABELS[name],
    value: shownSetting(name, stored[name], accounts) || <span className="ek-muted">{NOTHING}</span>,
  });
  const date = parseDate(stored.closingDate);
  const closed = { label: 'Closed Through', value: date === undefined ? 'Not closed' : <DateText value={date} /> };
  return (
    <Pane label="Money" takesFocus={takesFocus}>
      <Section
        title={TITLE}
        hint="Accounts that invoices, bills, and discounts post to"
        actions={<EditButton of={TITLE} onEdit={onEdit} />}
      >
        <SettingFacts facts={ACCOUNTS.map(fact)} />
      </Section>
      <Section
        title="Fiscal Year and Terms"
        hint="Used by reports and by new invoices and bills"
        actions={
          <Button component={Link} to="/monthend" variant="default" size="xs">
            Month End
          </Button>
        }
      >
        <SettingFacts facts={[...YEAR_AND_TERMS.map(fact), closed]} />
      </Section>
      <Section title="Numbers and Dimensions">
        <SettingFacts facts={SWITCHES.map(fact)} />
      </Section>
      {isEdited && <FinancialModal {...{ settings, accounts, onClose }} />}
    </Pane>
  );
}

/** Returns the text of a setting's value. Empty if an account is not set. */
function shownSetting(name: SettingName, value: string, accounts: readonly AccountItem[]): string {
  switch (settingRule(name).kind) {
    case 'switch':
      return value === 'true' ? 'Yes' : 'No';
    case 'basis':
      return BASES.find((basis) => basis.value === value)?.label ?? BASES[0].label;
    case 'month':
      return MONTHS.find(({ id }) => id === idOf(value))?.label ?? '';
    case 'account':
      return accounts.find(({ customerAccountID }) => customerAccountID === idOf(value))?.displayAccountLabel ?? '';
    default:
      return value;
  }
}

/** The form for the financial settings. One call saves either all changes or none of them. */
function FinancialModal({ settings, accounts, onClose }: Pick<MoneyPartProps, 'settings' | 'accounts' | 'onClose'>) {
  const money = useMoneyForm(settings, onClose);
  return (
    <RecordModal form={money.form} title={TITLE} onClose={onClose}>
      <div className="ek-form">
        {[...ACCOUNTS, ...YEAR_AND_TERMS, ...SWITCHES].map((name) => (
          <SettingField key={name} {...{ name, money, accounts }} />
        ))}
      </div>
    </RecordModal>
  );
}

interface MoneyForm {
  form: RecordForm<FinancialEdits>;
  values: FinancialForm;
  set: (name: SettingName, value: string) => void;
}

/**
 * The form holds only the user's changes, so that a draft never overwrites a setting that someone else has changed in
 * the meantime.
 */
function useMoneyForm(settings: readonly CustomerSetting[], onSaved: () => void): MoneyForm {
  const client = useQueryClient();
  const stored = financialFormOf(settings);
  const write = useWrite(settingsCalls.saveSettings);
  const refresh = useStale();
  const changesIn = (edits: FinancialEdits) => changedSettings(withEdits(stored, edits), stored);
  const form = useRecordForm<FinancialEdits, FinancialEdits>({
    name: 'financial',
    id: 1,
    saved: {},
    formOf: () => ({}),
    schema: FinancialEdits,
    check: (edits) => financialFaults(withEdits(stored, edits)),
    placed: (fields, edits) => placedSettings(fields, changesIn(edits)),
    send: async (edits) => {
      const versionOf = (name: SettingName) => settings.find(({ settingName }) => settingName === name)?.rowVersion;
      const body = changesIn(edits).map((change) => {
        return { ...change, changed: true, rowVersion: versionOf(change.settingName) };
      });
      if (body.length === 0) return {};
      // After a conflict, the fields show the other user's values, so that saving again is a deliberate choice.
      const saved = [await write.mutateAsync({ body }, { onError: () => refresh() })].flat();
      // Shows the saved values until the settings have loaded again.
      client.setQueryData(asKey(ask(settingsCalls.getSettings, {})), {
        customerSettingItems: [...saved, ...settings.filter(({ id }) => saved.every((one) => one.id !== id))],
      });
      return {};
    },
    words: { saved: () => `${TITLE} saved` },
    onSaved,
  });
  return {
    form: { ...form, dirty: form.dirty && changesIn(form.values).length > 0 },
    values: withEdits(stored, form.values),
    set: (name, value) => form.change((edits) => ({ ...edits, [name]: value })),
  };
}

const ACCOUNTS = [
  'defaultARAccountId',
  'defaultAPAccountId',
  'defaultREAccountId',
  'discountsGivenAccountId',
  'purchaseDiscountsAccountId',
] as const satisfies readonly SettingName[];
const YEAR_AND_TERMS = [
  'fyStartMonth',
  'reportingAccountingBasis',
  'termsDays',
] as const satisfies readonly SettingName[];
const SWITCHES = ['useAccountNumbers', 'useProfitCenters', 'useLocations'] as const satisfies readonly SettingName[];

const HINTS: Partial<Record<SettingName, string>> = {
  reportingAccountingBasis: 'The default basis for reports',
  termsDays: 'Used if the customer or vendor has no terms',
  useAccountNumbers: 'Shows numbers before account names',
  useProfitCenters: 'Adds a profit center to every line',
  useLocations: 'Adds a location to every line',
};

const idOf = (text: string): number | null => (text === '' ? null : Number(text));
const textOf = (id: number | null): string => (id === null ? '' : String(id));

interface SettingFieldProps {
  name: SettingName;
  money: MoneyForm;
  accounts: readonly AccountItem[];
}

/** The field for a setting, depending on the kind of its value. */
function SettingField({ name, money, accounts }: SettingFieldProps) {
  const { form, values, set } = money;
  const value = values[name];
  const { kind, isOptional = false } = settingRule(name);
  const span: { span?: Span } = kind === 'account' ? {} : { span: 6 };
  const field = { ...span, label: SETTING_LABELS[name], hint: HINTS[name], error: form.errorOf(name) };
  if (kind === 'switch') {
    return <CheckField {...field} value={value === 'true'} onChange={(on) => set(name, String(on))} />;
  }
  if (kind === 'basis') {
    return (
      <div className="ek-c6">
        <Choice
          label={field.label}
          hint={field.hint}
          options={BASES}
          value={value === '1' ? '1' : '0'}
          onChange={(basis) => set(name, basis)}
        />
      </div>
    );
  }
  if (kind === 'days') {
    return <TextField {...field} value={value} onChange={(days) => set(name, days)} maxLength={3} />;
  }
  return (
    <Picker
      {...field}
      options={kind === 'month' ? MONTHS : accountsFor(accounts, name)}
      value={idOf(value)}
      onChange={(id) => set(name, textOf(id))}
      autoFocus={name === ACCOUNTS[0]}
      {...(isOptional && { noneLabel: 'None' })}
    />
  );
}

/** Returns the accounts of the type that a setting requires. */
function accountsFor(accounts: readonly AccountItem[], name: SettingName) {
  const { accountTypes = [] } = settingRule(name);
  return accounts
    .filter((account) => accountTypes.some((type) => type === account.displayAccountType))
    .map((account) => ({ id: account.customerAccountID, label: account.displayAccountLabel }));
}
