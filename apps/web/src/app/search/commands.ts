import { formatDate, type IsoDate, PERIODS, PRESETS } from '@evenkeel/core/dates';
import { type ReportKind, reportKinds } from '@evenkeel/core/reports/kinds';
import { fold, readSearch } from '@evenkeel/core/words/search';
import { IconChartBar, IconPlus } from '@tabler/icons-react';
import type { SessionUser } from '../../client/session.ts';
import {
  CUSTOM,
  openReport,
  presetDates,
  readOpenReports,
  type ReportAsk,
  THIS_YEAR,
  type When,
  writeOpenReports,
} from '../../screens/reports/openReports.ts';
import type { MenuItem } from '../../ui/frame/SideMenu.tsx';
import { mayOpen, type ScreenNeeds } from '../shell/access.ts';
import { menuFor } from '../shell/menu.ts';

/** The groups of screens, reports, and actions in the palette. Users see only the commands that they can run. */

export const GROUPS = {
  action: 'Actions',
  screen: 'Screens',
  report: 'Reports',
  company: 'Companies',
  help: 'Help',
} as const;

export interface Command {
  /** The key under which a choice is remembered. */
  id: string;
  kind: keyof typeof GROUPS;
  text: string;
  /** Synonyms by which a search also finds the command. */
  also?: string;
  /** A muted note next to the text, for example the dates of a report. */
  note?: string;
  icon: MenuItem['icon'];
  /** The URL to open. Missing if the command runs a function. */
  to?: string;
  run?: () => void;
}

/** An action that opens a form for a new record, with its text, synonyms, URL, and permission. */
type NewForm = readonly [text: string, also: string, to: string, needs: ScreenNeeds];

const NEW_FORMS: readonly NewForm[] = [
  ['New Invoice', 'add billing create', '/billing?edit=0', 'Manage Billing'],
  ['New Bill', 'add expense invoice create', '/expenses?edit=0', 'Manage Expenses'],
  ['Add Journal Entry', 'new post create', '/accounting?journal=n0', 'Manage Accounting'],
  ['Add Customer', 'new create', '/customers?edit=0', 'Manage Customers'],
  ['Add Vendor', 'new create supplier', '/vendors?edit=0', 'Manage Vendors'],
  ['Add Work Item', 'new create time hours', '/billing?workitem=0', 'Manage Billing'],
  ['Paste Work Items', 'import rows spreadsheet time hours', '/billing?paste=1', 'Manage Billing'],
  ['Add Scheduled Invoice', 'recurring template repeat', '/billing?template=0', 'Manage Billing'],
  ['Add Scheduled Bill', 'recurring template repeat', '/expenses?template=0', 'Manage Expenses'],
  ['Finance Charges', 'late fee interest overdue assess', '/billing?charges=1', 'Manage Billing'],
  ['New Estimate', 'add create quote offer', '/billing?editestimate=0', 'Manage Billing'],
  ['New Credit Memo', 'create return', '/billing?creditmemo=0', 'Manage Billing'],
  ['Write Off Invoices', 'bad debt uncollectible', '/billing?writeoff=0', 'Manage Billing'],
  ['Receive Payment', 'take post record customer deposit', '/billing?pay=e0', 'Manage Billing'],
  ['Add Product / Service', 'new create item', '/products?tab=products&product=0', 'Manage Products'],
  ['Add Discount', 'new create', '/products?tab=discounts&discount=0', 'Manage Products'],
  ['Add Package Deal', 'new create', '/products?tab=packages&package=0', 'Manage Products'],
  ['Add Product Category', 'new create', '/products?tab=categories&category=0', 'Manage Products'],
  ['Add Bank Account', 'new create card', '/banking?tab=accounts&bankaccount=0', 'Manage Banking'],
  ['Add Rule', 'new create bank lines review', '/banking?rules=1&rule=0', 'Manage Banking'],
  ['New Transfer', 'add move money', '/accounting?transfer=0', 'Manage Banking'],
  ['New Deposit', 'add make bank undeposited', '/accounting?deposit=0', 'Manage Banking'],
  ['Import Statement', 'bank upload csv ofx file', '/banking?import=1', 'Manage Banking'],
  ['Add GL Account', 'new create', '/accounting?edit=0', 'Manage Accounting'],
  ['Opening Balances', 'add enter start move in', '/openingbalances', 'Manage Accounting'],
  ['Add Tax Agency', 'new create sales tax return state', '/taxes?agency=0', 'Manage Accounting'],
  ['Add Profit Center', 'new create', '/profitcenters?edit=0', 'Manage Accounting'],
  ['Add Location', 'new create', '/locations?edit=0', 'Manage Accounting'],
  ['Add Account Category', 'new create', '/accountcategories?edit=0', 'Manage Accounting'],
  ['Add User', 'new invite', '/users?user=0', 'Administrator'],
  ['Create API Key', 'new add program token', '/apikeys?apikey=0', 'Administrator'],
  ['Add Webhook', 'new create program event notification', '/webhooks?edit=0', 'Administrator'],
  ['Add Role', 'new create', '/users?tab=roles&role=0', 'Administrator'],
  ['Add Sales Tax', 'new create scenario', '/settings?salestax=0', 'Administrator'],
  ['Add Tax Rule', 'new create law state 1099 threshold', '/settings?taxrule=0', 'Administrator'],
  ['Add Payment Type', 'new create', '/settings?paymenttype=0', 'Administrator'],
  ['Edit Company Info', 'settings logo address time zone', '/settings?company=1', 'Administrator'],
  ['Edit Payment Reminders', 'settings overdue dunning email', '/settings?tab=reminders', 'Administrator'],
  ['Edit Emails and Payment', 'settings email text how to pay send', '/settings?tab=email', 'Administrator'],
  ['Edit Finance Charges', 'settings late fee interest rate', '/settings?tab=reminders#charges', 'Administrator'],
  ['Edit Financial Info', 'settings fiscal year basis', '/settings?financial=1', 'Administrator'],
];

