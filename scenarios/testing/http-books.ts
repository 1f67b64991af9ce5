import { bankingCalls } from '@evenkeel/contract/banking';
import { billingCalls } from '@evenkeel/contract/billing';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { entityCalls } from '@evenkeel/contract/entities';
import { chargeCalls } from '@evenkeel/contract/charges';
import { creditCalls } from '@evenkeel/contract/credits';
import { estimateCalls } from '@evenkeel/contract/estimates';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { type GlEntry, ledgerCalls } from '@evenkeel/contract/ledger';
import { type ReportData, reportCalls } from '@evenkeel/contract/reports';
import { scheduledBillCalls, scheduledInvoiceCalls, scheduledJournalCalls } from '@evenkeel/contract/scheduled';
import { settingsCalls } from '@evenkeel/contract/settings';
import { taxReturnCalls } from '@evenkeel/contract/taxreturns';
import { transferCalls } from '@evenkeel/contract/transfers';
import { writeOffCalls } from '@evenkeel/contract/writeoffs';
import { AP, AR, BAD_DEBT, INTEREST_INCOME, masterAccount } from '@evenkeel/core/books/accounts';
import type { IsoDate } from '@evenkeel/core/dates';
import { DRAFT } from '@evenkeel/core/documents/invoice';
import { cents, type Cents, fromPlain, toDollars, toPlain, ZERO } from '@evenkeel/core/money';
import type { Report } from '@evenkeel/core/reports/report';
import { sql } from 'kysely';
import { documentKinds } from '@evenkeel/core/documents/side';
import { sourceTypes } from '@evenkeel/scenario/documents';
import { flattenReport, type FlatRow } from '@evenkeel/core/testing/flat-report';
import { compareReport } from '@evenkeel/scenario/compare';
import { compareReturn } from '@evenkeel/scenario/run';
import { isTold } from '@evenkeel/scenario/refusal';
import { documentsOf, scheduleOf } from '@evenkeel/scenario/templates';
import type { ReportWanted } from '@evenkeel/scenario/reports';
import type {
  BillEvent,
  BillPaymentEvent,
  ChargeEvent,
  DeleteEvent,
  DepositEvent,
  EstimateEvent,
  ExpectedAmounts,
  ExpectedEntries,
  ExpectedReturn,
  InvoiceEvent,
  JournalEvent,
  PaymentEvent,
  Scenario,
  ScenarioEvent,
  TaxPaymentEvent,
  TaxReturnEvent,
  ScenarioLine,
  TemplateEvent,
  TransferEvent,
  WriteOffEvent,
} from '@evenkeel/scenario/scenario';
import { makeDue } from '@evenkeel/server/across/scheduled/making';
import { Refused, type TestApp } from '@evenkeel/server/testing/app';
import { CHECK } from '@evenkeel/server/testing/factories';
import type { WorldCompany } from '@evenkeel/server/testing/world';

const REPORT_IDS = { 'balance-sheet': '0', 'profit-loss': '1', 'trial-balance': '3' } as const;
const BASES = ['B', 'A', 'C'] as const;

const deleteCalls = {
  invoice: billingCalls.deleteInvoice,
  payment: billingCalls.deletePayment,
  writeoff: writeOffCalls.deleteWriteOff,
  estimate: estimateCalls.deleteEstimate,
  bill: expenseCalls.deleteExpense,
  'bill-payment': expenseCalls.deleteExpensePayment,
  transfer: transferCalls.deleteTransfer,
  deposit: transferCalls.deleteDeposit,
};

/** A scenario's company on a running Evenkeel server. Every event and every question is an API call. */
export class HttpBooks {
  readonly company: WorldCompany;
  private readonly t: TestApp;
  private readonly token: string;
  private readonly scenario: Scenario;
  private readonly customers = new Map<string, number>();
  private readonly vendors = new Map<string, number>();
  private readonly products = new Map<string, number>();
  private readonly discounts = new Map<string, number>();
  private readonly packages = new Map<string, number>();
  private readonly banks = new Map<number, number>();
  private readonly agencies = new Map<string, number>();
  private readonly centers: number[] = [];
  /** Maps keys to IDs: "invoice G-1" to the ID of the invoice, "journal Rent" to the ID of the transaction. */
  private readonly documents = new Map<string, number>();
  /** The keys of credit memos, which the scenarios list as invoices. */
  private readonly credits = new Set<string>();
  /** The IDs of an estimate's lines, in line order. */
  private readonly estimateLines = new Map<string, number[]>();

