import type { ReplyOf } from '@evenkeel/contract/endpoint';
import {
  MAKES,
  type TemplateAction,
  type TemplateCalls,
  type TemplateRow,
  type TemplateState,
} from '@evenkeel/contract/scheduled';
import { addDays, formatDate, type IsoDate, parseDate, partsOf } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { type Schedule, scheduledFrom, scheduleFrom } from '@evenkeel/core/documents/schedule';
import { WEEKDAYS } from '@evenkeel/core/words/schedule';
import type { Permission } from '@evenkeel/contract/areas';
import * as z from 'zod';
import { type Ask, ask, askFor } from '../../client/api.ts';
import type { RecordsSpec } from '../../records/records.ts';
import type { StatusLook } from '../../ui/show/Status.tsx';

/** The recurring templates for documents, used in lists, panels, and forms. */

export type TemplateOf<One> = ReplyOf<TemplateCalls<One, unknown>['get']>;

/** A template, without the document that it creates. */
export type AnyTemplate = Omit<TemplateOf<unknown>, 'document'>;

/** A template's document in the format of its form, with the ID and name of the template. */
export type TemplateDocument<One> = One & {
  id: number;
  /** The template's name, which the form shows as the number. The document's own number is separate. */
  invoiceNumber: string;
  number: string;
  badge: string;
  rowVersion: number;
  template: AnyTemplate;
};

export interface TemplateBody<Body> {
  name: string;
  schedule: TemplateRow['schedule'];
  makes: TemplateRow['makes'];
  fixesPrices: boolean;
  skips: IsoDate[];
  document: Body;
  rowVersion: number | null;
}

/** A template type: its records, actions, and labels. */
export interface TemplateRecords<One, Body> extends RecordsSpec<
  TemplateRow,
  TemplateDocument<One>,
  TemplateBody<Body>
> {
  /** The journal's source type for the created documents. */
  source: string;
  view: Permission;
  manage: Permission;
  act: (id: number, body: TemplateAction) => Ask<unknown>;
  reply: z.ZodType<TemplateDocument<One>>;
}

/** The templates of any type, for lists and panels. */
export type AnyTemplates = Pick<
  TemplateRecords<object, never>,
  'source' | 'view' | 'manage' | 'words' | 'list' | 'get' | 'remove' | 'act'
>;

/** Defines a type's templates by its API calls. */
export function templateRecords<One, Body>(
  calls: TemplateCalls<One, Body>,
  { source, noun, many }: { source: string; noun: string; many: string },
): TemplateRecords<One, Body> {
  const shown = ({ document, ...template }: TemplateOf<One>): TemplateDocument<One> => ({
    ...document,
    id: template.id,
    invoiceNumber: template.name,
    number: numberOf(document),
    badge: STATES[template.state].words,
    rowVersion: template.rowVersion,
    template,
  });
  return {
    source,
    view: calls.get.needs,
    manage: calls.create.needs,
    words: {
      one: `scheduled ${noun}`,
      many: `scheduled ${many}`,
      loadAll: 'Error Loading Scheduled',
      loadOne: 'Error Loading Scheduled',
    },
    idOf: ({ id }) => id,
    list: () => ask(calls.list, {}),
    get: (id) => askFor(ask(calls.get, { params: { id } }), shown),
    create: (body) => askFor(ask(calls.create, { body }), shown),
    update: (id, body) => askFor(ask(calls.update, { body: { ...body, id } }), shown),
    remove: (id) => ask(calls.remove, { params: { id } }),
    act: (id, body) => ask(calls.act, { params: { id }, body }),
    reply: z.codec(calls.get.reply, z.custom<TemplateDocument<One>>(), {
      decode: shown,
      encode: () => {
        throw new Error('a response can only be decoded');
      },
    }),
  };
}

function numberOf(document: unknown): string {
  const read = z.object({ invoiceNumber: z.string() }).safeParse(document);
  return read.success ? read.data.invoiceNumber : '';
}

/** The badge for each state of a template. */
export const STATES: Readonly<Record<TemplateState, { look: StatusLook; words: string }>> = {
  active: { look: 'done', words: 'Active' },
  paused: { look: 'hold', words: 'Paused' },
  ended: { look: 'plain', words: 'Ended' },
  held: { look: 'low', words: 'On Hold' },
  asks: { look: 'low', words: 'Needs Review' },
  stopped: { look: 'low', words: 'Stopped' },
  failed: { look: 'late', words: 'Failed' },
};

/** Returns the label for a state. For templates with dates on hold, the label includes their number. */
export const stateWords = ({ state, held }: Pick<TemplateRow, 'state' | 'held'>): string =>
  state === 'held' ? `${held} on hold` : STATES[state].words;

export const MAKES_WORDS = { draft: 'Draft', posted: 'Posted', sent: 'Sent' } as const;

