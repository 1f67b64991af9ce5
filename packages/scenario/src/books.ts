import {
  type InvoiceApplication,
  type SettledDocument,
  type Settlement,
  type WantedPosting,
  openAmount,
  unappliedOf,
  wantedPostings,
  withDocument,
} from '@evenkeel/core/books/settlement';
import {
  type AccountTypeInfo,
  SALES_TAX_PAYABLE,
  UNDEPOSITED,
  accountTypeInfo,
  masterAccount,
} from '@evenkeel/core/books/accounts';
import type { ChargedDays } from '@evenkeel/core/documents/charges';
import type { IsoDate } from '@evenkeel/core/dates';
import { conflict } from '@evenkeel/core/failure';
import {
  type PriceableLine,
  type PricedInvoice,
  checkDocumentDelete,
  checkDocumentEdit,
  posts,
  priceInvoice,
  priceLines,
  refuseNegative,
  requireLines,
} from '@evenkeel/core/documents/invoice';
import { pricePart } from '@evenkeel/core/documents/parts';
import { type LiveLine, type PostedEntry, type Transaction, difference } from '@evenkeel/core/books/ledger';
import { type Cents, ZERO, decimal, negate } from '@evenkeel/core/money';
import { componentsOf, postJournal, totalOf } from '@evenkeel/core/books/posting';
import { PAYABLE, RECEIVABLE, documentKinds } from '@evenkeel/core/documents/side';
import { chargeInvoice } from './charges.ts';
import { checkCredit, checkCredited, checkInvoiced, wholeOf } from './estimates.ts';
import { appliedBy, existing, found, leftOn, openOn, sourceTypes, withMoney, withoutMoney } from './documents.ts';
import { depositOf, isMove, type MoveEvent, type Moves, requireOutOfDeposit, withMove } from './moves.ts';
import { isOfTaxes, TaxBooks } from './taxes.ts';
import { type PayableEvent, type Payables, isPayable, withPayable } from './payables.ts';
import { Prices } from './prices.ts';
import { documentsOf } from './templates.ts';
import type {
  BillEvent,
  BillPaymentEvent,
  ChargeEvent,
  Deletion,
  DepositEvent,
  EstimateEvent,
  InvoiceEvent,
  JournalEvent,
  PaymentEvent,
  Scenario,
  ScenarioDocument,
  ScenarioEvent,
  TransferEvent,
  WriteOffEvent,
} from './scenario.ts';
import { type BooksWriteOff, withWriteOff, withoutWriteOff } from './writeoffs.ts';

/** A transaction in the journal, with the document that it belongs to ("invoice INV-1"). */
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

export interface BooksAmounts {
  openAmount: Cents;
  invoiceAmount: Cents;
  salesTaxAmount: Cents;
}

export interface BooksBill {
  id: number;
  event: BillEvent;
}

export interface BooksBillPayment {
  id: number;
  event: BillPaymentEvent;
  applications: InvoiceApplication[];
}

type ReceivableEvent = InvoiceEvent | PaymentEvent | WriteOffEvent | Deletion<'invoice' | 'payment' | 'writeoff'>;

/** An event for a document, which the journal identifies by its kind and key. */
type DocumentEvent = ReceivableEvent | PayableEvent | MoveEvent;

interface Documents {
  invoices: Map<string, BooksInvoice>;
  payments: Map<string, BooksPayment>;
  writeOffs: Map<string, BooksWriteOff>;
  settlement: Settlement;
}

/**
 * A company's books in memory, built only on core functions. A document determines its desired lines, and their
 * difference from the document's live lines is added to an append-only journal. A rejected event changes nothing.
 */
