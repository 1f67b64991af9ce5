import { agentCalls } from '@evenkeel/contract/agents';
import { auditCalls } from '@evenkeel/contract/audit';
import { authCalls } from '@evenkeel/contract/auth';
import { bankingCalls } from '@evenkeel/contract/banking';
import { billingCalls } from '@evenkeel/contract/billing';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { entityCalls } from '@evenkeel/contract/entities';
import { formCalls } from '@evenkeel/contract/forms1099';
import { keyCalls } from '@evenkeel/contract/keys';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { reconciliationCalls } from '@evenkeel/contract/reconciliation';
import { sendingCalls } from '@evenkeel/contract/sending';
import { settingsCalls } from '@evenkeel/contract/settings';
import { taxReturnCalls } from '@evenkeel/contract/taxreturns';
import { taxRuleCalls } from '@evenkeel/contract/taxrules';
import { type BankLineInput, statementCalls } from '@evenkeel/contract/statements';
import { transferCalls } from '@evenkeel/contract/transfers';
import { scheduledCalls } from '@evenkeel/contract/scheduled';
import { scheduleFrom } from '@evenkeel/core/documents/schedule';
import { creditCalls } from '@evenkeel/contract/credits';
import { estimateCalls } from '@evenkeel/contract/estimates';
import { webhookCalls } from '@evenkeel/contract/webhooks';
import { workItemCalls } from '@evenkeel/contract/workitems';
import { PETTY_CASH, SALES_TAX_PAYABLE, UNCATEGORIZED_EXPENSE, UNDEPOSITED } from '@evenkeel/core/books/accounts';
import { ESTIMATE_SENT } from '@evenkeel/core/documents/estimate';
import { addMonths, isoDate } from '@evenkeel/core/dates';
import { cents, decimal } from '@evenkeel/core/money';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { Api } from './api.ts';
import { writeOffCalls } from '@evenkeel/contract/writeoffs';
import { addBill, addCustomer, addInvoice, addVendor, daysAgo, incomeAccount, money, today } from './books.ts';
import { addMoveIn } from './moveIn.ts';
import { addStatement } from './statements.ts';

/** The IDs of the records that the screen catalog opens, by their names in the catalog. */
export type Saved = Readonly<Record<string, number>>;

/** Two accounts of the default chart. */
const [CONTRACTORS, LICENSES] = [154, 160];

/** Returns the name of a record in these books. */
type Named = (name: string) => string;

const plain: Named = (name) => name;

