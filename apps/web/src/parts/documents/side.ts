import type { DocumentLinkInput } from '@evenkeel/contract/attachments';
import type { Permission } from '@evenkeel/contract/areas';
import type { BillingPayment } from '@evenkeel/contract/billing';
import type { ExpensePayment } from '@evenkeel/contract/expenses';
import type { HistoryRow, OpenDocument, PaidBy } from '@evenkeel/contract/subledger';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { EntityKind } from '@evenkeel/core/entities';
import type { Side } from '@evenkeel/core/side';
import type * as z from 'zod';
import type { Ask } from '../../client/api.ts';
import type { EntitySource } from '../choices/entities.ts';
import type { RecordsSpec } from '../../records/records.ts';

/** A payment of either side. */
export type AnyPayment = BillingPayment | ExpensePayment;

/** The body of a payment; the side knows the name of the field for its customer or vendor. */
export interface PaymentBody {
  id: number;
  entityId: number;
  paymentDate: IsoDate;
  paymentAmount: Cents;
  paymentTypeId: number | null;
  locationId: number | null;
  paymentRefNo: string;
  paymentCheckNo: string;
  paymentDescription: string;
  bankAccountId: number | null;
  paymentAccountId: number | null;
  paymentApplications: Omit<AnyPayment['paymentApplications'][number], 'invoiceDescription'>[];
  documentLinks: DocumentLinkInput[];
  rowVersion: number | null;
  closingOverrideReason?: string;
}

/** Whom a document or payment names. */
export type WithEntity =
  { customerId: number; customerDisplayName: string } | { vendorId: number; vendorDisplayName: string };

/** The customer or vendor of a document or payment. */
export function entityOf(of: WithEntity): { id: number; name: string } {
  return 'vendorId' in of
    ? { id: of.vendorId, name: of.vendorDisplayName }
    : { id: of.customerId, name: of.customerDisplayName };
}

/** Fields of a document that the payment dialog needs. */
export type PayableDocument = WithEntity & { id: number; openAmount: Cents };

/**
 * One side of the documents, customers' or vendors', as the web shows it: `core` has its words and kinds, the rest is
 * where it is read and written, and its words. The parts of this room take a side and do the same for both.
 */
export interface DocumentSide<Document extends PayableDocument = PayableDocument> {
  core: Side;
  view: Permission;
  manage: Permission;
  entities: EntitySource & {
    kind: EntityKind;
    /** The screen of a record: `/customers/12`. */
    path: string;
    view: Permission;
    manage: Permission;
    create: (entity: { id: 0; name: string; emailAddress: string }) => Ask<{ id: number; displayname: string }>;
    failed: string;
  };
  documents: Pick<RecordsSpec<Document, Document, never>, 'words' | 'get' | 'remove'>;
  payments: Omit<RecordsSpec<AnyPayment, AnyPayment, PaymentBody>, 'list'>;
  paymentReply: z.ZodType<AnyPayment>;
  /** With a payment (its id, not 0) also what that payment touched. */
  openDocuments: (entityId: number, paymentId: number) => Ask<readonly OpenDocument[]>;
  history: (entityId: number) => Ask<readonly HistoryRow[]>;
  /** The payments of a document. */
  paidBy: (documentId: number) => Ask<readonly PaidBy[]>;
  words: {
    /** The title of a new payment's dialog, and of a posted one before its number. */
    addPayment: string;
    payment: string;
    moneyAccount: string;
    noMoneyAccount: string;
    /** The owner of money that no document has taken: "the customer’s credit". */
    credit: string;
    openDocument: string;
    /** Before the date of a payment: "received". */
    paid: string;
  };
  /** The switch of the banking accounts that a payment can go to or come from. */
  takes: 'allowDeposits' | 'allowPayments';
  /** The name of drafts of its payments on the device. */
  draft: string;
  /**
   * Whether payments have a type, which asks for the number of a check alone. Without types the number is always asked
   * for, and the location.
   */
  hasTypes: boolean;
}

/** The query of a delete call: the reason only when there is one. */
export const because = (reason: string) => (reason === '' ? {} : { closingOverrideReason: reason });
