import type { IsoDate } from '../dates.ts';

/** The areas whose permissions cover records (contract/areas). */
export type RecordArea = 'Billing' | 'Expenses' | 'Customers' | 'Vendors' | 'Products' | 'Banking' | 'Accounting';

/** Fields of the API that the audit log shows of a record: its name, and its amount (dollars) if it has one. */
export interface AuditFields {
  title?: string;
  amount?: string;
}

/** The icons of search results, by their names in the icon set without "Icon". */
export type SearchIcon =
  | 'Book2'
  | 'Box'
  | 'CashBanknote'
  | 'ClipboardList'
  | 'CreditCard'
  | 'ListNumbers'
  | 'Packages'
  | 'Receipt'
  | 'ReceiptOff'
  | 'ReceiptRefund'
  | 'Repeat'
  | 'Truck'
  | 'User';

/** The look of a kind of record in a search. */
export interface SearchedKind {
  /** The number in the API and in the stored entries (`itemType`). */
  number: number;
  /** The name in the API. */
  name: string;
  /** The heading above its results. */
  group: string;
  icon: SearchIcon;
}

/** The look of a kind of document in a search, and the words for it that users type with a number. */
interface SearchedDocument extends SearchedKind {
  words: string;
}

/** The email that a record is sent with. */
export interface MailWording {
  label: string;
  placeholders: readonly string[];
  /** The first template of a company. */
  subject: string;
  text: string;
}

/** The email of a kind of document, and how requests name the document. */
export interface DocumentMail extends MailWording {
  /** The name in the API and in stored emails. */
  kind: string;
  /** The field that carries the ID of the document in requests and responses. */
  id: string;
  /** Whether the email carries a private link to the document. */
  hasLink: boolean;
}

/** A document that posts nothing and on which nothing is owed. Its states are its own. */
export interface Offer {
  draft: number;
  void: number;
  /** The states in which it may still be invoiced. */
  pending: readonly number[];
  /** The state that a person sees. */
  badge: (document: { status: number; expirationDate: IsoDate | null }, today: IsoDate) => string;
}

/** Everything that is known of a kind of document but its content. Every list of kinds follows from it. */
export interface DocumentKind {
  source: string;
  /** The word before its number in the journal: "Invoice 10001". */
  label: string;
  words: { title: string; indefinite: string; many: string };
  /** The records that hold it by its ID; null for the journal itself, or if none do yet. */
  records: 'document' | 'payment' | 'bank_document' | null;
  /** The side whose control accounts it is posted to; null for a kind without one. */
  side: 'receivable' | 'payable' | null;
  /** Whether its lines are those of a sale: the reports of sales and of sales tax read what is posted of them. */
  sells: boolean;
  /** The first number that the company assigns; null if it assigns none. */
  firstNumber: number | null;
  /** The text before an assigned number: "CM-101". */
  prefix?: string;
  /** Whether it is applied whole when it is created, without money, and never by a user's payment. */
  waives?: boolean;
  /** Missing for a kind that posts. */
  offer?: Offer;
  /** The API's path of one of them; null if there is none. */
  path: string | null;
  area: RecordArea;
  audit: AuditFields;
  /** Missing if searches show it as the document that its side is named after, or don't find it. */
  search?: SearchedDocument;
  /** Missing if it is not sent. */
  mail?: DocumentMail;
  /** The screen that shows it, and the names under which its address and its navigation state carry the ID. */
  screen?: { path: string; key: string; state: string };
  /** Checks of the books, in addition to those of all documents. */
  health?: readonly { name: string; title: string; says: string }[];
}