/** Adds one record to each of the company's short lists. */
export async function addLists(api: Api, named = plain): Promise<Saved> {
  const property = async (kind: number) => {
    const body = { kind, displayName: named(`Gate code ${kind}`), dataType: 1 };
    return (await api.call(settingsCalls.createProperty, { body })).id;
  };
  const center = await api.call(ledgerCalls.createProfitCenter, { body: { profitcentername: named('Installation') } });
  const location = await api.call(ledgerCalls.createLocation, { body: { locationName: named('Medina Yard') } });
  const group = await api.call(ledgerCalls.createAccountCategory, { body: { categoryName: named('Overhead') } });
  const category = await api.call(catalogueCalls.createCategory, { body: { categoryName: named('Grounds') } });
  const [account] = await api.call(ledgerCalls.chartOfAccounts, { query: {} });
  const [type] = await api.call(bankingCalls.listPaymentTypes, { query: {} });
  const [salesTax] = await api.call(settingsCalls.listSalesTax, {});
  const taxRule = await api.call(taxRuleCalls.createTaxRule, {
    body: {
      state: 'OH',
      from: isoDate('2026-01-01'),
      value: { topic: 'discount', percent: decimal('0.75') },
      source: 'Letter from the Department of Taxation',
    },
  });
  const taxAgency = await addTaxAgency(api);
  const place = { profitCenterId: center.profitcenterid, locationId: location.locationId };
  const forms = await addForms(api, place);
  const users = await api.call(authCalls.listUsers, { query: {} });
  const [user] = Array.isArray(users) ? users : users.items;
  const role = await api.call(authCalls.createRole, {
    body: { roleName: named('Crew Lead'), roleProperties: ['View Billing'] },
  });
  const apiKey = await api.call(keyCalls.createApiKey, {
    body: {
      name: 'Warehouse scanner',
      userId: user?.id ?? 0,
      permissions: ['View Products', 'Manage Billing', 'Manage Customers'],
      endsOn: addMonths(today(), 6),
    },
  });
  await api.call(agentCalls.setAgentAccess, { body: { isOn: true } });
  const agent = new Api(api.url, apiKey.key);
  const proposal = await agent.call(agentCalls.propose, {
    body: {
      operation: 'postCustomer',
      body: { name: named('Summit Orthopedics'), emailAddress: 'office@summit.example' },
      message: 'The invoice names a new customer.',
    },
  });
  await agent.call(agentCalls.commit, { body: { token: proposal.token } });
  const webhook = await api.call(webhookCalls.createWebhook, {
    body: { name: 'Web shop', url: 'https://shop.example/hooks', events: ['invoice.sent'] },
  });
  const webhookParams = { id: webhook.record.id };
  const webhookEvent = await api.call(webhookCalls.sendTestEvent, { params: webhookParams });
  // The address doesn't exist, so its events aren't sent.
  await api.call(webhookCalls.pauseWebhook, { params: webhookParams });
  const log = await api.call(auditCalls.listAudit, { query: {} });
  const [entry] = Array.isArray(log) ? log : log.items;
  return {
    apiKey: apiKey.record.id,
    approval: proposal.proposalId,
    webhook: webhook.record.id,
    webhookEvent: webhookEvent.id,
    auditEntry: entry?.id ?? 0,
    profitCenter: center.profitcenterid,
    location: location.locationId,
    accountCategory: group.id,
    category: category.productCategoryID,
    account: account?.customerAccountID ?? 0,
    paymentType: type?.id ?? 0,
    salesTax: salesTax?.id ?? 0,
    taxRule: taxRule.id,
    ...taxAgency,
    ...forms,
    user: user?.id ?? 0,
    move: await addMoveIn(api),
    role: role.id,
    property0: await property(0),
    property1: await property(1),
    property2: await property(2),
  };
}

/** Adds a tax item, its agency, and the agency's first return, which is filed but not paid. */
async function addTaxAgency(api: Api): Promise<Saved> {
  const { salesTaxItems } = await api.call(settingsCalls.createSalesTax, {
    body: {
      name: 'Portage County',
      glAccountId: SALES_TAX_PAYABLE,
      filingFrequency: 3,
      salesTaxItems: [{ id: -1, label: 'Portage', salesTaxType: 2, percentage: decimal('1') }],
    },
  });
  const { id } = await api.call(taxReturnCalls.createTaxAgency, {
    body: {
      name: 'Ohio',
      state: 'OH',
      accountId: SALES_TAX_PAYABLE,
      itemIds: salesTaxItems.map((item) => item.id),
      frequency: 3,
      basis: 'accrual',
      startDate: isoDate('2026-01-01'),
    },
  });
  const penalty = { kind: 'penalty' as const, accountId: UNCATEGORIZED_EXPENSE, amount: cents(500), reason: 'Late' };
  const filed = await api.call(taxReturnCalls.fileTaxReturn, {
    body: {
      agencyId: id,
      periodEnd: isoDate('2026-01-31'),
      filedDate: isoDate('2026-02-20'),
      adjustments: [penalty],
      netDue: penalty.amount,
    },
  });
  return { taxAgency: id, taxReturn: filed.id };
}

/**
 * Adds a vendor with payments of 1.00 and 10.00 in two boxes of 1099 forms, and the filed form from the year before.
 * The threshold for royalties is 10.00.
 */
