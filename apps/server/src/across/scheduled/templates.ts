import type { TemplateAction, TemplateCalls, TemplateRow } from '@evenkeel/contract/scheduled';
import type { BodyOf, ReplyOf } from '@evenkeel/contract/endpoint';
import { decode, encode } from '@evenkeel/contract/wire';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { conflict, Failure, notFound, refuse } from '@evenkeel/core/failure';
import type { Cents } from '@evenkeel/core/money';
import type { Occurrence } from '@evenkeel/core/documents/schedule';
import { record } from '../../platform/db/audit.ts';
import { personName } from '../../platform/db/people.ts';
import type { Runnable } from '../../platform/db/query.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { sendingProblem } from '../sending/send.ts';
import type { TemplateKind } from './kinds.ts';
import { askForDue, lockedTemplate, makeDate, moved, settledBy, skipDates, skippedRow } from './making.ts';
import {
  comingDates,
  dueDates,
  isSameRule,
  nextDate,
  rebased,
  rowView,
  ruleColumns,
  scheduleOf,
  storedSchedule,
} from './progress.ts';
import {
  type OccurrenceRow,
  occurrences,
  selectTemplate,
  selectTemplates,
  takeTemplateId,
  type TemplateData,
  templates,
} from './templates.sql.ts';
import { documentKinds } from '@evenkeel/core/documents/side';

/** The endpoint functions for the templates of one kind of document. */

const JOURNAL = documentKinds.journal.source;
/** The number of upcoming dates shown. */
const AHEAD = 12;

type Whole<One> = ReplyOf<TemplateCalls<One, unknown>['get']>;
type Input<Body> = BodyOf<TemplateCalls<unknown, Body>['create']>;

/** Returns the functions that read the templates of one kind of document for the API. */
function viewsOf<One, Body>(kind: TemplateKind<One, Body>) {
  const viewOf = (row: TemplateData, now: AmountNow, today: Ctx['today']): Whole<One> => ({
    ...rowView(row, today),
    document: decode(kind.whole, row.document),
    next: comingDates(row, AHEAD),
    ...now,
    occurrences: row.occurrences.map(({ n, date, state, reason, madeOn, sourceId, number, isGone }) => ({
      n,
      date,
      state: settledAs(state),
      reason,
      madeOn,
      sourceId: isGone ? null : sourceId,
      number,
    })),
  });
  /** Shows the template with current prices, or with the reason why its document can't be created. */
  const shown = async (ctx: Ctx, row: TemplateData): Promise<Whole<One>> => {
    const fixed = row.fixesPrices ? row.fixedLines : null;
    try {
      const [amountNow, sendProblem] = await Promise.all([
        kind.amountNow(ctx, decode(kind.input, row.body), fixed),
        sendProblemOf(ctx, row),
      ]);
      return viewOf(row, { amountNow, problem: '', sendProblem }, ctx.today);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return viewOf(row, { amountNow: null, problem: error.message, sendProblem: '' }, ctx.today);
    }
  };
  return { viewOf, shown };
}

interface AmountNow {
  amountNow: Cents | null;
  problem: string;
  sendProblem: string;
}

/** Returns the reason why created documents can't be sent, or an empty string if there is none. */
async function sendProblemOf(ctx: Ctx, { sends, entityId }: Pick<TemplateData, 'sends' | 'entityId'>): Promise<string> {
  return sends && entityId !== null ? sendingProblem(ctx, entityId) : '';
}

async function asSaved(ctx: Ctx, columns: Pick<TemplateData, 'sends' | 'entityId' | 'amount'>): Promise<AmountNow> {
  return { amountNow: columns.amount, problem: '', sendProblem: await sendProblemOf(ctx, columns) };
}

