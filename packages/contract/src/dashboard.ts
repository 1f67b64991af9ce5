import * as z from 'zod';
import type { Permission } from './areas.ts';
import { endpoint } from './endpoint.ts';
import { DateField, Id, text, Usd } from './fields.ts';
import { ReportRequest, Source } from './figures.ts';

/** The dashboard's nine cards. */

/** A sum that figures of a card are made of, with the entries behind it. */
const CardPart = z.object({
  name: z.string(),
  label: z.string(),
  amount: Usd,
  /** The amount is credits less debits. */
  credit: z.boolean(),
  source: Source,
});
export type CardPart = z.output<typeof CardPart>;

/** Fields of every card besides its figures. */
const ofCard = {
  /** The period chosen (core/dates PERIODS); null on a card as of a date. */
  periodType: z.number().int().nullable(),
  /** First day of the period; null on a card as of a date. */
  from: DateField.nullable(),
  /** The last day that counts. */
  to: DateField,
  /** 0 accrual, 1 cash. */
  basis: z.number().int(),
  /** The entries behind its main figure; only from the card's own call. */
  source: Source.optional(),
  /** The sums that its figures are made of; only from the card's own call. */
  parts: z.array(CardPart).optional(),
};

/** Not due 1 to 30, 31 to 60 and 61 or more days ago; what is not due yet, and credit, is current. */
export const AgingCard = z.object({
  currentAmount: Usd,
  thirtyAmount: Usd,
  sixtyAmount: Usd,
  ninetyAmount: Usd,
  totalAmount: Usd,
  /** Since the document's date, weighted by what is open. */
  averageDaysOutstanding: z.number().int(),
  ...ofCard,
});
export type AgingCard = z.output<typeof AgingCard>;

/** `periodType` 0 a month, 4 a quarter, 1 a fiscal year; 8, only computed, two dates. */
export const Target = z.object({ periodType: z.number().int(), amount: Usd });
export type Target = z.output<typeof Target>;

export const RevenueCard = z.object({
  revenueAmount: Usd,
  /** The targets that are set. */
  targetAmounts: z.array(Target),
  /** The target of this period; null without any. Without a set one it is computed from earlier periods. */
  target: Target.extend({ computed: z.boolean() }).nullable(),
  /** Revenue of the earlier periods that make a target where none is set; only from the card's own call. */
  earlier: z.array(CardPart).optional(),
  /** Revenue by month within the period, of a long one the last 24; of one month the five before it too. */
  months: z.array(z.object({ month: DateField, amount: Usd })),
  ...ofCard,
});
export type RevenueCard = z.output<typeof RevenueCard>;

const CashItem = z.object({
  accountId: Id,
  label: z.string(),
  amount: Usd,
  /** The balance at the bank on its day, by the imported statements; only today, for those who view Banking. */
  bankBalance: Usd.optional(),
  bankDate: DateField.optional(),
  source: Source.optional(),
});

/** `total` is that of `items`; what is owed on credit cards stands apart. */
export const CashPositions = z.object({
  items: z.array(CashItem),
  total: Usd,
  cardsOwed: z.object({ items: z.array(CashItem), total: Usd }),
  /** Bank lines of all accounts that wait for review; only for those who view Banking. */
  reviewCount: z.number().int().optional(),
  ...ofCard,
});
export type CashPositions = z.output<typeof CashPositions>;

const Category = z.object({ categoryName: z.string(), total: Usd, source: Source.optional() });

export const ExpenseBreakdown = z.object({ categories: z.array(Category), total: Usd, ...ofCard });
export type ExpenseBreakdown = z.output<typeof ExpenseBreakdown>;

export const RevenueVsExpense = z.object({
  /** Income and other income. */
  revenue: Usd,
  /** The part that is other income. */
  otherIncome: Usd,
  totalExpense: Usd,
  categories: z.array(Category),
  netProfitLoss: Usd,
  ...ofCard,
});
export type RevenueVsExpense = z.output<typeof RevenueVsExpense>;

/** Percent with 2 decimals; null without income. */
export const ProfitMargin = z.object({
  /** 0 gross, 1 net. */
  pltype: z.number().int(),
  profitMarginPercent: z.number().nullable(),
  netProfitLoss: Usd,
  income: Usd,
  ...ofCard,
});
export type ProfitMargin = z.output<typeof ProfitMargin>;

