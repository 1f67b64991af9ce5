import type { IsoDate } from '@evenkeel/core/dates';
import { documentKinds } from '@evenkeel/core/documents/side';
import { bySentField, type MailKind } from '@evenkeel/core/words/mailtext';
import { type RawBuilder, sql } from 'kysely';
import type { DocumentLink } from '@evenkeel/contract/attachments';
import { linksOf } from '../../books/attachments/attachments.sql.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { DEMO_EMAIL } from '../../platform/mail/demo-email.ts';

/** SQL statements for emails. */

export const mails = table('mail', {
  id: 'id',
  kind: 'kind',
  customerId: 'entity_id',
  documentId: 'document_id',
  paymentId: 'payment_id',
  sentReportId: 'sent_report_id',
  step: 'step',
  subject: 'subject',
  text: 'body',
  from: 'from_date',
  to: 'to_date',
  sentBy: 'sent_by',
  senderName: 'sender_name',
  replyTo: 'reply_to',
  createdAt: 'created_at',
  /** The time when the email is scheduled to be sent. Null if the email is sent as soon as possible. */
  sendAt: 'send_at',
  dismissed: 'dismissed',
  /** The row versions of the records that supply a statement's names and addresses. */
  entityVersion: 'entity_version',
  companyVersion: 'company_version',
}).typed<{ kind: MailKind }>();
export type MailRow = RowOf<typeof mails>;

/** The company's automatic reminders. */
export const steps = table('reminder_step', { days: 'days', subject: 'subject', text: 'body' });
export const selectSteps = () => steps.find({}, { orderBy: sql`days` });

export type CopyState = 'queued' | 'sent' | 'refused' | 'unsure';

export const copies = table('mail_recipient', {
  mailId: 'mail_id',
  address: 'address',
  isCopy: 'is_copy',
  position: 'position',
  state: 'state',
  answer: 'answer',
  attempts: 'attempts',
  handedAt: 'handed_at',
  settledAt: 'settled_at',
}).typed<{ state: CopyState }>();
export type CopyRow = RowOf<typeof copies>;

/** The record that an email is about. Every email is about a customer, except the email with a report. */
export interface About {
  kind: MailKind;
  customerId: number | null;
  documentId: number | null;
  paymentId: number | null;
  sentReportId?: number;
}

/** Returns the kind of email for the record. The record of a reminder is an invoice. */
export const shownKind = (kind: MailKind): MailKind => (kind === 'reminder' ? documentKinds.invoice.mail.kind : kind);

/** Returns an email's record ID under its API field name. */
export function namedIds({ kind, documentId, paymentId }: Pick<About, 'kind' | 'documentId' | 'paymentId'>) {
  return bySentField((mail) => (mail.kind === shownKind(kind) ? (documentId ?? paymentId) : null));
}

/**
 * Selects the emails about a document or a payment. If there is neither, selects the emails of a kind about the
 * customer, such as statements.
 */
const isAbout = ({ kind, customerId, documentId, paymentId }: About): RawBuilder<unknown> => {
  if (documentId !== null) return sql`m.document_id = ${documentId}`;
  if (paymentId !== null) return sql`m.payment_id = ${paymentId}`;
  return sql`m.entity_id = ${customerId} and m.kind = ${kind} and m.document_id is null and m.payment_id is null`;
};

/** Returns the emails about a record, newest first and limited to the number that a panel shows. */
export const selectMails = (about: About): Runnable<MailRow> => sql<MailRow>`
  select ${mails.columns('m')} from mail m where m.company_id = ${COMPANY} and ${isAbout(about)}
  order by m.id desc limit 100`;

export const selectCopies = (mailIds: readonly number[]): Runnable<CopyRow> =>
  copies.find({ mailId: mailIds }, { orderBy: sql`mail_id, position` });

/** Returns the files that were attached to emails. */
export const selectFiles = (mailIds: readonly number[]) => sql<{ mailId: number; links: DocumentLink[] }>`
  select m.id as "mailId", ${linksOf('mail', sql`m.id`)} as links from mail m
  where m.company_id = ${COMPANY} and m.id = any(${mailIds}::bigint[])`;

