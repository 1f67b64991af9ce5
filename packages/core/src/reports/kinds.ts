import { BALANCE_SHEET, CUSTOMER_AGING, PROFIT_AND_LOSS, UNPAID_BILLS } from './names.ts';

/** The comparisons that a statement's columns offer. */
export const COMPARES = {
  previousperiod: 'Previous period',
  previousyear: 'Previous year',
  month: 'By month',
  quarter: 'By quarter',
  profitcenter: 'By profit center',
  location: 'By location',
  income: '% of income',
} as const;

export type Compare = keyof typeof COMPARES;

/** Whether the text names one of them. */
export function isCompare(text: string): text is Compare {
  return Object.hasOwn(COMPARES, text);
}

const GROUPS = ['General Financial', 'Billing', 'Expenses'] as const;

/** The facts of a report before it runs; the toolbar, the address and the server follow them. */
export interface ReportKind {
  /** The id in the API's path. Ids up to 99 are fixed by the API; later reports begin at 100. */
  id: number;
  title: string;
  group: (typeof GROUPS)[number];
  /** Over a range of dates, or as of the report date. */
  dates: 'range' | 'asOf';
  /** Made from documents, or by accrual alone: basis, profit center and location then say nothing. */
  isWhole?: true;
  /** A report of the whole company, by either basis: tax names no profit center and no location. */
  isOfCompany?: true;
  compares?: readonly Compare[];
  /** A report of one customer, whom `customerid` names. */
  of?: 'customer';
}

const PAST: readonly Compare[] = ['previousperiod', 'previousyear', 'month', 'quarter'];

/**
 * Every report that can be run, in the order of its group; how it is made stands with the server, under the
 * same name.
 */
export const reportKinds = {
  balanceSheet: { ...BALANCE_SHEET, group: 'General Financial', dates: 'asOf', compares: PAST },
  profitAndLoss: {
    ...PROFIT_AND_LOSS,
    group: 'General Financial',
    dates: 'range',
    compares: [...PAST, 'profitcenter', 'location', 'income'],
  },
  trialBalance: { id: 3, title: 'Trial Balance', group: 'General Financial', dates: 'asOf' },
  cashFlow: {
    id: 100,
    title: 'Statement of Cash Flows',
    group: 'General Financial',
    dates: 'range',
    isWhole: true,
    compares: PAST,
  },
  generalLedger: { id: 101, title: 'General Ledger', group: 'General Financial', dates: 'range' },
  journal: { id: 102, title: 'Journal', group: 'General Financial', dates: 'range' },
  customerAging: { ...CUSTOMER_AGING, group: 'Billing', dates: 'asOf', isWhole: true },
  customerAgingDetail: { id: 103, title: 'Customer Aging Detail', group: 'Billing', dates: 'asOf', isWhole: true },
  customerBalances: { id: 104, title: 'Customer Balances', group: 'Billing', dates: 'asOf', isWhole: true },
  customerStatement: {
    id: 105,
    title: 'Statement of Account',
    group: 'Billing',
    dates: 'range',
    isWhole: true,
    of: 'customer',
  },
  salesByCustomer: { id: 106, title: 'Sales by Customer', group: 'Billing', dates: 'range' },
  salesByCustomerDetail: { id: 111, title: 'Sales by Customer Detail', group: 'Billing', dates: 'range' },
  salesByProduct: { id: 107, title: 'Sales by Product', group: 'Billing', dates: 'range' },
  salesByProductDetail: { id: 112, title: 'Sales by Product Detail', group: 'Billing', dates: 'range' },
  salesByCategory: { id: 113, title: 'Sales by Category', group: 'Billing', dates: 'range' },
  salesByMonth: { id: 114, title: 'Sales by Month', group: 'Billing', dates: 'range' },
  salesTaxLiability: { id: 118, title: 'Sales Tax Liability', group: 'Billing', dates: 'range', isOfCompany: true },
  salesTaxDetail: { id: 119, title: 'Sales Tax Detail', group: 'Billing', dates: 'range', isOfCompany: true },
  unpaidBills: { ...UNPAID_BILLS, group: 'Expenses', dates: 'asOf', isWhole: true },
  vendorAging: { id: 108, title: 'Vendor Aging Report', group: 'Expenses', dates: 'asOf', isWhole: true },
  vendorAgingDetail: { id: 109, title: 'Vendor Aging Detail', group: 'Expenses', dates: 'asOf', isWhole: true },
  vendorBalances: { id: 110, title: 'Vendor Balances', group: 'Expenses', dates: 'asOf', isWhole: true },
  expensesByVendor: { id: 115, title: 'Expenses by Vendor', group: 'Expenses', dates: 'range' },
  expensesByVendorDetail: { id: 116, title: 'Expenses by Vendor Detail', group: 'Expenses', dates: 'range' },
  expensesByCategory: { id: 117, title: 'Expenses by Category', group: 'Expenses', dates: 'range' },
} as const satisfies Record<string, ReportKind>;

/** A report by its name in `reportKinds`. */
export type ReportName = keyof typeof reportKinds;

const byId = new Map<number, ReportKind>(Object.values(reportKinds).map((kind) => [kind.id, kind]));

/** The report of this id, or undefined. */
export function reportKind(id: number): ReportKind | undefined {
  return byId.get(id);
}

/** The groups in their order, each with its reports. */
export const reportGroups: readonly { title: string; reports: readonly ReportKind[] }[] = GROUPS.map((title) => ({
  title,
  reports: Object.values<ReportKind>(reportKinds).filter(({ group }) => group === title),
}));
