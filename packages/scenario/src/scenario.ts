import type { IsoDate } from '@evenkeel/core/dates';
import type { Basis, ReportBasis } from '@evenkeel/core/books/ledger';
import type { Cents } from '@evenkeel/core/money';
import type { ScheduleUnit } from '@evenkeel/core/documents/schedule';

/** A company's story as a `.books` file tells it: who and what there is, then what happens and what is expected. */
export interface Scenario {
  companyName: string;
  fiscalYearStartMonth: number;
  /** Percent a year that is charged of overdue invoices; null for none. */
  chargeRate: string | null;
  tax: ScenarioTax | null;
  customers: string[];
  vendors: string[];
  products: ScenarioProduct[];
  discounts: ScenarioDiscount[];
  packages: ScenarioPackage[];
  steps: ScenarioStep[];
}

export interface ScenarioTax {
  label: string;
  accountId: number;
  rates: ScenarioRate[];
}

export interface ScenarioRate {
  label: string;
  /** 0 State, 1 City, 2 County, 3 Other. */
  salesTaxType: number;
  /** Decimal text: "4.5" is 4.5 %. */
  percentage: string;
}

export interface ScenarioProduct {
  name: string;
  /** Decimal text, 2 places. */
  price: string;
  accountId: number;
  taxable: boolean;
}

/** A discount on products: of an amount, or of a percentage; the other is null. */
export interface ScenarioDiscount {
  name: string;
  amount: Cents | null;
  /** Decimal text: "7.5" is 7.5 %. */
  percentage: string | null;
  accountId: number;
}

/** A package deal: with a goal price that of the smart discount, with discounts those, else what the products cost. */
export interface ScenarioPackage {
  name: string;
  goal: Cents | null;
  items: readonly { kind: 'product' | 'discount'; name: string; quantity: string }[];
}

/** A line of a product (its price, account and taxable mark are the product's) or a free line. */
export interface ScenarioLine {
  /** Price and accounts are the package's or the discount's. */
  package?: string;
  discount?: string;
  product: string | null;
  description: string;
  itemPrice: string;
  quantity: string;
  accountId: number;
  taxable: boolean;
  /** The line of the estimate that this one invoices, or of the invoice that it credits, 1 the first. */
  ofLine?: number;
}

export interface InvoiceEvent {
  kind: 'invoice';
  /** A credit memo: an invoice turned, told as `credit`. Its key is no invoice's. */
  isCredit?: true;
  /** The estimate that an invoice is made from, or the invoice of a credit memo. Lines name its lines. */
  of?: string;
  /** An edit states the whole invoice as it shall be. */
  edit: boolean;
  key: string;
  customer: string;
  invoiceDate: IsoDate;
  dueDate: IsoDate | null;
  status: number;
  lines: ScenarioLine[];
}

/** Takes all that is open of an invoice off it, as bad debt; its key is no invoice's. */
export interface WriteOffEvent {
  kind: 'writeoff';
  key: string;
  invoice: string;
  writeOffDate: IsoDate;
  /** The share of its taxes goes to their account. */
  withTax: boolean;
}

/** An estimate: it posts nothing, and invoices are made of its lines. */
export interface EstimateEvent {
  kind: 'estimate';
  key: string;
  customer: string;
  estimateDate: IsoDate;
  lines: ScenarioLine[];
}

/** Charges a customer for overdue invoices up to a day, by an invoice of that day and of this key. */
export interface ChargeEvent {
  kind: 'charge';
  key: string;
  customer: string;
  chargeDate: IsoDate;
}

/** Money of either side. Below zero it is a refund, which names what it gives back. */
interface MoneyEvent {
  edit: boolean;
  key: string;
  paymentDate: IsoDate;
  amount: Cents;
  /** The account that receives the money, or that it comes from. */
  accountId: number;
  /** null: the open documents are filled in list order; empty: all stays credit. A credit's is negative. */
  applications: { invoice: string; amount: Cents; discount?: Cents }[] | null;
  /** The parts of payments that a refund gives back. */
  refunds?: { payment: string; amount: Cents }[];
}

