import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';

/**
 * An online payment provider, such as Stripe. Amounts are cents in US dollars. No call may be awaited inside a
 * transaction.
 */
export interface Provider {
  name: 'stripe';
  label: string;
  /** The types of events that are handled. Others are accepted and ignored. */
  events: readonly string[];
  /** Makes test calls with a key. Throws 422 with the reason if the key is wrong or lacks permissions. */
  tryKey(key: string): Promise<void>;
  /** Creates a payment page. A repeated call with the same `once` returns the same page. */
  startSession(key: string, wanted: WantedSession): Promise<StartedSession>;
  /** Checks the signature of an event and returns it. Throws 422 for an event that the provider didn't sign. */
  readEvent(sent: SentEvent): Promise<ProviderEvent>;
  /** Requests from the provider the data that an event refers to. */
  newsOf(key: string, event: Pick<ProviderEvent, 'type' | 'objectId'>): Promise<News>;
}

export interface WantedSession {
  once: string;
  /** The amounts, each with a title for the customer, such as "Invoice 10563". */
  items: readonly { title: string; amount: Cents }[];
  /** Whether the amount is too high for a card. */
  isBankDebit: boolean;
  reference: Reference;
  expiresAt: Date;
  paidUrl: string;
  canceledUrl: string;
}

/** The maximum number of invoices in one payment, whose reference must fit into the provider's 500 characters. */
export const MOST_PARTS = 20;

/** The invoices and the page for a payment. The provider returns them with the payment. */
export interface Reference {
  companyId: number;
  /** The invoices with their amounts. A single invoice without an amount gets the whole payment. */
  parts: readonly { documentId: number; amount: Cents | null }[];
  sessionId: number;
}

export interface StartedSession {
  id: string;
  url: string;
}

export interface SentEvent {
  body: Buffer;
  signature: string;
  secret: string;
}

export interface ProviderEvent {
  id: string;
  type: string;
  /** The ID of the charge, refund, dispute, payout, or payment page that changed. */
  objectId: string;
  at: Date;
}

export const MOVEMENT_KINDS = ['charge', 'refund', 'dispute', 'fee', 'payout', 'other'] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** A change to the company's balance at the provider. The balance changes by the amount less the fee. */
export interface Movement {
  /** The provider's ID for the change. Each change is posted once. */
  id: string;
  kind: MovementKind;
  /** Positive for a charge, and negative for a refund or a payout. */
  amount: Cents;
  fee: Cents;
  at: Date;
  /** The date when a payout arrives at the bank. */
  arrivesOn?: IsoDate | undefined;
  sourceId: string;
  /** The charge that was refunded or disputed. */
  chargeId: string | null;
  /** The invoice and the page for a charge. Null if it didn't come from an Evenkeel payment page. */
  reference: Reference | null;
  /** The provider's description of the change. */
  words: string;
}

export type SessionStatus = 'complete' | 'failed' | 'expired';

/** The changes that an event reports. Charges come before their refunds and disputes. */
export interface News {
  movements: readonly Movement[];
  session?: { id: string; status: SessionStatus } | undefined;
  /** A dispute that was decided against the company. */
  lost?: { disputeId: string; chargeId: string; amount: Cents } | undefined;
  /** The balance changes in currencies other than US dollars, which can't be posted. */
  foreign: readonly { id: string; currency: string }[];
}
