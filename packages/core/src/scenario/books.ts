import { allocate, checkApplications } from '../allocation.ts';
import type { InvoiceApplication, OpenInvoice } from '../allocation.ts';
import { accountTypeInfo, AR, masterAccount, SALES_TAX_PAYABLE } from '../accounts.ts';
import type { AccountTypeInfo } from '../accounts.ts';
import { laterOf } from '../dates.ts';
import type { IsoDate } from '../dates.ts';
import { conflict, notFound, refuse } from '../failure.ts';
import { checkInvoiceDelete, checkInvoiceEdit, posts, priceInvoice, requireLines } from '../invoice.ts';
import type { PricedInvoice } from '../invoice.ts';
import { difference } from '../ledger.ts';
import type { LiveLine, PostedEntry, Transaction } from '../ledger.ts';
import { cents, decimal, sum } from '../money.ts';
import type { Cents } from '../money.ts';
import { componentsOf, cumulate, postInvoice, postJournal, postPayment } from '../posting.ts';
import type { PostableInvoice } from '../posting.ts';
import type { DeleteEvent, InvoiceEvent, JournalEvent, PaymentEvent, Scenario, ScenarioEvent } from './scenario.ts';

/** A journal transaction with the document it belongs to ("invoice INV-1"). */
export interface BooksTransaction {
  id: number;
  source: string;
  postingDate: IsoDate;
  description: string;
  entries: (PostedEntry & { id: number })[];
}

export interface BooksInvoice {
  id: number;
  event: InvoiceEvent;
  priced: PricedInvoice;
}

export interface BooksPayment {
  id: number;
  event: PaymentEvent;
  applications: InvoiceApplication[];
}

interface Documents {
  invoices: Map<string, BooksInvoice>;
  payments: Map<string, BooksPayment>;
}

/**
 * A company's books in memory, made of the core's functions alone: a document says which lines it wants, the
 * difference to its live lines goes into an append-only journal. A refused event changes nothing.
 */
export class Books {
  readonly journal: BooksTransaction[] = [];
  private readonly scenario: Scenario;
  private readonly live = new Map<string, LiveLine[]>();
  private documents: Documents = { invoices: new Map(), payments: new Map() };
  private lastDocumentId = 0;
  private lastLineId = 0;

  constructor(scenario: Omit<Scenario, 'steps'>) {
    this.scenario = { ...scenario, steps: [] };
  }

  /** Throws a Failure when the event is refused. */
  apply(event: ScenarioEvent): void {
    if (event.kind === 'journal') return this.applyJournal(event);
    const { invoices, payments } = this.documents;
    const next: Documents = { invoices: new Map(invoices), payments: new Map(payments) };
    const touched = this.change(next, event);
    const wanted = [...touched].map((source) => ({ source, transactions: this.wantedBy(next, source) }));
    this.documents = next;
    for (const { source, transactions } of wanted) this.post(source, transactions);
  }

  invoice(key: string): BooksInvoice {
    return found(this.documents.invoices.get(key), `Invoice ${key}`);
  }

  payment(key: string): BooksPayment {
    return found(this.documents.payments.get(key), `Payment ${key}`);
  }

  invoiceKeys(): string[] {
    return [...this.documents.invoices.keys()];
  }

  paymentKeys(): string[] {
    return [...this.documents.payments.keys()];
  }

  /** invoiceAmount − Σ applications. */
  openAmount(key: string): Cents {
    const { id, priced } = this.invoice(key);
    return cents(priced.invoiceAmount - appliedTo(this.documents, id));
  }

  /** The live lines of "invoice INV-1", "payment P1" or "journal Rent". */
  liveLines(source: string): readonly LiveLine[] {
    return this.live.get(source) ?? [];
  }

  private change(next: Documents, event: Exclude<ScenarioEvent, JournalEvent>): Set<string> {
    if (event.kind === 'invoice') return this.changeInvoice(next, event);
    if (event.kind === 'payment') return this.changePayment(next, event);
    return removeDocument(next, event);
  }

