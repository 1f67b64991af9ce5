import type { AccountType } from '@evenkeel/core/books/accounts';
import type { AccountRole } from './books.ts';

/** Words for account types in the source programs, in lowercase, by the type in Evenkeel. */
const WORDS: Record<AccountType, readonly string[]> = {
  Bank: ['bank', 'cash and bank', 'bank account', 'checking', 'savings'],
  Cash: ['cash', 'undeposited funds', 'money in transit', 'cash on hand'],
  'Accounts Receivable': [
    'accounts receivable (a/r)',
    'accounts receivable',
    'accountsreceivable',
    'ar',
    'receivable',
    'system receivable invoice',
    'expected payments from customers',
  ],
  Inventory: ['inventory', 'inventory asset'],
  'Other Current Asset': [
    'other current assets',
    'other current asset',
    'ocasset',
    'current asset',
    'current assets',
    'asset',
    'assets',
    'prepayment',
    'other short-term asset',
    'vendor prepayments and vendor credits',
    'unpaid expense claims',
  ],
  'Short-Term Investment': ['short-term investment', 'stock', 'mutual'],
  'Fixed Asset': ['fixed assets', 'fixed asset', 'fixasset', 'property, plant, equipment'],
  'Accumulated Depreciation': ['accumulated depreciation'],
  'Other Asset': [
    'other assets',
    'other asset',
    'oasset',
    'non-current asset',
    'non-current assets',
    'other long-term asset',
  ],
  'Accounts Payable': [
    'accounts payable (a/p)',
    'accounts payable',
    'accountspayable',
    'ap',
    'payable',
    'system payable bill',
    'expected payments to vendors',
  ],
  'Credit Card': ['credit card', 'ccard', 'credit'],
  'Sales Tax Payable': ['sales tax payable', 'sales tax', 'sales taxes', 'gst', 'sales taxes on sales and purchases'],
  'Other Current Liability': [
    'other current liabilities',
    'other current liability',
    'ocliab',
    'current liability',
    'current liabilities',
    'liability',
    'liabilities',
    'wages payable',
    'due for payroll',
    'due to you and other business owners',
    'customer prepayments and customer credits',
    'other short-term liability',
    'historical',
    'rounding',
    'tracking',
  ],
  'Long-Term Liability': [
    'long term liabilities',
    'long term liability',
    'long-term liabilities',
    'long-term liability',
    'ltliab',
    'non-current liability',
    'non-current liabilities',
    'loan and line of credit',
    'other long-term liability',
  ],
  Equity: ['equity', 'business owner contribution and drawing', 'owner equity', 'historical adjustment'],
  'Retained Earnings': ['retained earnings', 'retained earnings: profit', "retained earnings/owner's equity"],
  Income: ['income', 'inc', 'revenue', 'revenues', 'sales', 'discount', 'discounts', 'uncategorized income'],
  'Cost of Goods Sold': ['cost of goods sold', 'cogs', 'direct costs', 'cost of sales'],
  Expense: [
    'expenses',
    'expense',
    'exp',
    'overhead',
    'overheads',
    'depreciation',
    'operating expense',
    'operating expenses',
    'payment processing fee',
    'payroll expense',
    'uncategorized expense',
    'superannuation',
    'wages expense',
  ],
  'Other Income': ['other income', 'exinc', 'gain on foreign exchange'],
  'Other Expense': ['other expense', 'other expenses', 'exexp', 'loss on foreign exchange'],
};

const BY_WORD = new Map<string, AccountType>();
for (const [type, words] of Object.entries(WORDS)) {
  const known = isType(type) ? type : undefined;
  for (const word of known === undefined ? [] : words) BY_WORD.set(word, known ?? 'Expense');
}

function isType(text: string): text is AccountType {
  return Object.hasOwn(WORDS, text);
}

/**
 * Returns the type that the source's words mean, or undefined if the words are unknown. `details` are more specific
 * words, such as QuickBooks' detail type. They take precedence if they indicate a special type.
 */
export function typeFor(word: string, ...details: readonly string[]): AccountType | undefined {
  const specific = details
    .map((detail) => BY_WORD.get(detail.trim().toLowerCase()))
    .find((type) => type !== undefined && SPECIFIC.has(type));
  return specific ?? BY_WORD.get(word.trim().toLowerCase());
}

/** The special types that a detail word can select within a broader type. */
const SPECIFIC = new Set<AccountType>([
  'Inventory',
  'Accumulated Depreciation',
  'Sales Tax Payable',
  'Retained Earnings',
  'Cash',
]);

/** QuickBooks Desktop's markers for special accounts (the EXTRA column). */
const EXTRA: Record<string, AccountRole> = {
  RETEARNINGS: 'retainedEarnings',
  OPENBAL: 'openingBalance',
  UNDEPOSIT: 'undepositedFunds',
  SALESTAX: 'salesTax',
  INVENTORYASSET: 'inventory',
};

const NAMES: readonly [RegExp, AccountRole][] = [
  [/^retained earnings\b/i, 'retainedEarnings'],
  [/^opening balance equity\b|^historical adjustment$/i, 'openingBalance'],
  [/^undeposited funds$|^payments to deposit$/i, 'undepositedFunds'],
  [/^sales tax payable$|^sales tax agency payable$/i, 'salesTax'],
  [/^accounts receivable( \(a\/r\))?( - [a-z]{3})?$/i, 'receivable'],
  [/^accounts payable( \(a\/p\))?( - [a-z]{3})?$/i, 'payable'],
  [/^inventory asset$/i, 'inventory'],
];

/** Returns an account's role, based on the source's marker, the type, and the name without parents and numbers. */
export function roleFor({
  name,
  type,
  extra,
}: {
  name: string;
  type?: AccountType | undefined;
  extra?: string;
}): AccountRole | undefined {
  const marked = EXTRA[(extra ?? '').toUpperCase()];
  if (marked !== undefined) return marked;
  if (type === 'Accounts Receivable') return 'receivable';
  if (type === 'Accounts Payable') return 'payable';
  if (type === 'Retained Earnings') return 'retainedEarnings';
  const plain = name.replace(/^\d[\d.-]*\s+(?:[·–-]\s+)?/, '');
  const role = NAMES.find(([pattern]) => pattern.test(plain))?.[1];
  return type === undefined || role === undefined || isPossible(role, type) ? role : undefined;
}

const ROOTS: Partial<Record<AccountRole, readonly AccountType[]>> = {
  retainedEarnings: ['Equity', 'Retained Earnings'],
  openingBalance: ['Equity'],
  undepositedFunds: ['Cash', 'Bank', 'Other Current Asset'],
  salesTax: ['Sales Tax Payable', 'Other Current Liability'],
  receivable: ['Accounts Receivable'],
  payable: ['Accounts Payable'],
  inventory: ['Inventory', 'Other Current Asset'],
};

const isPossible = (role: AccountRole, type: AccountType): boolean => ROOTS[role]?.includes(type) ?? false;

/** The type that each role implies, for accounts whose type is not in the files. */
export const ROLE_TYPES: Record<AccountRole, AccountType> = {
  retainedEarnings: 'Retained Earnings',
  openingBalance: 'Equity',
  undepositedFunds: 'Cash',
  salesTax: 'Sales Tax Payable',
  receivable: 'Accounts Receivable',
  payable: 'Accounts Payable',
  inventory: 'Inventory',
};
