import type { IsoDate } from '@evenkeel/core/dates';
import type { Basis, ReportBasis } from '@evenkeel/core/books/ledger';
import type { Cents } from '@evenkeel/core/money';
import type { Adjustment } from '@evenkeel/core/taxes/returns';
import type { ScheduleUnit } from '@evenkeel/core/documents/schedule';

/** The content of a `.books` file: a company's records, events, and expectations. */
export interface Scenario {
  companyName: string;
  fiscalYearStartMonth: number;
  /** The annual percentage of the finance charge on overdue invoices. Null if the company charges nothing. */
  chargeRate: string | null;
  tax: ScenarioTax | null;
  agencies: ScenarioAgency[];
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
  /** Whether the tax is rounded once at the combined rate of all items. */
  combined: boolean;
  rates: ScenarioRate[];
}

export interface ScenarioRate {
  label: string;
  /** The kind of tax: 0 State, 1 City, 2 County, 3 Other. */
  salesTaxType: number;
  /** Decimal text: "4.5" is 4.5%. */
  percentage: string;
}

/** An agency on the accrual basis to which all sales tax is reported. */
export interface ScenarioAgency {
  name: string;
  /** The index in `taxFrequencies`, as in core/taxes/due. */
  frequency: number;
  /** A month (1 to 12) in which a period starts. */
  firstMonth: number;
  /** The first day of the first period. */
  startDate: IsoDate;
}

/** The filing frequencies as scenarios write them, in the order of their IDs. */
export const taxFrequencies = ['annually', 'semiannually', 'quarterly', 'monthly'] as const;

export interface ScenarioProduct {
  name: string;
  /** Decimal text with 2 decimal places. */
  price: string;
  accountId: number;
  taxable: boolean;
}

/** A discount on products, either an amount or a percentage. The other field is null. */
export interface ScenarioDiscount {
  name: string;
  amount: Cents | null;
  /** Decimal text: "7.5" is 7.5%. */
  percentage: string | null;
  accountId: number;
}

/**
 * A package deal. If it has a goal price, it uses the smart discount. Otherwise, it uses the discounts on its lines, if
 * any.
 */
export interface ScenarioPackage {
  name: string;
  goal: Cents | null;
  items: readonly { kind: 'product' | 'discount'; name: string; quantity: string }[];
}

/** A line with a product (and the product's price, account, and taxable flag) or a free-form line. */
export interface ScenarioLine {
  /** The price and accounts come from the package or discount. */
  package?: string;
  discount?: string;
  product: string | null;
  description: string;
  itemPrice: string;
  quantity: string;
  accountId: number;
  taxable: boolean;
  /**
   * The number of the estimate line that this line invoices, or of the invoice line that it credits, starting with 1.
   */
  ofLine?: number;
}

export interface InvoiceEvent {
  kind: 'invoice';
  /** Whether the document is a credit memo, written as `credit`. Its key must differ from all invoice keys. */
  isCredit?: true;
  /**
   * The document from which this document is created: an estimate for an invoice, or an invoice for a credit memo. Each
   * line refers to a line in that document.
   */
  of?: string;
  /** An edit contains the whole changed invoice. */
  edit: boolean;
  key: string;
  customer: string;
  invoiceDate: IsoDate;
  dueDate: IsoDate | null;
  status: number;
  lines: ScenarioLine[];
}

/** Writes off an invoice's open amount as bad debt. The key must differ from all invoice keys. */
export interface WriteOffEvent {
  kind: 'writeoff';
  key: string;
  invoice: string;
  writeOffDate: IsoDate;
  /** Whether the tax part reduces the tax account instead of becoming bad debt. */
  withTax: boolean;
}

/** An estimate, which posts nothing. Invoices are created from its lines. */
export interface EstimateEvent {
  kind: 'estimate';
  key: string;
  customer: string;
  estimateDate: IsoDate;
  lines: ScenarioLine[];
}

/**
 * Creates a finance charge: an invoice with this date and key that charges a customer for overdue invoices through a
 * given day.
 */
export interface ChargeEvent {
  kind: 'charge';
  key: string;
  customer: string;
  chargeDate: IsoDate;
}

