import type { AccountItem } from '@evenkeel/contract/ledger';
import { type CustomerSetting, CustomerSettings, settingsCalls } from '@evenkeel/contract/settings';
import { type SettingName, settingRule } from '@evenkeel/core/settings';
import { useWrite } from '../../client/api.ts';
import { RecordModal } from '../../records/RecordModal.tsx';
import { type RecordForm, useRecordForm } from '../../records/useRecordForm.ts';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { Choice } from '../../ui/show/Choice.tsx';
import {
  BASES,
  changedSettings,
  financialFaults,
  FinancialForm,
  financialFormOf,
  type FinancialSetting,
  MONTHS,
  placedSettings,
} from './financialForm.ts';

export interface FinancialModalProps {
  settings: readonly CustomerSetting[];
  accounts: readonly AccountItem[];
  onClose: () => void;
}

/** The Financial Info modal. All changes are saved in one call, or none are saved. */
export function FinancialModal({ settings, accounts, onClose }: FinancialModalProps) {
  const stored = financialFormOf(settings);
  const write = useWrite(settingsCalls.saveSettings);
  const form = useRecordForm<CustomerSettings, FinancialForm>({
    name: 'financial',
    id: 1,
    saved: { customerSettingItems: [...settings] },
    formOf: (one) => financialFormOf(one?.customerSettingItems ?? settings),
    reply: CustomerSettings,
    over: (mine, theirs) => ({ ...mine, versions: financialFormOf(theirs.customerSettingItems).versions }),
    schema: FinancialForm,
    check: financialFaults,
    placed: (fields, typed) => placedSettings(fields, changedSettings(typed, stored)),
    send: async (typed) => {
      const body = changedSettings(typed, stored).map((change) => ({ ...change, changed: true }));
      const answer = body.length > 0 ? await write.mutateAsync({ body }) : [];
      const saved = Array.isArray(answer) ? answer : [answer];
      return { customerSettingItems: settings.map((one) => saved.find(({ id }) => id === one.id) ?? one) };
    },
    words: { saved: () => 'Financial Info saved' },
    onSaved: onClose,
  });
  return (
    <RecordModal form={form} title="Financial Info" onClose={onClose}>
      <FinancialFields form={form} accounts={accounts} />
    </RecordModal>
  );
}

const ACCOUNTS: readonly { name: FinancialSetting; label: string }[] = [
  { name: 'defaultARAccountId', label: 'Default A/R Account' },
  { name: 'defaultAPAccountId', label: 'Default A/P Account' },
  { name: 'defaultREAccountId', label: 'Default Retained Earnings Account' },
  { name: 'discountsGivenAccountId', label: 'Discounts Given Account' },
  { name: 'purchaseDiscountsAccountId', label: 'Purchase Discounts Account' },
];

const SWITCHES: readonly { name: FinancialSetting; label: string }[] = [
  { name: 'useAccountNumbers', label: 'Use Account Numbers' },
  { name: 'useProfitCenters', label: 'Use Profit Centers' },
  { name: 'useLocations', label: 'Use Locations' },
];

const idOf = (text: string): number | null => (text === '' ? null : Number(text));
const textOf = (id: number | null): string => (id === null ? '' : String(id));

interface FieldsProps {
  form: RecordForm<FinancialForm>;
  accounts: readonly AccountItem[];
}

function FinancialFields({ form, accounts }: FieldsProps) {
  const { values, errorOf, patch } = form;
  return (
    <div className="ek-form">
      {ACCOUNTS.map(({ name, label }, index) => (
        <Picker
          key={name}
          label={label}
          options={accountsFor(accounts, name)}
          value={idOf(values[name])}
          onChange={(id) => patch({ [name]: textOf(id) })}
          error={errorOf(name)}
          autoFocus={index === 0}
          {...(settingRule(name).isOptional === true && { noneLabel: 'None' })}
        />
      ))}
      <Picker
        label="Fiscal Year Start Month"
        span={6}
        options={MONTHS}
        value={idOf(values.fyStartMonth)}
        onChange={(month) => patch({ fyStartMonth: textOf(month) })}
        error={errorOf('fyStartMonth')}
      />
      <div className="ek-c6">
        <Choice
          label="Reporting Basis"
          options={BASES}
          value={values.reportingAccountingBasis === '1' ? '1' : '0'}
          onChange={(reportingAccountingBasis) => patch({ reportingAccountingBasis })}
        />
      </div>
      <TextField
        {...form.bind('termsDays')}
        label="Payment Terms (Days)"
        hint="Days until an invoice or bill is due, unless the customer or vendor has its own terms"
        span={6}
        maxLength={3}
      />
      <div className="ek-c6 st-switches">
        {SWITCHES.map(({ name, label }) => (
          <CheckField
            key={name}
            label={label}
            value={values[name] === 'true'}
            onChange={(on) => patch({ [name]: String(on) })}
            error={errorOf(name)}
          />
        ))}
      </div>
    </div>
  );
}

/** Returns the accounts of the type that a setting requires. */
function accountsFor(accounts: readonly AccountItem[], name: SettingName) {
  const { accountTypes = [] } = settingRule(name);
  return accounts
    .filter((account) => accountTypes.some((type) => type === account.displayAccountType))
    .map((account) => ({ id: account.customerAccountID, label: account.displayAccountLabel }));
}