/** Screens that are two steps away in the menu. */
const INNER_SCREENS: readonly NewForm[] = [
  ['Invoice History', 'billing paid', '/billing?tab=history', 'View Billing'],
  ['Payments', 'billing received', '/billing?tab=payments', 'View Billing'],
  ['Work Items', 'billing unbilled time', '/billing?tab=work', 'View Billing'],
  ['Scheduled Invoices', 'billing recurring templates', '/billing?tab=scheduled', 'View Billing'],
  ['Scheduled Bills', 'expenses recurring templates', '/expenses?tab=scheduled', 'View Expenses'],
  ['Scheduled Journal Entries', 'accounting recurring templates', '/accounting?tab=scheduled', 'View Accounting'],
  ['Credit Memos', 'refunds returns', '/billing?tab=credits&kind=memos', 'View Billing'],
  ['Write-Offs', 'billing bad debt', '/billing?tab=credits&kind=writeoffs', 'View Billing'],
  ['Paid Bills', 'expenses history', '/expenses?tab=paid', 'View Expenses'],
  ['Bill Payments', 'expenses', '/expenses?tab=payments', 'View Expenses'],
  ['Discounts', 'products', '/products?tab=discounts', 'View Products'],
  ['Package Deals', 'products', '/products?tab=packages', 'View Products'],
  ['Product Categories', '', '/products?tab=categories', 'View Products'],
  ['Bank Accounts', 'banking cards', '/banking?tab=accounts', 'View Banking'],
  ['Review', 'banking lines match statement', '/banking?tab=review', 'View Banking'],
  ['Statements', 'banking imported files', '/banking?statements=1', 'View Banking'],
  ['Rules', 'banking lines', '/banking?rules=1', 'View Banking'],
  ['Saved Transactions', 'journal drafts', '/accounting?saved=1', 'View Accounting'],
  ['1099 Forms', 'taxes contractors vendors nec misc iris irs w-9 w9', '/taxes?tab=forms', 'View Accounting'],
  ['Budgets', 'accounting plan forecast', '/budgets', 'View Accounting'],
  ['Sent Reports', 'emailed history pdf bank', '/reports?sent=1', 'View Reports'],
  ['Profit Centers', '', '/profitcenters', 'View Accounting'],
  ['Locations', '', '/locations', 'View Accounting'],
  ['GL Accounts', 'chart', '/glaccounts', 'View Accounting'],
  ['Account Categories', '', '/accountcategories', 'View Accounting'],
  ['Approvals', 'agents waiting proposals approve edit reject', '/approvals', 'changes'],
  ['API Keys', 'programs integration token secret developer', '/apikeys', 'Administrator'],
  ['Webhooks', 'programs events integration notifications developer', '/webhooks', 'Administrator'],
  ['Online Payments', 'stripe card pay now clearing payout dispute refund', '/onlinepayments', 'View Billing'],
  ['Roles', 'users rights permissions', '/users?tab=roles', 'Administrator'],
  [
    'Move In',
    'import migrate switch quickbooks xero wave gnucash hledger beancount spreadsheet old books',
    '/movein',
    'Administrator',
  ],
];