/**
 * A payment on either side. A negative payment is a refund, which refers to the payments and credits that it pays back.
 */
interface MoneyEvent {
  edit: boolean;
  key: string;
  paymentDate: IsoDate;
  amount: Cents;
  /** The account that receives or pays the money. */
  accountId: number;
  /**
   * If null, the payment is applied in list order. If the list is empty, the whole payment stays unapplied. The amount
   * for a credit is negative.
   */
  applications: { invoice: string; amount: Cents; discount?: Cents }[] | null;
  /** The payment amounts that a refund pays back. */
  refunds?: { payment: string; amount: Cents }[];
}

export interface PaymentEvent extends MoneyEvent {
  kind: 'payment';
  customer: string;
}

/** A line on a bill. A credit line reduces the total, but its amount is never negative. */
export interface ScenarioBillLine {
  description: string;
  amount: Cents;
  accountId: number;
  creditLine: boolean;
}

export interface BillEvent {
  kind: 'bill';
  /** An edit contains the whole changed bill. */
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
  /** An edit contains the whole changed deposit. */
  edit: boolean;
  key: string;
  depositDate: IsoDate;
  /** The bank's GL account. */
  accountId: number;
  /** The customer payments in Undeposited Funds that the deposit contains. */
  receipts: string[];
  /** Cash back is negative. */
  lines: { description: string; amount: Cents; accountId: number }[];
}

/** The kinds of documents in events, except journal entries. */
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

/** The deletion of a document of one of these kinds. */
export type Deletion<D> = D extends ScenarioDocument ? { kind: 'delete'; document: D; key: string } : never;
export type DeleteEvent = Deletion<ScenarioDocument>;

export interface JournalEvent {
  kind: 'journal';
  description: string;
  postingDate: IsoDate;
  /** 0 for both bases, 1 for accrual only, 2 for cash only. */
  basis: 0 | 1 | 2;
  lines: { accountId: number; debit: boolean; amount: Cents; description: string }[];
}

/**
 * Files an agency's next return. The end of its period must be given, so that the scenario states which period is
 * filed.
 */
export interface TaxReturnEvent {
  kind: 'return';
  key: string;
  agency: string;
  periodEnd: IsoDate;
  filedDate: IsoDate;
  adjustments: Adjustment[];
}

/** A payment to an agency. Before its period is filed, it is a prepayment. */
export interface TaxPaymentEvent {
  kind: 'tax-payment';
  key: string;
  agency: string;
  periodEnd: IsoDate;
  paymentDate: IsoDate;
  amount: Cents;
  /** The account that pays the money. */
  accountId: number;
}

/** A recurring document. `document` is the first one, and the created documents are named `${key}.1` and so on. */
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
  | JournalEvent
  | TaxReturnEvent
  | TaxPaymentEvent;

export type ReportName = 'trial-balance' | 'profit-loss' | 'balance-sheet';

/** A row in an expected report. A null amount is an empty cell. */
export interface ExpectedRow {
  /** Null for a total or a line without an account, which is found by its label. */
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
  document: ScenarioDocument | 'journal' | 'return' | 'tax-payment';
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

/** The names of the amounts on a return, as scenarios write them. */
export const returnFigureNames = [
  'gross',
  'taxable',
  'tax',
  'since filing',
  'adjustments',
  'carried in',
  'prepaid',
  'due',
  'carried over',
] as const;
export type ReturnFigureName = (typeof returnFigureNames)[number];

/** Amounts on a filed return, or on an agency's next return as prepared (without adjustments). */
export interface ExpectedReturn {
  kind: 'return';
  /** The key of a filed return, or the name of an agency. */
  name: string;
  rows: { figure: ReturnFigureName; amount: Cents }[];
}

export type Expectation = ExpectedReport | ExpectedEntries | ExpectedAmounts | ExpectedReturn;

export type ScenarioStep =
  | {
      step: 'event';
      at: number;
      event: ScenarioEvent;
      /** The message with which the event must be rejected. "…" matches any name. */ refused: string | null;
    }
  | { step: 'expect'; /** The line number in the file, for messages. */ at: number; expectation: Expectation };