export class Books {
  readonly journal: BooksTransaction[] = [];
  private readonly scenario: Scenario;
  private readonly prices: Prices;
  private readonly live = new Map<string, LiveLine[]>();
  private documents: Documents = {
    invoices: new Map(),
    payments: new Map(),
    writeOffs: new Map(),
    settlement: { documents: new Map(), payments: new Map(), applications: [] },
  };
  private readonly estimates = new Map<string, EstimateEvent>();
  /** The days for which overdue invoices were charged, by the finance charge's key. */
  private readonly charges = new Map<string, ChargedDays[]>();
  private payables: Payables = {
    bills: new Map(),
    payments: new Map(),
    settlement: { documents: new Map(), payments: new Map(), applications: [] },
  };
  readonly taxes: TaxBooks;
  private moves: Moves = { transfers: new Map(), deposits: new Map() };
  /** The names of existing documents by kind and ID: "invoice 7" → "invoice INV-1". */
  private readonly names = new Map<string, string>();
  private lastDocumentId = 0;
  private lastLineId = 0;

  constructor(scenario: Omit<Scenario, 'steps'>) {
    this.scenario = { ...scenario, steps: [] };
    this.prices = new Prices(this.scenario);
    this.taxes = new TaxBooks(scenario.agencies, () => ({
      taxAccountId: this.taxAccountId(),
      sales: [...this.documents.invoices.values()],
    }));
  }

