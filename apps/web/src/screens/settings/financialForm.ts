import type { CustomerSetting } from '@evenkeel/contract/settings';
import type { FieldMessages } from '@evenkeel/core/failure';
import { checkSetting, isSettingName, type SettingName, settingNames, settingRule } from '@evenkeel/core/settings';
import * as z from 'zod';

/** The settings of the form. The closing date has its own screen, Month End. */
export type FinancialSetting = Exclude<SettingName, 'closingDate'>;

/**
 * The data of the Financial Info form. Each setting's value is a string, as in the API. `versions` contains the version
 * that the user edits, by setting, also in a draft.
 */
export const FinancialForm = z.object({
  useAccountNumbers: z.string(),
  useProfitCenters: z.string(),
  useLocations: z.string(),
  defaultARAccountId: z.string(),
  defaultAPAccountId: z.string(),
  defaultREAccountId: z.string(),
  fyStartMonth: z.string(),
  reportingAccountingBasis: z.string(),
  termsDays: z.string(),
  discountsGivenAccountId: z.string(),
  purchaseDiscountsAccountId: z.string(),
  versions: z.record(z.string(), z.number()),
}) satisfies z.ZodType<Record<FinancialSetting, string>>;
export type FinancialForm = z.output<typeof FinancialForm>;

export interface ChangedSetting {
  settingName: string;
  settingValue: string;
  rowVersion: number | undefined;
}

const formSettings = settingNames.filter((name): name is FinancialSetting => name !== 'closingDate');

export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
].map((label, index) => ({ id: index + 1, label }));

/** 0 for Accrual, 1 for Cash. */
export const BASES = [
  { value: '0', label: 'Accrual' },
  { value: '1', label: 'Cash' },
] as const;

/** The current settings, with defaults for settings that were never set. */
export function financialFormOf(items: readonly CustomerSetting[]): FinancialForm {
  const valueOf = (name: FinancialSetting) =>
    items.find((item) => item.settingName === name)?.settingValue ?? settingRule(name).initial;
  return {
    useAccountNumbers: valueOf('useAccountNumbers'),
    useProfitCenters: valueOf('useProfitCenters'),
    useLocations: valueOf('useLocations'),
    defaultARAccountId: valueOf('defaultARAccountId'),
    defaultAPAccountId: valueOf('defaultAPAccountId'),
    defaultREAccountId: valueOf('defaultREAccountId'),
    fyStartMonth: valueOf('fyStartMonth'),
    reportingAccountingBasis: valueOf('reportingAccountingBasis'),
    termsDays: valueOf('termsDays'),
    discountsGivenAccountId: valueOf('discountsGivenAccountId'),
    purchaseDiscountsAccountId: valueOf('purchaseDiscountsAccountId'),
    versions: Object.fromEntries(items.map(({ settingName, rowVersion }) => [settingName, rowVersion])),
  };
}

/** Returns messages by setting name (core/settings). */
export function financialFaults(form: FinancialForm): FieldMessages {
  const faults: FieldMessages = {};
  for (const name of formSettings) {
    const { message } = checkSetting(name, form[name]);
    if (message !== undefined) faults[name] = message;
  }
  return faults;
}

/** Returns only the changed settings, with the versions that were changed. */
export function changedSettings(form: FinancialForm, stored: FinancialForm): ChangedSetting[] {
  return formSettings
    .filter((name) => form[name] !== stored[name])
    .map((settingName) => ({
      settingName,
      settingValue: form[settingName],
      rowVersion: form.versions[settingName],
    }));
}

/** Maps the server's messages, which use the index in the sent array, to setting names. */
export function placedSettings(fields: FieldMessages, sent: readonly ChangedSetting[]): FieldMessages {
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => {
      const match = /^(\d+)\b/.exec(path);
      const name = match === null ? sent[0]?.settingName : sent[Number(match[1])]?.settingName;
      return [isSettingName(path) ? path : (name ?? path), message];
    }),
  );
}
