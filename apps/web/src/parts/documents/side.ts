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
  /** Parts of payments that a refund gives back. */
  paymentRefunds?: { paymentId: number; amount: Cents }[];
  documentLinks: DocumentLinkInput[];
  rowVersion: number | null;
  closingOverrideReason?: string;
}

/** Whom a document or payment names. */
export type WithEntity =
  | { customerId: number; customerDisplayName: string }
  | { vendorId: number; vendorDisplayName: string };

/** The customer or vendor of a document or payment. */
export function entityOf(of: WithEntity): { id: number; name: string } {
  return 'vendorId' in of
    ? { id: of.vendorId, name: of.vendorDisplayName }
    : { id: of.customerId, name: of.customerDisplayName };
}

/** Fields of a document that can be paid. */
export type SettledDocument = WithEntity & { id: number; openAmount: Cents };

/** Customers or vendors as their documents need them. */
export interface SideEntities extends EntitySource {
  kind: EntityKind;
  /** The screen of a record: `/customers/12`. */
  path: string;
  view: Permission;
  manage: Permission;
  create: (entity: { id: 0; name: string; emailAddress: string }) => Ask<{ id: number; displayname: string }>;
  failed: string;
}

/** A page of all that happened to a customer or vendor. */
export type ActivityPage = readonly ActivityRow[] | { items: readonly ActivityRow[]; next: string | null };

/** Rows of a page of activity. */
const ACTIVITY_ROWS = 30;

/** The query of the page of activity behind a place. */
export function activityQuery(after: string): { limit: number; after?: string } {
  return after === '' ? { limit: ACTIVITY_ROWS } : { limit: ACTIVITY_ROWS, after };
}

/** A side as its feature declares it: its calls, and the words that no other side shares. */
export interface SideSpec<Document extends SettledDocument, Body> {
  core: Side;
  entities: SideEntities;
  documents: Pick<RecordsSpec<Document, Document, never>, 'words' | 'get' | 'remove'>;
  /** The payments of a document. */
  paidBy: (documentId: number) => Ask<readonly PaidBy[]>;
  payments: { calls: PaymentCalls<AnyPayment, Body>; body: (payment: PaymentBody) => Body };
  paymentReply: z.ZodType<AnyPayment>;
  /** With a payment (its id, not 0) also what that payment touched. */
  openDocuments: (entityId: number, paymentId: number) => Ask<readonly OpenDocument[]>;
  history: (entityId: number) => Ask<readonly HistoryRow[]>;
  /** The standing of a customer or vendor today, and all that happened: the page behind `after`, '' the first. */
  standing: (entityId: number) => Ask<EntityStanding>;
  activity: (entityId: number, after: string) => Ask<ActivityPage>;
  words: {
    /** The title of a posted payment's dialog before its number. */
    payment: string;
    /** Before the documents that are to be paid: "Pay 3 bills". */
    pay: string;
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
}

/**
 * One side of the documents, customers' or vendors', as the web shows it: `core` has its words and kinds, the rest is
 * where it is read and written, and its words. The parts of this room take a side and do the same for both.
 */
export interface DocumentSide<Document extends SettledDocument = SettledDocument> extends Omit<
  SideSpec<Document, never>,
  'payments'
> {
  view: Permission;
  manage: Permission;
  payments: Omit<RecordsSpec<AnyPayment, AnyPayment, PaymentBody>, 'list'> &
    Pick<RecordsSpec<PaymentRow, never, never>, 'list'> & {
      /** Posts several, all or none. */
      createAll: (payments: readonly PaymentBody[], reason: string) => Ask<{ payments: readonly unknown[] }>;
      /** The open documents among `ids`, of any customers or vendors; a paid one is not among them. */
      payable: (ids: readonly number[]) => Ask<{ documents: readonly PayableDocument[] }>;
    };
}

/** The get, update and remove of a document or payment by the calls of its kind. */
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

/** A kind of document, and the lists of its parts. */
export interface DocumentRecords<Row, One, Body> extends RecordsSpec<Row, One, Body> {
  part: (status: ListStatus) => RecordsSpec<Row, One, Body>['list'];
}

/** Declares a kind of document by its calls and the alerts of its failures. */
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

/** The name of a document: "invoice"; what is below zero is a credit memo, or a vendor's credit. */
export function nounOf(side: Pick<DocumentSide, 'core' | 'documents'>, { invoiceAmount }: { invoiceAmount: Cents }) {
  if (invoiceAmount >= 0) return side.documents.words.one;
  return side.core.name === 'payable' ? 'vendor credit' : 'credit memo';
}

/** A name as titles have it: "Credit Memo". */
export function titled(noun: string): string {
  return noun.split(' ').map(capital).join(' ');
}

/** The order of payments while nobody asks for another. */
const NEWEST_FIRST = { sort: 'paymentDate', desc: 'true' } as const;

/** Declares a side; permissions and the records of its payments follow from its calls. */
export function documentSide<Document extends SettledDocument, Body>(
  spec: SideSpec<Document, Body>,
): DocumentSide<Document> {
  const { payments, words } = spec;
  const { calls, body } = payments;
  const { create, update, ...others } = callsOf(calls);
  return {
    ...spec,
    view: calls.get.needs,
    manage: calls.create.needs,
    payments: {
      ...others,
      list: (_, page) => ask(calls.list, { query: page.sort === undefined ? { ...page, ...NEWEST_FIRST } : page }),
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
    },
  };
}
