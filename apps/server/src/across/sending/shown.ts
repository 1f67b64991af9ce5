import { DRAFT, VOID } from '@evenkeel/core/documents/invoice';
import { kindOf } from '@evenkeel/core/documents/side';
import { notFound, present } from '@evenkeel/core/failure';
import { documents } from '../../books/documents/settlement.sql.ts';
import type { Answer, AnswerShown, TypedAnswer } from '../../features/billing/sent.ts';
import { sentDocuments } from '../../features/billing/sent-documents.ts';
import { getCompany } from '../../features/settings/company.ts';
import { zoneSql } from '../../features/settings/company.sql.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Shown } from './page.ts';

/** Documents behind private links, as their customers see them. */

/** A document to show, or the message to show instead. */
export type LinkedDocument =
  | { gone: { title: string; text: string } }
  | { gone?: never; name: string; page: Omit<Shown, 'path' | 'madeOn' | 'endsOn' | 'answer'>; answer?: AnswerShown };

/** Returns a link's document as it is today, with any response that is being entered on its page. */
export async function linkedDocument(ctx: Ctx, documentId: number, typed?: TypedAnswer): Promise<LinkedDocument> {
  const head = await ctx.tx.one(documents.find({ id: documentId }));
  const kind = kindOf(head.kind);
  const label = kind.label.toLowerCase();
  const name = `${kind.label} ${head.number}`;
  const { displayname: company } = await getCompany(ctx);
  const nothing = kind.offer === undefined ? ': no payment is due' : '';
  const states = kind.offer ?? { draft: DRAFT, void: VOID };
  if (head.deleted) return gone(`This ${label} was deleted`, `${company} deleted this document${nothing}.`);
  if (head.status === states.void) {
    return gone(`${name} was voided`, `${company} voided this document${nothing}.`);
  }
  if (head.status === states.draft) return gone(`${name} is being edited`, `${company} is editing this document.`);
  const { paper, payment, answer } = await sentOf(head.kind).read(ctx, documentId);
  const page = {
    paper,
    ...(payment ?? { terms: '', howToPay: '', payLink: undefined, paidWith: [] }),
    today: ctx.today,
  };
  const shown = { name: label.replace(' ', '-'), page };
  if (answer === undefined) return shown;
  const { timeZone } = await ctx.tx.one(zoneSql());
  return { ...shown, answer: answer({ today: ctx.today, timeZone, typed }) };
}

/**
 * Saves a customer's response to a document. If it is rejected, returns the reason to show to the customer. Throws 404
 * if the document does not exist.
 */
export async function takeAnswer(ctx: Ctx, documentId: number, answer: Answer): Promise<string | undefined> {
  const { kind } = await ctx.tx.one(documents.find({ id: documentId }));
  const { takeAnswer: take } = sentOf(kind);
  if (take === undefined) throw notFound(kindOf(kind).words.title);
  return take(ctx, documentId, answer);
}

const sentOf = (source: string) =>
  present(
    sentDocuments.find(({ kind }) => kind.source === source),
    `sent document of kind ${source}`,
  );

const gone = (title: string, text: string): LinkedDocument => ({ gone: { title, text } });
