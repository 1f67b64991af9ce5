import { Failure, present as given } from '@evenkeel/core/failure';
import { sql } from 'kysely';
import * as z from 'zod';
import { fileSql, linksSql } from '../../books/attachments/attachments.sql.ts';
import { bytesOf } from '../../books/attachments/bytes.ts';
import { now, todayIn } from '../../platform/clock.ts';
import { enqueue, type JobHandler } from '../../platform/db/jobs.ts';
import { inCompany, type Tx } from '../../platform/db/tx.ts';
import type { Ctx, Services } from '../../platform/http/context.ts';
import { serverActor } from '../../platform/http/session.ts';
import { type Mailer, MailRefused, type Message } from '../../platform/mail/mailer.ts';
import { compose } from './compose.ts';
import { linkForMail, linkOf, newToken } from './links.ts';
import {
  copies,
  type CopyState,
  lockCopy,
  shownKind,
  NOT_SENT,
  selectCopies,
  selectWaiting,
  type WaitingCopy,
} from './mails.sql.ts';
import { fileNameOf, type Mailable, parcelOf, sentDocumentOf, type Wanted } from './parcels.ts';
import { mailJob } from './send.ts';
import { sentReportParcel } from './sent-reports.ts';

/**
 * Delivers copies of emails to the mail server, and delivers each copy only once. A copy is retried only if it was
 * certainly not delivered. Each copy is marked just before its last bytes are sent. If a marked copy gets no response,
 * a user must decide about it.
 */

const Payload = z.object({ mailId: z.number(), address: z.string() });

/** The maximum number of attempts. Including the delays between them, all attempts take about three hours. */
const MOST_TRIES = 11;

const INTERRUPTED = 'The server stopped while it was sending the email, so the email may have arrived';
const NO_ANSWER = 'The mail server accepted the email but did not confirm it, so it may have arrived';

/** Returns the handler for the 'mail' job. */
export function mailSender(services: Services, mailer: Mailer): JobHandler {
  return async (tx, payload) => {
    const { mailId, address } = Payload.parse(payload);
    const copy = await tx.row(lockCopy(mailId, address));
    if (copy === undefined || copy.state !== 'queued') return undefined;
    if (copy.handedAt !== null) return settle(tx, copy, 'unsure', INTERRUPTED);
    const actor = serverActor({ companyId: tx.companyId, userId: copy.sentBy }, todayIn(copy.timeZone));
    const ctx: Ctx = { ...actor, tx, services };
    const parcel = await present(ctx, copy);
    if (typeof parcel === 'string') return settle(tx, copy, 'refused', `${NOT_SENT}${parcel}`);
    if (copy.sendAt !== null && copy.documentId !== null) {
      await sentDocumentOf(shownKind(copy.kind))?.markSent(ctx, copy.documentId);
    }
    const message = await messageOf(ctx, copy, parcel);
    const files = await filesOf(ctx, mailId);
    const attempts = copy.attempts + 1;
    tx.atEnd(copies.update({ mailId, address }, { attempts }));
    return () => handOver(services, mailer, { copy: { ...copy, attempts }, parcel, message, files });
  };
}