  private constructor(t: TestApp, company: WorldCompany, scenario: Scenario) {
    this.t = t;
    this.company = company;
    this.token = company.administrator.token;
    this.scenario = scenario;
  }

  /** Creates a company with the scenario's settings, tax, customers, and products. */
  static async open(t: TestApp, scenario: Scenario): Promise<HttpBooks> {
    const books = new HttpBooks(t, await t.createCompany(), scenario);
    await books.setFiscalYear(scenario.fiscalYearStartMonth);
    await books.enterTax();
    await books.enterAgencies();
    await books.enterCharges();
    await books.enterRecords();
    return books;
  }

  /**
   * Saves the settings that the scenario's reports depend on: the first month, and account labels with numbers as in
   * core.
   */
  async setFiscalYear(startMonth: number): Promise<void> {
    const body = [
      { settingName: 'fyStartMonth', settingValue: startMonth },
      { settingName: 'useAccountNumbers', settingValue: true },
    ];
    await this.t.call(settingsCalls.saveSettings, { token: this.token, body });
  }

  /** Runs the whole scenario. Returns one sentence for each difference. */
  async play(): Promise<string[]> {
    const failures: string[] = [];
    for (const step of this.scenario.steps) {
      const found =
        step.step === 'event' ? await this.playEvent(step.event, step.refused) : await this.check(step.expectation);
      failures.push(...found.map((failure) => `line ${step.at}: ${failure}`));
    }
    return failures;
  }

  /** Sends an event. A rejection is expected if its message equals `refused`. */
  async playEvent(event: ScenarioEvent, refused: string | null = null): Promise<string[]> {
    try {
      await this.apply(event);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (refused === null) return [`refused: ${error.message}`];
      const { message } = error.refusal;
      return isTold(message, refused) ? [] : [`refused with "${message}", expected "${refused}"`];
    }
    return refused === null ? [] : [`was accepted, expected to be refused with "${refused}"`];
  }

  /** Returns any report as the API returns it. */
  run(reportId: number, params: Readonly<Record<string, string | number>>): Promise<ReportData> {
    const reportParams = Object.entries(params).map(([paramName, paramvalue]) => ({
      paramType: 3,
      paramName,
      paramvalue,
    }));
    const call = { token: this.token, params: { reportId: String(reportId) }, body: { reportParams } };
    return this.t.call(reportCalls.runReport, call);
  }

  /** Returns an API report in core's format. */
  async report({ report, from, asOf, basis }: ReportWanted): Promise<Report> {
    const dated = (paramName: string, date: IsoDate) => ({ paramType: 1, paramName, paramvalue: date });
    const reportParams = [
      dated('reportdate', asOf),
      ...(from === null ? [] : [dated('startdate', from)]),
      { paramType: 3, paramName: 'basis', paramvalue: basis === 'cash' ? 1 : 0 },
    ];
    const params = { reportId: REPORT_IDS[report] };
    const call = { token: this.token, params, body: { reportParams } };
    return this.t.call(reportCalls.runReport, call);
  }

  async rows(wanted: ReportWanted): Promise<FlatRow[]> {
    return flattenReport(await this.report(wanted));
  }

  /** Returns debits less credits by account ID from the trial balance, without accounts at 0. */
  async trialBalance(asOf: IsoDate, basis: 'accrual' | 'cash'): Promise<Map<number, Cents>> {
    const report = await this.report({ report: 'trial-balance', from: null, asOf, basis });
    const rows = flattenReport(report).filter((row) => row.accountId !== null);
    const side = (text: string | undefined): Cents => (text ? fromPlain(text) : ZERO);
    return new Map(
      rows.map(({ accountId, amounts: [debit, credit] }) => [accountId ?? 0, less(side(debit), side(credit))]),
    );
  }

  private async enterCharges(): Promise<void> {
    const { chargeRate } = this.scenario;
    if (chargeRate === null) return;
    const body = { annualRate: Number(chargeRate) };
    await this.t.call(chargeCalls.saveFinanceChargeSettings, { token: this.token, body });
  }

