import type { AccountType } from '@evenkeel/core/books/accounts';
import type { IsoDate } from '@evenkeel/core/dates';
import { Failure } from '@evenkeel/core/failure';
import type { Cents } from '@evenkeel/core/money';
import type { PartyKind, Place } from './transaction.ts';
import { Transactions } from './transactions.ts';

export type { PartyKind, Place, SourceLine, SourceTransaction } from './transaction.ts';

/** The programs whose books can be read. */
export type SourceSystem =
  | 'QuickBooks Online'
  | 'QuickBooks Desktop'
  | 'Xero'
  | 'Wave'
  | 'GnuCash'
  | 'hledger'
  | 'beancount'
  | 'Evenkeel'
  | 'Stripe'
  | 'PayPal'
  | 'Square'
  | 'Spreadsheet';

/** A message about a file or about some of its rows. The text includes the file and the rows. */
export interface Notice {
  file: string;
  row?: number;
  /** All rows that may have caused the problem, if there are several. */
  rows?: number[];
  text: string;
}

/** An error that rejects a file. The message includes the file and the row. */
export class Refusal extends Failure {
  readonly notice: Notice;

  constructor(notice: Notice) {
    super('rule', notice.text);
    this.notice = notice;
  }
}

/** Returns text such as "row 12", "rows 12 and 13", or "rows 12 to 40". */
function rowsText(rows: readonly number[]): string {
  const all = [...new Set(rows)].toSorted((a, b) => a - b);
  const [first = 0, last = 0] = [all[0], all.at(-1)];
  if (all.length === 1) return `row ${first}`;
  if (all.length === 2) return `rows ${first} and ${last}`;
  if (all.length > 8 && last - first === all.length - 1) return `rows ${first} to ${last}`;
  if (all.length > 20) return `rows ${all.slice(0, 20).join(', ')}, and others`;
  return `rows ${all.slice(0, -1).join(', ')}, and ${last}`;
}

/** Returns a message such as "Journal.xlsx, row 12: The amount is missing". */
export function noticeAt(place: Place | string, sentence: string, rows?: readonly number[]): Notice {
  if (typeof place === 'string') return { file: place, text: `${place}: ${sentence}` };
  const { file, row } = place;
  const all = rows === undefined || rows.length === 0 ? [row] : [...new Set(rows)];
  return { file, row, ...(all.length > 1 ? { rows: all } : {}), text: `${file}, ${rowsText(all)}: ${sentence}` };
}

/** Returns the error that rejects a file because of certain rows, or because of the file as a whole. */
export const refusalAt = (place: Place | string, sentence: string, rows?: readonly number[]): Refusal =>
  new Refusal(noticeAt(place, sentence, rows));

/** A role that only one account in a chart can have. */
export type AccountRole =
  | 'receivable'
  | 'payable'
  | 'retainedEarnings'
  | 'openingBalance'
  | 'undepositedFunds'
  | 'salesTax'
  | 'inventory';

export interface SourceAccount {
  /** The key that identifies the account in these books. Lines refer to this key. */
  key: string;
  /** The full name, with ':' between a parent account and its subaccount. */
  name: string;
  number?: string;
  /** The key of the parent account. */
  parent?: string;
  /** The account's type. Undefined if no file contains the type. In this case, the user chooses the type. */
  type?: AccountType;
  /** The source's word for the account type. */
  sourceType?: string;
  role?: AccountRole;
  description?: string;
  /** The opening balance stated in a list, for books that have no transactions. Debits are positive. */
  opening?: Cents;
  isActive: boolean;
  /** The account's position in a list. Undefined if only transactions refer to the account. */
  place?: Place;
}

/** A customer, a vendor, or another name that transactions use. */
export interface SourceParty {
  name: string;
  /** The ID in the source, which identifies a renamed record. */
  id?: string;
  /** Undefined if no file contains it. */
  kind?: PartyKind;
  company?: string;
  email?: string;
  phone?: string;
  /** The lines of the address as in the source. */
  address?: string;
  /** The payment terms as in the source. */
  terms?: string;
  taxId?: string;
  /** The name of the customer's sales tax code. */
  taxCode?: string;
  isActive: boolean;
  place?: Place;
}

/** A sales tax code. The rate is a percentage as text, with at most 6 decimal places. */
export interface SourceTax {
  name: string;
  rate: string;
  agency?: string;
  place: Place;
}

/** A payment type, such as "Check". */
export interface SourcePaymentType {
  name: string;
  place: Place;
}

/** A product or service. Prices are text with up to 4 decimal places, in dollars. */
export interface SourceItem {
  name: string;
  /** The ID in the source, which identifies a renamed record. */
  id?: string;
  kind?: string;
  description?: string;
  price?: string;
  cost?: string;
  incomeAccount?: string;
  expenseAccount?: string;
  isTaxable?: boolean;
  isActive: boolean;
  place: Place;
}

export type DocumentKind = 'invoice' | 'creditMemo' | 'customerPayment' | 'bill' | 'vendorCredit' | 'vendorPayment';

/**
 * An open document. Credits and unapplied payments have positive amounts, too. The kind determines whether the amount
 * is added or subtracted.
 */
export interface SourceDocument {
  kind: DocumentKind;
  number?: string;
  date: IsoDate;
  dueDate?: IsoDate;
  party: string;
  /** The unpaid part. */
  open: Cents;
  total?: Cents;
  memo?: string;
  /** The keys of the accounts that the document's lines use, if the file contains them. */
  lines: { account?: string; item?: string; memo?: string; amount: Cents }[];
  place: Place;
}

/** A trial balance that a file contains. Debits are positive. */
export interface SourceTrialBalance {
  asOf: IsoDate;
  basis?: ReportBasis;
  balances: { account: string; amount: Cents; place: Place }[];
  place: Place;
}

/** The total that a customer owes, or that is owed to a vendor, on a date. */
export interface PartyBalance {
  side: 'receivable' | 'payable';
  party: string;
  asOf: IsoDate | undefined;
  amount: Cents;
  place: Place;
}

export type ReportBasis = 'accrual' | 'cash';
export type DateOrder = 'mdy' | 'dmy' | 'ymd';

/**
 * A question that a file leaves open. The file was read with the first choice and can't be imported until the question
 * is answered.
 */
export interface Question {
  file: string;
  name: 'dateOrder';
  choices: { value: DateOrder; label: string }[];
}

/** The data in one or more files about one company's books. */
export interface SourceBooks {
  system?: SourceSystem;
  company?: string;
  /**
   * The start and end dates that the files state. If they state no dates, these are the dates of the first and last
   * transactions.
   */
  from?: IsoDate;
  to?: IsoDate;
  basis?: ReportBasis;
  accounts: SourceAccount[];
  parties: SourceParty[];
  items: SourceItem[];
  taxes: SourceTax[];
  paymentTypes: SourcePaymentType[];
  transactions: Transactions;
  documents: SourceDocument[];
  trialBalances: SourceTrialBalance[];
  partyBalances: PartyBalance[];
  questions: Question[];
  /** Notices that the user should read before the import. */
  warnings: Notice[];
  /** Reasons why files can't be imported. If there is at least one, nothing can be imported. */
  refusals: Notice[];
}

/** Returns an empty set of books. */
export function emptyBooks(): SourceBooks {
  return {
    accounts: [],
    parties: [],
    items: [],
    taxes: [],
    paymentTypes: [],
    transactions: new Transactions(),
    documents: [],
    trialBalances: [],
    partyBalances: [],
    questions: [],
    warnings: [],
    refusals: [],
  };
}