export async function addForms(api: Api, { profitCenterId, locationId }: Omit<Work, 'price'>): Promise<Saved> {
  const company = await api.call(settingsCalls.getCompany, {});
  const addresses = [
    { addressType: 1, address1: '88 Fairlawn Dr', city: 'Akron', stateId: 36, zipCode: '44333', countryId: 341 },
  ];
  const phones = [{ phoneID: -1, displayNumber: '(330) 555-0123', primary: true }];
  await api.call(settingsCalls.updateCompany, { params: { id: company.id }, body: { addresses, phones } });
  const accounts = [
    { accountId: CONTRACTORS, box: 'nec1' as const },
    { accountId: LICENSES, box: 'misc2' as const },
  ];
  await api.call(formCalls.updateFormSettings, { body: { taxId: '34-1234567', taxIdKind: 'ein', accounts } });
  const names = { name: 'Duarte Tree Service', emailAddress: 'office@duarte.example' };
  const { id: vendorId } = await api.call(entityCalls.createVendor, { body: { ...names, addresses } });
  const tax = { is1099: true, classification: 'llc' as const, taxId: '98-7656621', taxIdKind: 'ein' as const };
  await api.call(formCalls.updateVendorTax, { params: { id: vendorId }, body: tax });
  const banks = await api.call(bankingCalls.listBankingAccounts, { query: {} });
  const bankAccountId = banks.find(({ creditCards }) => !creditCards)?.bankingAccountID ?? 0;
  const year = Number(today().slice(0, 4));
  const pay = (paidIn: number, accountId: number, amount: string) =>
    api.call(expenseCalls.createExpense, {
      body: {
        vendorId,
        invoiceNumber: '1099',
        invoiceDate: isoDate(`${paidIn}-01-02`),
        postToVendorAccount: false,
        bankAccountId,
        locationId,
        lineItems: [{ description: 'Trees', accountId, lineItemAmount: money(amount), profitCenterId }],
      },
    });
  await pay(year - 1, LICENSES, '10.00');
  await pay(year, LICENSES, '10.00');
  await pay(year, CONTRACTORS, '1.00');
  const filing = { vendorId, form: 'misc' as const, reported: money('10.00'), withheld: cents(0) };
  const [filed] = await api.call(formCalls.fileForms, {
    body: { year: year - 1, filedDate: isoDate(`${year}-01-31`), forms: [filing] },
  });
  return { formVendor: vendorId, form1099: filed?.id ?? 0 };
}

/** Adds two products, a package deal that contains them at a goal price, and a discount. */
export async function addGoods(api: Api, amount: string, named = plain): Promise<Saved> {
  const price = money(amount);
  const sold = { GLAccountID: await incomeAccount(api), salesPrice: price, productServiceType: 1 };
  const product = await api.call(catalogueCalls.createProduct, {
    body: { ...sold, name: named('Irrigation Repair'), description: 'Heads 7 to 12 replaced', taxable: true },
  });
  const untaxed = await api.call(catalogueCalls.createProduct, {
    body: { ...sold, name: named('Course Renovation'), description: 'Phase 1 of 3', taxable: false },
  });
  const discount = await api.call(catalogueCalls.createDiscount, {
    body: {
      name: named('Loyalty'),
      description: 'Off products',
      GLAccountID: sold.GLAccountID,
      discountType: 0,
      discountTypeTarget: 1,
      discountFlatValue: cents(Math.floor(price / 8)),
    },
  });
  const deal = await api.call(catalogueCalls.createPackage, {
    body: {
      name: named('Spring Refresh'),
      description: 'Beds and courses',
      packageDealDiscountType: 2,
      goalPrice: price,
      packageLineItems: [product, untaxed].map(({ productID }) => ({
        productID,
        quantity: decimal('1'),
        isAProductLine: true,
      })),
    },
  });
  return { product: product.productID, discount: discount.discountID, package: deal.packageID };
}

interface Money {
  customer: number;
  vendor: number;
  invoice: number;
  /** The paid bill's total. */
  due: number;
  /** The amount of each payment and entry. */
  amount: string;
  /** Additional columns in a journal line, such as its profit center. */
  place?: { profitcenterid: number; locationid: number };
}

