import type { AccountItem } from '@evenkeel/contract/ledger';
import type { CustomerSetting } from '@evenkeel/contract/settings';
import { parseDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import { type SettingName, settingRule } from '@evenkeel/core/settings';
import { useState } from 'react';
import { useFormSave } from '../records/formSave.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { CheckField } from '../ui/fields/CheckField.tsx';
import { DateField } from '../ui/fields/DateField.tsx';
import { Picker } from '../ui/fields/Picker.tsx';
import { useDraft } from '../ui/hooks/draft.ts';
import { AppModal } from '../ui/overlay/AppModal.tsx';
import { Choice } from '../ui/show/Choice.tsx';
import { FormErrorSummary } from '../ui/show/FormErrorSummary.tsx';
import {
  BASES,
  changedSettings,
  financialFaults,
  type FinancialForm,
  financialFormOf,
  MONTHS,
  NO_DATE_YET,
  placedSettings,
  readFinancialDraft,
} from './financialForm.ts';
import { type ChangedSetting, useSaveSettings } from './queries.ts';

export interface FinancialModalProps {
  settings: readonly CustomerSetting[];
  accounts: readonly AccountItem[];
  onClose: () => void;
}

/** The modal titled 'Financial Info'; what changed is saved in one call, whole or not at all. */
export function FinancialModal({ settings, accounts, onClose }: FinancialModalProps) {
  const stored = financialFormOf(settings);
  const draft = useDraft<FinancialForm>({ name: 'financial', initial: stored, read: readFinancialDraft });
  const save = useFormSave(financialFaults(draft.value));
  const [sent, setSent] = useState<ChangedSetting[]>([]);
  const sendSettings = useSaveSettings();
  const alerts = useAlerts();
  const send = async () => {
    const changes = changedSettings(draft.value, stored);
    setSent(changes);
    const saved = changes.length === 0 ? true : await save.attempt(() => sendSettings(changes));
    if (saved !== true) return;
    draft.clear();
    if (changes.length > 0) alerts.success('Financial Info saved');
    onClose();
  };
  return (
    <AppModal
      opened
      onClose={onClose}
      title="Financial Info"
      size="md"
      dirty={draft.dirty}
      onDiscard={() => draft.clear()}
      footer={{ primary: { label: 'Save', onClick: () => void send(), busy: save.busy } }}
    >
      <div className="ek-stack">
        <FormErrorSummary problems={save.problems.map((message) => ({ message }))} />
        <FinancialFields
          form={draft.value}
          accounts={accounts}
          fields={placedSettings(save.fields, sent)}
          onChange={(form) => {
            save.touched();
            draft.set(form);
          }}
        />
      </div>
    </AppModal>
  );
}

interface FinancialFieldsProps {
  form: FinancialForm;
  accounts: readonly AccountItem[];
  fields: FieldMessages;
  onChange: (form: FinancialForm) => void;
}

const ACCOUNTS: readonly { name: SettingName; label: string }[] = [
  { name: 'defaultARAccountId', label: 'Default A/R Account' },
  { name: 'defaultAPAccountId', label: 'Default A/P Account' },
  { name: 'defaultREAccountId', label: 'Default Retained Earnings Account' },
];

const SWITCHES: readonly { name: SettingName; label: string }[] = [
  { name: 'useAccountNumbers', label: 'Use Account Numbers' },
  { name: 'useProfitCenters', label: 'Use Profit Centers' },
  { name: 'useLocations', label: 'Use Locations' },
];

function FinancialFields({ form, accounts, fields, onChange }: FinancialFieldsProps) {
  const set = (name: SettingName, value: string) => onChange({ ...form, [name]: value });
  return (
    <div className="ek-form">
      {ACCOUNTS.map(({ name, label }, index) => (
        <Picker
          key={name}
          label={label}
          options={accountsFor(accounts, name)}
          value={form[name] === '' ? null : Number(form[name])}
          onChange={(id) => set(name, id === null ? '' : String(id))}
          error={fields[name]}
          autoFocus={index === 0}
        />
      ))}
      <div className="ek-c6">
        <Picker
          label="Fiscal Year Start Month"
          options={MONTHS}
          value={Number(form.fyStartMonth)}
          onChange={(month) => set('fyStartMonth', month === null ? '' : String(month))}
          error={fields['fyStartMonth']}
        />
      </div>
      <div className="ek-c6">
        <Choice
          label="Reporting Basis"
          options={BASES}
          value={form.reportingAccountingBasis === '1' ? '1' : '0'}
          onChange={(basis) => set('reportingAccountingBasis', basis)}
        />
      </div>
      <div className="ek-c6 st-closing">
        <CheckField
          label="Close the books"
          value={form.closingDate !== ''}
          onChange={(isClosed) => set('closingDate', isClosed ? NO_DATE_YET : '')}
        />
        <DateField
          label="Closing Date"
          hint="Nothing on or before it is posted, edited or deleted"
          value={parseDate(form.closingDate) ?? null}
          onChange={(date) => set('closingDate', date ?? NO_DATE_YET)}
          error={fields['closingDate']}
          disabled={form.closingDate === ''}
        />
      </div>
      <div className="ek-c6 st-switches">
        {SWITCHES.map(({ name, label }) => (
          <CheckField
            key={name}
            label={label}
            value={form[name] === 'true'}
            onChange={(on) => set(name, String(on))}
            error={fields[name]}
          />
        ))}
      </div>
    </div>
  );
}

/** Accounts of the type that the setting asks for. */
function accountsFor(accounts: readonly AccountItem[], name: SettingName) {
  const wanted = settingRule(name).accountType;
  return accounts
    .filter((account) => account.displayAccountType === wanted)
    .map((account) => ({ id: account.customerAccountID, label: account.displayAccountLabel }));
}
