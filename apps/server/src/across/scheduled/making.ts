import { decode } from '@evenkeel/contract/wire';
import type { IsoDate } from '@evenkeel/core/dates';
import { Failure, present } from '@evenkeel/core/failure';
import { movedAlong, type Occurrence } from '@evenkeel/core/documents/schedule';
import { todayIn } from '../../platform/clock.ts';
import type { Pool } from '../../platform/db/connect.ts';
import { type Job, enqueue } from '../../platform/db/jobs.ts';
import { inCompany, type Tx } from '../../platform/db/tx.ts';
import type { Ctx, Services } from '../../platform/http/context.ts';
import { serverActor } from '../../platform/http/session.ts';
import { sendMade } from '../sending/send.ts';
import { zoneSql } from '../../features/settings/company.sql.ts';
import { scheduledBills, scheduledInvoices, scheduledJournals, type TemplateKind } from './kinds.ts';
import { dueDates, heldUpBy, nextDate } from './progress.ts';
import {
  lockTemplate,
  type OccurrenceRow,
  occurrences,
  selectDue,
  selectTemplate,
  type TemplateData,
  templates,
} from './templates.sql.ts';

/** Creates due documents in a job, one date per transaction, in date order. */

const JOURNAL = scheduledJournals.kind;

const job: Job = { kind: 'scheduled', key: 'scheduled', payload: {}, userId: null };

/** Queues the job that creates due documents. */
export const askForDue = (tx: Tx): void => enqueue(tx, job);

/** Locks and returns a template. */
export async function lockedTemplate(tx: Tx, kind: string, id: number): Promise<TemplateData | undefined> {
  const [, [row]] = await tx.inOrder([lockTemplate(id), selectTemplate(kind, id, JOURNAL)]);
  return row;
}

/** Returns a skipped date of a template. */
export const skippedRow = (templateId: number, { n, date }: Occurrence, by: number | null): OccurrenceRow => ({
  templateId,
  n,
  date,
  state: 'skipped',
  reason: '',
  sourceId: null,
  madeOn: null,
  settledBy: by,
  number: '',
  isGone: false,
});

/** Returns the template's next date, as if these dates were already settled. */
export function moved(row: TemplateData, settled: readonly Occurrence[]): Pick<TemplateData, 'nextN' | 'nextDate'> {
  const more = settled.map((each) => skippedRow(row.id, each, null));
  const next = nextDate({ ...row, occurrences: [...more, ...row.occurrences] });
  return { nextN: next?.n ?? row.nextN, nextDate: next?.date ?? null };
}

/** The user who settles a date. Null if the date is settled automatically. */
export const settledBy = ({ by, userId }: Pick<Ctx, 'by' | 'userId'>): number | null =>
  by.kind === 'session' || by.kind === 'key' ? userId : null;

/** Marks dates as skipped when the transaction commits. */
export function skipDates(ctx: Ctx, row: TemplateData, dates: readonly Occurrence[]): void {
  if (dates.length === 0) return;
  const rows = dates.map(({ n, date }) => {
    return { templateId: row.id, n, date, state: 'skipped', settledBy: settledBy(ctx) };
  });
  ctx.tx.atEnd(
    occurrences.insertMany(rows),
    templates.update({ id: row.id }, { ...moved(row, dates), rowVersion: row.rowVersion + 1 }),
  );
}

/**
 * Creates the document for one date of a locked template and queues its email if needed, in one transaction. `on`
 * replaces the document's date. Throws the document's errors. A document that can't be sent is still created, and the
 * reason is recorded.
 */