  private async enterTax(): Promise<void> {
    const { tax } = this.scenario;
    if (tax === null) return;
    const [first] = await this.t.call(settingsCalls.listSalesTax, { token: this.token });
    const salesTaxItems = tax.rates.map((rate) => ({ ...rate, percentage: Number(rate.percentage) }));
    await this.t.call(settingsCalls.updateSalesTax, {
      token: this.token,
      params: { id: first?.id ?? 0 },
      body: {
        glAccountId: tax.accountId,
        filingFrequency: 2,
        taxRounding: tax.combined ? 'combined' : 'item',
        salesTaxItems,
      },
    });
  }

  /** The first agency has all tax items. */
  private async enterAgencies(): Promise<void> {
    const { token } = this;
    const [scenario] = await this.t.call(settingsCalls.listSalesTax, { token });
    for (const { name, frequency, startDate } of this.scenario.agencies) {
      const itemIds = scenario?.salesTaxItems.map(({ id }) => id) ?? [];
      const terms = { name, state: 'OH', accountId: this.scenario.tax?.accountId ?? 0, itemIds, frequency };
      const body = { ...terms, basis: 'accrual' as const, startDate };
      this.agencies.set(name, (await this.t.call(taxReturnCalls.createTaxAgency, { token, body })).id);
    }
  }

  private prepared(agency: string) {
    const params = { id: this.agencies.get(agency) ?? 0 };
    return this.t.call(taxReturnCalls.prepareTaxReturn, { token: this.token, params, query: {} });
  }

  private async fileReturn({ key, agency, periodEnd, filedDate, adjustments }: TaxReturnEvent): Promise<void> {
    const { netDue, carriedOver } = await this.prepared(agency);
    const due = netDue + carriedOver + adjustments.reduce((all, { amount }) => all + amount, 0);
    const own = adjustments.map((each) => ({ ...each, amount: toDollars(each.amount) }));
    const period = { agencyId: this.agencies.get(agency) ?? 0, periodEnd };
    const body = { ...period, filedDate, adjustments: own, netDue: Math.max(0, due) / 100 };
    const filed = await this.t.call(taxReturnCalls.fileTaxReturn, { token: this.token, body });
    this.documents.set(`return ${key}`, filed.id);
  }

  private async payReturn({ key, agency, periodEnd, paymentDate, amount, accountId }: TaxPaymentEvent): Promise<void> {
    const period = { agencyId: this.agencies.get(agency) ?? 0, periodEnd };
    const body = { ...period, bankAccountId: this.banks.get(accountId) ?? 0, paymentDate, amount: toDollars(amount) };
    const paid = await this.t.call(taxReturnCalls.payTaxReturn, { token: this.token, body });
    this.documents.set(`tax-payment ${key}`, paid.id);
  }

  private async checkReturn(expected: ExpectedReturn): Promise<string[]> {
    const id = this.documents.get(`return ${expected.name}`);
    const found =
      id === undefined
        ? await this.prepared(expected.name)
        : await this.t.call(taxReturnCalls.getTaxReturn, { token: this.token, params: { id } });
    const { gross, taxable, tax, sinceTaxable, sinceTax, carriedIn, prepaid, netDue, carriedOver } = found;
    return compareReturn(expected, {
      own: { gross, taxable, tax },
      since: { gross: sinceTaxable, taxable: sinceTaxable, tax: sinceTax },
      adjustments: cents(found.adjustments.reduce((all, { amount }) => all + amount, 0)),
      carriedIn,
      prepaid,
      netDue,
      carriedOver,
    });
  }

  private async enterRecords(): Promise<void> {
    const { token } = this;
    for (const name of this.scenario.customers) {
      const body = { name, emailAddress: 'billing@customer.example' };
      this.customers.set(name, (await this.t.call(entityCalls.createCustomer, { token, body })).id);
    }
    for (const name of this.scenario.vendors) {
      const body = { name, emailAddress: 'sales@vendor.example' };
      this.vendors.set(name, (await this.t.call(entityCalls.createVendor, { token, body })).id);
    }
    for (const { name, price, accountId, taxable } of this.scenario.products) {
      const body = { name, description: name, salesPrice: Number(price), taxable, GLAccountID: accountId };
      this.products.set(name, (await this.t.call(catalogueCalls.createProduct, { token, body })).productID);
    }
    await this.enterDeals();
    for (const profitcentername of ['North', 'South']) {
      const body = { profitcenterid: 0, profitcentername };
      this.centers.push((await this.t.call(ledgerCalls.createProfitCenter, { token, body })).profitcenterid);
    }
    for (const bank of await this.t.call(bankingCalls.listBankingAccounts, { token })) {
      this.banks.set(bank.glAccountID, bank.bankingAccountID);
    }
  }

