import { AP, AR, DISCOUNTS_GIVEN, RETAINED_EARNINGS, type AccountType } from './books/accounts.ts';
import { parseWireDate } from './dates.ts';
import { isTermsDays, TERMS_MESSAGE } from './documents/terms.ts';

/** The company's settings. They travel and are kept as text. `id` is the setting's id in every company. */
interface SettingRule {
  id: number;
  /** The form of the text. */
  kind: 'switch' | 'account' | 'month' | 'basis' | 'date' | 'days';
  initial: string;
  /** The types of account that it may name. */
  accountTypes?: readonly AccountType[];
  /** A contra account will do. */
  takesContra?: boolean;
  /** Empty text stands for none. */
  isOptional?: boolean;
}

/** The types of account that discounts for early payment are posted to. */
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
  /** Days until a document is due where its customer or vendor has no terms. */
  termsDays: { id: 10, kind: 'days', initial: '30' },
  discountsGivenAccountId: {
    id: 11,
    kind: 'account',
    initial: String(DISCOUNTS_GIVEN),
    accountTypes: OF_DISCOUNTS,
    takesContra: true,
  },
  /** The default chart has no account for them. */
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

/** The known settings in the order of their ids. */
export const settingNames: readonly SettingName[] = Object.keys(RULES).filter(isSettingName);

/** The bases of reports, by their numbers. */
const BASES: Readonly<Record<string, string>> = { 0: 'Accrual', 1: 'Cash' };

/** A setting's text as the value that it stands for: a switch, the id of an account, a basis in words. */
export function settingMeaning(name: SettingName, text: string): string | number | boolean {
  const { kind } = RULES[name];
  if (kind === 'switch') return text === 'true';
  if (kind === 'account' && text !== '') return Number(text);
  return kind === 'basis' ? (BASES[text] ?? text) : text;
}

/** Whether a setting has exactly this name. */
export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(RULES, name);
}

/** The known name that `text` spells without regard to case, or undefined. */
export function findSettingName(text: string): SettingName | undefined {
  return settingNames.find((name) => name.toLowerCase() === text.toLowerCase());
}

/** Id, kind, first value and account types of a setting. */
export function settingRule(name: SettingName): SettingRule {
  return RULES[name];
}

export type CheckedSetting = { value: string; message?: never } | { message: string; value?: never };

/** The text to keep, or why it is refused. The server checks that an account exists and has the right type. */
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

/** At most so many settings of clients are kept. */
export const MOST_OWN_SETTINGS = 100;

/** Whether a client may keep a Yes/No setting of this name. */
export function isOwnSettingName(name: string): boolean {
  return /^[A-Za-z]\w{0,59}$/.test(name);
}

/**
 * The text to keep of a Yes/No setting that only clients know (specification, part 2 §3: "further Yes/No checkbox
 * settings"), or undefined for any other value. Such a setting has no effect here.
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