/** Adds a payment for the invoice and one for the bill, a journal entry, and a draft entry. */
export async function addMoney(api: Api, { customer, vendor, invoice, due, amount, place }: Money): Promise<Saved> {
  const [[account], [type]] = await Promise.all([
    api.call(ledgerCalls.listPaymentAccounts, { query: {} }),
    api.call(bankingCalls.listPaymentTypes, { query: {} }),
  ]);
  if (account === undefined) throw new Error('there is no account to pay into');
  const accountID = account.customerAccountID;
  const paid = { paymentDate: today(), paymentAmount: money(amount), paymentAccountId: accountID };
  const applied = { amount: money(amount) };
  const payment = await api.call(billingCalls.createPayment, {
    body: {
      ...paid,
      customerId: customer,
      paymentTypeId: type?.id,
      paymentApplications: [{ ...applied, invoiceId: invoice }],
    },
  });
  const billPayment = await api.call(expenseCalls.createExpensePayment, {
    body: { ...paid, vendorId: vendor, paymentApplications: [{ ...applied, invoiceId: due }] },
  });
  const entry = async (draft: boolean) => {
    const line = { ...applied, description: 'Owner’s loan', postingDate: today(), ...place };
    const generalLedgerEntries = [
      { ...line, debit: true, accountID },
      { ...line, debit: false, accountID: await incomeAccount(api) },
    ];
    const body = { postingDate: today(), draft, generalLedgerEntries };
    return (await api.call(ledgerCalls.postTransaction, { body })).transactionID;
  };
  return { payment: payment.id, billPayment: billPayment.id, entry: await entry(false), draft: await entry(true) };
}

/**
 * Adds a deposit of a check for the given amount, an undeposited check, and a transfer. The company must have a card
 * (addCard). The checks are from new customers, so that other balances don't change.
 */
export async function addMoves(api: Api, amount: string): Promise<Saved> {
  const [banks, [type]] = await Promise.all([
    api.call(bankingCalls.listBankingAccounts, { query: {} }),
    api.call(bankingCalls.listPaymentTypes, { query: {} }),
  ]);
  const idOf = (isCard: boolean) => banks.find(({ creditCards }) => creditCards === isCard)?.bankingAccountID;
  const check = async (from: string) => {
    const customerId = await addCustomer(api, from);
    const paid = { paymentDate: today(), paymentAmount: money(amount), paymentAccountId: UNDEPOSITED };
    const body = { ...paid, customerId, paymentTypeId: type?.id, paymentApplications: [] };
    return (await api.call(billingCalls.createPayment, { body })).id;
  };
  const [deposited] = [await check('Elm Street'), await check('Hill Road')];
  const [date, cash] = [today(), { accountId: PETTY_CASH, amount: cents(-1), description: 'Cash back' }];
  const receipts = [{ paymentId: deposited }];
  const deposit = await api.call(transferCalls.createDeposit, {
    body: { depositDate: date, bankAccountId: idOf(false), receipts, lineItems: [cash] },
  });
  const transfer = await api.call(transferCalls.createTransfer, {
    body: { transferDate: date, fromBankAccountId: idOf(false), toBankAccountId: idOf(true), amount: money(amount) },
  });
  return { deposit: deposit.id, transfer: transfer.id };
}

/**
 * Adds a bank account with a reconciled entry of 250.00. Imports a file that contains this entry, two transactions with
 * the given amount for review, and an excluded one. Also adds a bank rule. `place` is the profit center and location of
 * the entry's lines.
 */
export async function addBanking(
  api: Api,
  amount: string,
  { named = plain, place }: { named?: Named; place?: Money['place'] } = {},
): Promise<Saved> {
  const banks = await api.call(bankingCalls.listBankingAccounts, { query: {} });
  const bank = banks.find(({ creditCards }) => !creditCards);
  if (bank === undefined) throw new Error('there is no bank account');
  const line = { amount: money('250.00'), description: 'Paid in', postingDate: daysAgo(40), ...place };
  const posted = await api.call(ledgerCalls.postTransaction, {
    body: {
      generalLedgerEntries: [
        { ...line, debit: true, accountID: bank.glAccountID },
        { ...line, debit: false, accountID: await incomeAccount(api) },
      ],
    },
  });
  const { reconciliationID } = await api.call(reconciliationCalls.createReconciliation, {
    body: {
      bankAccountID: bank.bankingAccountID,
      accountID: bank.glAccountID,
      statementDate: daysAgo(30),
      statementBalance: money('250.00'),
      incomingEntries: posted.generalLedgerEntries
        .filter((one) => one.accountID === bank.glAccountID)
        .map(({ glid }) => glid),
      outgoingEntries: [],
    },
  });
  const glids = posted.generalLedgerEntries.filter((one) => one.accountID === bank.glAccountID).map(({ glid }) => glid);
  return {
    bankAccount: bank.bankingAccountID,
    reconciliation: reconciliationID,
    ...(await addLines(api, { bankAccountId: bank.bankingAccountID, amount, glids, named })),
  };
}