/** Returns the rule as text: `month on the 15th`, `2 weeks on Friday`, or `year on 9/1/2026`. */
export function ruleWords({ unit, every, weekday, monthDay, start }: TemplateRow['schedule']): string {
  const units = every === 1 ? unit : `${every} ${unit}s`;
  if (unit === 'week') return `${units} on ${WEEKDAYS[weekday] ?? ''}`;
  if (unit === 'month' || unit === 'quarter') return `${units} on the ${dayWords(monthDay)}`;
  return unit === 'year' ? `${units} on ${partsOf(start).month}/${partsOf(start).day}` : units;
}

const ORDINALS: Readonly<Record<number, string>> = {
  1: 'st',
  2: 'nd',
  3: 'rd',
  21: 'st',
  22: 'nd',
  23: 'rd',
  31: 'st',
};
const dayWords = (day: number | 'last'): string => (day === 'last' ? 'last day' : `${day}${ORDINALS[day] ?? 'th'}`);

/** Returns the end of the schedule as text. */
export function endWords({ end }: TemplateRow['schedule']): string {
  if (end.kind === 'on' && end.on) return `on ${formatDate(end.on)}`;
  return end.kind === 'after' ? `after ${end.count ?? 0} times` : 'never';
}

/** Converts the rule to the format used in core. */
export function scheduleOf({ end, ...rule }: TemplateRow['schedule']): Schedule {
  if (end.kind === 'on' && end.on) return { ...rule, end: { kind: 'on', on: end.on } };
  return { ...rule, end: end.kind === 'after' ? { kind: 'after', count: end.count ?? 0 } : { kind: 'never' } };
}

const COMING_DAYS = 30;

/** Returns the number and total of the documents due in the next 30 days. */
export function comingSoon(rows: readonly TemplateRow[], today: IsoDate): { count: number; amount: Cents[] } {
  const until = addDays(today, COMING_DAYS);
  const amount = rows
    .filter(({ state, nextDate }) => state !== 'paused' && nextDate !== null)
    .flatMap((row) => {
      const from = row.nextDate ?? today;
      return scheduledFrom(scheduleOf(row.schedule), from, COMING_DAYS + 1).flatMap((date) =>
        date <= until ? [row.amount] : [],
      );
    });
  return { count: amount.length, amount };
}

/** The schema fields of a template's schedule, in addition to its document's fields. */
export const scheduleFields = {
  name: z.string(),
  /** The rule. Missing until the user edits it. Defaults to a monthly rule that starts on the document's date. */
  schedule: z.custom<Schedule>((value) => typeof value === 'object' && value !== null && 'unit' in value).optional(),
  makes: z.enum(MAKES),
  fixesPrices: z.boolean(),
  /** The skipped dates. */
  skips: z.array(z.custom<IsoDate>((value) => typeof value === 'string' && parseDate(value) !== undefined)),
};

export interface ScheduleForm {
  name: string;
  schedule?: Schedule | undefined;
  makes: TemplateRow['makes'];
  fixesPrices: boolean;
  skips: IsoDate[];
}

export const SCHEDULE_STARTS: ScheduleForm = { name: '', makes: 'posted', fixesPrices: false, skips: [] };

/** The maximum number of dates that a template can skip. */
const MAX_SKIPS = 12;

/** Returns the schedule fields for the form of a saved template. */
export const scheduleFormOf = ({ template }: { template: AnyTemplate }): ScheduleForm => ({
  name: template.name,
  schedule: scheduleOf(template.schedule),
  makes: template.makes,
  fixesPrices: template.fixesPrices,
  // The newest skipped dates come first, so that past dates are dropped before future ones.
  skips: template.occurrences.flatMap(({ state, date }) => (state === 'skipped' ? [date] : [])).slice(0, MAX_SKIPS),
});

/**
 * Returns the first date that can be skipped: today, or the day after the last date that isn't skipped, if that is
 * later.
 */
export function skippableFrom(template: Pick<AnyTemplate, 'occurrences'> | undefined, today: IsoDate): IsoDate {
  const settled = template?.occurrences.filter(({ state }) => state !== 'skipped').map(({ date }) => addDays(date, 1));
  return [today, ...(settled ?? [])].toSorted().at(-1) ?? today;
}

/** Returns the schedule from a form. */
export const scheduleIn = ({
  schedule,
  invoiceDate,
}: ScheduleForm & { invoiceDate: IsoDate | null }): Schedule | undefined =>
  schedule ?? (invoiceDate === null ? undefined : scheduleFrom(invoiceDate));

/** Returns the request for a template. Throws if the date is missing, which validation prevents. */
export function templateInput<Body>(
  form: ScheduleForm & { invoiceDate: IsoDate | null; rowVersion: number | null },
  document: Body,
): TemplateBody<Body> {
  const schedule = scheduleIn(form);
  if (schedule === undefined) throw new Error('the schedule was not validated');
  const { name, makes, fixesPrices, skips, rowVersion } = form;
  return { name: name.trim(), schedule, makes, fixesPrices, skips: skips.slice(-MAX_SKIPS), document, rowVersion };
}