  private async enterDeals(): Promise<void> {
    const { token } = this;
    for (const { name, amount, percentage, accountId } of this.scenario.discounts) {
      const money = { discountFlatValue: toDollars(amount ?? ZERO), discountPercentage: Number(percentage ?? 0) };
      const body = {
        name,
        description: name,
        discountType: percentage === null ? 0 : 1,
        ...money,
        GLAccountID: accountId,
      };
      this.discounts.set(name, (await this.t.call(catalogueCalls.createDiscount, { token, body })).discountID);
    }
    for (const { name, goal, items } of this.scenario.packages) {
      const packageLineItems = items.map((item) => {
        const isAProductLine = item.kind === 'product';
        const named = (isAProductLine ? this.products : this.discounts).get(item.name) ?? 0;
        return {
          isAProductLine,
          [isAProductLine ? 'productID' : 'discountID']: named,
          quantity: Number(item.quantity),
        };
      });
      const mode = goal !== null ? 2 : items.some(({ kind }) => kind === 'discount') ? 1 : 0;
      const price = { packageDealDiscountType: mode, goalPrice: toDollars(goal ?? ZERO) };
      const body = { name, description: name, ...price, packageLineItems };
      this.packages.set(name, (await this.t.call(catalogueCalls.createPackage, { token, body })).packageID);
    }
  }

  private async apply(event: ScenarioEvent): Promise<void> {
    if (event.kind === 'invoice') return this.saveInvoice(event);
    if (event.kind === 'payment') return this.savePayment(event);
    if (event.kind === 'writeoff') return this.writeOff(event);
    if (event.kind === 'estimate') return this.saveEstimate(event);
    if (event.kind === 'charge') return this.charge(event);
    if (event.kind === 'template') return this.letComeAgain(event);
    if (event.kind === 'bill') return this.saveBill(event);
    if (event.kind === 'bill-payment') return this.saveBillPayment(event);
    if (event.kind === 'transfer') return this.saveTransfer(event);
    if (event.kind === 'deposit') return this.saveDeposit(event);
    if (event.kind === 'return') return this.fileReturn(event);
    if (event.kind === 'tax-payment') return this.payReturn(event);
    return event.kind === 'journal' ? this.postJournal(event) : this.remove(event);
  }

  private async saveInvoice(event: InvoiceEvent): Promise<void> {
    const { token } = this;
    const { edit, key } = event;
    if (event.of !== undefined && !event.isCredit && !edit) return this.invoiceEstimate(event, event.of);
    const before = edit ? await this.invoice(key) : undefined;
    const kept = before?.lineItems ?? [];
    const removed = kept.slice(event.lines.length).map((line) => ({ ...lineOf(line), id: line.id, deleted: true }));
    const { lineItems, ...head } = this.invoiceBody(event, kept);
    const version = before === undefined ? {} : { id: before.id, rowVersion: before.rowVersion };
    const body = { ...version, ...head, ...(await this.creditedBy(event, [...lineItems, ...removed])) };
    if (event.isCredit) this.credits.add(key);
    const [create, update] = event.isCredit
      ? [creditCalls.createCredit, creditCalls.updateCredit]
      : [billingCalls.createInvoice, billingCalls.updateInvoice];
    const saved = await this.t.call(edit ? update : create, { token, body });
    this.documents.set(`invoice ${key}`, saved.id);
  }

  /** The lines of a request. A credit memo's lines refer to the invoice lines that they credit. */
  private async creditedBy<Line extends object>({ isCredit, of, lines }: InvoiceEvent, lineItems: Line[]) {
    if (!isCredit || of === undefined) return { lineItems };
    const { id: creditedInvoiceId, lineItems: whole } = await this.invoice(of);
    const credited = lineItems.map((line, at) => ({
      ...line,
      creditedLineId: whole[(lines[at]?.ofLine ?? 0) - 1]?.id,
    }));
    return { creditedInvoiceId, lineItems: credited };
  }

  private invoiceBody({ key, customer, lines, ...event }: InvoiceEvent, kept: readonly { id: number }[] = []) {
    return {
      customerId: this.customers.get(customer) ?? 0,
      invoiceDate: event.invoiceDate,
      dueDate: event.dueDate,
      arBillingStatus: event.status,
      lineItems: lines.map((line, index) => ({
        id: kept[index]?.id ?? -1 - index,
        ...this.lineBody(line),
        profitCenterId: this.centerOf(key),
      })),
    };
  }

