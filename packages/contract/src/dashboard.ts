import * as z from 'zod';
import type { Permission } from './areas.ts';
import { endpoint } from './endpoint.ts';
import { DateField, Id, text, Usd } from './fields.ts';
import { ReportRequest, Source } from './figures.ts';

/** The dashboard's nine cards. */

/** A total that is part of a card's amounts, with the source of its entries. */
const CardPart = z.object({
  name: z.string(),
  label: z.string(),
  amount: Usd,
  /** Whether the amount is credits less debits. */
  credit: z.boolean(),
  source: Source,
});
export type CardPart = z.output<typeof CardPart>;

/** The fields that every card has in addition to its amounts. */
const ofCard = {
  /** The selected period (see PERIODS in core/dates). Null on a card that shows balances on a single date. */
  periodType: z.number().int().nullable(),
  /** The first day of the period. Null on a card that shows balances on a single date. */
  from: DateField.nullable(),
  /** The last day that the card includes. */
  to: DateField,
  /** The basis: 0 for accrual, 1 for cash. */
  basis: z.number().int(),
  /** The source of the card's main amount. Returned only by the card's own call. */
  source: Source.optional(),
  /** The totals that make up the card's amounts. Returned only by the card's own call. */
  parts: z.array(CardPart).optional(),
};

/**
 * Open amounts by days past due: 1 to 30, 31 to 60, and 61 or more. Amounts that are not due yet and credits are
 * current.
 */
export const AgingCard = z.object({
  currentAmount: Usd,
  thirtyAmount: Usd,
  sixtyAmount: Usd,
  ninetyAmount: Usd,
  totalAmount: Usd,
  /** The average age in days since the document date, weighted by the open amount. */
  averageDaysOutstanding: z.number().int(),
  ...ofCard,
});
export type AgingCard = z.output<typeof AgingCard>;

/**
 * `periodType` is 0 for a month, 4 for a quarter, 1 for a fiscal year, and 8 for a custom range, whose target is always
 * calculated.
 */
export const Target = z.object({ periodType: z.number().int(), amount: Usd });
export type Target = z.output<typeof Target>;

export const RevenueCard = z.object({
  revenueAmount: Usd,
  /** The targets that are set. */
  targetAmounts: z.array(Target),
  /**
   * The target for this period. If the user has not set a target, the target is the income in the budget (`budgeted`)
   * or is calculated from earlier periods. Null if no target can be determined.
   */
  target: Target.extend({ computed: z.boolean(), budgeted: z.literal(true).optional() }).nullable(),
  /** The revenue for the earlier periods on which a default target is based. Returned only by the card's own call. */
  earlier: z.array(CardPart).optional(),
  /**
   * The revenue for each month in the period, at most the last 24 months. If the period is one month, the five months
   * before that month are included.
   */
  months: z.array(z.object({ month: DateField, amount: Usd })),
  ...ofCard,
});
export type RevenueCard = z.output<typeof RevenueCard>;

const CashItem = z.object({
  accountId: Id,
  label: z.string(),
  amount: Usd,
  /**
   * The bank balance on the card's day according to the imported statements. Returned only if the day is today, and
   * only to users who can view Banking.
   */
  bankBalance: Usd.optional(),
  bankDate: DateField.optional(),
  source: Source.optional(),
});

/** Cash balances with their total. Amounts owed on credit cards are separate. */
export const CashPositions = z.object({
  items: z.array(CashItem),
  total: Usd,
  cardsOwed: z.object({ items: z.array(CashItem), total: Usd }),
  /** Bank transactions for review in all accounts. Returned only to users who can view Banking. */
  reviewCount: z.number().int().optional(),
  ...ofCard,
});
export type CashPositions = z.output<typeof CashPositions>;

const Category = z.object({ categoryName: z.string(), total: Usd, source: Source.optional() });

export const ExpenseBreakdown = z.object({ categories: z.array(Category), total: Usd, ...ofCard });
export type ExpenseBreakdown = z.output<typeof ExpenseBreakdown>;

export const RevenueVsExpense = z.object({
  /** Income, including other income. */
  revenue: Usd,
  /** The part of the income that is other income. */
  otherIncome: Usd,
  totalExpense: Usd,
  categories: z.array(Category),
  netProfitLoss: Usd,
  ...ofCard,
});
export type RevenueVsExpense = z.output<typeof RevenueVsExpense>;

