import type { BodyOf } from '@evenkeel/contract/endpoint';
import { FormConsent, FormCopy, type formCalls } from '@evenkeel/contract/forms1099';
import type { IsoDate } from '@evenkeel/core/dates';
import { VENDOR } from '@evenkeel/core/entities';
import { conflict, notFound, present, refuse } from '@evenkeel/core/failure';
import { consentState, copyEnd, DISCLOSURES_VERSION } from '@evenkeel/core/taxes/copies';
import type { RecipientMail } from '@evenkeel/core/words/mailtext';
import { sql } from 'kysely';
import { getEntity, vendors } from '../../features/entities/entities.ts';
import { entities } from '../../features/entities/entities.sql.ts';
import { zoneSql } from '../../features/settings/company.sql.ts';
import { now } from '../../platform/clock.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { shownForm } from '../taxes/form-filing.ts';
import { shownConsent } from '../taxes/forms.ts';
import {
  type ConsentRow,
  consents,
  copiesSql,
  type CopyRow,
  filedForms,
  type FiledRow,
  formCopies,
} from '../taxes/forms.sql.ts';
import { lastStep, senderSql } from './mails.sql.ts';
import { parcelOf, reachable } from './parcels.ts';
import { mailRoom, queueMail } from './send.ts';

/**
 * The electronic delivery of recipients' copies of 1099 forms: requests for consent, consents, withdrawals, and the
 * emails with the link to a vendor's page (IRS Publication 1179, section 4.6). The vendor is locked first, so that the
 * second of two simultaneous requests sees the result of the first.
 */

const consentSubject: Subject<typeof FormConsent> = {
  name: 'form consent',
  schema: FormConsent,
  idOf: ({ vendorId }) => vendorId,
};
const copySubject: Subject<typeof FormCopy> = { name: 'form copy', schema: FormCopy, idOf: ({ id }) => id };

const lockVendors = (ids: readonly number[]): Runnable<{ id: number; name: string }> => sql`
  select e.id, e.displayname as name from entity e
  where e.company_id = ${COMPANY} and e.kind = ${VENDOR} and e.id = any(${ids}::bigint[])
  order by e.id for no key update`;

interface Vendor {
  name: string;
  row: ConsentRow | undefined;
}

/** Locks vendors and returns their consents. Throws 404 if one of them doesn't exist. */
async function lockConsents({ tx }: Ctx, ids: readonly number[]): Promise<(id: number) => Vendor> {
  const [vendors, rows] = await tx.inOrder([lockVendors(ids), consents.find({ vendorId: [...ids] })]);
  const names = new Map(vendors.map(({ id, name }) => [id, name]));
  const byVendor = new Map(rows.map((row) => [row.vendorId, row]));
  return (id) => {
    const name = names.get(id);
    if (name === undefined) throw notFound('Vendor');
    return { name, row: byVendor.get(id) };
  };
}

const shownOf = ({ name, row }: Vendor, vendorId: number, timeZone: string): FormConsent => ({
  vendorId,
  vendorName: name,
  ...shownConsent(row, timeZone),
  textVersion: row?.textVersion ?? null,
});

/**
 * Emails vendors a link to the page on which they can consent. Throws 404 for an unknown vendor, 409 if someone else
 * has asked a vendor in the meantime, 422 for a vendor who has consented or has no email address, and 429 if the daily
 * limit on addresses is exceeded.
 */
export async function requestConsent(
  ctx: Ctx,
  { vendors: asked }: BodyOf<typeof formCalls.requestConsent>,
): Promise<FormConsent[]> {
  const ids = distinct(asked.map(({ vendorId }) => vendorId));
  await requireRoom(ctx, ids.length);
  const [vendorOf, { timeZone }] = [await lockConsents(ctx, ids), await ctx.tx.one(zoneSql())];
  const replies: FormConsent[] = [];
  for (const { vendorId, requests } of asked) {
    const { name, row } = vendorOf(vendorId);
    if (consentState(row) === 'consented') throw refuse(`${name} has already consented`);
    if (requests !== (row?.requests ?? 0)) throw conflict(`Someone else has just asked ${name}. Reload the page.`);
    const request: Omit<ConsentRow, 'vendorId'> = {
      requests: requests + 1,
      requestedAt: now(),
      consentedAt: null,
      textVersion: null,
      withdrawnAt: null,
    };
    const write =
      row === undefined ? consents.insert({ vendorId, ...request }) : consents.update({ vendorId }, request);
    const after = shownOf({ name, row: { vendorId, ...request } }, vendorId, timeZone);
    const before = row && shownOf({ name, row }, vendorId, timeZone);
    await ctx.tx.rows(write);
    replies.push(record(ctx, consentSubject, { ...(before && { before }), after }));
    await queueFor(ctx, 'formConsent', vendorId);
  }
  return replies;
}