  private async saveEstimate({ key, customer, estimateDate, lines }: EstimateEvent): Promise<void> {
    const customerId = this.customers.get(customer) ?? 0;
    const lineItems = lines.map((line) => ({ ...this.lineBody(line), profitCenterId: this.centerOf(key) }));
    const body = { customerId, invoiceDate: estimateDate, lineItems };
    const saved = await this.t.call(estimateCalls.createEstimate, { token: this.token, body });
    this.documents.set(`estimate ${key}`, saved.id);
    this.estimateLines.set(
      key,
      saved.lineItems.map(({ id }) => id),
    );
  }

  private async invoiceEstimate({ key, lines, ...event }: InvoiceEvent, estimate: string): Promise<void> {
    const { invoiceDate, dueDate, status } = event;
    const body = {
      invoiceDate,
      dueDate,
      isDraft: status === DRAFT,
      lines: lines.map(({ ofLine = 0, quantity }) => {
        return {
          estimateLineId: this.estimateLines.get(estimate)?.[ofLine - 1] ?? 0,
          quantity: Number(quantity),
        };
      }),
    };
    const params = { id: this.documents.get(`estimate ${estimate}`) ?? 0 };
    const made = await this.t.call(estimateCalls.invoiceEstimate, { token: this.token, params, body });
    this.documents.set(`invoice ${key}`, made.id);
  }

  private async writeOff({ key, invoice, writeOffDate, withTax }: WriteOffEvent): Promise<void> {
    const { id: invoiceId, openAmount } = await this.invoice(invoice);
    const body = { invoiceId, writeOffDate, amount: toDollars(openAmount), withTax };
    const made = await this.t.call(writeOffCalls.createWriteOff, { token: this.token, body });
    if ('id' in made) this.documents.set(`writeoff ${key}`, made.id);
  }

  private async charge({ key, customer, chargeDate: date }: ChargeEvent): Promise<void> {
    const body = { id: this.customers.get(customer) ?? 0, date };
    const made = await this.t.call(chargeCalls.makeFinanceCharges, { token: this.token, body });
    if ('id' in made) this.documents.set(`invoice ${key}`, made.id);
  }

