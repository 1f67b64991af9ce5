import type { SendInput, Sending, SendResult, SentMail } from '@evenkeel/contract/sending';
import { conflict, type Failure, refuse, refuseFields } from '@evenkeel/core/failure';
import { documentKinds } from '@evenkeel/core/documents/side';
import { bySentField, checkMail } from '@evenkeel/core/words/mailtext';
import { BY_HAND } from '@evenkeel/core/words/reminders';
import { enqueue, type Job } from '../../platform/db/jobs.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { customers, getEntity } from '../../features/entities/entities.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { LimitReached } from '../../platform/http/limits.ts';
import type { Told } from '../../platform/http/route.ts';
import { invoiceFlow, markSent } from '../../features/billing/invoices.ts';
import { selectVersions } from '../../books/parties.ts';
import { linkState } from './links.ts';
import {
  type About,
  copies,
  type CopyRow,
  dayOfMailSql,
  isDemoSql,
  lastStep,
  lockCustomer,
  lockPayment,
  type MailRow,
  mails,
  selectCopies,
  selectMails,
  senderSql,
  shownKind,
  type StatementRange,
} from './mails.sql.ts';
import { addressesOf, fileNameOf, type Parcel, parcelOf, reachable, sentDocumentOf, type Wanted } from './parcels.ts';

/** Returns the job that delivers one copy of an email in its sender's name. */
export function mailJob({ mailId, address, sentBy }: { mailId: number; address: string; sentBy: number }): Job {
  return { kind: 'mail', key: `${mailId} ${address}`, payload: { mailId, address }, userId: sentBy };
}

/** Returns a record in its current state, with the company's template and its earlier emails. Throws 404. */
export async function sendingOf(ctx: Ctx, wanted: Wanted): Promise<Sending> {
  return view(ctx, await parcelOf(ctx, wanted));
}

async function view(ctx: Ctx, parcel: Parcel): Promise<Sending> {
  const { about, customer, company, template, linkLabel, values, title, refusal } = parcel;
  const [sender, rows, link] = await Promise.all([
    ctx.tx.row(senderSql(ctx.userId)),
    ctx.tx.rows(selectMails(about)),
    about.documentId === null ? undefined : ctx.tx.row(linkState(about.documentId)),
  ]);
  const known = { ...values, sender: sender?.name ?? '' };
  return {
    kind: about.kind,
    id: about.documentId ?? about.paymentId ?? about.customerId,
    customerId: about.customerId,
    title,
    to: addressesOf(customer),
    cc: [],
    subject: template.subject,
    text: template.text,
    values: Object.entries(known).map(([name, value]) => ({ name, value })),
    fromName: company.displayname,
    replyTo: sender?.email ?? '',
    fileName: fileNameOf(parcel),
    linkLabel,
    sent: rows.filter(({ kind }) => kind === about.kind).length,
    refusal,
    history: await withCopies(ctx.tx, rows),
    link: {
      isLive: link?.isLive ?? false,
      madeAt: link?.madeAt?.toISOString() ?? null,
      endsAt: link?.endsAt?.toISOString() ?? null,
      viewedAt: (link?.viewedAt ?? []).map((at) => at.toISOString()),
    },
  };
}

/** Returns emails with their copies in the API format. */
export async function withCopies(tx: Tx, rows: readonly MailRow[]): Promise<SentMail[]> {
  const all = rows.length === 0 ? [] : await tx.rows(selectCopies(rows.map(({ id }) => id)));
  return rows.map(({ id, kind, step, subject, senderName, createdAt }) => ({
    id,
    kind,
    step,
    subject,
    sentBy: senderName,
    sentAt: createdAt.toISOString(),
    recipients: all.filter(({ mailId }) => mailId === id).map(shownCopy),
  }));
}

function shownCopy({ address, isCopy, state, answer, attempts, settledAt }: CopyRow): SentMail['recipients'][number] {
  return { address, isCopy, state, answer, attempts, settledAt: settledAt?.toISOString() ?? null };
}

/**
 * Queues an email and marks an open document as sent, in one transaction. The email is sent after the commit. Throws
 * 404. Throws 409 if someone else has sent the same email in the meantime (`sent`). Throws 422 for a draft, a void
 * invoice, an invalid address, or an unknown placeholder, and 429 beyond the daily number of addresses.
 */
