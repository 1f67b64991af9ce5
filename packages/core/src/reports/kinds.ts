import { BALANCE_SHEET, CUSTOMER_AGING, PROFIT_AND_LOSS, UNPAID_BILLS } from './names.ts';

/** The comparisons that a report offers for its columns. */
export const COMPARES = {
  previousperiod: 'Previous period',
  previousyear: 'Previous year',
  samedays: 'Same period last year',
  month: 'By month',
  monthyear: 'By month and last year',
  quarter: 'By quarter',
  profitcenter: 'By profit center',
  location: 'By location',
  income: '% of income',
  now: 'With now',
} as const;

export type Compare = keyof typeof COMPARES;

/** Returns whether the text is the key of a comparison. */
export function isCompare(text: string): text is Compare {
  return Object.hasOwn(COMPARES, text);
}

/** The dates from which open amounts can be aged. The first of these dates is the default. */
export const AGE_BY = { duedate: 'Due date', invoicedate: 'Invoice date' } as const;

export type AgeBy = keyof typeof AGE_BY;

/** Returns whether the text is the key of an aging date. */
export function isAgeBy(text: string): text is AgeBy {
  return Object.hasOwn(AGE_BY, text);
}

const GROUPS = ['General Financial', 'Billing', 'Expenses'] as const;

/** The properties of a report, which the toolbar, the URL, and the server use. */
export interface ReportKind {
  /** The ID in the API path. IDs up to 99 are fixed by the API, and later reports start at 100. */
  id: number;
  title: string;
  /** A one-line description for users who choose a report. */
  says: string;
  group: (typeof GROUPS)[number];
  /** Whether the report covers a date range or shows amounts as of the report date. */
  dates: 'range' | 'asOf';
  /**
   * Whether the report is based on documents or is always on the accrual basis. If so, the basis, profit center, and
   * location have no effect.
   */
  isWhole?: true;
  /**
   * Whether the report always covers the whole company, because taxes have no profit center or location. The basis can
   * be chosen.
   */
  isOfCompany?: true;
  /** Whether the report has no location filter, because budgets have no locations. */
  hasNoLocations?: true;
  compares?: readonly Compare[];
  /** Whether the report can age open amounts from their due date or invoice date. */
  isAged?: true;
  /** Whether the report covers one customer, who is given by `customerid`. */
  of?: 'customer';
  /**
   * Whether all amounts in the report come from the ledger, where entries are only added. Such a report can be run as
   * known at any time. Other reports need earlier versions of documents, which are stored since an upgrade.
   */
  isOfLedger?: true;
}

const PAST: readonly Compare[] = ['previousperiod', 'previousyear', 'samedays', 'month', 'monthyear', 'quarter'];

const GENERAL = { group: 'General Financial', dates: 'range', isOfLedger: true } as const;
const SALES = { group: 'Billing', dates: 'range' } as const;
const SPENT = { group: 'Expenses', dates: 'range', isOfLedger: true } as const;
/** Reports on open amounts owed by customers or to vendors. */
const OWED = { group: 'Billing', dates: 'asOf', isWhole: true } as const;
const OWING = { group: 'Expenses', dates: 'asOf', isWhole: true } as const;

