import type { IsoDate } from '../dates.ts';

/** The areas whose permissions cover records (contract/areas). */
export type RecordArea = 'Billing' | 'Expenses' | 'Customers' | 'Vendors' | 'Products' | 'Banking' | 'Accounting';

/** The API fields of a record that the audit log shows: its name and, if it has one, its amount in dollars. */
export interface AuditFields {
  title?: string;
  amount?: string;
}

/** The icons in search results, by their names in the icon set without "Icon". */
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

/** The appearance of a kind of record in search results. */
export interface SearchedKind {
  /** The kind's number in the API and in the stored search entries (`itemType`). */
  number: number;
  /** The kind's name in the API. */
  name: string;
  /** The heading above the kind's search results. */
  group: string;
  icon: SearchIcon;
}

/** The appearance of a kind of document in search results, and the words that users enter with a document's number. */
interface SearchedDocument extends SearchedKind {
  words: string;
}

/** The wording of the email about a record. */
export interface MailWording {
  label: string;
  placeholders: readonly string[];
  /** The default subject for new companies. */
  subject: string;
  text: string;
}

/** The email for a kind of document, and the API's name for the document. */
export interface DocumentMail extends MailWording {
  /** The name in the API and in stored emails. */
  kind: string;
  /** The field that contains the document's ID in requests and responses. */
  id: string;
  /** Whether the email has a private link to the document. */
  hasLink: boolean;
}

/** A kind of document that posts nothing and has no open balance. Its statuses differ from those of other documents. */
export interface Offer {
  draft: number;
  void: number;
  /** The status in which the customer is asked to accept or decline. */
  asked: number;
  /** The statuses in which the document can still be converted to an invoice. */
  pending: readonly number[];
  /** Returns the status that users see. */
  badge: (document: { status: number; expirationDate: IsoDate | null }, today: IsoDate) => string;
}

/**
 * All properties of a kind of document, except for the content of its documents. All lists of kinds are derived from
 * these properties.
 */
export interface DocumentKind {
  source: string;
  /** The word before the document's number in the journal, for example "Invoice 10001". */
  label: string;
  words: { title: string; indefinite: string; many: string };
  /** The kinds of records that store the document's ID. Null for the journal itself, or if no records store it yet. */
  records: 'document' | 'payment' | 'bank_document' | null;
  /** The side whose control accounts the document is posted to. Null if the kind belongs to neither side. */
  side: 'receivable' | 'payable' | null;
  /** Whether the document's lines are sales. The sales and sales tax reports read the postings of these documents. */
  sells: boolean;
  /** The first number that the company assigns. Null if the company assigns no numbers. */
  firstNumber: number | null;
  /** The text before an assigned number, for example "CM-101". */
  prefix?: string;
  /**
   * Whether the document is fully applied without moving money when it is created, and is never settled by a user's
   * payment.
   */
  waives?: boolean;
  /** Omitted for a kind that posts. */
  offer?: Offer;
  /** The API path of one document. Null if there is none. */
  path: string | null;
  area: RecordArea;
  audit: AuditFields;
  /**
   * Omitted if searches don't find the document, or if they list it under the usual kind for its side, such as invoices
   * or bills.
   */
  search?: SearchedDocument;
  /** Omitted if the document is never sent by email. */
  mail?: DocumentMail;
  /**
   * The screen that shows the document, and the names of the document's ID in the screen's URL and navigation state.
   */
  screen?: { path: string; key: string; state: string };
  /** Health checks for this kind of document, in addition to the checks for all documents. */
  health?: readonly { name: string; title: string; says: string }[];
}