  /** Saves a schedule whose dates are in the past, and lets the server create its documents. */
  private async letComeAgain(event: TemplateEvent): Promise<void> {
    const { token, company } = this;
    const { document, count } = event;
    const schedule = scheduleOf(event);
    const makes = document.kind === 'invoice' && document.status === DRAFT ? ('draft' as const) : ('posted' as const);
    const rule = { name: document.kind === 'journal' ? document.description : document.key, schedule, makes };
    const { id } =
      document.kind === 'invoice'
        ? await this.t.call(scheduledInvoiceCalls.create, {
            token,
            body: { ...rule, document: this.invoiceBody(document) },
          })
        : document.kind === 'bill'
          ? await this.t.call(scheduledBillCalls.create, {
              token,
              body: { ...rule, document: this.billBody(document) },
            })
          : await this.t.call(scheduledJournalCalls.create, {
              token,
              body: { ...rule, document: journalBody(document) },
            });
    const { start } = schedule;
    await this.t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`
        update template set next_n = 0, base_n = 0, next_date = ${start}, released_n = ${count}
        where company_id = ${company.companyId} and id = ${id}`),
    );
    await makeDue(this.t.services, company.companyId);
    const calls = { invoice: scheduledInvoiceCalls, bill: scheduledBillCalls, journal: scheduledJournalCalls };
    const { occurrences } = await this.t.call(calls[document.kind].get, { token, params: { id } });
    documentsOf(event).forEach((made, n) => {
      const { sourceId } = occurrences.find((each) => each.n === n) ?? {};
      const key = made.kind === 'journal' ? made.description : made.key;
      if (!sourceId) throw new Error(`no record was created for ${made.kind} ${key}`);
      this.documents.set(`${made.kind} ${key}`, sourceId);
    });
  }

  /**
   * Every third invoice has no profit center. All lines of an invoice share one profit center, so that the invoice has
   * the expected entries.
   */
  private centerOf(key: string): number | null {
    const sum = [...key].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
    return this.centers[sum % 3] ?? null;
  }

  private lineBody({ product, description, itemPrice, quantity, accountId, taxable, ...line }: ScenarioLine) {
    const productId = product === null ? null : (this.products.get(product) ?? 0);
    const packageId = line.package === undefined ? null : (this.packages.get(line.package) ?? 0);
    const discountId = line.discount === undefined ? null : (this.discounts.get(line.discount) ?? 0);
    const named = { productId, packageId, discountId, description };
    return { ...named, itemPrice: Number(itemPrice), quantity: Number(quantity), accountId, taxable };
  }

  private async savePayment({ edit, key, customer, ...event }: PaymentEvent): Promise<void> {
    const { token } = this;
    const id = this.documents.get(`payment ${key}`);
    const before = edit ? await this.t.call(billingCalls.getPayment, { token, params: { id: id ?? 0 } }) : undefined;
    const body = {
      ...(before === undefined ? {} : { id: before.id, rowVersion: before.rowVersion }),
      customerId: this.customers.get(customer) ?? 0,
      paymentDate: event.paymentDate,
      paymentAmount: toDollars(event.amount),
      paymentTypeId: CHECK,
      ...this.moneyAccount(event.accountId),
      ...this.applications('invoice', event),
    };
    const saved = await this.t.call(edit ? billingCalls.updatePayment : billingCalls.createPayment, { token, body });
    this.documents.set(`payment ${key}`, saved.id);
  }

  private moneyAccount(accountId: number) {
    const bankAccountId = this.banks.get(accountId);
    return bankAccountId === undefined ? { paymentAccountId: accountId } : { bankAccountId };
  }

  private applications(
    document: 'invoice' | 'bill',
    { applications, refunds = [] }: Pick<PaymentEvent, 'applications' | 'refunds'>,
  ) {
    if (applications === null) return {};
    const payment = document === 'invoice' ? 'payment' : 'bill-payment';
    return {
      paymentApplications: applications.map(({ invoice, amount, discount = ZERO }) => {
        const invoiceId = this.documents.get(`${document} ${invoice}`) ?? 0;
        return { invoiceId, amount: toDollars(amount), discountAmount: toDollars(discount) };
      }),
      paymentRefunds: refunds.map(({ payment: key, amount }) => {
        return { paymentId: this.documents.get(`${payment} ${key}`) ?? 0, amount: toDollars(amount) };
      }),
    };
  }

  private async saveBill(event: BillEvent): Promise<void> {
    const { token } = this;
    const { edit, key } = event;
    const before = edit ? await this.bill(key) : undefined;
    const kept = before?.lineItems ?? [];
    const removed = kept.slice(event.lines.length).map((line) => {
      return { ...line, lineItemAmount: toDollars(line.lineItemAmount), deleted: true };
    });
    const { lineItems, ...head } = this.billBody(event, kept);
    const version = before === undefined ? {} : { id: before.id, rowVersion: before.rowVersion };
    const body = { ...version, ...head, lineItems: [...lineItems, ...removed] };
    const saved = await this.t.call(edit ? expenseCalls.updateExpense : expenseCalls.createExpense, { token, body });
    this.documents.set(`bill ${key}`, saved.id);
  }

  private billBody({ key, vendor, postingDate, dueDate, lines }: BillEvent, kept: readonly { id: number }[] = []) {
    return {
      vendorId: this.vendors.get(vendor) ?? 0,
      invoiceNumber: key,
      invoiceDate: postingDate,
      postingDate,
      dueDate,
      lineItems: lines.map(({ amount, ...line }, index) => {
        const id = kept[index]?.id ?? -1 - index;
        return { id, ...line, lineItemAmount: toDollars(amount), profitCenterId: this.centerOf(key) };
      }),
    };
  }

  private async saveBillPayment({ edit, key, vendor, ...event }: BillPaymentEvent): Promise<void> {
    const { token } = this;
    const params = { id: this.documents.get(`bill-payment ${key}`) ?? 0 };
    const before = edit ? await this.t.call(expenseCalls.getExpensePayment, { token, params }) : undefined;
    const body = {
      ...(before === undefined ? {} : { id: before.id, rowVersion: before.rowVersion }),
      vendorId: this.vendors.get(vendor) ?? 0,
      paymentDate: event.paymentDate,
      paymentAmount: toDollars(event.amount),
      ...this.moneyAccount(event.accountId),
      ...this.applications('bill', event),
    };
    const call = edit ? expenseCalls.updateExpensePayment : expenseCalls.createExpensePayment;
    this.documents.set(`bill-payment ${key}`, (await this.t.call(call, { token, body })).id);
  }

  private async saveTransfer({ edit, key, amount, ...event }: TransferEvent): Promise<void> {
    const { token } = this;
    const body = {
      id: edit ? (this.documents.get(`transfer ${key}`) ?? 0) : 0,
      transferDate: event.transferDate,
      fromBankAccountId: await this.bank(event.fromAccountId),
      toBankAccountId: await this.bank(event.toAccountId),
      amount: toDollars(amount),
    };
    const call = edit ? transferCalls.updateTransfer : transferCalls.createTransfer;
    this.documents.set(`transfer ${key}`, (await this.t.call(call, { token, body })).id);
  }

  private async saveDeposit({ edit, key, accountId, receipts, lines, depositDate }: DepositEvent): Promise<void> {
    const { token } = this;
    const body = {
      id: edit ? (this.documents.get(`deposit ${key}`) ?? 0) : 0,
      depositDate,
      bankAccountId: await this.bank(accountId),
      receipts: receipts.map((payment) => ({ paymentId: this.documents.get(`payment ${payment}`) ?? 0 })),
      lineItems: lines.map((line) => ({ ...line, amount: toDollars(line.amount) })),
    };
    const call = edit ? transferCalls.updateDeposit : transferCalls.createDeposit;
    this.documents.set(`deposit ${key}`, (await this.t.call(call, { token, body })).id);
  }

  /** Returns the bank account of a GL account. A new company has only one bank account, on the GL account Checking. */
  private async bank(accountId: number): Promise<number> {
    const known = this.banks.get(accountId);
    if (known !== undefined) return known;
    const { companyId } = this.company;
    const name = masterAccount(accountId)?.accountName ?? String(accountId);
    const made = await this.t.inCompany(companyId, (tx) =>
      tx.row(sql<{ id: number }>`
        insert into banking_account (company_id, name, gl_account_id) values (${companyId}, ${name}, ${accountId})
        returning id`),
    );
    this.banks.set(accountId, made?.id ?? 0);
    return made?.id ?? 0;
  }

  private async postJournal(event: JournalEvent): Promise<void> {
    const body = journalBody(event);
    const posted = await this.t.call(ledgerCalls.postTransaction, { token: this.token, body });
    this.documents.set(`journal ${event.description}`, posted.transactionID);
  }

  private async remove({ document, key }: DeleteEvent): Promise<void> {
    const params = { id: this.documents.get(`${document} ${key}`) ?? 0 };
    const isCredit = document === 'invoice' && this.credits.has(key);
    await this.t.call(isCredit ? creditCalls.deleteCredit : deleteCalls[document], { token: this.token, params });
    this.documents.delete(`${document} ${key}`);
  }

  private invoice(key: string) {
    const params = { id: this.documents.get(`invoice ${key}`) ?? 0 };
    const call = this.credits.has(key) ? creditCalls.getCredit : billingCalls.getInvoice;
    return this.t.call(call, { token: this.token, params });
  }

  private bill(key: string) {
    const params = { id: this.documents.get(`bill ${key}`) ?? 0 };
    return this.t.call(expenseCalls.getExpense, { token: this.token, params });
  }

  private async check(expectation: Extract<Scenario['steps'][number], { step: 'expect' }>['expectation']) {
    if (expectation.kind === 'report') return compareReport(expectation, await this.report(expectation));
    if (expectation.kind === 'return') return this.checkReturn(expectation);
    return expectation.kind === 'entries' ? this.checkEntries(expectation) : this.checkAmounts(expectation);
  }

  private async checkAmounts({ document, key, ...expected }: ExpectedAmounts): Promise<string[]> {
    const { openAmount, invoiceAmount, salesTaxAmount } = expected;
    const found = document === 'bill' ? { ...(await this.bill(key)), salesTaxAmount: ZERO } : await this.invoice(key);
    return [
      ...compareAmount('open amount', openAmount, found.openAmount),
      ...compareAmount('total', invoiceAmount, found.invoiceAmount),
      ...compareAmount('tax', salesTaxAmount, found.salesTaxAmount),
    ];
  }

  private async checkEntries({ document, key, rows }: ExpectedEntries): Promise<string[]> {
    const rest = (await this.liveLines(document, key)).map(entryText);
    const missing = rows.map(entryText).filter((text) => {
      const index = rest.indexOf(text);
      if (index >= 0) rest.splice(index, 1);
      return index < 0;
    });
    return [...missing.map((text) => `missing entry: ${text}`), ...rest.map((text) => `not expected: ${text}`)];
  }

  /** Returns a document's lines that no other line reverses, from complete transactions in the account registers. */
  private async liveLines(document: ExpectedEntries['document'], key: string): Promise<ExpectedEntries['rows']> {
    const id = this.documents.get(`${document} ${key}`) ?? 0;
    const own = document === 'journal' ? [id] : await this.transactionsOf(this.sourceOf(document, key), id);
    const read = own.map((transactionId) =>
      this.t.call(ledgerCalls.transactionEntries, { token: this.token, params: { transactionId } }),
    );
    const lines = (await Promise.all(read)).flatMap((transaction) => transaction.generalLedgerEntries);
    return lines.filter((line) => line.reverses === null && line.reversedBy === null).map(entryOf);
  }

  private sourceOf(document: Exclude<ExpectedEntries['document'], 'journal'>, key: string): string {
    if (document === 'return' || document === 'tax-payment') return documentKinds.taxreturn.source;
    const isCredit = document === 'invoice' && this.credits.has(key);
    return isCredit ? documentKinds.creditmemo.source : sourceTypes[document];
  }

  private async transactionsOf(sourceType: string, sourceId: number): Promise<number[]> {
    const reads = [...accountsOf(this.scenario)].flatMap((id) => [this.register(id, '0'), this.register(id, '1')]);
    const lines = (await Promise.all(reads)).flat();
    const own = lines.filter((line) => line.sourceType === sourceType && line.sourceId === sourceId);
    return [...new Set(own.map((line) => line.transactionID))];
  }

  private async register(customerAccountId: number, basis: '0' | '1'): Promise<GlEntry[]> {
    const call = { token: this.token, params: { customerAccountId }, query: { basis, showReversed: 'true' } };
    const reply = await this.t.call(ledgerCalls.accountEntries, call);
    return Array.isArray(reply) ? reply : reply.items;
  }
}