/** All reports in the order of their groups. The server has an implementation for each report under the same name. */
export const reportKinds = {
  balanceSheet: {
    ...BALANCE_SHEET,
    says: 'Assets, liabilities, and equity as of a date',
    ...GENERAL,
    dates: 'asOf',
    compares: [...PAST, 'now'],
  },
  profitAndLoss: {
    ...PROFIT_AND_LOSS,
    says: 'Income and expenses over a period',
    ...GENERAL,
    compares: [...PAST, 'profitcenter', 'location', 'income', 'now'],
  },
  budgetAgainstActual: {
    id: 130,
    title: 'Budget Against Actual',
    says: 'Actual amounts compared with the budget',
    group: 'General Financial',
    dates: 'asOf',
    hasNoLocations: true,
  },
  cashToAccrual: {
    id: 131,
    title: 'Cash to Accrual Bridge',
    says: 'Why profit differs between the cash and accrual bases',
    ...GENERAL,
    isWhole: true,
  },
  trialBalance: { id: 3, title: 'Trial Balance', says: 'The balance of every account', ...GENERAL, dates: 'asOf' },
  cashFlow: {
    id: 100,
    title: 'Statement of Cash Flows',
    says: 'Cash received and spent over a period',
    ...GENERAL,
    isWhole: true,
    compares: PAST,
  },
  generalLedger: { id: 101, title: 'General Ledger', says: 'Every entry, by account', ...GENERAL },
  journal: { id: 102, title: 'Journal', says: 'Every transaction, by date', ...GENERAL },
  unclearedTransactions: {
    id: 120,
    title: 'Uncleared Transactions',
    says: 'Bank entries not yet reconciled',
    group: 'General Financial',
    dates: 'asOf',
    isWhole: true,
  },
  closedChanges: {
    id: 122,
    title: 'Changes to Closed Books',
    says: 'Changes on or before the closing date, with their reasons',
    group: 'General Financial',
    dates: 'range',
    isWhole: true,
  },
  customerAging: { ...CUSTOMER_AGING, says: "Customers' open balances, by age", ...OWED, isAged: true },
  customerAgingDetail: {
    id: 103,
    title: 'Customer Aging Detail',
    says: 'Every open invoice and unapplied payment, by age',
    ...OWED,
    isAged: true,
  },
  customerBalances: { id: 104, title: 'Customer Balances', says: "Each customer's balance as of a date", ...OWED },
  customerStatement: {
    id: 105,
    title: 'Statement of Account',
    says: 'Invoices and payments for one customer',
    ...SALES,
    isWhole: true,
    of: 'customer',
  },
  salesByCustomer: { id: 106, title: 'Sales by Customer', says: 'Total sales to each customer', ...SALES },
  salesByCustomerDetail: { id: 111, title: 'Sales by Customer Detail', says: 'Every sale, by customer', ...SALES },
  salesByProduct: { id: 107, title: 'Sales by Product', says: 'Total sales of each product and service', ...SALES },
  salesByProductDetail: { id: 112, title: 'Sales by Product Detail', says: 'Every sale, by product', ...SALES },
  salesByCategory: { id: 113, title: 'Sales by Category', says: 'Sales by product category', ...SALES },
  salesByMonth: { id: 114, title: 'Sales by Month', says: 'Total sales for each month', ...SALES },
  salesTaxLiability: {
    id: 118,
    title: 'Sales Tax Liability',
    says: 'Sales tax due, by item',
    ...SALES,
    isOfCompany: true,
  },
  salesTaxDetail: {
    id: 119,
    title: 'Sales Tax Detail',
    says: 'The sales that make up the tax',
    ...SALES,
    isOfCompany: true,
  },
  exemptSales: {
    id: 121,
    title: 'Exempt Sales',
    says: 'Sales without tax, by reason for exemption',
    ...SALES,
    isOfCompany: true,
  },
  unpaidBills: { ...UNPAID_BILLS, says: 'Open bills and their due dates, by vendor', ...OWING },
  vendorAging: {
    id: 108,
    title: 'Vendor Aging Report',
    says: 'Open balances owed to vendors, by age',
    ...OWING,
    isAged: true,
  },
  vendorAgingDetail: {
    id: 109,
    title: 'Vendor Aging Detail',
    says: 'Every open bill and unapplied payment, by age',
    ...OWING,
    isAged: true,
  },
  vendorBalances: { id: 110, title: 'Vendor Balances', says: "Each vendor's balance as of a date", ...OWING },
  expensesByVendor: { id: 115, title: 'Expenses by Vendor', says: 'Total expenses for each vendor', ...SPENT },
  expensesByVendorDetail: { id: 116, title: 'Expenses by Vendor Detail', says: 'Every expense, by vendor', ...SPENT },
  expensesByCategory: { id: 117, title: 'Expenses by Category', says: 'Expenses by account category', ...SPENT },
} as const satisfies Record<string, ReportKind>;

/** The name of a report in `reportKinds`. */
export type ReportName = keyof typeof reportKinds;

const byId = new Map<number, ReportKind>(Object.values(reportKinds).map((kind) => [kind.id, kind]));

/** Returns the report with this ID, or undefined. */
export function reportKind(id: number): ReportKind | undefined {
  return byId.get(id);
}

/** The report groups in display order, each with its reports. */
export const reportGroups: readonly { title: string; reports: readonly ReportKind[] }[] = GROUPS.map((title) => ({
  title,
  reports: Object.values<ReportKind>(reportKinds).filter(({ group }) => group === title),
}));