/** Returns the columns for a request. Throws the errors from the rule or the document. */
async function columnsOf<One, Body>(
  ctx: Ctx,
  kind: TemplateKind<One, Body>,
  { schedule: rule, document, makes, ...input }: Input<Body>,
) {
  const schedule = scheduleOf(rule);
  if (makes === 'draft' && !kind.hasDrafts)
    throw refuse("A bill can't be saved as a draft", { makes: "A bill can't be saved as a draft" });
  if (makes === 'sent' && !kind.isSent)
    throw refuse('Only invoices can be sent', { makes: 'Only invoices can be sent' });
  const body = kind.kept(document, schedule.start);
  const drawn = await kind.draw(ctx, body).catch((error: unknown) => {
    throw ofDocument(error);
  });
  const given = (input.name ?? '').trim();
  const columns = {
    ...ruleColumns(schedule),
    name: given === '' ? drawn.name || 'Scheduled' : given,
    entityId: drawn.entityId,
    makesDrafts: makes === 'draft',
    sends: makes === 'sent',
    fixesPrices: input.fixesPrices === true,
    body: encode(kind.input, body),
    document: encode(kind.whole, drawn.document),
    fixedLines: drawn.fixedLines,
    amount: drawn.amount,
    failure: '',
  };
  return { schedule, columns, entityName: drawn.entityId === null ? '' : drawn.name };
}

/** The columns of a new template that are not in its request. */
const begun = (ctx: Ctx) => ({
  paused: false,
  releasedN: -1,
  createdBy: ctx.userId,
  entryDate: ctx.today,
  deleted: false,
  rowVersion: 1,
  nextDate: null,
  occurrences: [],
});

const required = (row: TemplateData | undefined): TemplateData => {
  if (row === undefined) throw notFound('Template');
  return row;
};

/** Returns the endpoint functions for the templates of a kind of document. */
export function templateCalls<One, Body>(kind: TemplateKind<One, Body>) {
  const schema = kind.calls.get.reply;
  const subject = { name: `scheduled ${kind.kind}`, schema, idOf: ({ id }: Whole<One>) => id };
  const { viewOf, shown } = viewsOf(kind);
  const found = async (ctx: Ctx, id: number) => required(await ctx.tx.row(selectTemplate(kind.kind, id, JOURNAL)));
  const locked = async (ctx: Ctx, id: number) => required(await lockedTemplate(ctx.tx, kind.kind, id));
  return {
    list: async (ctx: Ctx): Promise<TemplateRow[]> => {
      const rows = await ctx.tx.rows(selectTemplates(kind.kind, JOURNAL));
      return rows.map((row) => rowView(row, ctx.today));
    },

    /** Throws 404 if the template does not exist. */
    get: async (ctx: Ctx, id: number): Promise<Whole<One>> => shown(ctx, await found(ctx, id)),

    /** Creates a template. The first date is today or later. Throws 422 if the template or its document is invalid. */
    create: async (ctx: Ctx, input: Input<Body>): Promise<Whole<One>> => {
      const [{ schedule, columns, entityName }, { id }] = await Promise.all([
        columnsOf(ctx, kind, input),
        ctx.tx.one(takeTemplateId()),
      ]);
      const place = rebased(schedule, undefined, ctx.today);
      const row = { ...begun(ctx), ...columns, ...place, id, kind: kind.kind, entityName };
      const { whole, writes } = withSkips(ctx, row, { ahead: [], skips: input.skips });
      askForDue(ctx.tx);
      const after = viewOf(whole, await asSaved(ctx, columns), ctx.today);
      return record(ctx, subject, { after, write: [templates.insert(whole), ...writes] });
    },

    /**
     * Saves a template. The change applies to future documents. Throws 404 if the template does not exist, 409 for an
     * outdated version, and 422 for the same reasons as a new template.
     */
    update: async (ctx: Ctx, input: Input<Body>): Promise<Whole<One>> => {
      const stored = await locked(ctx, input.id ?? 0);
      const before = await shown(ctx, stored);
      requireFresh(schema, before, input.rowVersion);
      const { schedule, columns, entityName } = await columnsOf(ctx, kind, input);
      // The skipped future dates are saved again, because dates have different numbers after a rule is changed.
      const isAhead = ({ state, date }: OccurrenceRow) => state === 'skipped' && date >= ctx.today;
      const ahead = stored.occurrences.filter(isAhead);
      const settled = stored.occurrences.filter((one) => !isAhead(one));
      const place = isSameRule(schedule, storedSchedule(stored))
        ? { nextN: Math.min(stored.nextN, ...ahead.map(({ n }) => n)) }
        : rebased(schedule, { occurrences: settled }, ctx.today);
      const changed = { ...stored, ...columns, ...place, entityName, occurrences: settled };
      const row = { ...changed, rowVersion: stored.rowVersion + 1 };
      const { whole, writes } = withSkips(ctx, row, { ahead, skips: input.skips });
      askForDue(ctx.tx);
      const after = viewOf(whole, await asSaved(ctx, columns), ctx.today);
      const { nextN, baseN, nextDate: next, rowVersion } = whole;
      const update = templates.update({ id: row.id }, { ...columns, nextN, baseN, nextDate: next, rowVersion });
      return record(ctx, subject, { before, after, write: [...writes, update] });
    },

    /** Deletes a template. Its created documents are kept. Throws 404 if the template does not exist. */
    remove: async (ctx: Ctx, id: number): Promise<{ ok: true }> => {
      const stored = await locked(ctx, id);
      const write = templates.update({ id }, { deleted: true, nextDate: null, rowVersion: stored.rowVersion + 1 });
      record(ctx, subject, { before: await shown(ctx, stored), write });
      return { ok: true };
    },

    /**
     * Pauses or resumes a template, or skips or creates a date. The response is read after the writes. Throws 404, 409,
     * or the document's 422 errors.
     */
    act: async (ctx: Ctx, id: number, asked: TemplateAction): Promise<Whole<One>> => {
      const stored = await locked(ctx, id);
      const before = await shown(ctx, stored);
      await done(ctx, stored, asked);
      const after = await shown(ctx, await found(ctx, id));
      return record(ctx, subject, { before, after });
    },
  };
}

