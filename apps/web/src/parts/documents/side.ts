import type { DocumentLinkInput } from '@evenkeel/contract/attachments';
import type { Permission } from '@evenkeel/contract/areas';
import type { BillingPayment } from '@evenkeel/contract/billing';
import type { ExpensePayment } from '@evenkeel/contract/expenses';
import type {
  ActivityRow,
  DocumentCalls,
  EntityStanding,
  HistoryRow,
  ListStatus,
  OpenDocument,
  PayableDocument,
  PaidBy,
  PaymentCalls,
  PaymentDefaults,
  PaymentPart,
  PaymentRow,
} from '@evenkeel/contract/subledger';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { EntityKind } from '@evenkeel/core/entities';
import { capital, type Side } from '@evenkeel/core/documents/side';
import type * as z from 'zod';
import { type Ask, ask } from '../../client/api.ts';
import type { EntitySource } from '../choices/entities.ts';
import { because, type PageAsk } from '../../records/reads.ts';
import type { RecordsSpec, RecordWords } from '../../records/records.ts';

/** A payment on either side. */
export type AnyPayment = BillingPayment | ExpensePayment;

/** The request body for a payment. The side defines the field for the customer or vendor. */
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
  /** The amounts that a refund pays back, by payment. */
  paymentRefunds?: { paymentId: number; amount: Cents }[];
  documentLinks: DocumentLinkInput[];
  rowVersion: number | null;
  closingOverrideReason?: string;
}

/** The customer or vendor fields of a document or payment. */
export type WithEntity =
  | { customerId: number; customerDisplayName: string }
  | { vendorId: number; vendorDisplayName: string };

/** Returns the customer or vendor of a document or payment. */
export function entityOf(of: WithEntity): { id: number; name: string } {
  return 'vendorId' in of
    ? { id: of.vendorId, name: of.vendorDisplayName }
    : { id: of.customerId, name: of.customerDisplayName };
}

/** The fields of a document that can be paid. */
export type SettledDocument = WithEntity & { id: number; openAmount: Cents };

/** The customers or vendors, with the functions that their documents need. */
export interface SideEntities extends EntitySource {
  kind: EntityKind;
  /** The path of a record's screen, for example `/customers/12`. */
  path: string;
  view: Permission;
  manage: Permission;
  create: (entity: { id: 0; name: string; emailAddress: string }) => Ask<{ id: number; displayname: string }>;
  failed: string;
}

/** A page of activity for a customer or vendor. */
export type ActivityPage = readonly ActivityRow[] | { items: readonly ActivityRow[]; next: string | null };

/** The number of rows on a page of activity. */
const ACTIVITY_ROWS = 30;

/** Returns the query for the activity page after a cursor. */
export function activityQuery(after: string): { limit: number; after?: string } {
  return after === '' ? { limit: ACTIVITY_ROWS } : { limit: ACTIVITY_ROWS, after };
}

/** Defines a side: its API calls, and the labels that differ between sides. */
export interface SideSpec<Document extends SettledDocument, Body> {
  core: Side;
  entities: SideEntities;
  documents: Pick<RecordsSpec<Document, Document, never>, 'words' | 'get' | 'remove'>;
  /** Returns a document's payments. */
  paidBy: (documentId: number) => Ask<readonly PaidBy[]>;
  payments: { calls: PaymentCalls<AnyPayment, Body>; body: (payment: PaymentBody) => Body };
  paymentReply: z.ZodType<AnyPayment>;
  /** If `paymentId` is not 0, the result also includes the documents that the payment is applied to. */
  openDocuments: (entityId: number, paymentId: number) => Ask<readonly OpenDocument[]>;
  history: (entityId: number) => Ask<readonly HistoryRow[]>;
  /** A customer's or vendor's current balances and activity. `after` is the cursor, and '' returns the first page. */
  standing: (entityId: number) => Ask<EntityStanding>;
  activity: (entityId: number, after: string) => Ask<ActivityPage>;
  words: {
    /** The dialog title for a posted payment, before its number. */
    payment: string;
    /** The label before the documents to pay: "Pay 3 Bills". */
    pay: string;
    moneyAccount: string;
    noMoneyAccount: string;
    /** The name for unapplied money: "the customer’s credit". */
    credit: string;
    openDocument: string;
    /** The word before a payment's date: "received". */
    paid: string;
  };
  /** The bank account setting that allows payments on this side. */
  takes: 'allowDeposits' | 'allowPayments';
  /** The key for payment drafts on the device. */
  draft: string;
}

/**
 * The customer side or the vendor side of documents. `core` contains the side's document types and labels. The other
 * fields are API calls and labels in the UI. The components in this folder take a side and work the same for both
 * sides.
 */