/** Synonyms for the screens in the menu, by path. */
const SCREEN_WORDS: Readonly<Record<string, string>> = {
  '/': 'home start',
  '/billing': 'invoices sales',
  '/expenses': 'bills purchases',
  '/vendors': 'suppliers',
  '/products': 'services items',
  '/banking': 'reconcile reconciliation',
  '/accounting': 'chart of accounts journal ledger',
  '/taxes': 'sales tax return file due agency liability 1099',
  '/monthend': 'close the books closing date lock period year end checklist reopen',
  '/settings': 'company preferences',
};

const REPORT_WORDS: Readonly<Record<number, string>> = {
  [reportKinds.profitAndLoss.id]: 'p&l pl income statement',
  [reportKinds.balanceSheet.id]: 'bs',
  [reportKinds.trialBalance.id]: 'tb',
  [reportKinds.budgetAgainstActual.id]: 'budget vs actual variance plan',
  [reportKinds.cashToAccrual.id]: 'reconcile bases conversion difference',
  [reportKinds.generalLedger.id]: 'gl',
  [reportKinds.customerAging.id]: 'a/r ar receivables',
  [reportKinds.vendorAging.id]: 'a/p ap payables',
};

/**
 * Returns the commands that the signed-in user can run without selecting a record. `own` contains the app frame's
 * commands.
 */
export function commandsFor(user: SessionUser | null, own: readonly Command[]): Command[] {
  const allowed = (forms: readonly NewForm[], kind: Command['kind'], iconOf: (to: string) => MenuItem['icon']) =>
    forms
      .filter(([, , , needs]) => mayOpen(user, needs) && mayReach(user, needs))
      .map(([text, also, to]): Command => ({ id: to, kind, text, also, icon: iconOf(to), to }));
  const menu = menuFor(user).flatMap(({ items }) => items);
  const iconOf = (to: string) => menu.find((item) => item.to !== '/' && to.startsWith(item.to))?.icon ?? IconChartBar;
  return [
    ...allowed(NEW_FORMS, 'action', () => IconPlus),
    ...own,
    ...menu.map(({ to, label: text, icon }): Command => ({
      id: to,
      kind: 'screen',
      text,
      also: SCREEN_WORDS[to] ?? '',
      icon,
      to,
    })),
    ...allowed(INNER_SCREENS, 'screen', iconOf),
  ];
}

/** Banking forms open on top of Accounting, which requires its own permission. */
const mayReach = (user: SessionUser | null, needs: ScreenNeeds): boolean =>
  needs !== 'Manage Banking' || mayOpen(user, 'View Accounting');

/** The accounting settings that determine report dates. */
export interface Books {
  today: IsoDate;
  fyStartMonth: number;
  basis: 0 | 1;
}

/** A parsed search for commands: its words and its report dates. */
export interface Wanted {
  words: readonly string[];
  when: When | undefined;
}