/** Returns the record as it is now, or the reason why there is nothing left to send. A sent report never changes. */
async function present(ctx: Ctx, copy: WaitingCopy): Promise<Mailable | string> {
  if (copy.sentReportId !== null) return sentReportParcel(ctx, copy.sentReportId);
  const wanted: Wanted = {
    kind: shownKind(copy.kind),
    id: given(copy.documentId ?? copy.paymentId ?? copy.customerId, 'record of an email'),
    range: copy,
    mailId: copy.id,
  };
  try {
    const parcel = await parcelOf(ctx, wanted);
    if (copy.kind === 'reminder' && parcel.isSettled) return 'the invoice was paid';
    return parcel.refusal === '' ? parcel : parcel.refusal;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

/** Returns the email without its attachment, which is drawn after the transaction ends. */
async function messageOf(ctx: Ctx, copy: WaitingCopy, parcel: Mailable): Promise<Message> {
  const { company, values } = parcel;
  const { id: mailId, address, sentBy } = copy;
  const about = parcel.linksTo;
  const token = about === undefined ? undefined : newToken();
  if (token !== undefined && about !== undefined) {
    ctx.tx.atEnd(...linkForMail(token, { about, mailId, address, createdBy: sentBy }));
  }
  const all = await ctx.tx.rows(selectCopies([mailId]));
  const [to, cc] = [false, true].map((isCopy) => all.filter((one) => one.isCopy === isCopy));
  const place = all.find((one) => one.address === address)?.position ?? 0;
  const addresses = (list: typeof to) => (list ?? []).map((one) => one.address);
  return {
    to: address,
    shown: { to: addresses(to), cc: addresses(cc) },
    fromName: company.displayname.replace(/\s+/g, ' '),
    replyTo: copy.replyTo,
    id: `evenkeel-${ctx.companyId}-${mailId}-${place}`,
    ...compose({
      ...copy,
      values: { ...values, sender: copy.senderName },
      link: token && about && linkOf(ctx.services.config, token, about),
      linkLabel: parcel.linkLabel,
      company: company.displayname,
    }),
    // Only the customer may get the link, so it is never printed in a terminal.
    link: undefined,
  };
}

interface Handover {
  copy: WaitingCopy;
  parcel: Mailable;
  message: Message;
  files: Attached;
}

type Attached = NonNullable<Message['attachments']>;

/** Returns the files that the sender attached in addition to the PDF. */
async function filesOf({ tx }: Ctx, mailId: number): Promise<Attached> {
  const { links } = await tx.one(linksSql({ kind: 'mail', id: mailId }));
  return Promise.all(
    links.map(async ({ documentId, documentName: name }) => {
      return { name, bytes: await bytesOf(tx, await tx.one(fileSql(documentId))) };
    }),
  );
}

/** Thrown when another process is delivering this copy. */
class Taken extends Error {}

async function handOver(services: Services, mailer: Mailer, { copy, parcel, message, files }: Handover): Promise<void> {
  const { pool } = services;
  const { id: mailId, address } = copy;
  const run = (work: (tx: Tx) => Promise<unknown>) => inCompany(pool, parcel.company.id, work);
  let isHanded = false;
  const beforeHandover = async (): Promise<void> => {
    const waiting = { mailId, address, state: 'queued' as const, handedAt: null };
    const mark = copies.update(waiting, { handedAt: sql`now()` }, ['address']);
    if ((await inCompany(pool, parcel.company.id, (tx) => tx.rows(mark))).length === 0) throw new Taken();
    isHanded = true;
  };
  try {
    const drawn = parcel.draw === undefined ? [] : [{ name: fileNameOf(parcel), bytes: await parcel.draw() }];
    const attachments = [...drawn, ...files];
    const answer = await mailer.send({ ...message, attachments, beforeHandover });
    await run((tx) => settle(tx, copy, 'sent', answer));
  } catch (error) {
    if (error instanceof Taken) return;
    const isAnswered = error instanceof MailRefused;
    const reason = error instanceof Error ? error.message : String(error);
    if (isHanded && !isAnswered) return void (await run((tx) => settle(tx, copy, 'unsure', NO_ANSWER)));
    if (isAnswered && error.isFinal) return void (await run((tx) => settle(tx, copy, 'refused', reason)));
    if (copy.attempts >= MOST_TRIES) {
      const gaveUp = `Stopped after ${copy.attempts} attempts: ${reason}`;
      return void (await run((tx) => settle(tx, copy, 'refused', gaveUp)));
    }
    const tried = { answer: cut(reason), handedAt: null };
    await run((tx) => tx.rows(copies.update({ mailId, address, state: 'queued' }, tried)));
    throw error;
  }
}

const MOST_ANSWER = 500;
const cut = (answer: string): string => answer.replace(/\s+/g, ' ').slice(0, MOST_ANSWER);

async function settle(
  tx: Tx,
  { id, address }: Pick<WaitingCopy, 'id' | 'address'>,
  state: CopyState,
  answer: string,
): Promise<void> {
  const settled = { state, answer: cut(answer), settledAt: now() };
  await tx.rows(copies.update({ mailId: id, address, state: 'queued' }, settled));
}

/**
 * Requeues emails that are waiting but have no job. A job can give up after several retries, but a waiting email must
 * not be lost.
 */
export async function requeueEmails(tx: Tx): Promise<void> {
  for (const copy of await tx.rows(selectWaiting())) enqueue(tx, mailJob(copy));
}
