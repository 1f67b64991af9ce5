import { Reminders, type RemindersInput } from '@evenkeel/contract/sending';
import { addDays, type IsoDate } from '@evenkeel/core/dates';
import { refuseFields } from '@evenkeel/core/failure';
import { OPEN, SENT } from '@evenkeel/core/documents/invoice';
import type { Cents } from '@evenkeel/core/money';
import { BY_HAND, checkSteps, type ReminderStep, stepDue, stepNumber } from '@evenkeel/core/words/reminders';
import { RECEIVABLE } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import { hasOpenBalance } from '../../features/billing/charges.sql.ts';
import { todayIn, now } from '../../platform/clock.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { JobHandler } from '../../platform/db/jobs.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';
import { customers, getEntity } from '../../features/entities/entities.ts';
import type { Ctx, Services } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { serverActor } from '../../platform/http/session.ts';
import { lockSendingRow, sendingRows } from '../../features/settings/sending.ts';
import { zoneSql } from '../../features/settings/company.sql.ts';
import { selectSteps, senderSql, steps } from './mails.sql.ts';
import { reachable } from './parcels.ts';
import { mailRoom, queueMail } from './send.ts';

/**
 * Reminders about unpaid invoices. They are off until a user turns them on, and each step is sent once per invoice. No
 * reminders are sent about drafts, void invoices, or invoices on hold, or to customers who are exempt or whose credits
 * cover their balance.
 */

const off = table('reminder_off', { customerId: 'entity_id' });

const subjectOf = (companyId: number): Subject<typeof Reminders> => ({
  name: 'reminders',
  schema: Reminders,
  idOf: () => companyId,
});

interface Candidate {
  invoiceId: number;
  invoiceNumber: string;
  customerId: number;
  customerDisplayName: string;
  dueDate: IsoDate;
  openAmount: Cents;
  /** The steps that were already sent. A reminder that a user sent counts as the step for its day. */
  sent: number[];
}

/** Returns unpaid invoices near or past their due dates, for customers who owe something and get reminders. */
const selectCandidates = (today: IsoDate) => sql<Candidate>`
  select d.id as "invoiceId", d.document_number as "invoiceNumber", d.entity_id as "customerId",
    e.displayname as "customerDisplayName", d.due_date as "dueDate", d.open_cents as "openAmount",
    coalesce((
      select array_agg(case when m.step <= ${BY_HAND} then m.step
        else (m.created_at at time zone c.time_zone)::date - d.due_date + ${stepNumber({ days: 0 })} end) from mail m
      where m.company_id = ${COMPANY} and m.document_id = d.id and m.kind = 'reminder'), '{}') as sent
  from document d
  join entity e on e.company_id = ${COMPANY} and e.id = d.entity_id
  join company c on c.company_id = ${COMPANY}
  where d.company_id = ${COMPANY} and d.kind = ${RECEIVABLE.document.source} and not d.deleted
    and d.status = any(${[OPEN, SENT]}::int[]) and d.open_cents > 0
    and d.due_date between ${addDays(today, -380)} and ${addDays(today, 61)}
    and not exists (select from reminder_off o where o.company_id = ${COMPANY} and o.entity_id = d.entity_id)
    and ${hasOpenBalance(sql`d.entity_id`)}
  order by d.due_date, d.id`;

/**
 * Returns the reminders to send on a date, with their addresses. The preview and the job both use this list. Customers
 * without an email address get no reminders.
 */
async function remindersOn(ctx: Ctx, own: readonly ReminderStep[], today: IsoDate) {
  const candidates = own.length === 0 ? [] : await ctx.tx.rows(selectCandidates(today));
  const due = candidates.flatMap((invoice) => {
    const step = stepDue(own, { ...invoice, today });
    return step === undefined ? [] : [{ ...invoice, step }];
  });
  const ids = [...new Set(due.map(({ customerId }) => customerId))];
  const addresses = new Map(
    await Promise.all(ids.map(async (id) => [id, reachable(await getEntity(ctx, customers, id))] as const)),
  );
  return due.flatMap((invoice) => {
    const to = addresses.get(invoice.customerId) ?? [];
    return to.length === 0 ? [] : [{ ...invoice, to }];
  });
}

