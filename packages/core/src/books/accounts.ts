import chart from './chart.json' with { type: 'json' };
import { type Cents, negate } from '../money.ts';

/**
 * The five roots of the chart. An account's root determines whether a debit or a credit balance is shown as positive.
 */
export type Root = 'Asset' | 'Liability' | 'Equity' | 'Income' | 'Expense';
export type Side = 'Debit' | 'Credit';

/** The section of the balance sheet or the profit and loss statement that shows the account. */
export type StatementSection =
  | 'Current Assets'
  | 'Fixed Assets'
  | 'Other Assets'
  | 'Current Liabilities'
  | 'Long-term Liabilities'
  | 'Equity'
  | 'Income'
  | 'Cost of Goods Sold'
  | 'Expenses'
  | 'Other Income'
  | 'Other Expenses';

/**
 * The section of the statement of cash flows that shows the account. The statement explains the change in the 'Cash'
 * accounts.
 */
export type CashFlowSection = 'Cash' | 'Operating' | 'Investing' | 'Financing' | 'Net Income';

interface TypeRow {
  root: Root;
  section: StatementSection;
  cashFlow: CashFlowSection;
}

const CURRENT_ASSET: TypeRow = { root: 'Asset', section: 'Current Assets', cashFlow: 'Operating' };
const CASH: TypeRow = { root: 'Asset', section: 'Current Assets', cashFlow: 'Cash' };
const CURRENT_LIABILITY: TypeRow = { root: 'Liability', section: 'Current Liabilities', cashFlow: 'Operating' };
const EQUITY: TypeRow = { root: 'Equity', section: 'Equity', cashFlow: 'Financing' };

/** Every account type with its properties. Reports depend on types. Categories only group accounts. */
const TYPES = {
  Bank: CASH,
  Cash: CASH,
  'Accounts Receivable': CURRENT_ASSET,
  Inventory: CURRENT_ASSET,
  'Other Current Asset': CURRENT_ASSET,
  'Short-Term Investment': { root: 'Asset', section: 'Current Assets', cashFlow: 'Investing' },
  'Fixed Asset': { root: 'Asset', section: 'Fixed Assets', cashFlow: 'Investing' },
  'Accumulated Depreciation': { root: 'Asset', section: 'Fixed Assets', cashFlow: 'Operating' },
  'Other Asset': { root: 'Asset', section: 'Other Assets', cashFlow: 'Investing' },
  'Accounts Payable': CURRENT_LIABILITY,
  'Credit Card': CURRENT_LIABILITY,
  'Sales Tax Payable': CURRENT_LIABILITY,
  'Other Current Liability': CURRENT_LIABILITY,
  'Long-Term Liability': { root: 'Liability', section: 'Long-term Liabilities', cashFlow: 'Financing' },
  Equity: EQUITY,
  'Retained Earnings': EQUITY,
  Income: { root: 'Income', section: 'Income', cashFlow: 'Net Income' },
  'Cost of Goods Sold': { root: 'Expense', section: 'Cost of Goods Sold', cashFlow: 'Net Income' },
  Expense: { root: 'Expense', section: 'Expenses', cashFlow: 'Net Income' },
  'Other Income': { root: 'Income', section: 'Other Income', cashFlow: 'Net Income' },
  'Other Expense': { root: 'Expense', section: 'Other Expenses', cashFlow: 'Net Income' },
} as const satisfies Record<string, TypeRow>;

export type AccountType = keyof typeof TYPES;

export interface AccountTypeInfo {
  type: AccountType;
  root: Root;
  /** The side of the account's normal balance. A contra account has the side opposite to its root. */
  normal: Side;
  contra: boolean;
  section: StatementSection;
  cashFlow: CashFlowSection;
}

/** Returns whether the text is an account type. */
export function isAccountType(text: string): text is AccountType {
  return Object.hasOwn(TYPES, text);
}

/**
 * Returns the properties of an account type. Pass the `contra` flag of the account itself. Throws for an unknown type.
 */
export function accountTypeInfo(type: string, contra = false): AccountTypeInfo {
  if (!isAccountType(type)) throw new Error(`unknown account type '${type}'`);
  const row: TypeRow = TYPES[type];
  const isContra = contra || type === 'Accumulated Depreciation';
  const debit = (row.root === 'Asset' || row.root === 'Expense') !== isContra;
  return { type, ...row, contra: isContra, normal: debit ? 'Debit' : 'Credit' };
}

/**
 * Converts debit − credit to the displayed amount, which is positive on the side of the account's root. The amount of a
 * contra account (Accumulated Depreciation, Discounts Given, draws) is therefore negative in the chart, its register,
 * and every report.
 */
export function naturalAmount({ root }: Pick<AccountTypeInfo, 'root'>, amount: Cents): Cents {
  return root === 'Asset' || root === 'Expense' ? amount : negate(amount);
}

/**
 * Returns whether the account's balance restarts at zero each fiscal year, which is true for every income and expense
 * account.
 */
