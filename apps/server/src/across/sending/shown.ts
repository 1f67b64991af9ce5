import type { BillingCredit } from '@evenkeel/contract/credits';
import type { BillingEstimate } from '@evenkeel/contract/estimates';
import {
  ACCEPTED,
  answerFault,
  DECLINED,
  ESTIMATE_DRAFT,
  ESTIMATE_VOID,
  INVOICED,
} from '@evenkeel/core/documents/estimate';
import type { IsoDate } from '@evenkeel/core/dates';
import { DRAFT, VOID } from '@evenkeel/core/documents/invoice';
import { documentKinds, kindOf } from '@evenkeel/core/documents/side';
import type { BillingInvoice } from '@evenkeel/contract/billing';
import { momentIn } from '../../platform/clock.ts';
import { credits } from '../../features/billing/credits.ts';
import { estimates } from '../../features/billing/estimates.ts';
import { invoices } from '../../features/billing/invoices.ts';
import { creditPaperOf, estimatePaperOf, invoicePaperOf } from '../../features/billing/print.ts';
import { readParties } from '../../features/entities/parties.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { InvoicePaper } from '../../platform/pdf/invoice.ts';
import { getCompany } from '../../features/settings/company.ts';
import { sendingSettings, waysToPay } from '../../features/settings/sending.ts';
import { documents } from '../../books/documents/settlement.sql.ts';
import type { AnswerShown, Shown } from './page.ts';
import { zoneSql } from '../../features/settings/company.sql.ts';
import { termsOf } from './parcels.ts';

/** Documents behind private links, as their customers see them. */

/** A document that is shown, or the words in its place. */
export type LinkedDocument =
  | { gone: { title: string; text: string } }
  | { gone?: never; name: string; page: Omit<Shown, 'path' | 'madeOn' | 'endsOn' | 'answer'>; answer?: AnswerShown };

/** Words that were typed under an estimate, and why they were not taken. */
export interface TypedAnswer {
  name: string;
  note: string;
  fault: string;
}

type Parties = Awaited<ReturnType<typeof partiesOf>>;

async function partiesOf(ctx: Ctx, customerId: number, documentId: number) {
  const [{ parties }, settings] = await Promise.all([
    readParties(ctx, customerId, { documentId }),
    sendingSettings(ctx),
  ]);
  return { ...parties, settings };
}

/** The document of a link as it is today; an estimate with the answer that is typed under it, if there is one. */
export async function linkedDocument(ctx: Ctx, documentId: number, typed?: TypedAnswer): Promise<LinkedDocument> {
  const head = await ctx.tx.one(documents.find({ id: documentId }));
  const { label } = kindOf(head.kind);
  const name = `${label} ${head.number}`;
  const { displayname: company } = await getCompany(ctx);
  const isOffer = head.kind === documentKinds.estimate.source;
  const nothing = isOffer ? '' : ': no payment is due';
  if (head.deleted) {
    return gone(`This ${label.toLowerCase()} was deleted`, `${company} deleted this document${nothing}.`);
  }
  if (head.status === VOID || head.status === ESTIMATE_VOID) {
    return gone(`${name} was voided`, `${company} voided this document${nothing}.`);
  }
  if (head.status === DRAFT || head.status === ESTIMATE_DRAFT) {
    return gone(`${name} is being edited`, `${company} is editing this document.`);
  }
  if (isOffer) return offer(ctx, await estimates.get(ctx, documentId), typed);
  const parties = await partiesOf(ctx, head.entityId, documentId);
  return head.kind === documentKinds.creditmemo.source
    ? credit(ctx, await credits.get(ctx, documentId), parties)
    : demand(await invoices.get(ctx, documentId), parties);
}

const gone = (title: string, text: string): LinkedDocument => ({ gone: { title, text } });

/** A paper that asks nobody to pay. */
const unpaid = (name: string, paper: InvoicePaper): LinkedDocument & { gone?: never } => {
  return { name, page: { paper, terms: '', howToPay: '', payLink: undefined } };
};

function demand(invoice: BillingInvoice, { settings, ...parties }: Parties): LinkedDocument {
  const { invoiceNumber: number, openAmount: amount } = invoice;
  const { text: howToPay, link: payLink } = waysToPay(settings, { number, amount });
  const paper = invoicePaperOf({ invoice, ...parties, howToPay });
  return { name: 'invoice', page: { paper, terms: termsOf(invoice), howToPay, payLink } };
}

async function credit(ctx: Ctx, memo: BillingCredit, parties: Parties): Promise<LinkedDocument> {
  const of = memo.creditedInvoiceId === null ? undefined : await invoices.get(ctx, memo.creditedInvoiceId);
  return unpaid('credit-memo', creditPaperOf({ memo, of: of?.invoiceNumber, ...parties }));
}

async function offer(ctx: Ctx, estimate: BillingEstimate, typed: TypedAnswer | undefined): Promise<LinkedDocument> {
  const paper = estimatePaperOf({ estimate, ...(await partiesOf(ctx, estimate.customerId, estimate.id)) });
  const { timeZone } = await ctx.tx.one(zoneSql());
  return { ...unpaid('estimate', paper), answer: answerShown(estimate, { today: ctx.today, timeZone, typed }) };
}

interface At {
  today: IsoDate;
  timeZone: string;
  typed: TypedAnswer | undefined;
}

function answerShown(estimate: BillingEstimate, { today, timeZone, typed }: At): AnswerShown {
  const { arBillingStatus: status, dueDate: expirationDate, rowVersion: version, answeredBy, answeredAt } = estimate;
  const by = answeredAt === null ? '' : ` by ${answeredBy} on ${momentIn(timeZone, new Date(answeredAt))}`;
  const fault = typed?.fault;
  if (status === DECLINED) return { says: `Declined${by}`, isGood: false, fault };
  if (status === ACCEPTED || status === INVOICED) return { says: `Accepted${by}`, isGood: true, fault };
  const closed = answerFault({ status, expirationDate, rowVersion: version }, version, today);
  if (closed !== undefined) return { says: closed, isGood: false, fault: undefined };
  return { version, name: typed?.name ?? '', note: typed?.note ?? '', fault };
}