/**
 * Returns the number of emails of one kind about a record, both in total and for a statement's dates, and the last
 * reminder step with its sender.
 */
export const lastStep = (about: About, { from, to }: StatementRange) => sql<{
  sent: number;
  ofDays: number;
  /** The number of emails in the last 20 hours. */
  recent: number;
  step: number;
  senderName: string | null;
}>`
  select count(*)::int as sent, coalesce(max(m.step), 0)::int as step,
    (array_agg(m.sender_name order by m.step desc))[1] as "senderName",
    (count(*) filter (where m.from_date is not distinct from ${from}::date
      and m.to_date is not distinct from ${to}::date))::int as "ofDays",
    (count(*) filter (where m.created_at > now() - interval '20 hours'))::int as recent
  from mail m where m.company_id = ${COMPANY} and m.kind = ${about.kind} and ${isAbout(about)}`;

/** A waiting copy, locked, with its email and the company's time zone. */
export interface WaitingCopy extends MailRow, Pick<CopyRow, 'address' | 'state' | 'attempts' | 'handedAt'> {
  timeZone: string;
}

export const lockCopy = (mailId: number, address: string): Runnable<WaitingCopy> => sql<WaitingCopy>`
  select ${mails.columns('m')}, r.address, r.state, r.attempts, r.handed_at as "handedAt", c.time_zone as "timeZone"
  from mail_recipient r
  join mail m on m.company_id = ${COMPANY} and m.id = r.mail_id
  join company c on c.company_id = ${COMPANY}
  where r.company_id = ${COMPANY} and r.mail_id = ${mailId} and r.address = ${address}
  for update of r`;

/** Returns the waiting copies with their senders, so that copies without a job can be requeued. */
export const selectWaiting = () => sql<{ mailId: number; address: string; sentBy: number; sendAt: Date | null }>`
  select r.mail_id as "mailId", r.address, m.sent_by as "sentBy", m.send_at as "sendAt"
  from mail_recipient r join mail m on m.company_id = ${COMPANY} and m.id = r.mail_id
  where r.company_id = ${COMPANY} and r.state = 'queued'`;

/**
 * The beginning of the response for a copy that is no longer needed. The user who paid or voided the document knows
 * why.
 */
export const NOT_SENT = 'Not sent: ';

const HELD = 'It waited in the backup that was restored, so it may have arrived';

/** A copy of an email with the current hash of its columns. */
interface SealedCopy {
  mailId: number;
  address: string;
  seal: Buffer;
}

/** Returns the copies that are in the given state and meet the condition, each with its calculated seal. */
const sealedCopies = (state: CopyState, and: RawBuilder<unknown>): Runnable<SealedCopy> => sql`
  select r.mail_id as "mailId", r.address, seal_of(row(r.*)::mail_recipient) as seal
  from mail_recipient r where r.company_id = ${COMPANY} and r.state = ${state} and ${and}`;

/**
 * Marks emails that were still waiting in a backup as unsure, because they may have been sent since then. A user
 * decides whether to send them again. A restore runs as the owner, for whom no trigger sets seals, so copies whose seal
 * was valid are sealed again here.
 */
export async function holdMail(tx: Tx): Promise<void> {
  const held = await tx.rows(sealedCopies('queued', sql`r.seal = seal_of(row(r.*)::mail_recipient)`));
  await tx.rows(copies.update({ state: 'queued' }, { state: 'unsure', answer: HELD, settledAt: sql`now()` }));
  const [mails, addresses] = [held.map(({ mailId }) => mailId), held.map(({ address }) => address)];
  const named = sql`(r.mail_id, r.address) in (select * from unnest(${mails}::bigint[], ${addresses}::text[]))`;
  const rows = held.length === 0 ? [] : await tx.rows(sealedCopies('unsure', named));
  if (rows.length > 0) await tx.rows(table('mail_recipient', SEALED).updateMany(rows, ['mailId', 'address']));
}
const SEALED = { mailId: 'mail_id', address: 'address', seal: 'seal' } as const;

export interface TroubledMail extends MailRow {
  customerId: number;
  customerDisplayName: string;
  number: string;
}