interface BankLines {
  bankAccountId: number;
  amount: string;
  /** The entry of 250.00. */
  glids: number[];
  named: Named;
}

async function addLines(api: Api, { bankAccountId, amount, glids, named }: BankLines): Promise<Saved> {
  const figure = amount.replaceAll(',', '');
  const statement = await addStatement(api, bankAccountId, [
    { date: daysAgo(40), text: 'COUNTER DEPOSIT', amount: '250.00' },
    { date: daysAgo(39), text: 'SAFE DEPOSIT BOX', amount: '-1.00' },
    { date: today(), text: 'MOBILE DEPOSIT ELM STREET', amount: figure },
    { date: today(), text: 'PORTAGE FUEL CO-OP #12', amount: `-${figure}` },
  ]);
  const read = await api.call(statementCalls.listBankLines, { query: { bankAccountId } });
  const [paidIn, box] = Array.isArray(read) ? read : read.items;
  const act = (line: { id: number } | undefined, body: BankLineInput) =>
    api.call(statementCalls.actOnBankLine, { params: { id: line?.id ?? 0 }, body });
  await act(paidIn, { action: 'match', glids });
  await act(box, { action: 'exclude' });
  const lines = [{ accountID: UNCATEGORIZED_EXPENSE, percent: decimal('100') }];
  const body = { name: named('Fuel of the fleet'), text: 'PORTAGE FUEL', direction: 'out' as const, lines };
  return { statement, rule: (await api.call(statementCalls.createBankRule, { body })).id };
}

interface Work {
  price: string;
  profitCenterId?: number | undefined;
  locationId?: number | undefined;
}

/** Adds an unbilled work item for a customer, optionally with a profit center and a location. */
export async function addWork(api: Api, customerId: number, line: Work): Promise<Saved> {
  const { price, ...place } = line;
  const work = { description: 'Storm cleanup, crew hour', itemPrice: money(price), quantity: decimal('1') };
  const body = { ...work, ...place, customerId, accountId: await incomeAccount(api) };
  return { workItem: (await api.call(workItemCalls.createWorkItem, { body })).id };
}

/** Adds a template of each kind. The templates create nothing within the next two years. */
export async function addScheduled(
  api: Api,
  { customer, vendor, price: amount, ...place }: Work & { customer: number; vendor: number },
): Promise<Saved> {
  const start = daysAgo(-730);
  const schedule = { ...scheduleFrom(start), end: { kind: 'never' as const } };
  const of = { schedule, makes: 'posted' as const };
  const price = money(amount);
  const billed = {
    ...place,
    description: 'Retainer',
    itemPrice: price,
    quantity: decimal('1'),
    accountId: await incomeAccount(api),
  };
  const { profitCenterId, locationId } = place;
  const owed = { profitCenterId, description: 'Rent', lineItemAmount: price, accountId: UNCATEGORIZED_EXPENSE };
  const entries = [UNCATEGORIZED_EXPENSE, await incomeAccount(api)].map((accountID, at) => {
    const where = { profitcenterid: profitCenterId ?? null, locationid: locationId ?? null };
    return { ...where, accountID, debit: at === 0, amount: price, description: 'Depreciation' };
  });
  const invoice = { customerId: customer, invoiceDate: start, lineItems: [billed] };
  const bill = { vendorId: vendor, invoiceNumber: 'RENT', locationId, invoiceDate: start, lineItems: [owed] };
  const journal = { generalLedgerEntries: entries };
  const [scheduledInvoice, scheduledBill, scheduledJournal] = [
    await api.call(scheduledCalls.createScheduledInvoice, { body: { ...of, document: invoice } }),
    await api.call(scheduledCalls.createScheduledBill, { body: { ...of, document: bill } }),
    await api.call(scheduledCalls.createScheduledJournal, { body: { ...of, document: journal } }),
  ];
  return {
    scheduledInvoice: scheduledInvoice.id,
    scheduledBill: scheduledBill.id,
    scheduledJournal: scheduledJournal.id,
  };
}