/** The profit margin as a percentage with 2 decimal places. Null if income is zero. */
export const ProfitMargin = z.object({
  /** The kind of profit: 0 for gross, 1 for net. */
  pltype: z.number().int(),
  profitMarginPercent: z.number().nullable(),
  netProfitLoss: Usd,
  income: Usd,
  ...ofCard,
});
export type ProfitMargin = z.output<typeof ProfitMargin>;

/** Ratios with 2 decimal places. Null if the company has no current liabilities. */
export const CurrentRatio = z.object({
  currentRatio: z.number().nullable(),
  quickRatio: z.number().nullable(),
  currentAssets: Usd,
  quickAssets: Usd,
  currentLiabilities: Usd,
  ...ofCard,
});
export type CurrentRatio = z.output<typeof CurrentRatio>;

/** The return on assets as a percentage with 2 decimal places. Null if the company has no assets. */
export const ReturnOnAssets = z.object({
  roaPercent: z.number().nullable(),
  netIncome: Usd,
  averageAssets: Usd,
  /**
   * The assets on the day before the period. `averageAssets` is the mean of this amount and the assets on the period's
   * last day.
   */
  openingAssets: Usd,
  closingAssets: Usd,
  ...ofCard,
});
export type ReturnOnAssets = z.output<typeof ReturnOnAssets>;

/**
 * A card in a user's layout. `order` is 1 for the first card. The settings are periodType (8 also has startDate and
 * endDate) and pltype.
 */
export const CardLayout = z.object({
  key: text(40),
  visible: z.boolean(),
  order: z.number().int().min(-1000).max(1000),
  settings: z.array(z.object({ settingName: text(40), settingValue: text(40) })).max(20),
});
export type CardLayout = z.output<typeof CardLayout>;

/** The amounts for the cards that are on the user's dashboard and that the user may view. */
const Cards = z.object({
  incomingMoney: AgingCard.optional(),
  outgoingMoney: AgingCard.optional(),
  revenue: RevenueCard.optional(),
  cashPositions: CashPositions.optional(),
  expenseBreakdown: ExpenseBreakdown.optional(),
  revenueVsExpense: RevenueVsExpense.optional(),
  profitMargin: ProfitMargin.optional(),
  currentRatio: CurrentRatio.optional(),
  returnOnAssets: ReturnOnAssets.optional(),
});
export type Cards = z.output<typeof Cards>;

/**
 * A card whose amounts could not be calculated, with the code and message of the error. The client may try the card's
 * own call.
 */
const FailedCard = z.object({ key: z.string(), code: z.string(), message: z.string() });

/** The first steps of a new company, in the order in which they are shown. */
export const FIRST_STEPS = [
  'companyInfo',
  'salesTax',
  'moveIn',
  'openingBalances',
  'bank',
  'invoice',
  'colleagues',
] as const;
export type FirstStepKey = (typeof FIRST_STEPS)[number];

/** The permission for each step, which is the same as for the step's form. */
export const STEP_NEEDS: Readonly<Record<FirstStepKey, 'Administrator' | Permission>> = {
  companyInfo: 'Administrator',
  salesTax: 'Administrator',
  moveIn: 'Administrator',
  openingBalances: 'Manage Accounting',
  bank: 'Manage Banking',
  invoice: 'Manage Billing',
  colleagues: 'Administrator',
};

export const FirstStep = z.object({
  key: z.enum(FIRST_STEPS),
  /**
   * Whether the books show that the step is done: for example, a company address and a logo, a tax rate, or a balance
   * on Opening Balance Equity. Both imported books and opening balances complete the steps `moveIn` and
   * `openingBalances`.
   */
  done: z.boolean(),
  /** The record whose form the step opens. Null if the form creates a record. */
  id: Id.nullable(),
});
export type FirstStep = z.output<typeof FirstStep>;
export const FirstSteps = z.array(FirstStep);

/**
 * Work for the user: bank transactions for review, online payments for review, accepted estimates, documents with
 * undelivered emails, and account emails (such as invitations) and other jobs that failed permanently within the last 7
 * days.
 */
export const WAITING = ['bankLines', 'onlineReviews', 'acceptedEstimates', 'documentEmails', 'emails', 'jobs'] as const;
export type WaitingKey = (typeof WAITING)[number];

export const WaitingWork = z.object({ key: z.enum(WAITING), count: z.number().int() });
export type WaitingWork = z.output<typeof WaitingWork>;

const Dismissal = z.object({ dismissed: z.boolean() });

export const Dashboard = z.object({
  layout: z.array(CardLayout),
  cards: Cards,
  /** Cards on the dashboard that could not be calculated. The other cards are not affected. */
  failed: z.array(FailedCard),
  /** The first steps that the user may take. Empty for the demo company and for users who dismissed the first steps. */
  firstSteps: FirstSteps,
  /** Work that the user has permission to do. Kinds with no work are omitted. */
  waiting: z.array(WaitingWork),
});
export type Dashboard = z.output<typeof Dashboard>;