async function makeOne<One, Body>(
  ctx: Ctx,
  { kind, row }: { kind: TemplateKind<One, Body>; row: TemplateData },
  { n, date, on = date }: Occurrence & { on?: IsoDate | undefined },
): Promise<void> {
  const body = decode(kind.input, row.body);
  const rule = { unit: unitOf(row) };
  const made = await kind.make(ctx, body, {
    date: on,
    moved: (other) => movedAlong(rule, other, { from: row.start, to: on }),
    makesDraft: row.makesDrafts,
    fixedLines: row.fixesPrices ? row.fixedLines : null,
  });
  const reason = row.sends ? await sendMade(ctx, made.id) : '';
  const settled = { state: 'made', reason, sourceId: made.id, madeOn: ctx.today, settledBy: settledBy(ctx) };
  const occurrence = { templateId: row.id, n, date, ...settled };
  const isHeld = row.occurrences.some((each) => each.n === n);
  ctx.tx.atEnd(
    isHeld ? occurrences.update({ templateId: row.id, n }, occurrence) : occurrences.insert(occurrence),
    templates.update(
      { id: row.id },
      { ...moved(row, [{ n, date }]), amount: made.amount, failure: '', rowVersion: row.rowVersion + 1 },
    ),
  );
}

const unitOf = (row: TemplateData) => {
  const units = ['day', 'week', 'month', 'quarter', 'year'] as const;
  return present(
    units.find((unit) => unit === row.unit),
    'schedule unit',
  );
};

/** Does the same as `makeOne` for a template of any kind. */
export async function makeDate(
  ctx: Ctx,
  row: TemplateData,
  occurrence: Occurrence & { on?: IsoDate | undefined },
): Promise<void> {
  if (row.kind === scheduledInvoices.kind) return makeOne(ctx, { kind: scheduledInvoices, row }, occurrence);
  if (row.kind === scheduledBills.kind) return makeOne(ctx, { kind: scheduledBills, row }, occurrence);
  return makeOne(ctx, { kind: scheduledJournals, row }, occurrence);
}

/**
 * Creates the next due document of a template in one transaction. If validation fails, puts the date on hold with the
 * error. A date is never moved or dropped. Returns false if all remaining dates need a user's decision.
 */
async function makeNext(services: Services, companyId: number, { id, kind }: { id: number; kind: string }) {
  return inCompany(services.pool, companyId, async (tx) => {
    const [row, { timeZone }] = await Promise.all([lockedTemplate(tx, kind, id), tx.one(zoneSql())]);
    if (row === undefined || row.paused) return false;
    const today = todayIn(timeZone);
    const [next] = dueDates(row, today);
    if (next === undefined || heldUpBy(row, today) !== undefined) return false;
    const ctx: Ctx = { ...serverActor({ companyId, userId: row.createdBy }, today), tx, services };
    try {
      await makeDate(ctx, row, next);
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'unavailable') throw error;
      const held = { templateId: id, ...next, state: 'held', reason: error.message };
      const write = templates.update({ id }, { ...moved(row, [next]), rowVersion: row.rowVersion + 1 });
      tx.atEnd(occurrences.insert(held), write);
    }
    return true;
  });
}

/**
 * Creates all due documents in a company, template by template. If a template fails with an unexpected error, the error
 * is recorded, the other templates are not affected, and the job retries it.
 */
export async function makeDue(services: Services, companyId: number): Promise<void> {
  const { pool } = services;
  const due = await inCompany(pool, companyId, async (tx) => {
    const { timeZone } = await tx.one(zoneSql());
    return tx.rows(selectDue(todayIn(timeZone)));
  });
  let failure: unknown;
  for (const template of due) {
    try {
      while (await makeNext(services, companyId, template));
    } catch (error) {
      failure ??= error;
      await keepFailure(pool, companyId, { id: template.id, error });
    }
  }
  if (failure !== undefined) throw failure;
}

async function keepFailure(pool: Pool, companyId: number, { id, error }: { id: number; error: unknown }) {
  const failure = (error instanceof Error ? error.message : String(error)).slice(0, 500);
  await inCompany(pool, companyId, (tx) => tx.rows(templates.update({ id }, { failure }))).catch(() => undefined);
}