export function isProfitAndLoss(info: AccountTypeInfo): boolean {
  return info.root === 'Income' || info.root === 'Expense';
}

/**
 * Returns whether the account is a control account: a non-contra account of type Accounts Receivable or Accounts
 * Payable.
 */
export function isControlAccount(info: AccountTypeInfo): boolean {
  return !info.contra && (info.type === 'Accounts Receivable' || info.type === 'Accounts Payable');
}

/**
 * Returns whether the account has bank or card statements. Entries in these accounts must be on both bases. Otherwise,
 * a reconciliation would miss some entries.
 */
export function isMoneyAccount(info: AccountTypeInfo): boolean {
  return info.type === 'Bank' || info.type === 'Cash' || info.type === 'Credit Card';
}

const OTHER = 'Please select another account';

/** The error for a line that uses an inactive account. */
export const ACCOUNT_INACTIVE = `This account is inactive. ${OTHER}`;

/**
 * Returns the reason why a line on an invoice or bill cannot use an account, or undefined if it can. Cash, control, and
 * system accounts are rejected, because documents would no longer agree with their accounts. A bill line may use sales
 * tax payable, but an invoice charges tax only through its tax items.
 */
export function refusedOnLine(
  account: { type: string; contra: boolean; system: boolean },
  side: 'receivable' | 'payable',
): string | undefined {
  const info = accountTypeInfo(account.type, account.contra);
  if (isMoneyAccount(info))
    return `Use payments and journal entries to post to bank, cash, and card accounts. ${OTHER}`;
  if (isControlAccount(info)) return `Invoices, bills, and payments post to this account automatically. ${OTHER}`;
  const isHandedOver = side === 'payable' && info.type === 'Sales Tax Payable';
  return account.system && !isHandedOver ? `Only Evenkeel can post to this account. ${OTHER}` : undefined;
}

/** An account in the chart that every company starts with. Its ID is the same in every company. */
export interface MasterAccount {
  id: number;
  accountNumber: string;
  accountName: string;
  accountTypeLabel: AccountType;
  root: Root;
  normalBalance: Side;
  contra: boolean;
  category: string;
  system: boolean;
}

export const masterAccounts: readonly MasterAccount[] = chart.map((row) => {
  const info = accountTypeInfo(row.accountTypeLabel, row.contra);
  if (info.root !== row.root || info.normal !== row.normalBalance) throw new Error(`chart row ${row.id} is wrong`);
  return { ...row, accountTypeLabel: info.type, root: info.root, normalBalance: info.normal };
});

const byId = new Map(masterAccounts.map((account) => [account.id, account]));

/** Returns the account of the master chart with this ID. */
export function masterAccount(id: number): MasterAccount | undefined {
  return byId.get(id);
}

/**
 * Returns text such as "1200 - Accounts Receivable", or only the name if the company uses no account numbers or the
 * account has none.
 */
export function accountLabel(account: { number: string; name: string }, useAccountNumbers: boolean): string {
  return useAccountNumbers && account.number !== '' ? `${account.number} - ${account.name}` : account.name;
}

/** An account in the format that lookups return. */
interface NamedAccount {
  id: number;
  number: string;
  name: string;
  type: string;
  description: string;
  active: boolean;
}

/** Returns an account as a lookup item, with the ID in both spellings. */
export function accountItem(account: NamedAccount, useAccountNumbers: boolean) {
  return {
    customerAccountID: account.id,
    customerAccountId: account.id,
    name: account.name,
    displayAccountName: account.name,
    displayAccountNumber: account.number,
    displayAccountLabel: accountLabel(account, useAccountNumbers),
    displayAccountType: account.type,
    glAccountDescription: account.description,
    active: account.active,
  };
}

/**
 * Accounts that rules use. Their IDs are the same in every company. The IDs of accounts that users add start at 1000.
 */
export const CHECKING = 101;
export const SAVINGS = 102;
export const PETTY_CASH = 103;
export const UNDEPOSITED = 104;
export const INVENTORY = 106;
export const ACCUMULATED_DEPRECIATION = 119;
export const CREDIT_CARD = 122;
export const SALES_TAX_PAYABLE = 123;
export const CUSTOMER_DEPOSITS = 127;
export const OPENING_BALANCE_EQUITY = 136;
export const RETAINED_EARNINGS = 137;
export const AR = 138;
export const AP = 139;
export const SALES = 140;
export const SERVICE_INCOME = 141;
export const PACKAGE_INCOME = 142;
export const DISCOUNTS_GIVEN = 143;
export const UNAPPLIED_CASH_INCOME = 145;
export const COST_OF_GOODS_SOLD = 146;
export const BANK_CHARGES = 151;
export const UNCATEGORIZED_EXPENSE = 174;
export const BAD_DEBT = 173;
export const UNAPPLIED_CASH_EXPENSE = 175;
export const INTEREST_INCOME = 176;
export const GAIN_ON_SALE = 177;
export const LOSS_ON_SALE = 179;
export const FIRST_USER_ACCOUNT = 1000;