/** Returns the newest email of each kind for each record if it was not delivered to everyone and was not dismissed. */
export const selectTroubled = (): Runnable<TroubledMail> => sql<TroubledMail>`
  select ${mails.columns('m')}, e.displayname as "customerDisplayName",
    coalesce(d.document_number, p.payment_number, '') as number
  from mail m
  join entity e on e.company_id = ${COMPANY} and e.id = m.entity_id
  left join document d on d.company_id = ${COMPANY} and d.id = m.document_id
  left join payment p on p.company_id = ${COMPANY} and p.id = m.payment_id
  where m.company_id = ${COMPANY} and not m.dismissed
    and m.id in (
      select r.mail_id from mail_recipient r
      where r.company_id = ${COMPANY} and r.state in ('refused', 'unsure') and not starts_with(r.answer, ${NOT_SENT}))
    and not coalesce(d.deleted, p.deleted, false)
    and not exists (
      select from mail n
      where n.company_id = ${COMPANY} and n.entity_id = m.entity_id and n.kind = m.kind and n.step > m.step
        and n.document_id is not distinct from m.document_id and n.payment_id is not distinct from m.payment_id)
  order by m.id desc limit 100`;

/** Returns a time of day in the company's time zone, and whether it is in the future and less than a year away. */
export const laterSql = (date: IsoDate, time: string) => sql<{ at: Date; isLater: boolean; isWithinYear: boolean }>`
  select x.at, x.at > now() as "isLater", x.at < now() + interval '1 year' as "isWithinYear"
  from (
    select (${date}::date + ${time}::time) at time zone c.time_zone as at from company c
    where c.company_id = ${COMPANY}) x`;

/** Locks the waiting copies of a scheduled email. */
export const lockScheduled = (mailId: number): Runnable<{ address: string }> => sql<{ address: string }>`
  select r.address from mail_recipient r
  join mail m on m.company_id = ${COMPANY} and m.id = r.mail_id
  where r.company_id = ${COMPANY} and r.mail_id = ${mailId} and r.state = 'queued' and r.handed_at is null
    and m.send_at is not null
  for update of r`;

/** Returns the user in whose name an email is sent. */
export const senderSql = (userId: number) => sql<{ name: string; email: string }>`
  select trim(u.first_name || ' ' || u.last_name) as name, u.email from app_user u where u.id = ${userId}`;

/** Returns whether the company is the public demo company. */
export const isDemoSql = () => sql<{ isDemo: boolean }>`
  select exists (
    select from membership m join app_user u on u.id = m.user_id
    where m.company_id = ${COMPANY} and u.email = ${DEMO_EMAIL}) as "isDemo"`;

/** Locks a payment, document, or customer, so that one of two simultaneous send requests waits. */
export const lockPayment = (id: number) => sql<{ id: number }>`
  select id from payment where company_id = ${COMPANY} and id = ${id} and not deleted for no key update`;
export const lockDocumentRow = (id: number) => sql<{ id: number }>`
  select id from document where company_id = ${COMPANY} and id = ${id} and not deleted for no key update`;
export const lockCustomer = (id: number) => sql<{ id: number }>`
  select id from entity where company_id = ${COMPANY} and id = ${id} for no key update`;

/** The dates that were requested for a statement. */
export interface StatementRange {
  from: IsoDate | null;
  to: IsoDate | null;
}

/** The copies of emails that the company queued within the last 24 hours. */
export interface DayOfMail {
  sent: number;
  /** The number of seconds until the oldest copy is a day old. */
  wait: number;
  /** Whether the company was created within the last few days. */
  isNew: boolean;
}

export const dayOfMailSql = (firstDays: number): Runnable<DayOfMail> => sql<DayOfMail>`
  select count(*)::int as sent,
    coalesce(ceil(extract(epoch from min(m.created_at) + interval '1 day' - now())), 0)::int as wait,
    exists (
      select from company c
      where c.company_id = ${COMPANY} and c.created_at > now() - make_interval(days => ${firstDays})) as "isNew"
  from mail m join mail_recipient r on r.company_id = ${COMPANY} and r.mail_id = m.id
  where m.company_id = ${COMPANY} and m.created_at > now() - interval '1 day'`;