const DashboardReply = z.object({
  /** The version of this response. */
  version: z.string(),
  /** The dashboard. Null if nothing has changed since the requested version. */
  dashboard: Dashboard.nullable(),
});

const needs = 'View Dashboard';

export const dashboardCalls = {
  getDashboard: endpoint({
    method: 'GET',
    path: '/dashboard',
    needs,
    summary: "Returns the user's dashboard cards with today's amounts, limited to what the user can view.",
    query: z.object({ version: z.string().max(100).optional() }),
    reply: DashboardReply,
  }),
  getDashboardCards: endpoint({
    method: 'GET',
    path: '/dashboardcards',
    needs,
    summary: "Returns the user's dashboard layout in this company.",
    reply: z.array(CardLayout),
  }),
  saveDashboardCards: endpoint({
    method: 'PUT',
    path: '/dashboardcards',
    needs,
    summary:
      'Saves the dashboard layout. Cards that you omit come last and are visible. An empty list restores the defaults.',
    body: z.array(CardLayout).max(100),
    reply: z.array(CardLayout),
  }),
  dismissFirstSteps: endpoint({
    method: 'PUT',
    path: '/dashboard/firststeps',
    needs,
    summary: "Dismisses or restores the first steps on the user's dashboard.",
    body: Dismissal,
    reply: Dismissal,
  }),
  incomingMoney: endpoint({
    method: 'PUT',
    path: '/billingreport',
    needs,
    summary: 'Returns what customers owe, by days past due.',
    body: ReportRequest,
    reply: AgingCard,
    reads: true,
  }),
  outgoingMoney: endpoint({
    method: 'PUT',
    path: '/expensereport',
    needs,
    summary: 'Returns what you owe vendors, by days past due.',
    body: ReportRequest,
    reply: AgingCard,
    reads: true,
  }),
  revenue: endpoint({
    method: 'PUT',
    path: '/accountingcard',
    needs,
    summary: 'Returns revenue for a period, compared with its target.',
    body: ReportRequest,
    reply: RevenueCard,
    reads: true,
  }),
  cashPositions: endpoint({
    method: 'PUT',
    path: '/accountingcard/cashpositions',
    needs,
    summary: 'Returns bank and cash balances, and credit card balances.',
    body: ReportRequest,
    reply: CashPositions,
    reads: true,
  }),
  expenseBreakdown: endpoint({
    method: 'PUT',
    path: '/accountingcard/expensebreakdown',
    needs,
    summary: 'Returns expenses and cost of goods sold for a period, by account category.',
    body: ReportRequest,
    reply: ExpenseBreakdown,
    reads: true,
  }),
  revenueVsExpense: endpoint({
    method: 'PUT',
    path: '/accountingcard/revenuevsexpense',
    needs,
    summary: 'Returns income and expenses for a period.',
    body: ReportRequest,
    reply: RevenueVsExpense,
    reads: true,
  }),
  profitMargin: endpoint({
    method: 'PUT',
    path: '/accountingcard/profitmargin',
    needs,
    summary: 'Returns gross (`pltype` 0) or net (1) profit for a period as a percentage of income.',
    body: ReportRequest,
    reply: ProfitMargin,
    reads: true,
  }),
  currentRatio: endpoint({
    method: 'PUT',
    path: '/accountingcard/currentratio',
    needs,
    summary: 'Returns the current ratio and the quick ratio.',
    body: ReportRequest,
    reply: CurrentRatio,
    reads: true,
  }),
  returnOnAssets: endpoint({
    method: 'PUT',
    path: '/accountingcard/returnonassets',
    needs,
    summary: 'Returns net income for a period as a percentage of average assets.',
    body: ReportRequest,
    reply: ReturnOnAssets,
    reads: true,
  }),
  listTargets: endpoint({
    method: 'GET',
    path: '/accountingcard/targets',
    needs,
    summary: 'Returns the revenue targets by `periodType`: 0 month, 4 quarter, 1 fiscal year.',
    reply: z.array(Target),
  }),
  saveTargets: endpoint({
    method: 'PUT',
    path: '/accountingcard/targets',
    needs: ['Manage Dashboard', 'Manage Accounting'],
    summary: 'Sets revenue targets. Send 0 to remove one. Returns all targets.',
    body: z.array(Target).max(10),
    reply: z.array(Target),
  }),
};