function journalBody({ postingDate, basis, lines }: JournalEvent) {
  const generalLedgerEntries = lines.map(({ accountId, debit, amount, description }) => {
    return { accountID: accountId, debit, amount: toDollars(amount), description, postingDate };
  });
  return { basis, postingDate, generalLedgerEntries };
}

/**
 * Returns the receivable, payable, unapplied cash, and bad debt accounts, and every account that the scenario names.
 */
function accountsOf({ steps, tax }: Scenario): Set<number> {
  const events = steps.flatMap((step) => (step.step === 'event' ? [step.event] : []));
  return new Set([AR, AP, 136, 145, 175, BAD_DEBT, tax?.accountId ?? AR, ...events.flatMap(accountsNamed)]);
}

function accountsNamed(event: ScenarioEvent): number[] {
  if (event.kind === 'template') return accountsNamed(event.document);
  if (event.kind === 'delete' || event.kind === 'writeoff') return [];
  if (event.kind === 'return') return event.adjustments.map(({ accountId }) => accountId);
  if (event.kind === 'charge') return [INTEREST_INCOME];
  if (event.kind === 'transfer') return [event.fromAccountId, event.toAccountId];
  if (event.kind === 'deposit') return [event.accountId, ...event.lines.map(({ accountId }) => accountId)];
  return 'accountId' in event ? [event.accountId] : event.lines.map((line) => line.accountId);
}

function less(a: Cents, b: Cents): Cents {
  return cents(a - b);
}

function lineOf(line: { description: string; itemPrice: Cents; accountId: number }) {
  return {
    description: line.description,
    itemPrice: toDollars(line.itemPrice),
    quantity: 1,
    accountId: line.accountId,
  };
}

function compareAmount(what: string, expected: Cents | null, actual: Cents): string[] {
  if (expected === null || expected === actual) return [];
  return [`expected ${what} ${toPlain(expected)}, found ${toPlain(actual)}`];
}

function entryOf(line: GlEntry): ExpectedEntries['rows'][number] {
  const amount = less(line.debitAmount ?? ZERO, line.creditAmount ?? ZERO);
  return { postingDate: line.postingDate, accountId: line.accountID, amount, basis: BASES[line.basis] ?? 'B' };
}

function entryText({ postingDate, accountId, amount, basis }: ExpectedEntries['rows'][number]): string {
  const name = masterAccount(accountId)?.accountName ?? String(accountId);
  return `${postingDate} | ${name} | ${toPlain(amount)} | ${basis}`;
}