/** Returns the steps, the exempt customers, and tomorrow's reminders. */
export async function reminders(ctx: Ctx): Promise<Reminders> {
  const tomorrow = addDays(ctx.today, 1);
  const [own, row, leftOut] = await Promise.all([
    ctx.tx.rows(selectSteps()),
    ctx.tx.row(sendingRows.find({})),
    ctx.tx.rows(sql<{ id: number; displayName: string }>`
      select e.id, e.displayname as "displayName" from reminder_off o
      join entity e on e.company_id = ${COMPANY} and e.id = o.entity_id
      where o.company_id = ${COMPANY} order by lower(e.displayname), e.id`),
  ]);
  const next = await remindersOn(ctx, own, tomorrow);
  return {
    isOn: row !== undefined && row.remindersBy !== null,
    steps: own,
    leftOut,
    tomorrow,
    next: next.map(({ step, dueDate: _, sent: __, to: ___, ...invoice }) => ({ ...invoice, days: step.days })),
    rowVersion: row?.rowVersion ?? 0,
  };
}

/**
 * Saves the steps and whether reminders are sent. They are sent in the name of the user who turns them on. Throws 409
 * 'stale' for an outdated version and 422 for an invalid step.
 */
export async function saveReminders(ctx: Ctx, input: RemindersInput): Promise<Reminders> {
  await ctx.tx.rows(lockSendingRow());
  const before = await reminders(ctx);
  requireFresh(Reminders, before, input.rowVersion);
  const own = (input.steps ?? before.steps).toSorted((a, b) => a.days - b.days);
  refuseFields(checkSteps(input.steps ?? []));
  const isOn = input.isOn ?? before.isOn;
  const by = isOn === before.isOn ? {} : { remindersBy: isOn ? ctx.userId : null };
  await ctx.tx.inOrder([
    steps.delete({}),
    sendingRows.update({}, { ...by, rowVersion: before.rowVersion + 1 }),
    ...(own.length === 0 ? [] : [steps.insertMany(own)]),
  ]);
  const after = await reminders(ctx);
  return record(ctx, subjectOf(ctx.companyId), { action: 'update', before, after });
}

/** Exempts a customer from reminders, or ends the exemption. Throws 404 if the customer does not exist. */
export async function leaveOut(ctx: Ctx, customerId: number, isLeftOut: boolean): Promise<Reminders> {
  await getEntity(ctx, customers, customerId);
  const before = await reminders(ctx);
  const put = sql`
    insert into reminder_off (company_id, entity_id) values (${COMPANY}, ${customerId})
    on conflict (company_id, entity_id) do nothing`;
  await ctx.tx.rows(isLeftOut ? put : off.delete({ customerId }));
  const after = await reminders(ctx);
  return record(ctx, subjectOf(ctx.companyId), { action: 'update', before, after });
}

/** Reminders are sent from this hour on, in the company's time zone. */
const FIRST_HOUR = 8;

const hourIn = (timeZone: string): number =>
  Number(new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(now()));

/** Returns the handler for the hourly 'reminders' job, which queues each due reminder once. */
export function remindersSender(services: Services): JobHandler {
  return async (tx) => {
    // A second runner waits here, and then sees the emails that the first runner has queued.
    const row = await tx.row(sendingRows.find({}, { lock: 'for update' }));
    if (row === undefined || row.remindersBy === null) return;
    const { timeZone } = await tx.one(zoneSql());
    if (hourIn(timeZone) < FIRST_HOUR) return;
    const actor = serverActor({ companyId: tx.companyId, userId: row.remindersBy }, todayIn(timeZone));
    await queueReminders({ ...actor, tx, services });
  };
}

/** Queues today's reminders. The settings row is locked. */
export async function queueReminders(ctx: Ctx): Promise<void> {
  const sender = await ctx.tx.row(senderSql(ctx.userId));
  if (sender === undefined) return;
  let { left } = await mailRoom(ctx);
  for (const { step, to, ...invoice } of await remindersOn(ctx, await ctx.tx.rows(selectSteps()), ctx.today)) {
    // A later job queues the rest, because those reminders are still due.
    if (to.length > left) return;
    left -= to.length;
    const about = {
      kind: 'reminder' as const,
      customerId: invoice.customerId,
      documentId: invoice.invoiceId,
      paymentId: null,
    };
    const { subject, text } = step;
    const mail = { to, cc: [], subject, text, step: stepNumber(step), range: { from: null, to: null }, sender };
    await queueMail(ctx, about, mail);
  }
}