export async function send(ctx: Ctx, input: SendInput): Promise<Sending> {
  const { startdate: from = null, reportdate: to = null } = input;
  const room = await mailRoom(ctx);
  if (room.left <= 0) throw room.refusal;
  const wanted: Wanted = { ...wantedOf(input), range: { from, to } };
  await lock(ctx, wanted);
  const parcel = await parcelOf(ctx, wanted);
  if (parcel.refusal !== '') throw refuse(parcel.refusal);
  const step = await nextStep(ctx, parcel, { seen: input.sent ?? undefined, range: { from, to } });
  const sender = await ctx.tx.one(senderSql(ctx.userId));
  const mail = mailOf(parcel, input);
  refuseFields(checkMail(parcel.about.kind, mail));
  const fault = faultOfRoom(room, mail);
  if (fault !== undefined) throw fault;
  await queueMail(ctx, parcel.about, { ...mail, step, range: { from, to }, sender });
  return view(ctx, parcel);
}

/** Returns an email with the requested text or, if none is given, the company's template. */
function mailOf(
  { customer, template }: Parcel,
  { to, cc, subject, text }: Pick<SendInput, 'to' | 'cc' | 'subject' | 'text'>,
) {
  return {
    to: addressed(to ?? addressesOf(customer)),
    cc: addressed(cc ?? []),
    subject: subject ?? template.subject,
    text: text ?? template.text,
  };
}

/** Returns the reason why a customer gets no automatic email, or an empty string if there is an address. */
export async function sendingProblem(ctx: Ctx, customerId: number): Promise<string> {
  const customer = await getEntity(ctx, customers, customerId);
  return reachable(customer).length > 0 ? '' : `${customer.displayname} doesn't have an email address`;
}

/**
 * Queues the email for an automatically created invoice in the transaction that creates the invoice. Returns an empty
 * string, or the reason why the email is not sent. Such a failure has no other effect.
 */
export async function sendMade(ctx: Ctx, invoiceId: number): Promise<string> {
  const parcel = await parcelOf(ctx, { kind: documentKinds.invoice.mail.kind, id: invoiceId });
  const mail = mailOf(parcel, { to: reachable(parcel.customer) });
  const [sender, refusal] = await Promise.all([ctx.tx.row(senderSql(ctx.userId)), refusalOfMade(ctx, parcel, mail)]);
  if (refusal !== '' || sender === undefined) return refusal || 'The user who scheduled this has been removed';
  await markSent(ctx, invoiceFlow, invoiceId);
  await queueMail(ctx, parcel.about, { ...mail, step: 1, range: { from: null, to: null }, sender });
  return '';
}

async function refusalOfMade(ctx: Ctx, parcel: Parcel, mail: Addressees): Promise<string> {
  if (parcel.refusal !== '') return parcel.refusal;
  if (mail.to.length === 0) return `${parcel.customer.displayname} doesn't have an email address`;
  return faultOfRoom(await mailRoom(ctx), mail)?.message ?? '';
}

/**
 * The number of addresses that a company can email within 24 hours, which is far above normal use. A company can email
 * fewer in its first days, when its normal use is unknown.
 */
const ADDRESSES_A_DAY = 2000;
const FIRST_DAYS = 7;
const ADDRESSES_AT_FIRST = 200;

/** The number of addresses that a company can still email today, and the error for exceeding it. */
interface MailRoom {
  left: number;
  refusal: Failure;
}

export async function mailRoom({ tx, services: { config } }: Ctx): Promise<MailRoom> {
  // The demo company is public, so it never sends email through a mail server.
  if (config.smtpUrl !== undefined && (await tx.one(isDemoSql())).isDemo) {
    return { left: 0, refusal: refuse("The demo company doesn't send email") };
  }
  const { sent, wait, isNew } = await tx.one(dayOfMailSql(FIRST_DAYS));
  const most = isNew ? ADDRESSES_AT_FIRST : ADDRESSES_A_DAY;
  const rule = isNew ? ` in its first ${FIRST_DAYS} days` : '';
  const message = `A company can email ${formatCount(most)} addresses in 24 hours${rule}. Try again later.`;
  return { left: most - sent, refusal: new LimitReached({ name: 'mail', message }, wait) };
}

const formatCount = (count: number): string => count.toLocaleString('en-US');

