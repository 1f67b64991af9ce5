import type { SendInput, Sending, SendResult, SentMail } from '@evenkeel/contract/sending';
import { conflict, type Failure, notFound, refuse, refuseFields } from '@evenkeel/core/failure';
import { documentKinds } from '@evenkeel/core/documents/side';
import { bySentField, checkMail } from '@evenkeel/core/words/mailtext';
import { BY_HAND } from '@evenkeel/core/words/reminders';
import { sql } from 'kysely';
import { now } from '../../platform/clock.ts';
import { enqueue, type Job } from '../../platform/db/jobs.ts';
import type { Runnable } from '../../platform/db/query.ts';
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
  laterSql,
  lockCustomer,
  lockDocumentRow,
  lockPayment,
  lockScheduled,
  type MailRow,
  mails,
  NOT_SENT,
  selectCopies,
  selectFiles,
  selectMails,
  senderSql,
  shownKind,
  type StatementRange,
} from './mails.sql.ts';
import { type LinkPlan, planLinks } from '../../books/attachments/links.ts';
import {
  addressesOf,
  fileNameOf,
  type Mailable,
  type Parcel,
  parcelOf,
  reachable,
  sentDocumentOf,
  type Wanted,
} from './parcels.ts';

/** Returns the job that delivers one copy of an email in its sender's name. */
export function mailJob({ mailId, address, sentBy, sendAt }: MailJob): Job {
  return { kind: 'mail', key: `${mailId} ${address}`, payload: { mailId, address }, userId: sentBy, notBefore: sendAt };
}

interface MailJob {
  mailId: number;
  address: string;
  sentBy: number;
  /** The time when the email is scheduled to be sent, or null to send it as soon as possible. */
  sendAt: Date | null;
}

/**
 * Returns a record in its current state, with the company's template and its earlier emails. Throws 404 if the record
 * does not exist.
 */
export async function sendingOf(ctx: Ctx, wanted: Wanted): Promise<Sending> {
  return view(ctx, await parcelOf(ctx, wanted));
}

async function view(ctx: Ctx, parcel: Parcel): Promise<Sending> {
  const { about, customer } = parcel;
  const id = about.documentId ?? about.paymentId ?? about.customerId;
  return sendingView(ctx, parcel, { id, to: addressesOf(customer), earlier: selectMails(about) });
}

interface Viewed {
  id: number;
  to: string[];
  /** Returns the emails about the record, newest first. */
  earlier: Runnable<MailRow>;
}