/**
 * Returns a template with its skipped future dates. These are the given dates or, by default, the dates in `ahead`,
 * which were skipped before and are no longer in `row`. Only the next 12 dates can be skipped.
 */
function withSkips(
  ctx: Ctx,
  row: TemplateData,
  { ahead, skips }: { ahead: readonly OccurrenceRow[]; skips: readonly IsoDate[] | null | undefined },
): { whole: TemplateData; writes: Runnable<unknown>[] } {
  const wanted = new Set(skips ?? ahead.map(({ date }) => date));
  const skipped = comingDates(row, AHEAD)
    .filter(({ date }) => date >= ctx.today && wanted.has(date))
    .map((one) => skippedRow(row.id, one, ahead.find(({ date }) => date === one.date)?.settledBy ?? settledBy(ctx)));
  const whole = { ...row, ...moved(row, skipped), occurrences: [...skipped.toReversed(), ...row.occurrences] };
  const stored = skipped.map(({ templateId, n, date, state, settledBy: by }) => ({
    templateId,
    n,
    date,
    state,
    settledBy: by,
  }));
  return {
    whole,
    writes: [
      ...ahead.map(({ n }) => occurrences.delete({ templateId: row.id, n })),
      ...(stored.length === 0 ? [] : [occurrences.insertMany(stored)]),
    ],
  };
}

function settledAs(state: string): 'made' | 'held' | 'skipped' {
  return state === 'made' || state === 'held' ? state : 'skipped';
}

/** Renames a document's error fields to the template's fields. */
function ofDocument(error: unknown): unknown {
  if (!(error instanceof Failure) || error.fields === undefined) return error;
  const fields = Object.entries(error.fields).map(([path, message]) => [`document.${path}`, message]);
  return new Failure(error.code, error.message, Object.fromEntries(fields), error.detail);
}

/**
 * Performs the requested action on a locked template. Throws 409 for a date that is already settled or does not exist.
 */