/** Adds an unapplied credit memo for a customer. */
export async function addCredit(api: Api, customerId: number, { price, ...place }: Work): Promise<Saved> {
  const returned = { description: 'Plants that did not take', itemPrice: money(price), quantity: decimal('1') };
  const line = { ...returned, ...place, accountId: await incomeAccount(api) };
  const body = { customerId, invoiceDate: daysAgo(1), reason: 'Replaced in spring', lineItems: [line] };
  return { credit: (await api.call(creditCalls.createCredit, { body })).id };
}

/** Adds a sent estimate for a customer. The estimate is not invoiced. */
export async function addEstimate(api: Api, customerId: number, { price, ...place }: Work): Promise<Saved> {
  const planned = { description: 'A border of lavender', itemPrice: money(price), quantity: decimal('1') };
  const line = { ...planned, ...place, accountId: await incomeAccount(api) };
  const body = { customerId, invoiceDate: daysAgo(1), arBillingStatus: ESTIMATE_SENT, lineItems: [line] };
  return { estimate: (await api.call(estimateCalls.createEstimate, { body })).id };
}

/** Adds a written-off invoice. */
export async function addWriteOff(api: Api, invoiceId: number): Promise<Saved> {
  const { openAmount } = await api.call(billingCalls.getInvoice, { params: { id: invoiceId } });
  const body = { invoiceId, amount: openAmount, writeOffDate: today(), reason: 'Moved away' };
  const made = await api.call(writeOffCalls.createWriteOff, { body });
  if (Array.isArray(made)) throw new Error('a request for one write-off returned a list');
  return { writeOff: made.id };
}

/**
 * Creates books with one record of every kind that the screen catalog opens. The amounts are typical of small
 * businesses.
 */
export async function addOneOfEach(api: Api): Promise<Saved> {
  const customer = await addCustomer(api, 'Oak Hollow');
  const { id: invoice } = await addInvoice(api, { customerId: customer, amount: '360.00' });
  for (const days of [30, 60, 90]) {
    await addInvoice(api, { customerId: customer, amount: '99.99', date: daysAgo(days) });
  }
  const vendor = await addVendor(api, 'Quarry Supply');
  const bill = await addBill(api, { vendorId: vendor, number: 'QS-1', amount: '75.00', date: daysAgo(60) });
  const otherVendor = await addVendor(api, 'Canal Haulage');
  const otherBill = await addBill(api, { vendorId: otherVendor, number: 'CH-1', amount: '60.00' });
  const due = await addBill(api, { vendorId: vendor, number: 'QS-2', amount: '40.00' });
  const report = {
    params: { reportId: reportKinds.profitAndLoss.id },
    body: { reportParams: [], to: ['loans@bank.example'] },
  };
  await api.call(sendingCalls.emailReport, report);
  return {
    customer,
    invoice,
    vendor,
    bill: bill.id,
    otherBill: otherBill.id,
    ...(await addScheduled(api, { customer, vendor, price: '500.00' })),
    ...(await addLists(api)),
    ...(await addGoods(api, '38.00')),
    ...(await addBanking(api, '40.00')),
    ...(await addMoney(api, { customer, vendor, invoice, due: due.id, amount: '40.00' })),
    ...(await addMoves(api, '40.00')),
    ...(await addWork(api, customer, { price: '86.00' })),
    ...(await addCredit(api, customer, { price: '25.00' })),
    ...(await addEstimate(api, customer, { price: '480.00' })),
    ...(await addWriteOff(api, (await addInvoice(api, { customerId: customer, amount: '45.00' })).id)),
  };
}
