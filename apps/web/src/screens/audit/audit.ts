import { auditCalls, type AuditEntry } from '@evenkeel/contract/audit';
import { auditKindOf, auditLabelOf } from '@evenkeel/core/words/audit';
import { formatAmount, fromPlain, toPlain, type Cents } from '@evenkeel/core/money';
import { parseDate } from '@evenkeel/core/dates';
import { ask, askFor, GONE } from '../../client/api.ts';
import type { Place } from '../../records/place.ts';
import { type PageAsk, wholeList } from '../../records/reads.ts';
import { whoWords } from '../../records/History.tsx';
import { recordAddress } from '../../parts/ledger/places.ts';

export const WORDS = { one: 'entry', many: 'entries', loadAll: 'Error Loading Audit Log' };

/** The filters in the URL. */
export interface Filters {
  person: number | undefined;
  kind: string | undefined;
  record: number | undefined;
  from: ReturnType<typeof parseDate>;
  to: ReturnType<typeof parseDate>;
  least: Cents | undefined;
  most: Cents | undefined;
  exceptions: 'true' | undefined;
}

const idIn = (text: string | null): number | undefined => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined);
const amountIn = (text: string | null): Cents | undefined =>
  /^-?\d{1,12}(\.\d{1,2})?$/.test(text ?? '') ? fromPlain(text ?? '0') : undefined;

export function filtersIn(query: URLSearchParams): Filters {
  return {
    person: idIn(query.get('person')),
    kind: query.get('kind') ?? undefined,
    record: idIn(query.get('record')),
    from: parseDate(query.get('from') ?? ''),
    to: parseDate(query.get('to') ?? ''),
    least: amountIn(query.get('least')),
    most: amountIn(query.get('most')),
    exceptions: query.get('exceptions') === 'true' ? 'true' : undefined,
  };
}

/** Sets a filter in the URL. Null removes it. */
export function narrowing(place: Place) {
  return {
    number: (name: 'person') => (value: number | null) => place.go({ [name]: value ?? undefined }),
    word: (name: 'kind' | 'from' | 'to') => (value: string | null) =>
      place.go({ [name]: value ?? undefined, record: undefined }),
    amount: (name: 'least' | 'most') => (value: Cents | null) =>
      place.go({ [name]: value === null ? undefined : toPlain(value) }),
    exceptions: (isOn: boolean) => place.go({ exceptions: isOn ? 'true' : undefined }),
    all: () =>
      place.go({
        ...Object.fromEntries(
          ['person', 'kind', 'record', 'from', 'to', 'least', 'most'].map((name) => [name, undefined]),
        ),
        exceptions: undefined,
      }),
  };
}

/** Returns the query for a page of the filtered log. By default, the newest entries come first. */
export const logOf = (filters: Filters) => ({
  words: WORDS,
  list: (_: boolean, page: PageAsk) =>
    ask(auditCalls.listAudit, {
      query: { ...filters, ...(page.sort === undefined ? { desc: 'true' as const } : {}), ...page },
    }),
});

/** Loads one audit log entry. */
export const askEntry = (entry: number) =>
  askFor(ask(auditCalls.listAudit, { query: { entry } }), (reply): AuditEntry => {
    const [found] = wholeList(reply) ?? [];
    if (found === undefined) throw new Error(GONE);
    return found;
  });

export const recordName = (entry: AuditEntry): string => {
  const { kind, title, recordId } = entry;
  const label = auditLabelOf(entry);
  if (auditKindOf(kind).isOnly === true) return label;
  return `${label} ${title === '' ? recordId : title}`;
};

/** An amount or a date, which must not be truncated. */
const FIGURE = /\d[./]\d/;

/** Returns the first changed field, its values, and the number of other changed fields, which are shown on one line. */
const changedParts = ({ action, changes: [first, ...others] }: AuditEntry): string[] => {
  if (action !== 'update' || first === undefined) return [];
  const { field, before, after } = first;
  const values = ` ${before === null ? '' : `${before} → `}${after ?? 'removed'}`;
  return [
    ...(FIGURE.test(values) ? [field, values] : [field + values]),
    ...(others.length === 0 ? [] : [`, ${others.length} more`]),
  ];
};

const reasonParts = ({ reason }: AuditEntry): string[] => (reason === null ? [] : [`Reason: ${reason}`]);

/**
 * Returns a one-line summary as separate pieces of text: the first change, or the amount of a created or deleted
 * record.
 */
export function summaryOf(entry: AuditEntry): string[] {
  const changed = changedParts(entry);
  if (changed.length > 0) return changed;
  const parts = [...(entry.amount === null ? [] : [formatAmount(entry.amount)]), ...reasonParts(entry)];
  return parts.map((part, at) => (at === 0 ? part : `, ${part}`));
}

/** Returns the person and the change as separate pieces of text. On a phone, a row shows the amount separately. */
export function phoneSummaryOf(entry: AuditEntry): string[] {
  const changed = changedParts(entry);
  const [what, ...rest] = changed.length > 0 ? changed : reasonParts(entry);
  return what === undefined ? [whoWords(entry)] : [whoWords(entry), ` · ${what}`, ...rest];
}

/** Returns all changed fields on one line: `Due Date: 6/10/2026 → 6/25/2026; Memo: removed`. */
export const changesText = ({ changes }: Pick<AuditEntry, 'changes'>): string =>
  changes
    .map(({ field, before, after }) => `${field}: ${before === null ? '' : `${before} → `}${after ?? 'removed'}`)
    .join('; ');

/** Returns the device, job, or API key that made the change. */
export function byWords({ byKind, byName }: AuditEntry): string {
  const words: Readonly<Record<string, string>> = {
    session: 'Session',
    key: 'API key',
    job: 'Job',
    command: 'Command line',
    server: 'Evenkeel',
    link: 'Private link',
  };
  const word = words[byKind];
  return word === undefined ? 'Not recorded' : [word, byName].filter(Boolean).join(', ');
}

/** Returns the URL of the record, or undefined if no screen shows it. */
export const addressOf = ({ kind, recordId }: AuditEntry): string | undefined => recordAddress(kind, recordId);