/** Returns the error if an email exceeds today's limit, or undefined. */
function faultOfRoom({ left, refusal }: MailRoom, mail: Addressees): Failure | undefined {
  return addresseesOf(mail).length > left ? refusal : undefined;
}

type Addressees = Pick<Queued, 'to' | 'cc'>;

/** Returns each address in an email once, with whether it gets a copy (CC). */
export function addresseesOf({ to, cc }: Addressees): { address: string; isCopy: boolean }[] {
  const isNamed = new Set(to.map((address) => address.toLowerCase()));
  return [
    ...to.map((address) => ({ address, isCopy: false })),
    ...cc.filter((address) => !isNamed.has(address.toLowerCase())).map((address) => ({ address, isCopy: true })),
  ];
}

/** Returns the one record in a request. Throws 422 if there is none or more than one. */
function wantedOf(input: SendInput): Wanted {
  const { customerId, isReminder } = input;
  const invoiceKind = documentKinds.invoice.mail.kind;
  const documents = Object.values(
    bySentField((mail) => {
      const kind = isReminder === true && mail.kind === invoiceKind ? ('reminder' as const) : mail.kind;
      return { kind, id: input[mail.id] };
    }),
  );
  const [wanted, ...others] = [...documents, { kind: 'statement' as const, id: customerId }].flatMap(({ kind, id }) =>
    id ? [{ kind, id }] : [],
  );
  if (wanted === undefined || others.length > 0) throw refuse('Select what to send');
  return wanted;
}

/** The second of two simultaneous requests waits here, and then sees the email that the first one queued. */
async function lock(ctx: Ctx, { kind, id }: Wanted): Promise<void> {
  const sent = sentDocumentOf(shownKind(kind));
  if (sent !== undefined) await sent.markSent(ctx, id);
  else await ctx.tx.row(kind === documentKinds.payment.mail.kind ? lockPayment(id) : lockCustomer(id));
}

/**
 * A request without a number comes from a sender who has not seen any earlier emails. A statement for other dates is a
 * different email, and so is a reminder on another day.
 */
async function nextStep(
  ctx: Ctx,
  { about, title }: Parcel,
  { seen, range }: { seen: number | undefined; range: StatementRange },
): Promise<number> {
  const isReminder = about.kind === 'reminder';
  const { sent, ofDays, recent, step, senderName } = await ctx.tx.one(lastStep(about, range));
  const unseen = isReminder ? recent : ofDays;
  if (seen === undefined ? unseen === 0 : sent === seen) return Math.max(step, isReminder ? BY_HAND : 0) + 1;
  const name = isReminder ? `A reminder of ${title.toLowerCase()}` : title;
  throw conflict(`${name} was already sent by ${senderName ?? 'someone'}. To send it again, open its history.`);
}

/** Returns each address once, ignoring case. */
function addressed(given: readonly string[]): string[] {
  const seen = new Map(given.map((address) => [address.toLowerCase(), address]));
  return [...seen.values()];
}

interface Queued {
  range: StatementRange;
  to: readonly string[];
  cc: readonly string[];
  subject: string;
  text: string;
  step: number;
  sender: { name: string; email: string };
}

/** Writes an email with its copies, and queues the delivery of each copy for after the commit. */
export async function queueMail(ctx: Ctx, about: About, { range, to, cc, sender, ...texts }: Queued): Promise<void> {
  const sentBy = ctx.userId;
  const senderNamed = { senderName: sender.name, replyTo: sender.email };
  const versions = await ctx.tx.one(selectVersions(about.customerId));
  const mail = { ...about, ...range, ...texts, ...versions, sentBy, ...senderNamed };
  const { id } = await ctx.tx.one(mails.insert(mail, ['id']));
  const rows = addresseesOf({ to, cc }).map((one, position) => ({ mailId: id, ...one, position }));
  await ctx.tx.rows(copies.insertMany(rows));
  for (const { address } of rows) enqueue(ctx.tx, mailJob({ mailId: id, address, sentBy }));
}

/** Returns one result in a list: sent, or the reason why not. */
export function resultOf(input: SendInput, { error }: Told<Sending>): SendResult {
  return {
    ...bySentField((mail) => input[mail.id] ?? null),
    customerId: input.customerId ?? null,
    ok: error === undefined,
    ...(error === undefined ? {} : { error }),
  };
}