export interface DocumentSide<Document extends SettledDocument = SettledDocument> extends Omit<
  SideSpec<Document, never>,
  'payments'
> {
  view: Permission;
  manage: Permission;
  payments: Omit<RecordsSpec<AnyPayment, AnyPayment, PaymentBody>, 'list'> &
    Pick<RecordsSpec<PaymentRow, never, never>, 'list'> & {
      /** Lists the payments that match a filter. */
      part: (part: PaymentPart) => RecordsSpec<PaymentRow, never, never>['list'];
      /** Posts several payments together. Either all payments are posted, or none are. */
      createAll: (payments: readonly PaymentBody[], reason: string) => Ask<{ payments: readonly unknown[] }>;
      /** Returns the documents in `ids` that are open, for any customer or vendor. Paid documents are omitted. */
      payable: (ids: readonly number[]) => Ask<{ documents: readonly PayableDocument[] }>;
      /** Returns the type and account of the user's last payment and refund, and the next check numbers. */
      defaults: () => Ask<PaymentDefaults>;
    };
}

/** Returns the get, update, and remove calls for a document or payment type. */
function callsOf<One extends { id: number }, Body>({
  get,
  create,
  update,
  remove,
}: Pick<PaymentCalls<One, Body>, 'get' | 'create' | 'update' | 'remove'>) {
  return {
    idOf: (one: { id: number }) => one.id,
    get: (id: number) => ask(get, { params: { id } }),
    create: (body: Body) => ask(create, { body }),
    update: (_: number, body: Body) => ask(update, { body }),
    remove: (id: number, reason: string) => ask(remove, { params: { id }, query: because(reason) }),
  };
}

/** A document type with its filtered lists. */
export interface DocumentRecords<Row, One, Body> extends RecordsSpec<Row, One, Body> {
  part: (status: ListStatus) => RecordsSpec<Row, One, Body>['list'];
}

/** Defines a document type by its API calls and error alerts. */
export function documentRecords<Row extends { id: number }, One extends { id: number }, Body>(
  calls: DocumentCalls<Row, One, Body>,
  words: Omit<RecordWords, 'one' | 'many'> & Partial<Pick<RecordWords, 'one' | 'many'>>,
): DocumentRecords<Row, One, Body> {
  const part = (status: ListStatus) => (_: boolean, page: PageAsk) =>
    ask(calls.list, { query: status === 'open' ? page : { ...page, status } });
  return {
    words: { one: 'invoice', many: 'invoices', ...words },
    list: part('open'),
    part,
    ...callsOf<One, Body>(calls),
  };
}

/**
 * Returns the name of a document, for example "bill". A negative document is a credit memo or a vendor credit. Without
 * a document, returns the name of a positive document.
 */
export function nounOf(
  { core, documents }: Pick<DocumentSide, 'core' | 'documents'>,
  document: { invoiceAmount: number } = { invoiceAmount: 0 },
): string {
  const isVendors = core.name === 'payable';
  if (document.invoiceAmount < 0) return isVendors ? 'vendor credit' : 'credit memo';
  // The words of `documents` call a bill "invoice", as the specification does in forms and messages.
  return isVendors ? core.words.document : documents.words.one;
}

/** Returns a name in title case: "Credit Memo". */
export function titled(noun: string): string {
  return noun.split(' ').map(capital).join(' ');
}

/** The default sort order of payments. */
const NEWEST_FIRST = { sort: 'paymentDate', desc: 'true' } as const;

/** Defines a side. Its permissions and payment records are derived from its API calls. */
export function documentSide<Document extends SettledDocument, Body>(
  spec: SideSpec<Document, Body>,
): DocumentSide<Document> {
  const { payments, words } = spec;
  const { calls, body } = payments;
  const listOf = (page: PageAsk, status?: PaymentPart) => {
    const query = page.sort === undefined ? { ...page, ...NEWEST_FIRST } : page;
    return ask(calls.list, { query: status === undefined ? query : { ...query, status } });
  };
  const { create, update, ...others } = callsOf(calls);
  return {
    ...spec,
    view: calls.get.needs,
    manage: calls.create.needs,
    payments: {
      ...others,
      list: (_, page) => listOf(page),
      part: (part) => (_, page) => listOf(page, part),
      words: {
        one: 'payment',
        many: 'payments',
        loadAll: 'Error Loading Payments',
        loadOne: `Error Loading ${words.payment}`,
      },
      create: (payment) => create(body(payment)),
      update: (id, payment) => update(id, body(payment)),
      createAll: (several, reason) =>
        ask(calls.createAll, { body: { payments: several.map(body), ...because(reason) } }),
      payable: (ids) => ask(calls.payable, { query: { ids: [...ids] } }),
      defaults: () => ask(calls.defaults, {}),
    },
  };
}