/** Returns a vendor's consent. Throws 404 if the vendor does not exist. */
export async function consentOf(ctx: Ctx, vendorId: number): Promise<FormConsent> {
  const [[vendor], [row], { timeZone }] = [
    await ctx.tx.rows(entities.find({ id: vendorId, kind: VENDOR })),
    await ctx.tx.rows(consents.find({ vendorId })),
    await ctx.tx.one(zoneSql()),
  ];
  if (vendor === undefined) throw notFound('Vendor');
  return shownOf({ name: vendor.displayname, row }, vendorId, timeZone);
}

/** Records that a vendor has consented to the disclosures. Does nothing if the vendor has already consented. */
export function giveConsent(ctx: Ctx, vendorId: number): Promise<FormConsent> {
  return changeConsent(ctx, vendorId, ({ row, name }) => {
    if (row === undefined) throw notFound(name);
    if (consentState(row) === 'consented') return undefined;
    return { consentedAt: now(), textVersion: DISCLOSURES_VERSION, withdrawnAt: null };
  });
}

/**
 * Records a withdrawal, by the vendor or by a user. Does nothing if the consent is already withdrawn. Throws 404 if the
 * vendor does not exist, and 422 for a vendor who has not consented.
 */
export function withdrawConsent(ctx: Ctx, vendorId: number): Promise<FormConsent> {
  return changeConsent(ctx, vendorId, ({ row, name }) => {
    const state = consentState(row);
    if (state === 'withdrawn') return undefined;
    if (state !== 'consented') throw refuse(`${name} has not consented`);
    return { withdrawnAt: now() };
  });
}

/**
 * Records a withdrawal that a user received, and emails the vendor the written confirmation with the date (Publication
 * 1179, section 4.6). A vendor without an email address gets no email. Also throws 429 if the daily limit on addresses
 * is exceeded.
 */
export async function recordWithdrawal(ctx: Ctx, vendorId: number): Promise<FormConsent> {
  const vendorOf = await lockConsents(ctx, [vendorId]);
  const isNew = consentState(vendorOf(vendorId).row) === 'consented';
  const consent = await withdrawConsent(ctx, vendorId);
  if (isNew && reachable(await getEntity(ctx, vendors, vendorId)).length > 0) {
    await requireRoom(ctx, 1);
    await queueFor(ctx, 'formWithdrawal', vendorId);
  }
  return consent;
}

async function changeConsent(
  ctx: Ctx,
  vendorId: number,
  changeOf: (vendor: Vendor) => Partial<ConsentRow> | undefined,
): Promise<FormConsent> {
  const [vendorOf, { timeZone }] = [await lockConsents(ctx, [vendorId]), await ctx.tx.one(zoneSql())];
  const vendor = vendorOf(vendorId);
  const before = shownOf(vendor, vendorId, timeZone);
  const change = changeOf(vendor);
  if (change === undefined || vendor.row === undefined) return before;
  const after = shownOf({ ...vendor, row: { ...vendor.row, ...change } }, vendorId, timeZone);
  return record(ctx, consentSubject, { before, after, write: consents.update({ vendorId }, change) });
}

const distinct = (ids: readonly number[]): number[] => {
  const all = new Set(ids);
  if (all.size < ids.length) throw refuse('Select each vendor or form only once');
  return [...all];
};

async function requireRoom(ctx: Ctx, count: number): Promise<void> {
  const { left, refusal } = await mailRoom(ctx);
  if (left < count) throw refusal;
}

/** Queues an email with a link to the vendor's page, and returns its ID. Throws 422 for a vendor without an address. */
async function queueFor(ctx: Ctx, kind: RecipientMail, vendorId: number): Promise<number> {
  const { about, customer, template, refusal } = await parcelOf(ctx, { kind, id: vendorId });
  if (refusal !== '') throw refuse(refusal);
  const to = reachable(customer);
  if (to.length === 0) throw refuse(`${customer.displayname} doesn't have an email address`);
  const range = { from: null, to: null };
  const [{ step }, sender] = await Promise.all([ctx.tx.one(lastStep(about, range)), ctx.tx.one(senderSql(ctx.userId))]);
  return queueMail(ctx, about, { ...template, to, cc: [], range, step: step + 1, sender });
}

/**
 * Emails vendors who consented a link to the copies of filed forms, with one email for each vendor. Throws 404 for an
 * unknown form, 409 if someone else has sent a copy in the meantime or a correction was filed, 422 if a vendor has not
 * consented or a copy is no longer available, and 429 if the daily limit on addresses is exceeded.
 */