  private changeInvoice(next: Documents, event: InvoiceEvent): Set<string> {
    const old = existing(next.invoices, event, 'Invoice');
    requireLines(event.lines.map((line) => checkable(line)));
    const priced = priceInvoice(event.lines.map(priceable), this.rates());
    if (old !== undefined) {
      checkInvoiceEdit({
        appliedAmount: appliedTo(next, old.id),
        invoiceAmount: priced.invoiceAmount,
        status: event.status,
        customerChanged: old.event.customer !== event.customer,
      });
    }
    const id = old?.id ?? this.nextDocumentId();
    next.invoices.set(event.key, { id, event, priced });
    return new Set([`invoice ${event.key}`, ...paymentsOn(next, [id])]);
  }

  private changePayment(next: Documents, event: PaymentEvent): Set<string> {
    const old = existing(next.payments, event, 'Payment');
    if (old !== undefined && old.event.customer !== event.customer && old.applications.length > 0) {
      throw refuse('The customer of an applied payment cannot change');
    }
    if (event.amount <= 0) throw refuse('The payment amount must be greater than $0.00');
    const open = openFor(next, event.customer, old);
    const applications =
      event.applications === null
        ? allocate(event.amount, open)
        : checkApplications({ amount: event.amount, applications: named(next, event.applications), open });
    const id = old?.id ?? this.nextDocumentId();
    next.payments.set(event.key, { id, event, applications });
    const invoiceIds = [...(old?.applications ?? []), ...applications].map((each) => each.invoiceId);
    return new Set([`payment ${event.key}`, ...paymentsOn(next, invoiceIds)]);
  }

  private applyJournal(event: JournalEvent): void {
    const source = `journal ${event.description}`;
    if (this.live.has(source)) throw conflict(`There is a journal entry "${event.description}" already`);
    const lines = event.lines.map((line) => ({ ...line, profitCenterId: null, locationId: null, entityId: null }));
    this.post(source, [postJournal({ ...event, lines, accountType })]);
  }

  private wantedBy(documents: Documents, source: string): Transaction[] {
    const [kind, key = ''] = source.split(/ (.*)/);
    if (kind === 'payment') {
      const payment = documents.payments.get(key);
      return payment === undefined ? [] : this.paymentTransactions(documents, payment);
    }
    const invoice = documents.invoices.get(key);
    return invoice !== undefined && posts(invoice.event.status) ? [postInvoice(this.postable(invoice))] : [];
  }

  private paymentTransactions(documents: Documents, { id, event, applications }: BooksPayment): Transaction[] {
    return postPayment({
      id,
      paymentDate: event.paymentDate,
      customerId: this.customerId(event.customer),
      depositAccountId: event.accountId,
      arAccountId: AR,
      amount: event.amount,
      description: `Payment ${event.key}`,
      applications: applications.map(({ invoiceId }) => this.application(documents, id, invoiceId)),
    });
  }

  private application(documents: Documents, paymentId: number, invoiceId: number) {
    const invoice = found(invoiceById(documents, invoiceId), `Invoice ${invoiceId}`);
    const all = [...documents.payments.values()].flatMap((payment) =>
      payment.applications
        .filter((each) => each.invoiceId === invoiceId)
        .map(({ amount }) => {
          const recognitionDate = laterOf(payment.event.paymentDate, invoice.event.invoiceDate);
          return { paymentId: payment.id, recognitionDate, amount };
        }),
    );
    const own = found(
      cumulate(all).find((each) => each.paymentId === paymentId),
      'Application',
    );
    return { ...own, invoice: this.postable(invoice) };
  }

  private postable({ id, event, priced }: BooksInvoice): PostableInvoice {
    const lines = event.lines.map((line, index) => ({
      accountId: line.accountId,
      description: line.description,
      lineItemAmount: priced.lines[index]?.lineItemAmount ?? cents(0),
      profitCenterId: null,
      locationId: null,
    }));
    const taxAccountId = this.scenario.tax?.accountId ?? SALES_TAX_PAYABLE;
    return {
      id,
      invoiceDate: event.invoiceDate,
      customerId: this.customerId(event.customer),
      arAccountId: AR,
      description: `Invoice ${event.key}`,
      components: componentsOf({ lines, taxItems: priced.taxItems, taxAccountId }),
    };
  }