export interface PaymentEvent extends MoneyEvent {
  kind: 'payment';
  customer: string;
}

/** A line of a bill; a credit line counts negative, its amount never is. */
export interface ScenarioBillLine {
  description: string;
  amount: Cents;
  accountId: number;
  creditLine: boolean;
}

export interface BillEvent {
  kind: 'bill';
  /** An edit states the whole bill as it shall be. */
  edit: boolean;
  key: string;
  vendor: string;
  postingDate: IsoDate;
  dueDate: IsoDate | null;
  lines: ScenarioBillLine[];
}

export interface BillPaymentEvent extends MoneyEvent {
  kind: 'bill-payment';
  vendor: string;
}

export interface TransferEvent {
  kind: 'transfer';
  edit: boolean;
  key: string;
  transferDate: IsoDate;
  amount: Cents;
  fromAccountId: number;
  toAccountId: number;
}

export interface DepositEvent {
  kind: 'deposit';
  /** An edit states the whole deposit as it shall be. */
  edit: boolean;
  key: string;
  depositDate: IsoDate;
  /** The bank's account. */
  accountId: number;
  /** The customers' payments that it takes out of Undeposited Funds. */
  receipts: string[];
  /** Cash that is taken back is negative. */
  lines: { description: string; amount: Cents; accountId: number }[];
}

/** The kinds of documents that events have, besides journal entries. */
export const scenarioDocuments = [
  'invoice',
  'payment',
  'writeoff',
  'estimate',
  'bill',
  'bill-payment',
  'transfer',
  'deposit',
] as const;
export type ScenarioDocument = (typeof scenarioDocuments)[number];

/** The deletion of one of some kinds of documents. */
export type Deletion<D> = D extends ScenarioDocument ? { kind: 'delete'; document: D; key: string } : never;
export type DeleteEvent = Deletion<ScenarioDocument>;

export interface JournalEvent {
  kind: 'journal';
  description: string;
  postingDate: IsoDate;
  /** 0 both views, 1 accrual only, 2 cash only. */
  basis: 0 | 1 | 2;
  lines: { accountId: number; debit: boolean; amount: Cents; description: string }[];
}

/** A document that comes again: `document` is its first one, and those that are made are `${key}.1` and so on. */
export interface TemplateEvent {
  kind: 'template';
  unit: ScheduleUnit;
  every: number;
  count: number;
  document: InvoiceEvent | BillEvent | JournalEvent;
}

export type ScenarioEvent =
  | InvoiceEvent
  | PaymentEvent
  | WriteOffEvent
  | EstimateEvent
  | ChargeEvent
  | TemplateEvent
  | BillEvent
  | BillPaymentEvent
  | TransferEvent
  | DepositEvent
  | DeleteEvent
  | JournalEvent;

export type ReportName = 'trial-balance' | 'profit-loss' | 'balance-sheet';

/** One row of an expected report; a null amount is an empty cell. */
export interface ExpectedRow {
  /** null for a total or a line without an account, which is then found by its label. */
  accountId: number | null;
  label: string;
  amounts: (Cents | null)[];
}

export interface ExpectedReport {
  kind: 'report';
  report: ReportName;
  from: IsoDate | null;
  asOf: IsoDate;
  basis: ReportBasis;
  rows: ExpectedRow[];
}

/** The live lines of one document or journal entry. */
export interface ExpectedEntries {
  kind: 'entries';
  document: ScenarioDocument | 'journal';
  key: string;
  rows: { postingDate: IsoDate; accountId: number; amount: Cents; basis: Basis }[];
}

export interface ExpectedAmounts {
  kind: 'amounts';
  document: 'invoice' | 'bill';
  key: string;
  openAmount: Cents | null;
  invoiceAmount: Cents | null;
  salesTaxAmount: Cents | null;
}

export type Expectation = ExpectedReport | ExpectedEntries | ExpectedAmounts;

export type ScenarioStep =
  | {
      step: 'event';
      at: number;
      event: ScenarioEvent;
      /** The message that must refuse it; "…" stands for a name. */ refused: string | null;
    }
  | { step: 'expect'; /** Line in the file, for messages. */ at: number; expectation: Expectation };
