import { reportKinds } from '@evenkeel/core/reports/kinds';

/**
 * A screen, and everything that its URL opens: queries in which `{invoice}` is a placeholder for the ID of a saved
 * invoice.
 */
export interface ScreenPlaces {
  /** The path in the route table. */
  path: string;
  heading: string;
  /** Queries that open forms for new records. */
  makes: readonly string[];
  /** Queries that open forms for saved records. */
  edits: readonly string[];
  /** Queries that open tabs, panels, and dialogs without input. */
  shows: readonly string[];
}

/** Returns the screen for a short list with a form on top of it. */
const shortList = (path: string, heading: string, subject: string): ScreenPlaces => ({
  path,
  heading,
  makes: ['edit=0'],
  edits: [`edit={${subject}}`],
  shows: [],
});

const report = `report=${reportKinds.profitAndLoss.id}_8_{from}_{to}_0_0_0`;

/**
 * Every private screen in route table order, with everything that it opens. Web tests and journeys cover the whole
 * list.
 * `everyScreen.test.tsx` fails if a screen or a URL parameter read by a screen is missing here, or if a query here
 * opens nothing.
 */
export const catalogue: readonly ScreenPlaces[] = [
  { path: '/', heading: 'Dashboard', makes: [], edits: [], shows: ['figure=revenue.total'] },
  {
    path: '/billing',
    heading: 'Billing',
    makes: [
      'edit=0',
      'workitem=0',
      'paste=1',
      'template=0',
      'creditmemo=0',
      'creditof={invoice}',
      'editestimate=0',
      'invoiceof={estimate}',
      'copy={invoice}',
      'copycredit={credit}',
      'copyestimate={estimate}',
      'pay=i{invoice}',
      'pay=e{customer}',
      'pay=e0',
      'deposit=0',
      'pay=s{invoice}',
      'pay=r{customer}',
    ],
    edits: [
      'edit={invoice}',
      'workitem={workItem}',
      'template={scheduledInvoice}',
      'creditmemo={credit}',
      'apply={credit}',
      'editestimate={estimate}',
      'pay=p{payment}',
    ],
    shows: [
      'tab=work',
      'tab=scheduled',
      'scheduled={scheduledInvoice}',
      'process=1',
      'writeoff={invoice}',
      'writeoff=0',
      'charges=1',
      'tab=history',
      'tab=payments',
      'tab=credits',
      'tab=credits&kind=memos',
      'tab=credits&kind=writeoffs',
      'tab=credits&kind=refunds',
      'credit={credit}',
      'tab=estimates',
      'estimate={estimate}',
      'estimate={estimate}&panel=sending',
      'estimate={estimate}&send={estimate}',
      'credit={credit}&panel=sending',
      'credit={credit}&send={credit}',
      'writtenoff={writeOff}',
      'part=overdue',
      'invoice={invoice}',
      'invoice={invoice}&panel=sending',
      'invoice={invoice}&panel=ledger',
      'invoice={invoice}&send={invoice}',
      'invoice={invoice}&panel=history',
      'payment={payment}',
      'payment={payment}&panel=sending',
      'payment={payment}&panel=ledger',
      'payment={payment}&send={payment}',
      'figure=openAmount',
    ],
  },
  {
    path: '/expenses',
    heading: 'Expenses',
    makes: [
      'edit=0',
      'copy={bill}',
      'template=0',
      'pay=i{bill}',
      'pay=e{vendor}',
      'pay=s{bill}.{otherBill}',
      'pay=r{vendor}',
    ],
    edits: ['edit={bill}', 'template={scheduledBill}', 'apply={bill}', 'pay=p{billPayment}'],
    shows: [
      'tab=paid',
      'tab=scheduled',
      'scheduled={scheduledBill}',
      'tab=payments',
      'invoice={bill}',
      'invoice={bill}&panel=ledger',
      'payment={billPayment}',
      'payment={billPayment}&panel=ledger',
      'figure=invoiceAmount',
    ],
  },
  {
    path: '/customers',
    heading: 'Customers',
    makes: ['edit=0', 'new={customer}', 'pay=e{customer}'],
    edits: ['edit={customer}'],
    shows: [
      'customer={customer}',
      'customer={customer}&tab=invoices',
      'customer={customer}&tab=details',
      'customer={customer}&send={customer}',
      'customer={customer}&portal={customer}',
      'statements=1',
      'customer={customer}&tab=history',
      'figure=balance-{customer}',
      'figure=balances',
    ],
  },
  {
    path: '/vendors',
    heading: 'Vendors',
    makes: ['edit=0', 'new={vendor}', 'pay=e{vendor}'],
    edits: ['edit={vendor}', 'tax={vendor}'],
    shows: [
      'vendor={vendor}',
      'vendor={vendor}&tab=invoices',
      'vendor={vendor}&tab=payments',
      'vendor={vendor}&tab=details',
      'figure=balance-{vendor}',
      'figure=balances',
    ],
  },
  {
    path: '/products',
    heading: 'Products',
    makes: ['product=0', 'tab=discounts&discount=0', 'tab=packages&package=0', 'tab=categories&category=0'],
    edits: [
      'product={product}',
      'tab=discounts&discount={discount}',
      'tab=packages&package={package}',
      'tab=categories&category={category}',
    ],
    shows: ['tab=discounts', 'tab=packages', 'tab=categories'],
  },
  {
    path: '/banking',
    heading: 'Banking',
    makes: ['tab=accounts&bankaccount=0', 'rules=1&rule=0'],
    edits: ['tab=accounts&bankaccount={bankAccount}', 'rules=1&rule={rule}'],
    // A reconciliation in progress and the review are pages, not dialogs. An import needs a file.
    shows: [
      'tab=accounts',
      'reconcile={bankAccount}',
      'reconciliation={reconciliation}',
      'tab=review',
      'tab=review&part=settled',
      'tab=review&part=excluded',
      'import=1',
      'statements=1',
      // Opens on top of the banking screen, from its New menu.
      'transfer=0',
      'deposit=0',
      'statements=1&statement={statement}',
      'rules=1',
    ],
  },
  {
    path: '/approvals',
    heading: 'Approvals',
    makes: [],
    edits: ['edit={approval}'],
    shows: ['approval={approval}', 'tab=approved', 'tab=rejected'],
  },
  {
    path: '/accounting',
    heading: 'Accounting',
    makes: ['edit=0', 'journal=n0', 'journal=c{entry}', 'repeat={entry}', 'transfer=0', 'deposit=0'],
    edits: [
      'edit={account}',
      'journal=d{draft}',
      'template={scheduledJournal}',
      'transfer={transfer}',
      'deposit={deposit}',
    ],
    shows: [
      'account={account}',
      'signoff={account}',
      'entry={entry}',
      'saved=1',
      'tab=scheduled',
      'scheduled={scheduledJournal}',
    ],
  },
  { path: '/budgets', heading: 'Budgets', makes: [], edits: [], shows: [] },
  {
    path: '/taxes',
    heading: 'Taxes',
    makes: ['agency=0'],
    edits: [
      'agency={taxAgency}',
      'prepare={taxAgency}',
      'amend={taxAgency}',
      'pay={taxReturn}',
      'prepay={taxAgency}',
      'tab=forms&tax={vendor}',
      'tab=forms&boxes=1',
      'tab=forms&file=0',
    ],
    shows: [
      'return={taxReturn}',
      'tab=forms',
      'tab=forms&nec={formVendor}',
      'tab=forms&misc={formVendor}',
      'tab=forms&filed={form1099}',
      'tab=forms&copies=1',
    ],
  },
  shortList('/profitcenters', 'Profit Centers', 'profitCenter'),
  shortList('/locations', 'Locations', 'location'),
  shortList('/glaccounts', 'GL Accounts', 'account'),
  shortList('/accountcategories', 'Account Categories', 'accountCategory'),
  {
    path: '/reports',
    heading: 'Reports',
    makes: [],
    edits: [],
    shows: [
      report,
      `${report}&send=${reportKinds.profitAndLoss.id}`,
      `${report}_now___2026-01-31T09:00`,
      `${report}&figure=1+Total+{income}`,
      `${report}&entry={entry}`,
      'sent=1',
    ],
  },
  { path: '/monthend', heading: 'Month End', makes: [], edits: [], shows: ['month=2026-04', 'through=2026-04-20'] },
  {
    path: '/users',
    heading: 'Users',
    makes: ['user=0', 'tab=roles&role=0'],
    edits: ['user={user}', 'tab=roles&role={role}'],
    shows: ['tab=roles'],
  },
  {
    path: '/apikeys',
    heading: 'API Keys',
    makes: ['apikey=0'],
    edits: ['policy={apiKey}'],
    shows: ['apikey={apiKey}'],
  },
  {
    path: '/webhooks',
    heading: 'Webhooks',
    makes: ['edit=0'],
    edits: ['edit={webhook}'],
    shows: ['webhook={webhook}', 'event={webhookEvent}', 'part=failed'],
  },
  { path: '/onlinepayments', heading: 'Online Payments', makes: [], edits: [], shows: [] },
  {
    path: '/audit',
    heading: 'Audit Log',
    makes: [],
    edits: [],
    shows: ['exceptions=true', 'change={auditEntry}'],
  },
  { path: '/health', heading: 'Health', makes: [], edits: [], shows: [] },
  { path: '/openingbalances', heading: 'Opening Balances', makes: [], edits: [], shows: [] },
  {
    path: '/settings',
    heading: 'Settings',
    makes: ['salestax=0', 'taxrule=0', 'paymenttype=0', 'property0=0', 'property1=0', 'property2=0'],
    edits: [
      'company=1',
      'financial=1',
      'salestax={salesTax}',
      'taxrule={taxRule}',
      'paymenttype={paymentType}',
      'property0={property0}',
      'property1={property1}',
      'property2={property2}',
    ],
    shows: [
      'tab=money',
      'tab=taxes',
      'tab=email',
      'tab=reminders',
      'tab=lists',
      'tab=security',
      'tab=movein',
      'tab=export',
    ],
  },
  {
    path: '/movein',
    heading: 'Move In',
    makes: [],
    edits: [],
    shows: ['move={move}', 'step=source', 'step=files', 'step=match', 'step=match&tab=parties', 'step=preview'],
  },
  { path: '/account', heading: 'Account', makes: [], edits: [], shows: [] },
];

/** URL parameters that only change how a record looks and open nothing. */
export const LOOKS: readonly string[] = [
  'q',
  'year',
  'center',
  'sort',
  'part',
  'from',
  'to',
  'find',
  'when',
  'reversed',
  'cleared',
  'show',
  'of',
  'line',
  'active',
  'person',
  'kind',
  'record',
  'least',
  'most',
];

/** Returns a catalog URL with the IDs of its subjects filled in. */
export function filled(path: string, query: string, of: (subject: string) => string | number): string {
  return `${path}?${query.replace(/\{(\w+)\}/g, (_, subject: string) => encodeURIComponent(of(subject)))}`;
}