  /** Throws a Failure if the event is rejected. */
  apply(event: ScenarioEvent): void {
    if (event.kind === 'journal') return this.applyJournal(event);
    if (isOfTaxes(event)) return this.post(`${event.kind} ${event.key}`, this.taxes.apply(event));
    if (event.kind === 'template') return documentsOf(event).forEach((each) => this.apply(each));
    if (event.kind === 'charge') return this.applyCharge(event);
    if (event.kind === 'estimate') return this.applyEstimate(event);
    if (isEstimateRemoval(event)) return this.removeEstimate(event.key);
    if (isPayable(event)) return this.applyPayable(event);
    if (isMove(event)) return this.applyMove(event);
    const { invoices, payments, writeOffs, settlement } = this.documents;
    const next: Documents = {
      invoices: new Map(invoices),
      payments: new Map(payments),
      writeOffs: new Map(writeOffs),
      settlement,
    };
    this.change(next, event);
    const wanted = wantedPostings(RECEIVABLE, next.settlement, settlement);
    const id = idOf(next, event) ?? idOf(this.documents, event) ?? 0;
    this.documents = next;
    this.postAll(event, id, wanted);
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

  bill(key: string): BooksBill {
    return found(this.payables.bills.get(key), `Bill ${key}`);
  }

  billPayment(key: string): BooksBillPayment {
    return found(this.payables.payments.get(key), `Bill payment ${key}`);
  }

  writeOff(key: string): WriteOffEvent {
    return found(this.documents.writeOffs.get(key), `Write-off ${key}`).event;
  }

  estimate(key: string): EstimateEvent {
    return found(this.estimates.get(key), `Estimate ${key}`);
  }

  billKeys(): string[] {
    return [...this.payables.bills.keys()];
  }

  billPaymentKeys(): string[] {
    return [...this.payables.payments.keys()];
  }

  writeOffKeys(): string[] {
    return [...this.documents.writeOffs.keys()];
  }

  estimateKeys(): string[] {
    return [...this.estimates.keys()];
  }

  /** Returns the settlement for each side: the documents, payments, and applications. */
  settlements(): { receivable: Settlement; payable: Settlement } {
    return { receivable: this.documents.settlement, payable: this.payables.settlement };
  }

  /** Returns the part of a payment that is neither applied nor refunded. */
  leftOf(document: 'payment' | 'bill-payment', key: string): Cents {
    return document === 'payment'
      ? unappliedOf(this.documents.settlement, this.payment(key).id)
      : unappliedOf(this.payables.settlement, this.billPayment(key).id);
  }

  /** Returns whether an invoice is a finance charge. */
  isCharge(key: string): boolean {
    return this.charges.has(key);
  }

  /** Returns the invoices created from an estimate, including draft and void invoices. */
  invoicesOf(estimate: string): InvoiceEvent[] {
    return this.partsOf({ of: estimate });
  }

  /** Returns the credit memos created from an invoice, including draft and void credit memos. */
  creditsOf(invoice: string): InvoiceEvent[] {
    return this.partsOf({ of: invoice, isCredit: true });
  }

  private partsOf(whole: Pick<InvoiceEvent, 'of' | 'isCredit'>): InvoiceEvent[] {
    return [...this.documents.invoices.values()].map(({ event }) => event).filter((event) => isPartOf(event, whole));
  }

  transfer(key: string): TransferEvent {
    return found(this.moves.transfers.get(key), `Transfer ${key}`);
  }

  deposit(key: string): DepositEvent {
    return found(this.moves.deposits.get(key), `Deposit ${key}`);
  }

  transferKeys(): string[] {
    return [...this.moves.transfers.keys()];
  }

  /** Returns the payments in Undeposited Funds that are not in another deposit. */
  undeposited(deposit?: string): string[] {
    return this.paymentKeys().filter((key) => {
      const taken = depositOf(this.moves.deposits, key);
      return this.payment(key).event.accountId === UNDEPOSITED && (taken === undefined || taken === deposit);
    });
  }

  depositKeys(): string[] {
    return [...this.moves.deposits.keys()];
  }

  invoiceAmounts(key: string): BooksAmounts {
    const { event, priced } = this.invoice(key);
    const signed = (amount: Cents) => (event.isCredit && amount !== 0 ? negate(amount) : amount);
    const openAmount = this.openAmount(key);
    return { openAmount, invoiceAmount: signed(priced.invoiceAmount), salesTaxAmount: signed(priced.salesTaxAmount) };
  }

  /** Returns a bill's amounts, which are negative for a vendor credit. */
  billAmounts(key: string): BooksAmounts {
    const bill = settled(this.payables, found(this.payables.bills.get(key), `Bill ${key}`).id);
    return { openAmount: openAmount(bill), invoiceAmount: totalOf(bill), salesTaxAmount: ZERO };
  }

  /** Returns invoiceAmount − Σ applications, or 0 for a draft. */
  openAmount(key: string): Cents {
    return openAmount(settled(this.documents, this.invoice(key).id));
  }

  /** Returns the live lines of "invoice INV-1", "bill-payment P1", or "journal Rent". */
  liveLines(source: string): readonly LiveLine[] {
    return this.live.get(source) ?? [];
  }

  private applyPayable(event: PayableEvent): void {
    const before = this.payables;
    const { vendors } = this.scenario;
    const next = withPayable(before, event, { vendors, nextId: () => this.nextDocumentId() });
    const isPayment = kindOf(event) === 'bill-payment';
    const [own, old] = isPayment ? [next.payments, before.payments] : [next.bills, before.bills];
    const id = (own.get(event.key) ?? old.get(event.key))?.id ?? 0;
    this.payables = next;
    this.postAll(event, id, wantedPostings(PAYABLE, next.settlement, before.settlement));
  }

  private applyMove(event: MoveEvent): void {
    const { moves, wanted } = withMove(this.moves, event, this.documents.payments);
    this.moves = moves;
    this.post(`${kindOf(event)} ${event.key}`, wanted);
  }

  /** Posts everything that an event changed. A deleted document has no live lines afterward. */
  private postAll(event: DocumentEvent, id: number, wanted: readonly WantedPosting[]): void {
    const kind = kindOf(event);
    const type = event.kind === 'invoice' ? kindOfSale(event).source : sourceTypes[kind];
    const source = `${type} ${id}`;
    if (event.kind !== 'delete') this.names.set(source, `${kind} ${event.key}`);
    const waiver = event.kind === 'writeoff' ? this.documents.writeOffs.get(event.key)?.paymentId : undefined;
    if (waiver !== undefined) this.names.set(`${sourceTypes.payment} ${waiver}`, `waiver ${event.key}`);
    for (const each of wanted) this.post(this.names.get(nameOf(each)) ?? '', each.transactions);
    if (event.kind !== 'delete') return;
    this.post(`${kind} ${event.key}`, []);
    this.names.delete(source);
  }

  private change(next: Documents, event: ReceivableEvent): void {
    if (event.kind === 'invoice') this.changeInvoice(next, event);
    else if (event.kind === 'payment') this.changePayment(next, event);
    else if (event.kind === 'writeoff') this.writeOffRest(next, event);
    else removeDocument(next, event, this.moves);
  }

  private changeInvoice(next: Documents, event: InvoiceEvent): void {
    const old = existing(next.invoices, event, 'Invoice');
    this.checkParts(event, old?.event);
    requireLines(event.lines.map((line) => checkable(line)));
    const lines = this.prices.priceable(event, old, old === undefined ? ZERO : settled(next, old.id).applied);
    const priced = this.priceSale(next, event, lines);
    if (old !== undefined) {
      const change = {
        applied: settled(next, old.id).applied,
        appliedBy: causes(next, old.id),
        amount: event.isCredit ? negate(priced.invoiceAmount) : priced.invoiceAmount,
        status: event.status,
        entityChanged: old.event.customer !== event.customer,
      };
      checkDocumentEdit(RECEIVABLE, change, kindOfSale(event));
    }
    const invoice = { id: old?.id ?? this.nextDocumentId(), event, priced };
    next.invoices.set(event.key, invoice);
    next.settlement = withDocument(next.settlement, this.postable(invoice), null);
  }

  /**
   * Throws if an invoice exceeds its estimate, if a credit memo exceeds its invoice, or if an edit removes credited
   * lines from an invoice.
   */
  private checkParts(event: InvoiceEvent, old: InvoiceEvent | undefined): void {
    const { discounts } = this.scenario;
    if (old !== undefined && !event.isCredit) checkCredited(old, event, this.creditsOf(event.key), discounts);
    if (event.of === undefined) return;
    const parts = event.isCredit ? this.creditsOf(event.of) : this.invoicesOf(event.of);
    const others = parts.filter(({ key }) => key !== event.key);
    if (event.isCredit) checkCredit(this.invoice(event.of).event, event, others, discounts);
    else checkInvoiced(this.estimate(event.of), event, others, discounts);
  }

  /**
   * Prices an invoice or a credit memo. If it was created from an estimate or invoice, it is priced as a part of that
   * document.
   */
  private priceSale(next: Documents, event: InvoiceEvent, lines: readonly PriceableLine[]): PricedInvoice {
    const rates = this.prices.rates();
    if (event.of === undefined) return refuseNegative(priceLines(lines, rates), nounOf(event));
    const whole = event.isCredit ? this.invoice(event.of).event : this.estimate(event.of);
    const priced = event.isCredit
      ? this.invoice(event.of).priced
      : priceInvoice(this.prices.priceable(whole, undefined, ZERO), rates);
    const others = [...next.invoices.values()].filter(
      (each) => isPartOf(each.event, event) && each.event.key !== event.key,
    );
    const part = pricePart(
      lines.map((line, at) => ({ ...line, of: event.lines[at]?.ofLine })),
      rates,
      wholeOf(whole, priced, others, this.scenario.discounts),
    );
    return refuseNegative(part, nounOf(event));
  }

  private changePayment(next: Documents, event: PaymentEvent): void {
    const old = existing(next.payments, event, 'Payment');
    if (old !== undefined) requireOutOfDeposit(this.moves, old.event, event);
    const id = old?.id ?? this.nextDocumentId();
    const listed = [...next.invoices.values()]
      .filter((each) => each.event.customer === event.customer && posts(each.event.status))
      .map((each) => {
        const { key, invoiceDate: date, dueDate } = each.event;
        return { id: each.id, key, date, dueDate };
      });
    const settling = { ...next, side: RECEIVABLE, documents: next.invoices };
    const saving = { id, entityId: this.customerId(event.customer), listed };
    const { settlement, applications } = withMoney(settling, event, saving);
    next.payments.set(event.key, { id, event, applications });
    next.settlement = settlement;
  }

  private writeOffRest(next: Documents, event: WriteOffEvent): void {
    existing(next.writeOffs, { ...event, edit: false }, 'Write-off');
    const { id: invoiceId, priced } = found(next.invoices.get(event.invoice), `Invoice ${event.invoice}`);
    const own = { id: this.nextDocumentId(), paymentId: this.nextDocumentId(), event };
    const taxes = { taxItems: priced.taxItems.length, taxAccountId: this.taxAccountId() };
    next.writeOffs.set(event.key, own);
    next.settlement = withWriteOff(next.settlement, own, { invoiceId, ...taxes });
  }

  private applyCharge(event: ChargeEvent): void {
    const invoices = [...this.documents.invoices].filter(([, each]) => each.event.customer === event.customer);
    const payments = [...this.documents.payments].filter(([, each]) => each.event.customer === event.customer);
    const { invoice, days } = chargeInvoice(event, {
      annualRate: this.scenario.chargeRate,
      invoices: invoices.map(
        ([
          key,
          {
            id,
            event: { dueDate, status },
          },
        ]) => {
          const open = openOn(this.documents.settlement, id, event.chargeDate);
          return { id, dueDate, status, open, isCharge: this.isCharge(key) };
        },
      ),
      left: payments.map(([, { id }]) => leftOn(this.documents.settlement, id, event.chargeDate)),
      charged: [...this.charges].flatMap(([key, each]) => (this.documents.invoices.has(key) ? each : [])),
    });
    this.apply(invoice);
    this.charges.set(event.key, days);
  }

  /** An estimate is priced like an invoice and posts nothing. */
  private applyEstimate(event: EstimateEvent): void {
    existing(this.estimates, { ...event, edit: false }, 'Estimate');
    requireLines(event.lines.map((line) => checkable(line)));
    priceInvoice(this.prices.priceable(event, undefined, ZERO), this.prices.rates());
    this.estimates.set(event.key, event);
  }

  private removeEstimate(key: string): void {
    this.estimate(key);
    if (this.invoicesOf(key).length > 0) throw conflict('Delete these invoices first');
    this.estimates.delete(key);
  }

  private applyJournal(event: JournalEvent): void {
    const source = `journal ${event.description}`;
    if (this.live.has(source)) throw conflict(`There is a journal entry "${event.description}" already`);
    const lines = event.lines.map((line) => ({ ...line, profitCenterId: null, locationId: null, entityId: null }));
    this.post(source, [postJournal({ ...event, lines, accountType })]);
  }

  private postable({ id, event, priced }: BooksInvoice): Omit<SettledDocument, 'applied'> {
    const lines = event.lines.map((line, index) => ({
      parts: this.prices.partsOf(line, priced.lines[index]),
      accountId: line.accountId,
      description: line.description,
      lineItemAmount: priced.lines[index]?.lineItemAmount ?? ZERO,
      profitCenterId: null,
      locationId: null,
    }));
    const taxAccountId = this.taxAccountId();
    const components = componentsOf({ lines, taxItems: priced.taxItems, taxAccountId });
    const turned = components.map((each) => ({ ...each, amount: negate(each.amount) }));
    const kind = kindOfSale(event);
    return {
      id,
      kind: kind.source,
      date: event.invoiceDate,
      entityId: this.customerId(event.customer),
      controlAccountId: RECEIVABLE.controlAccountId,
      description: `${kind.label} ${event.key}`,
      components: event.isCredit ? turned : components,
      posts: posts(event.status),
    };
  }

  private post(source: string, wanted: readonly Transaction[]): void {
    for (const posting of difference(this.liveLines(source), wanted)) {
      const entries = posting.entries.map((entry) => ({ ...entry, id: ++this.lastLineId }));
      this.journal.push({ ...posting, id: this.journal.length + 1, source, entries });
      const reversed = new Set(entries.map((entry) => entry.reverses));
      const added = entries.flatMap(({ reverses, replaces: _, ...entry }) =>
        reverses === null ? [{ ...entry, postingDate: posting.postingDate }] : [],
      );
      this.live.set(source, [...this.liveLines(source).filter((line) => !reversed.has(line.id)), ...added]);
    }
  }

  private taxAccountId(): number {
    return this.scenario.tax?.accountId ?? SALES_TAX_PAYABLE;
  }

  private customerId(name: string): number {
    return this.scenario.customers.indexOf(name) + 1;
  }

  private nextDocumentId(): number {
    this.lastDocumentId += 1;
    return this.lastDocumentId;
  }
}

function removeDocument(
  next: Documents,
  { document, key }: Deletion<'invoice' | 'payment' | 'writeoff'>,
  moves: Moves,
): void {
  if (document === 'writeoff') {
    next.settlement = withoutWriteOff(next.settlement, found(next.writeOffs.get(key), `Write-off ${key}`));
    next.writeOffs.delete(key);
    return;
  }
  if (document === 'payment') {
    const { id, event } = found(next.payments.get(key), `Payment ${key}`);
    requireOutOfDeposit(moves, event);
    next.settlement = withoutMoney(next.settlement, id);
    next.payments.delete(key);
    return;
  }
  const { id, event: gone } = found(next.invoices.get(key), `Invoice ${key}`);
  const credits = [...next.invoices.values()].filter(({ event }) => event.isCredit && event.of === key);
  if (!gone.isCredit && credits.length > 0) {
    throw conflict(`Delete these credit memos first: ${credits.map(({ event }) => event.key).join(', ')}`);
  }
  const old = settled(next, id);
  checkDocumentDelete(old.applied, causes(next, id));
  next.invoices.delete(key);
  next.settlement = withDocument(next.settlement, { ...old, posts: false }, null);
}

/** Returns the kinds of applications to an invoice or a credit memo. */
function causes({ settlement, writeOffs }: Documents, id: number) {
  return appliedBy(
    settlement,
    id,
    [...writeOffs.values()].map(({ paymentId }) => paymentId),
  );
}

/**
 * Returns whether an invoice or credit memo is of the same kind as `whole` and was created from the document
 * `whole.of`.
 */
const isPartOf = (event: InvoiceEvent, whole: Pick<InvoiceEvent, 'of' | 'isCredit'>): boolean =>
  event.of === whole.of && event.isCredit === whole.isCredit;

const nounOf = ({ isCredit }: InvoiceEvent): string =>
  (isCredit ? documentKinds.creditmemo : documentKinds.invoice).words.title;

function isEstimateRemoval(event: ScenarioEvent): event is Deletion<'estimate'> {
  return event.kind === 'delete' && event.document === 'estimate';
}

function settled({ settlement }: { settlement: Settlement }, id: number): SettledDocument {
  return found(settlement.documents.get(id), 'Invoice');
}

const kindOfSale = ({ isCredit }: InvoiceEvent) => (isCredit ? documentKinds.creditmemo : documentKinds.invoice);

/** Returns the name that the journal uses for the kind of an event's document. */
const kindOf = (event: DocumentEvent): ScenarioDocument => (event.kind === 'delete' ? event.document : event.kind);

function idOf({ invoices, payments, writeOffs }: Documents, event: ReceivableEvent): number | undefined {
  const kind = kindOf(event);
  return (kind === 'invoice' ? invoices : kind === 'payment' ? payments : writeOffs).get(event.key)?.id;
}

const nameOf = ({ source }: { source: { type: string; id: number } }): string => `${source.type} ${source.id}`;

function checkable({ product, itemPrice, quantity, ...line }: InvoiceEvent['lines'][number]) {
  const [isProduct, isPackage] = [product !== null, line.package !== undefined];
  return { ...line, itemPrice: decimal(itemPrice), quantity: decimal(quantity), isProduct, isPackage };
}

function accountType(id: number): AccountTypeInfo {
  const account = found(masterAccount(id), `Account ${id}`);
  return accountTypeInfo(account.accountTypeLabel, account.contra);
}
