import type { FieldMessages } from '@evenkeel/core/failure';
import { checkSetting, isSettingName, type SettingName, settingNames, settingRule } from '@evenkeel/core/settings';
import * as z from 'zod';

/** The data of the Financial Info form. Each setting's value is a string, as in the API. */
export const FinancialForm = z.object({
  useAccountNumbers: z.string(),
  useProfitCenters: z.string(),
  useLocations: z.string(),
  defaultARAccountId: z.string(),
  defaultAPAccountId: z.string(),
  defaultREAccountId: z.string(),
  fyStartMonth: z.string(),
  reportingAccountingBasis: z.string(),
  closingDate: z.string(),
  termsDays: z.string(),
  discountsGivenAccountId: z.string(),
  purchaseDiscountsAccountId: z.string(),
}) satisfies z.ZodType<Record<SettingName, string>>;
export type FinancialForm = z.output<typeof FinancialForm>;

/** The settings that the user has changed. The closing date has its own screen, Month End. */
export type FinancialEdits = Partial<FinancialForm>;
export const FinancialEdits = z.custom<FinancialEdits>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(
      ([name, text]) => isSettingName(name) && name !== 'closingDate' && typeof text === 'string',
    ),
);

/** Returns the saved settings with the user's changes. */
export function withEdits(stored: FinancialForm, edits: FinancialEdits): FinancialForm {
  const form = { ...stored };
  for (const name of settingNames) form[name] = edits[name] ?? stored[name];
  return form;
}

export interface ChangedSetting {
  settingName: SettingName;
  settingValue: string;
}

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
export function financialFormOf(items: readonly { settingName: string; settingValue: string }[]): FinancialForm {
  const valueOf = (name: SettingName) =>
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
    closingDate: valueOf('closingDate'),
    termsDays: valueOf('termsDays'),
    discountsGivenAccountId: valueOf('discountsGivenAccountId'),
    purchaseDiscountsAccountId: valueOf('purchaseDiscountsAccountId'),
  };
}

/** Returns messages by setting name (core/settings). */
export function financialFaults(form: FinancialForm): FieldMessages {
  const faults: FieldMessages = {};
  for (const name of settingNames) {
    const { message } = checkSetting(name, form[name]);
    if (message !== undefined) faults[name] = message;
  }
  return faults;
}

/** Returns only the changed settings. */
export function changedSettings(form: FinancialForm, stored: FinancialForm): ChangedSetting[] {
  return settingNames
    .filter((name) => form[name] !== stored[name])
    .map((settingName) => ({ settingName, settingValue: form[settingName] }));
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