/** Returns the preview of an email in the API format. */
export async function sendingView(ctx: Ctx, parcel: Mailable, { id, to, earlier }: Viewed): Promise<Sending> {
  const { about, company, template, linkLabel, values, title, refusal } = parcel;
  const [sender, rows, link] = await Promise.all([
    ctx.tx.row(senderSql(ctx.userId)),
    ctx.tx.rows(earlier),
    parcel.linksTo === undefined ? undefined : ctx.tx.row(linkState(parcel.linksTo)),
  ]);
  const known = { ...values, sender: sender?.name ?? '' };
  return {
    kind: about.kind,
    id,
    customerId: about.customerId,
    title,
    to,
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
  const ids = rows.map(({ id }) => id);
  const [all, files] =
    ids.length === 0 ? [[], []] : await Promise.all([tx.rows(selectCopies(ids)), tx.rows(selectFiles(ids))]);
  return rows.map(({ id, kind, step, subject, senderName, createdAt, sendAt }) => ({
    id,
    kind,
    step,
    subject,
    sentBy: senderName,
    sentAt: createdAt.toISOString(),
    sendAt: sendAt?.toISOString() ?? null,
    recipients: all.filter(({ mailId }) => mailId === id).map(shownCopy),
    documentLinks: files.find(({ mailId }) => mailId === id)?.links ?? [],
  }));
}

function shownCopy({ address, isCopy, state, answer, attempts, settledAt }: CopyRow): SentMail['recipients'][number] {
  return { address, isCopy, state, answer, attempts, settledAt: settledAt?.toISOString() ?? null };
}

/**
 * Queues an email and marks an open document as sent, in one transaction. The email is sent after the commit, or at
 * `sendOn` and `sendTime`. In that case, the document is marked when the email is sent. Throws 404 if the record does
 * not exist. Throws 409 if the count in `sent` is outdated, because someone else has sent the same email in the
 * meantime. Throws 422 for a draft, a void invoice, an invalid address, an unknown placeholder, files that are too
 * large, or a time in the past, and 429 if the daily limit on addresses is exceeded.
 */
export async function send(ctx: Ctx, input: SendInput): Promise<Sending> {
  const { startdate: from = null, reportdate: to = null } = input;
  const room = await mailRoom(ctx);
  if (room.left <= 0) throw room.refusal;
  const wanted: Wanted = { ...wantedOf(input), range: { from, to } };
  await lock(ctx, wanted, { isLater: input.sendOn !== undefined && input.sendOn !== null });
  const parcel = await parcelOf(ctx, wanted);
  if (parcel.refusal !== '') throw refuse(parcel.refusal);
  const step = await nextStep(ctx, parcel, { seen: input.sent ?? undefined, range: { from, to } });
  const sender = await ctx.tx.one(senderSql(ctx.userId));
  const mail = mailOf(parcel, input);
  refuseFields(checkMail(parcel.about.kind, mail));
  const fault = faultOfRoom(room, mail);
  if (fault !== undefined) throw fault;
  const sendAt = await laterOf(ctx, input);
  const links = await filesOf(ctx, input);
  await queueMail(ctx, parcel.about, { ...mail, step, range: { from, to }, sender, sendAt, links });
  return view(ctx, parcel);
}

/**
 * The maximum total size of attached files, in bytes. Many mail servers reject emails that are larger than about 20 MB.
 */
const MAX_FILES = 10 * 1_048_576;

/** Plans the links to an email's files. Throws 422 if a file can't be attached or the files are too large. */
export async function filesOf(ctx: Ctx, { documentLinks }: Pick<SendInput, 'documentLinks'>): Promise<LinkPlan> {
  const plan = await planLinks(ctx, { kind: 'mail', id: 0 }, documentLinks);
  const message = 'The attached files are larger than 10 MB in total. Attach fewer or smaller files.';
  if (plan.after.reduce((size, file) => size + file.size, 0) > MAX_FILES)
    throw refuse(message, { documentLinks: message });
  return plan;
}

/** Returns the time when an email is scheduled to be sent, or null to send it now. Throws 422 for the field. */
async function laterOf({ tx }: Ctx, { sendOn, sendTime }: SendInput): Promise<Date | null> {
  if (sendOn === undefined || sendOn === null) return null;
  const { at, isLater, isWithinYear } = await tx.one(laterSql(sendOn, sendTime ?? '09:00'));
  if (!isLater) throw refuse('Choose a time in the future', { sendOn: 'Must be in the future' });
  if (!isWithinYear) throw refuse('Choose a time within one year', { sendOn: 'Must be within one year' });
  return at;
}

/** Cancels a scheduled email. It stays in the history. Throws 404 if the email is not waiting to be sent. */
export async function cancelMail(ctx: Ctx, id: number): Promise<{ ok: true }> {
  const [waiting, sender] = await Promise.all([ctx.tx.rows(lockScheduled(id)), ctx.tx.one(senderSql(ctx.userId))]);
  if (waiting.length === 0) throw notFound('Scheduled email');
  const canceled = { state: 'refused' as const, answer: `${NOT_SENT}canceled by ${sender.name}`, settledAt: now() };
  await ctx.tx.rows(copies.update({ mailId: id, address: waiting.map(({ address }) => address) }, canceled));
  return { ok: true };
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
  if (refusal !== '' || sender === undefined) return refusal || 'The user who scheduled this invoice has been removed';
  await markSent(ctx, invoiceFlow, invoiceId);
  await queueMail(ctx, parcel.about, { ...mail, step: 1, range: { from: null, to: null }, sender });
  return '';
}

/** The time in minutes after which a customer can get another link to the portal. */
const RENEWAL_MINUTES = 60;

/**
 * Queues an email to the customer's own address with a new link to the customer portal, unless one was queued within
 * the last hour. Returns an empty string, or a message to the customer with the reason why nothing can be sent.
 */
export async function sendRenewal(ctx: Ctx, customerId: number): Promise<string> {
  await ctx.tx.row(lockCustomer(customerId));
  const parcel = await parcelOf(ctx, { kind: 'portal', id: customerId });
  const recent = sql`and created_at > now() - make_interval(mins => ${RENEWAL_MINUTES})`;
  const about = { kind: 'portal' as const, customerId };
  if ((await ctx.tx.row(mails.find(about, { and: recent, page: sql`limit 1` }))) !== undefined) return '';
  const mail = mailOf(parcel, { to: reachable(parcel.customer) });
  const [sender, room, { step }] = await Promise.all([
    ctx.tx.row(senderSql(ctx.userId)),
    mailRoom(ctx),
    ctx.tx.one(lastStep(parcel.about, { from: null, to: null })),
  ]);
  const isPossible = mail.to.length > 0 && sender !== undefined && faultOfRoom(room, mail) === undefined;
  if (!isPossible) return `Contact ${parcel.company.displayname} for a new link.`;
  await queueMail(ctx, parcel.about, { ...mail, step: step + 1, range: { from: null, to: null }, sender });
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

/** The number of addresses that a company can still email today, and the error if the limit is exceeded. */
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
  const rule = isNew ? ` during its first ${FIRST_DAYS} days` : '';
  const message = `A company can email at most ${formatCount(most)} addresses in 24 hours${rule}. Try again later.`;
  return { left: most - sent, refusal: new LimitReached({ name: 'mail', message }, wait) };
}

const formatCount = (count: number): string => count.toLocaleString('en-US');

/** Returns the error if an email exceeds today's limit, or undefined. */
export function faultOfRoom({ left, refusal }: MailRoom, mail: Addressees): Failure | undefined {
  return addresseesOf(mail).length > left ? refusal : undefined;
}

type Addressees = Pick<Queued, 'to' | 'cc'>;

/** Returns each address in an email once, and whether it is a CC address. */
export function addresseesOf({ to, cc }: Addressees): { address: string; isCopy: boolean }[] {
  const isNamed = new Set(to.map((address) => address.toLowerCase()));
  return [
    ...to.map((address) => ({ address, isCopy: false })),
    ...cc.filter((address) => !isNamed.has(address.toLowerCase())).map((address) => ({ address, isCopy: true })),
  ];
}

/** Returns the one record in a request. Throws 422 if there is none or more than one. */
function wantedOf(input: SendInput): Wanted {
  const { customerId, isReminder, isPortal } = input;
  const invoiceKind = documentKinds.invoice.mail.kind;
  const documents = Object.values(
    bySentField((mail) => {
      const kind = isReminder === true && mail.kind === invoiceKind ? ('reminder' as const) : mail.kind;
      return { kind, id: input[mail.id] };
    }),
  );
  const ofCustomer = { kind: isPortal === true ? ('portal' as const) : ('statement' as const), id: customerId };
  const [wanted, ...others] = [...documents, ofCustomer].flatMap(({ kind, id }) => (id ? [{ kind, id }] : []));
  if (wanted === undefined || others.length > 0) throw refuse('Select exactly one record to send');
  return wanted;
}

/** The second of two simultaneous requests waits here, and then sees the email that the first request queued. */
async function lock(ctx: Ctx, { kind, id }: Wanted, { isLater }: { isLater: boolean }): Promise<void> {
  const sent = sentDocumentOf(shownKind(kind));
  if (sent !== undefined && isLater) await ctx.tx.row(lockDocumentRow(id));
  else if (sent !== undefined) await sent.markSent(ctx, id);
  else await ctx.tx.row(kind === documentKinds.payment.mail.kind ? lockPayment(id) : lockCustomer(id));
}

/**
 * If a request does not say how many emails the sender has seen, the sender is assumed to have seen none. A statement
 * for other dates is a different email, and so is a reminder on another day.
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
  const name = isReminder ? `A reminder about ${title.toLowerCase()}` : title;
  throw conflict(`${name} was already sent by ${senderName ?? 'someone'}. To send it again, open its history.`);
}

/** Returns each address once, ignoring case. */
export function addressed(given: readonly string[]): string[] {
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
  /** The time when the email is scheduled to be sent. By default, the email is sent as soon as possible. */
  sendAt?: Date | null;
  /** The files that are attached in addition to the PDF. */
  links?: LinkPlan;
}

/**
 * Writes an email with its copies, and queues the delivery of each copy, which starts after the commit. Returns the
 * email's ID.
 */
export async function queueMail(ctx: Ctx, about: About, mail: Queued): Promise<number> {
  const { range, to, cc, sender, sendAt = null, links, ...texts } = mail;
  const sentBy = ctx.userId;
  const senderNamed = { senderName: sender.name, replyTo: sender.email };
  const versions = about.customerId === null ? {} : await ctx.tx.one(selectVersions(about.customerId));
  const row = { ...about, ...range, ...texts, ...versions, sentBy, ...senderNamed, sendAt };
  const { id } = await ctx.tx.one(mails.insert(row, ['id']));
  const rows = addresseesOf({ to, cc }).map((one, position) => ({ mailId: id, ...one, position }));
  await Promise.all([copies.insertMany(rows), ...(links?.write(id) ?? [])].map((write) => ctx.tx.rows(write)));
  for (const { address } of rows) enqueue(ctx.tx, mailJob({ mailId: id, address, sentBy, sendAt }));
  return id;
}

/** Returns one result in a list: that the record was sent, or the reason why it was not sent. */
export function resultOf(input: SendInput, { error }: Told<Sending>): SendResult {
  return {
    ...bySentField((mail) => input[mail.id] ?? null),
    customerId: input.customerId ?? null,
    ok: error === undefined,
    ...(error === undefined ? {} : { error }),
  };
}