/** Ratios with 2 decimals; null without current liabilities. */
export const CurrentRatio = z.object({
  currentRatio: z.number().nullable(),
  quickRatio: z.number().nullable(),
  currentAssets: Usd,
  quickAssets: Usd,
  currentLiabilities: Usd,
  ...ofCard,
});
export type CurrentRatio = z.output<typeof CurrentRatio>;

/** Percent with 2 decimals; null without assets. */
export const ReturnOnAssets = z.object({
  roaPercent: z.number().nullable(),
  netIncome: Usd,
  averageAssets: Usd,
  /** On the day before the period and on its last day: their mean is the average. */
  openingAssets: Usd,
  closingAssets: Usd,
  ...ofCard,
});
export type ReturnOnAssets = z.output<typeof ReturnOnAssets>;

/** A card of a person's layout; `order` 1 stands first. Settings: periodType (with 8 startDate, endDate), pltype. */
export const CardLayout = z.object({
  key: text(40),
  visible: z.boolean(),
  order: z.number().int().min(-1000).max(1000),
  settings: z.array(z.object({ settingName: text(40), settingValue: text(40) })).max(20),
});
export type CardLayout = z.output<typeof CardLayout>;

/** The figures by card: those that stand on the person's dashboard and sum up what the person may view. */
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

/** A card of which the figures could not be made, with code and message of an error; its own call may be tried. */
const FailedCard = z.object({ key: z.string(), code: z.string(), message: z.string() });

/** The first steps of a new company, in their order. */
export const FIRST_STEPS = ['companyInfo', 'salesTax', 'openingBalances', 'bank', 'invoice', 'colleagues'] as const;
export type FirstStepKey = (typeof FIRST_STEPS)[number];

/** The right of those who may take a step: that of the form to which it leads. */
export const STEP_NEEDS: Readonly<Record<FirstStepKey, 'Administrator' | Permission>> = {
  companyInfo: 'Administrator',
  salesTax: 'Administrator',
  openingBalances: 'Manage Accounting',
  bank: 'Manage Banking',
  invoice: 'Manage Billing',
  colleagues: 'Administrator',
};

export const FirstStep = z.object({
  key: z.enum(FIRST_STEPS),
  /** As the books show it: an address and a logo, a rate, a balance on Opening Balance Equity, and so on. */
  done: z.boolean(),
  /** The record whose form the step opens; null for a new one. */
  id: Id.nullable(),
});
export type FirstStep = z.output<typeof FirstStep>;
export const FirstSteps = z.array(FirstStep);

/**
 * Work that waits for somebody: bank lines to review; documents whose e-mail did not arrive; invitations and other
 * e-mails about accounts, and other jobs, that the server gave up within the last 7 days.
 */
export const WAITING = ['bankLines', 'acceptedEstimates', 'documentEmails', 'emails', 'jobs'] as const;
export type WaitingKey = (typeof WAITING)[number];

export const WaitingWork = z.object({ key: z.enum(WAITING), count: z.number().int() });
export type WaitingWork = z.output<typeof WaitingWork>;

const Dismissal = z.object({ dismissed: z.boolean() });

export const Dashboard = z.object({
  layout: z.array(CardLayout),
  cards: Cards,
  /** Those that stand there too and could not be made: the others are right without them. */
  failed: z.array(FailedCard),
  /** Those that the person may take; none of the demo company, and none once the person has dismissed them. */
  firstSteps: FirstSteps,
  /** Work that the person may mend; nothing of which there is none. */
  waiting: z.array(WaitingWork),
});
export type Dashboard = z.output<typeof Dashboard>;

const DashboardReply = z.object({
  /** Names this answer. */
  version: z.string(),
  /** Null: nothing has changed since the version that was asked with. */
  dashboard: Dashboard.nullable(),
});

const needs = 'View Dashboard';

export const dashboardCalls = {
  getDashboard: endpoint({
    method: 'GET',
    path: '/dashboard',
    needs,
    summary: "Returns the user's dashboard cards with today's amounts, limited to what the user may view.",
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
    summary: 'Saves the dashboard layout. Cards that you omit follow, visible. An empty list restores the defaults.',
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