export async function sendCopies(ctx: Ctx, { forms }: BodyOf<typeof formCalls.sendCopies>): Promise<FormCopy[]> {
  const ids = distinct(forms.map(({ id }) => id));
  const rows = await ctx.tx.rows(filedForms.find({ id: ids }, { orderBy: sql`entity_id, form`, lock: 'for update' }));
  if (rows.length < ids.length) throw notFound('1099 form');
  const vendorIds = [...new Set(rows.map(({ vendorId }) => vendorId))];
  await requireRoom(ctx, vendorIds.length);
  const vendorOf = await lockConsents(ctx, vendorIds);
  const [sentSoFar, later] = await Promise.all([ctx.tx.rows(copiesSql({ ids })), ctx.tx.rows(correctedSql(ids))]);
  const seen = new Map(forms.map(({ id, sent }) => [id, sent]));
  const corrected = new Set(later.map(({ id }) => id));
  const lastOf = (id: number) => sentSoFar.find(({ formId }) => formId === id);
  for (const row of rows) {
    const { name, row: consent } = vendorOf(row.vendorId);
    if (consentState(consent) !== 'consented') {
      throw refuse(`${name} has not consented to electronic copies. Print the copy and mail it.`);
    }
    const last = lastOf(row.id);
    if ((last?.sent ?? 0) !== seen.get(row.id) || corrected.has(row.id)) {
      throw conflict(`The copy for ${name} has changed or was just sent. Reload the page.`);
    }
    if (copyEnd(row, last?.postedOn ?? ctx.today) < ctx.today) {
      throw refuse(`The copy for ${name} is too old to be sent electronically. Print the copy and mail it.`);
    }
  }
  const mailIds = new Map<number, number>();
  for (const vendorId of vendorIds) mailIds.set(vendorId, await queueFor(ctx, 'formCopy', vendorId));
  return rows.map((row) => {
    const last = lastOf(row.id);
    const mailId = present(mailIds.get(row.vendorId), 'email of a copy');
    const times = (last?.sent ?? 0) + 1;
    const after: FormCopy = {
      id: row.id,
      name: shownForm(row, true).name,
      sent: times,
      state: 'queued',
      sentOn: ctx.today,
      openedOn: last?.openedOn ?? null,
    };
    if (last === undefined) {
      const write = formCopies.insert({ formId: row.id, times, mailId });
      return record(ctx, copySubject, { after, write });
    }
    const before = copyOf(row, last);
    return record(ctx, copySubject, { before, after, write: formCopies.update({ formId: row.id }, { times, mailId }) });
  });
}

const copyOf = (row: FiledRow, { sent, state, sentOn, openedOn }: CopyRow): FormCopy => ({
  id: row.id,
  name: shownForm(row, true).name,
  sent,
  state,
  sentOn,
  openedOn,
});

/** Returns those of the forms that have a later version. */
const correctedSql = (ids: readonly number[]): Runnable<{ id: number }> => sql`
  select f.id from form_1099 f
  where f.company_id = ${COMPANY} and f.id = any(${ids}::bigint[]) and exists (
    select from form_1099 n
    where n.company_id = ${COMPANY} and n.entity_id = f.entity_id and n.tax_year = f.tax_year and n.form = f.form
      and n.version > f.version)`;

/** A copy on a vendor's page. */
export interface PageCopy {
  id: number;
  year: number;
  form: FiledRow['form'];
  version: number;
  filedDate: IsoDate;
  postedOn: IsoDate;
  endsOn: IsoDate;
  isOver: boolean;
}

/** Returns the latest copy that was sent of each of a vendor's forms, the latest year first. */
export async function copiesOf(ctx: Ctx, vendorId: number): Promise<PageCopy[]> {
  const sent = await ctx.tx.rows(copiesSql({ vendorId }));
  if (sent.length === 0) return [];
  const rows = await ctx.tx.rows(filedForms.find({ id: sent.map(({ formId }) => formId), vendorId }));
  const latest = new Map<string, PageCopy>();
  for (const { formId, postedOn } of sent) {
    const row = rows.find(({ id }) => id === formId);
    if (row === undefined) continue;
    const { id, year, form, version, filedDate } = row;
    const endsOn = copyEnd({ year, version }, postedOn);
    const key = `${year} ${form}`;
    // The copies are sorted by version, the latest first.
    if (latest.has(key)) continue;
    latest.set(key, { id, year, form, version, filedDate, postedOn, endsOn, isOver: ctx.today > endsOn });
  }
  return [...latest.values()];
}

/** Records when a copy was first opened. */
export const copyOpened = (id: number): Runnable<unknown> =>
  formCopies.update({ formId: id, openedAt: null }, { openedAt: sql`now()` });
