import { AP, AR, DISCOUNTS_GIVEN, RETAINED_EARNINGS, type AccountType } from './books/accounts.ts';
import { parseWireDate } from './dates.ts';
import { isTermsDays, TERMS_MESSAGE } from './documents/terms.ts';

/** A company setting. Settings are sent and stored as strings. A setting has the same `id` in every company. */
interface SettingRule {
  id: number;
  /** The format of the string. */
  kind: 'switch' | 'account' | 'month' | 'basis' | 'date' | 'days';
  initial: string;
  /** The account types from which the setting's account can be chosen. */
  accountTypes?: readonly AccountType[];
  /** Whether a contra account is allowed. */
  takesContra?: boolean;
  /** Whether an empty string, which means no account, is allowed. */
  isOptional?: boolean;
}

/** The account types that early-payment discounts can be posted to. */
const OF_DISCOUNTS = ['Income', 'Other Income', 'Cost of Goods Sold', 'Expense', 'Other Expense'] as const;

const RULES = {
  useAccountNumbers: { id: 1, kind: 'switch', initial: 'false' },
  useProfitCenters: { id: 2, kind: 'switch', initial: 'false' },
  useLocations: { id: 3, kind: 'switch', initial: 'false' },
  defaultARAccountId: { id: 4, kind: 'account', initial: String(AR), accountTypes: ['Accounts Receivable'] },
  defaultAPAccountId: { id: 5, kind: 'account', initial: String(AP), accountTypes: ['Accounts Payable'] },
  defaultREAccountId: {
    id: 6,
    kind: 'account',
    initial: String(RETAINED_EARNINGS),
    accountTypes: ['Retained Earnings'],
  },
  fyStartMonth: { id: 7, kind: 'month', initial: '1' },
  reportingAccountingBasis: { id: 8, kind: 'basis', initial: '0' },
  closingDate: { id: 9, kind: 'date', initial: '' },
  /** The number of days until a document is due if its customer or vendor has no terms. */
  termsDays: { id: 10, kind: 'days', initial: '30' },
  discountsGivenAccountId: {
    id: 11,
    kind: 'account',
    initial: String(DISCOUNTS_GIVEN),
    accountTypes: OF_DISCOUNTS,
    takesContra: true,
  },
  /** Empty by default, because the default chart has no account for vendor discounts. */
  purchaseDiscountsAccountId: {
    id: 12,
    kind: 'account',
    initial: '',
    accountTypes: OF_DISCOUNTS,
    takesContra: true,
    isOptional: true,
  },
} as const satisfies Record<string, SettingRule>;

export type SettingName = keyof typeof RULES;

/** The known settings in the order of their IDs. */
export const settingNames: readonly SettingName[] = Object.keys(RULES).filter(isSettingName);

/** The reporting bases by number. */
const BASES: Readonly<Record<string, string>> = { 0: 'Accrual', 1: 'Cash' };

/** Returns the value that a setting's string contains: on or off, an account ID, or the name of a basis. */
export function settingMeaning(name: SettingName, text: string): string | number | boolean {
  const { kind } = RULES[name];
  if (kind === 'switch') return text === 'true';
  if (kind === 'account' && text !== '') return Number(text);
  return kind === 'basis' ? (BASES[text] ?? text) : text;
}

/** Returns whether a setting has exactly this name. */
export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(RULES, name);
}

/** Returns the known name that equals `text` regardless of case, or undefined. */
export function findSettingName(text: string): SettingName | undefined {
  return settingNames.find((name) => name.toLowerCase() === text.toLowerCase());
}

/** Returns the ID, kind, initial value, and account types of a setting. */
export function settingRule(name: SettingName): SettingRule {
  return RULES[name];
}

export type CheckedSetting = { value: string; message?: never } | { message: string; value?: never };

/**
 * Returns the string to store, or the reason why it is rejected. The server also checks that an account exists and has
 * the right type.
 */
export function checkSetting(name: SettingName, given: string | number | boolean): CheckedSetting {
  const text = String(given).trim();
  if (text === '' && settingRule(name).isOptional === true) return { value: '' };
  switch (RULES[name].kind) {
    case 'switch':
      return checkSwitch(text);
    case 'account':
      return /^[1-9]\d{0,14}$/.test(text) ? { value: text } : { message: 'Please Select an Account' };
    case 'month':
      return /^([1-9]|1[0-2])$/.test(text) ? { value: text } : { message: 'Please select a month from 1 to 12' };
    case 'basis':
      return text === '0' || text === '1' ? { value: text } : { message: 'Please select Accrual (0) or Cash (1)' };
    case 'date':
      return checkDate(text);
    case 'days':
      return /^\d+$/.test(text) && isTermsDays(Number(text))
        ? { value: String(Number(text)) }
        : { message: TERMS_MESSAGE };
  }
}

/** The maximum number of client-defined settings. */
export const MOST_OWN_SETTINGS = 100;

/** Returns whether a client may store a Yes/No setting with this name. */
export function isOwnSettingName(name: string): boolean {
  return /^[A-Za-z]\w{0,59}$/.test(name);
}

/**
 * Returns the string to store for a Yes/No setting that is known only to clients (specification, part 2 §3: "further
 * Yes/No checkbox settings"), or undefined for any other value. The server does not use these settings.
 */
export function ownSettingValue(given: string | number | boolean): 'true' | 'false' | undefined {
  const { value } = checkSwitch(String(given).trim());
  return value === 'true' || value === 'false' ? value : undefined;
}

function checkSwitch(text: string): CheckedSetting {
  const lower = text.toLowerCase();
  return lower === 'true' || lower === 'false' ? { value: lower } : { message: "Please enter 'true' or 'false'" };
}

function checkDate(text: string): CheckedSetting {
  if (text === '') return { value: '' };
  const date = parseWireDate(text);
  return date === undefined ? { message: 'Please enter a valid date' } : { value: date };
}
