/**
 * The numbers and titles of the reports that the dashboard links to. This file is separate from kinds.ts, so that the
 * dashboard does not load all reports.
 */
export const BALANCE_SHEET = { id: 0, title: 'Balance Sheet' } as const;
export const PROFIT_AND_LOSS = { id: 1, title: 'Profit & Loss Statement' } as const;
export const CUSTOMER_AGING = { id: 7, title: 'Customer Aging Report' } as const;
export const UNPAID_BILLS = { id: 17, title: 'Unpaid Bills' } as const;