  private post(source: string, wanted: readonly Transaction[]): void {
    for (const posting of difference(this.liveLines(source), wanted)) {
      const entries = posting.entries.map((entry) => ({ ...entry, id: ++this.lastLineId }));
      this.journal.push({ ...posting, id: this.journal.length + 1, source, entries });
      const reversed = new Set(entries.map((entry) => entry.reverses));
      const added = entries.flatMap(({ reverses, ...entry }) =>
        reverses === null ? [{ ...entry, postingDate: posting.postingDate }] : [],
      );
      this.live.set(source, [...this.liveLines(source).filter((line) => !reversed.has(line.id)), ...added]);
    }
  }

  private rates() {
    const rates = this.scenario.tax?.rates ?? [];
    return rates.map((rate, index) => ({ ...rate, id: index + 1, percentage: decimal(rate.percentage) }));
  }

  private customerId(name: string): number {
    return this.scenario.customers.indexOf(name) + 1;
  }

  private nextDocumentId(): number {
    this.lastDocumentId += 1;
    return this.lastDocumentId;
  }
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw notFound(what);
  return value;
}

/** The document an edit changes; a new one must not exist yet. */
function existing<T>(documents: ReadonlyMap<string, T>, event: { edit: boolean; key: string }, what: string) {
  const old = documents.get(event.key);
  if (event.edit) return found(old, `${what} ${event.key}`);
  if (old !== undefined) throw conflict(`${what} ${event.key} exists already`);
  return undefined;
}

function removeDocument(next: Documents, { document, key }: DeleteEvent): Set<string> {
  if (document === 'invoice') {
    checkInvoiceDelete(appliedTo(next, found(next.invoices.get(key), `Invoice ${key}`).id));
    next.invoices.delete(key);
    return new Set([`invoice ${key}`]);
  }
  const { applications } = found(next.payments.get(key), `Payment ${key}`);
  next.payments.delete(key);
  const invoiceIds = applications.map((each) => each.invoiceId);
  return new Set([`payment ${key}`, ...paymentsOn(next, invoiceIds)]);
}

function appliedTo(documents: Documents, invoiceId: number): Cents {
  const applications = [...documents.payments.values()].flatMap((payment) => payment.applications);
  return sum(applications.filter((each) => each.invoiceId === invoiceId).map((each) => each.amount));
}

/** The sources of all payments on these invoices: their cash lines may change with any of them. */
function paymentsOn(documents: Documents, invoiceIds: readonly number[]): string[] {
  return [...documents.payments.values()]
    .filter((payment) => payment.applications.some((each) => invoiceIds.includes(each.invoiceId)))
    .map((payment) => `payment ${payment.event.key}`);
}

function invoiceById(documents: Documents, id: number): BooksInvoice | undefined {
  return [...documents.invoices.values()].find((invoice) => invoice.id === id);
}

function openFor(documents: Documents, customer: string, edited: BooksPayment | undefined): OpenInvoice[] {
  return [...documents.invoices.values()]
    .filter(({ event }) => event.customer === customer && posts(event.status))
    .map(({ id, event, priced }) => {
      const own = edited?.applications.find((each) => each.invoiceId === id)?.amount ?? 0;
      return {
        invoiceId: id,
        invoiceNumber: event.key,
        invoiceDate: event.invoiceDate,
        dueDate: event.dueDate,
        unpaid: cents(priced.invoiceAmount - appliedTo(documents, id) + own),
      };
    });
}

function named(documents: Documents, applications: readonly { invoice: string; amount: Cents }[]) {
  return applications.map(({ invoice, amount }) => {
    return { invoiceId: found(documents.invoices.get(invoice), `Invoice ${invoice}`).id, amount };
  });
}

function priceable({ itemPrice, quantity, taxable }: InvoiceEvent['lines'][number]) {
  return { itemPrice: decimal(itemPrice), quantity: decimal(quantity), taxable };
}

function checkable(line: InvoiceEvent['lines'][number]) {
  return { ...line, ...priceable(line), isProduct: line.product !== null, isPackage: false };
}

function accountType(id: number): AccountTypeInfo {
  const account = found(masterAccount(id), `Account ${id}`);
  return accountTypeInfo(account.accountTypeLabel, account.contra);
}