/** Parses a search text. Returns undefined if the text contains an amount, because no command contains an amount. */
export function readWanted(text: string, today: IsoDate): Wanted | undefined {
  const folded = fold(text);
  const period = PRESETS.find((each) => folded.includes((PERIODS[each] ?? '').toLowerCase()));
  const rest = period === undefined ? text : folded.replace((PERIODS[period] ?? '').toLowerCase(), ' ');
  const { terms } = readSearch(rest, today);
  if (terms.some(({ amount }) => amount !== undefined)) return undefined;
  const days = terms.find((term) => term.days !== undefined)?.days;
  const words = terms.filter((term) => term.days === undefined).flatMap(({ texts }) => texts);
  if (period !== undefined) return { words, when: { period } };
  return { words, when: days && { period: CUSTOM, ...days } };
}

/** Returns the reports that match the search, with the dates in the search text. */
export function reportsOf({ words, when }: Wanted, books: Books): Command[] {
  if (words.length === 0) return [];
  return Object.values<ReportKind>(reportKinds)
    .filter(({ id, title }) => hasWords(`${title} ${title.replace(' and ', ' & ')} ${REPORT_WORDS[id] ?? ''}`, words))
    .map((kind) => reportCommand(kind, when, books));
}

/** Returns a remembered report by its ID, with its dates calculated from today. */
export function reportOfChoice(id: string, books: Books): Command | undefined {
  const [, report, period] = /^report (\d+) (\d)$/.exec(id) ?? [];
  const kind = Object.values<ReportKind>(reportKinds).find((each) => String(each.id) === report);
  const isKnown = kind !== undefined && PRESETS.includes(Number(period));
  return isKnown ? reportCommand(kind, { period: Number(period) }, books) : undefined;
}

/**
 * Returns the command that runs a report. The default period is this year. `customerId` limits the report to one
 * customer.
 */
export function reportCommand(kind: ReportKind, when: When | undefined, books: Books, customerId?: number): Command {
  const isRanged = kind.dates === 'range';
  const { period = THIS_YEAR } = when ?? {};
  const preset = presetDates(period, { ...books, isRanged });
  const { from = preset.from, to = preset.to } = when ?? {};
  const note =
    when === undefined && !isRanged
      ? 'today'
      : period === CUSTOM
        ? spanText({ from, to })
        : PERIODS[period]?.toLowerCase();
  const ask: ReportAsk = {
    reportId: kind.id,
    period,
    from,
    to,
    basis: books.basis,
    profitCenterId: 0,
    locationId: 0,
    ...(customerId === undefined ? {} : { customerId }),
  };
  return {
    id: `report ${kind.id} ${period}`,
    kind: 'report',
    text: kind.title,
    ...(note === undefined ? {} : { note }),
    icon: IconChartBar,
    to: reportAddress(ask),
  };
}

const spanText = ({ from, to }: { from: IsoDate; to: IsoDate }): string =>
  from === to ? formatDate(from) : `${formatDate(from)} – ${formatDate(to)}`;

/** A report opens in a new tab, next to the open reports. */
function reportAddress(ask: ReportAsk): string {
  const isThere = window.location.pathname === '/reports';
  const open = readOpenReports(new URLSearchParams(isThere ? window.location.search : ''));
  const { report, active } = writeOpenReports(openReport(open, ask));
  const query = new URLSearchParams(report.map((text) => ['report', text]));
  if (active !== undefined) query.set('active', String(active));
  return `/reports?${query.toString()}`;
}

/** Returns whether each search word is the start of a word in the text. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const folded = ` ${fold(text)}`;
  return words.every((word) => folded.includes(` ${word.trim()}`));
}

/**
 * Returns the commands for a search text: first the commands that begin with the text, and then the commands whose
 * names contain the words in the text.
 */
export function commandsOf(commands: readonly Command[], { words }: Wanted): Command[] {
  if (words.length === 0) return [];
  const whole = words.join(' ');
  const found = commands.filter(({ text, also = '' }) => hasWords(`${text} ${also}`, words));
  const rank = ({ text }: Command) => (fold(text).startsWith(whole) ? 0 : hasWords(text, words) ? 1 : 2);
  return found.toSorted((a, b) => rank(a) - rank(b));
}
