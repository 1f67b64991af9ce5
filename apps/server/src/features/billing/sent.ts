import type { SendingSettings, SentCalls } from '@evenkeel/contract/sending';
import type { DocumentCalls } from '@evenkeel/contract/subledger';
import type { IsoDate } from '@evenkeel/core/dates';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';
import type { Values } from '@evenkeel/core/words/mailtext';
import { documentRoutes, type Documents } from '../../books/documents/document-routes.ts';
import { type PaperParties, type Parties, readParties } from '../entities/parties.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { PaidWith } from './invoices.sql.ts';
import { type Route, route } from '../../platform/http/route.ts';
import type { InvoicePaper } from '../../platform/pdf/invoice.ts';
import { printer } from '../../platform/pdf/printer.ts';
import { sendingSettings } from '../settings/sending.ts';

/** Documents as sent to customers: in print, by email, and through a private link. */

/** The response that a customer entered on a document's page, and the reason why it was rejected. */
export interface TypedAnswer {
  name: string;
  note: string;
  fault: string;
}

/** The form for a customer's response, or the result of that response. */
export type AnswerShown =
  | { says?: never; version: number; name: string; note: string; fault: string | undefined }
  | { says: string; isGood: boolean; fault: string | undefined };

/** The circumstances in which a customer opens a document: the date, the time zone, and a rejected response, if any. */
export interface Opened {
  today: IsoDate;
  timeZone: string;
  typed: TypedAnswer | undefined;
}

/** A customer's response through the private link. */
export interface Answer {
  isAccepted: boolean;
  name: string;
  note: string;
  /** The version of the document that the customer read. */
  seen: number;
}

/** The content of a document for its customer. */
interface Content {
  paper: InvoicePaper;
  /** The placeholders that are specific to the email for this kind of document. */
  values: Values;
  /** The reason why the document can't be sent, or an empty string if it can. */
  refusal: string;
  /** Whether nothing is left to pay. In that case, no reminder is sent. */
  isSettled?: boolean;
  /** The request for payment on the private link's page. */
  payment?: {
    terms: string;
    howToPay: string;
    payLink: string | undefined;
    /** Whether an amount is owed and the company offers at least one way to pay it. */
    isPayable: boolean;
    /** The payments so far, oldest first. */
    paidWith: readonly PaidWith[];
  };
  answer?: (opened: Opened) => AnswerShown;
}

/** A document, with the records of its customer and of the company. */
interface ReadDocument extends Content, PaperParties {
  number: string;
  settings: SendingSettings;
}

/** A kind of document that can be sent. */
export interface SentDocument {
  kind: DocumentKind;
  calls: SentCalls;
  /** The endpoints for this kind of document, except the one for its email. */
  routes: readonly Route[];
  /** Reads a document with its content. Throws 404 if it does not exist. */
  read: (ctx: Ctx, id: number) => Promise<ReadDocument>;
  /** Locks a document and marks it as sent if it is open. Throws 404, or 422 if the document can't be sent. */
  markSent: (ctx: Ctx, id: number) => Promise<unknown>;
  /**
   * Saves a customer's response. A customer can respond only once. If the response is rejected, returns the reason to
   * show to the customer. Throws 404 if the document does not exist.
   */
  takeAnswer?: (ctx: Ctx, id: number, answer: Answer) => Promise<string | undefined>;
}

interface Named {
  id: number;
  customerId: number;
  invoiceNumber: string;
}

interface Described<Row, D extends Named, Body, F, R> extends Pick<SentDocument, 'markSent' | 'takeAnswer'> {
  calls: DocumentCalls<Row, D, Body> & SentCalls;
  documents: Documents<Row, D, Body, F, R>;
  /** The endpoints that only this kind of document has. */
  routes?: readonly Route[];
  content: (ctx: Ctx, document: D, by: Parties & { settings: SendingSettings }) => Content | Promise<Content>;
}

/**
 * Describes a kind of document that can be sent. The endpoints, printed form, email, and private link are derived from
 * this description.
 */
export function sentDocument<Row, D extends Named, Body, F, R>({
  calls,
  documents,
  routes = [],
  content,
  ...sent
}: Described<Row, D, Body, F, R>): SentDocument {
  const { kind, get } = documents;
  const read: SentDocument['read'] = async (ctx, id) => {
    const document = await get(ctx, id);
    const [of, settings] = await Promise.all([
      readParties(ctx, document.customerId, { documentId: id }),
      sendingSettings(ctx),
    ]);
    const shown = await content(ctx, document, { ...of.parties, settings });
    return { ...of, settings, number: document.invoiceNumber, ...shown };
  };
  const printed = route(calls.view, async (ctx, { params }) => {
    const { paper } = await read(ctx, params.id);
    return () => printer.invoice(paper);
  });
  return { ...sent, kind, calls, read, routes: [...documentRoutes(calls, documents), printed, ...routes] };
}