async function done(ctx: Ctx, row: TemplateData, { action, n, on, rowVersion }: TemplateAction): Promise<void> {
  const { tx, today } = ctx;
  const change = (columns: Partial<TemplateData>) =>
    tx.atEnd(templates.update({ id: row.id }, { ...columns, rowVersion: row.rowVersion + 1 }));
  switch (action) {
    case 'pause':
      return change({ paused: true });
    case 'resume':
      askForDue(tx);
      return change({ paused: false });
    case 'makeMissed':
      requireSeen(row, rowVersion);
      askForDue(tx);
      return change({ releasedN: dueDates(row, today).at(-1)?.n ?? row.releasedN });
    case 'skipMissed':
      requireSeen(row, rowVersion);
      return skipDates(ctx, row, dueDates(row, today));
    case 'run': {
      const next = await requireNext(ctx, row, n);
      // If the next date is in the future, the document is dated today.
      return makeDate(ctx, row, { ...next, on: next.date > today ? today : next.date });
    }
    default:
      return onDate(ctx, row, { action, n: n ?? -1, on: on ?? undefined });
  }
}

/** Throws 409 'stale' unless the request has the template's current version, and 422 if the request has no version. */
function requireSeen(row: TemplateData, rowVersion: number | null | undefined): void {
  if (rowVersion === undefined || rowVersion === null) {
    throw refuse("Send the schedule's rowVersion", { rowVersion: "Send the schedule's version" });
  }
  if (rowVersion === row.rowVersion) return;
  throw new Failure('stale', 'Someone else changed this schedule. Reload the page and review the schedule again.');
}

/**
 * Returns the next date if it is the requested one. Otherwise, throws 409 with the name of the user who created or
 * skipped it.
 */
async function requireNext({ tx }: Ctx, row: TemplateData, n: number | null | undefined): Promise<Occurrence> {
  if (n === undefined || n === null) {
    throw refuse('Send the sequence number of the next date as n', { n: 'Send the sequence number of the next date' });
  }
  const next = nextDate(row);
  if (next?.n === n) return next;
  const settled = row.occurrences.find((each) => each.n === n);
  if (settled === undefined || settled.state === 'held')
    throw conflict('The next date has changed. Reload the page to see the current date.');
  const person = settled.settledBy === null ? undefined : await tx.row(personName(settled.settledBy));
  const day = formatDate(settled.date);
  const [what, done] = settled.state === 'made' ? [`the document for ${day}`, 'created'] : [day, 'skipped'];
  throw conflict(
    person === undefined
      ? `${what.replace(/^the/, 'The')} was already ${done} automatically. Reload the page.`
      : `${person.name} already ${done} ${what}. Reload the page.`,
  );
}

/** Skips a date, undoes a skip, or creates a held document. */
async function onDate(
  ctx: Ctx,
  row: TemplateData,
  { action, n, on }: { action: 'skip' | 'unskip' | 'make'; n: number; on: Ctx['today'] | undefined },
): Promise<void> {
  const { tx } = ctx;
  const settled = row.occurrences.find((each) => each.n === n);
  if (action === 'make') {
    if (settled?.state !== 'held') throw conflict('This date is no longer on hold');
    return makeDate(ctx, row, { n, date: settled.date, on });
  }
  if (settled?.state === 'held' && action === 'skip') {
    const skipped = { state: 'skipped', reason: '', settledBy: settledBy(ctx) };
    tx.atEnd(occurrences.update({ templateId: row.id, n }, skipped));
    return tx.atEnd(templates.update({ id: row.id }, { rowVersion: row.rowVersion + 1 }));
  }
  const coming = comingDates(row, AHEAD).find((each) => each.n === n);
  if (action === 'skip') {
    if (coming === undefined || coming.isSkipped) throw conflict('This date is no longer scheduled');
    return skipDates(ctx, row, [coming]);
  }
  if (settled?.state !== 'skipped' || settled.date < ctx.today) throw conflict('This date is no longer skipped');
  const freed = { ...row, nextN: Math.min(row.nextN, n), occurrences: row.occurrences.filter((each) => each.n !== n) };
  const next = nextDate(freed);
  const { nextN } = freed;
  tx.atEnd(
    occurrences.delete({ templateId: row.id, n }),
    templates.update({ id: row.id }, { nextN, nextDate: next?.date ?? null, rowVersion: row.rowVersion + 1 }),
  );
}
