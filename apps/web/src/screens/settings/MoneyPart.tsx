import { type CustomerSetting, settingsCalls } from '@evenkeel/contract/settings';
import type { AccountItem } from '@evenkeel/contract/ledger';
import { formatDate, type IsoDate, parseDate } from '@evenkeel/core/dates';
import { type SettingName, settingRule } from '@evenkeel/core/settings';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ask, asKey, useStale, useWrite } from '../../client/api.ts';
import { RecordModal } from '../../records/RecordModal.tsx';
import { type RecordForm, useRecordForm } from '../../records/useRecordForm.ts';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import type { Span } from '../../ui/fields/field.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { SwitchField } from '../../ui/fields/SwitchField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Choice } from '../../ui/show/Choice.tsx';
import { FormErrorSummary } from '../../ui/show/FormErrorSummary.tsx';
import {
  BASES,
  changedSettings,
  FinancialEdits,
  financialFaults,
  type FinancialForm,
  financialFormOf,
  MONTHS,
  placedSettings,
  SETTING_LABELS,
  withEdits,
} from './financialForm.ts';
import { Pane } from './Pane.tsx';
import { useSaveBar } from './SaveBar.tsx';
import { Section } from './Section.tsx';
import { EditButton } from './SettingsCards.tsx';

const TITLE = 'Financial Info';

export interface MoneyPartProps {
  settings: readonly CustomerSetting[];
  accounts: readonly AccountItem[];
  takesFocus?: boolean;
  /** Whether the form is open as a modal on top of the page. */
  isEdited: boolean;
  onEdit: () => void;
  onClose: () => void;
}

/**
 * The financial settings, in the column and in the Financial Info modal. Both show one form. All changes are saved in
 * one call, or none are saved.
 */
export function MoneyPart({ takesFocus = false, ...props }: MoneyPartProps) {
  return (
    <Pane label="Money" takesFocus={takesFocus}>
      <MoneySections {...props} />
    </Pane>
  );
}

function MoneySections({ settings, accounts, isEdited, onEdit, onClose }: MoneyPartProps) {
  const money = useMoneyForm(settings, onClose);
  const { form, values, changes } = money;
  useSaveBar(
    form,
    changes.map(({ settingName }) => SETTING_LABELS[settingName]),
  );
  const field = (name: SettingName) => <SettingField key={name} {...{ name, money, accounts }} isRow />;
  return (
    <>
      <FormErrorSummary problems={form.problems.map((message) => ({ message }))} />
      <Section
        title={TITLE}
        hint="Accounts that invoices, bills, and discounts post to"
        actions={<EditButton of={TITLE} onEdit={onEdit} />}
      >
        <div className="st-rows">{ACCOUNTS.map(field)}</div>
      </Section>
      <Section title="Fiscal Year and Terms" hint="Used by reports and by new invoices and bills">
        <div className="st-rows">
          {YEAR_AND_TERMS.map(field)}
          <ClosedThrough date={parseDate(values.closingDate)} />
        </div>
      </Section>
      <Section title="Numbers and Dimensions">
        <div className="st-rows">{SWITCHES.map(field)}</div>
      </Section>
      {isEdited && (
        <RecordModal form={form} title={TITLE} onClose={onClose}>
          <div className="ek-form">
            {[...ACCOUNTS, ...YEAR_AND_TERMS, ...SWITCHES].map((name) => (
              <SettingField key={name} {...{ name, money, accounts }} />
            ))}
          </div>
        </RecordModal>
      )}
    </>
  );
}

/** The closing date, which can be changed only on the month-end page. */
function ClosedThrough({ date }: { date: IsoDate | undefined }) {
  return (
    <div className="st-fact">
      <div>
        <div className="st-name">Closed Through</div>
        <div className="st-hint">
          Close a month under{' '}
          <Link className="ek-link" to="/monthend">
            Month End
          </Link>
        </div>
      </div>
      <div className="ek-num">{date === undefined ? 'Not closed' : formatDate(date)}</div>
    </div>
  );
}

interface MoneyForm {
  form: RecordForm<FinancialEdits>;
  values: FinancialForm;
  changes: ReturnType<typeof changedSettings>;
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
  const changes = changesIn(form.values);
  return {
    form: { ...form, dirty: form.dirty && changes.length > 0 },
    values: withEdits(stored, form.values),
    changes,
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
  termsDays: 'Unless the customer or vendor has its own terms',
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
  /** Whether the field is a row in the column, which never gets narrower. */
  isRow?: boolean;
}

/** The field of a setting, by the kind of its value. */
function SettingField({ name, money, accounts, isRow = false }: SettingFieldProps) {
  const { form, values, set } = money;
  const value = values[name];
  const { kind, isOptional = false } = settingRule(name);
  const span: { span?: Span } = isRow || kind === 'account' ? {} : { span: 6 };
  const field = { ...span, label: SETTING_LABELS[name], hint: HINTS[name], error: form.errorOf(name) };
  const isFirst = !isRow && name === ACCOUNTS[0];
  if (kind === 'switch') {
    const Toggle = isRow ? SwitchField : CheckField;
    return <Toggle {...field} value={value === 'true'} onChange={(on) => set(name, String(on))} />;
  }
  if (kind === 'basis') {
    return (
      <div className={isRow ? undefined : 'ek-c6'}>
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
      autoFocus={isFirst}
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
