import type { Steps } from '../../steps.ts';
import { firstFrom, itemOrder, lineOrder } from './pairs.ts';
import { type DatedItem, type Names, NEAR_DAYS, type OnDay, type ReadLine } from './score.ts';
import { type Budget, onlySet, type Part } from './sets.ts';

/** A group: several items that explain one bank transaction, or several bank transactions that explain one entry. */
export interface Group {
  key: string;
  lines: ReadLine[];
  items: DatedItem[];
  points: number;
  reasons: string[];
}

/**
 * The points (in hundredths) for a set whose items share a name, and for a set whose items only have nearby dates. A
 * set is never a certain match.
 */
const POINTS = { named: 80, near: 55 } as const;

/** The maximum number of days between items in a set with the same name. */
const NAMED_SET_DAYS = 30;
/** The maximum number of amounts to search. With more amounts, several sets nearly always have the same sum. */
const MOST_NAMED = 40;
const MOST_NEAR = 14;
/** The maximum number of steps for one search (at most about 20 ms), and for all searches in one assignment. */
const SEARCH_STEPS = 100_000;
const ALL_STEPS = 1_500_000;

interface Free {
  lines: readonly ReadLine[];
  items: readonly DatedItem[];
}

interface Known {
  names: Names;
  refused: ReadonlySet<string>;
}

/**
 * Returns the groups among the unassigned lines and items. Groups of several items for one line come first, followed by
 * groups of several lines for one item.
 */
export function* groupsOf(free: Free, known: Known): Steps<Group[]> {
  const budget: Budget = { steps: ALL_STEPS };
  const items = free.items.filter(({ kind }) => kind !== 'transfer');
  const { lines } = free;
  const found: Group[] = [];
  const taken = new Set<DatedItem>();
  const index = nameIndex(items, known.names);
  for (const line of lines) {
    yield;
    const left = { items, byName: namesIn(line, index, known.names), taken };
    const group = itemsFor(line, left, { ...known, budget });
    if (group === undefined) continue;
    found.push(group);
    for (const item of group.items) taken.add(item);
  }
  const used = new Set(found.flatMap((group) => group.lines.map(({ id }) => id)));
  const restLines = lines.filter(({ id }) => !used.has(id));
  const restItems = items.filter((item) => item.kind === 'entry' && !taken.has(item));
  return [...found, ...(yield* linesFor(restItems, restLines, { ...known, budget }))];
}

type Search = Known & { budget: Budget };

/** The items for each customer or vendor. A single item is not a set. */
interface Named {
  id: number;
  name: string;
  items: DatedItem[];
}

interface NameIndex {
  byId: ReadonlyMap<number, Named>;
  /** Names, indexed by the first letters of their first significant word. */
  byLetters: ReadonlyMap<string, readonly Named[]>;
}

/** The number of leading letters that the name index uses. */
const LETTERS = 4;

function nameIndex(items: readonly DatedItem[], names: Names): NameIndex {
  const byId = new Map<number, Named>();
  for (const item of items) {
    if (item.entityId === null) continue;
    const known = byId.get(item.entityId);
    if (known === undefined) byId.set(item.entityId, { id: item.entityId, name: item.entityName, items: [item] });
    else known.items.push(item);
  }
  const byLetters = new Map<string, Named[]>();
  for (const named of byId.values()) {
    const letters = (names.wordsOf(named.name)[0] ?? '').slice(0, LETTERS);
    if (named.items.length > 1) byLetters.set(letters, [...(byLetters.get(letters) ?? []), named]);
  }
  return { byId, byLetters };
}

/**
 * Returns the items for each customer or vendor whose name the line's text contains or to which the line's payee was
 * matched earlier.
 */
function namesIn(line: ReadLine, { byId, byLetters }: NameIndex, names: Names): DatedItem[][] {
  const beginnings = line.read.words.flatMap((word) =>
    Array.from({ length: Math.min(LETTERS, word.length) }, (_, at) => word.slice(0, at + 1)),
  );
  const named = beginnings.flatMap((letters) => byLetters.get(letters) ?? []);
  const inText = named.filter(({ name }) => names.fit(name, line) === 'full');
  const before = [...line.known].flatMap((id) => byId.get(id) ?? []);
  return [...new Map([...inText, ...before].map((one) => [one.id, one.items])).values()];
}

interface Left {
  items: readonly DatedItem[];
  /** The items for each name in the line's text. */
  byName: readonly DatedItem[][];
  taken: ReadonlySet<DatedItem>;
}

function itemsFor(line: ReadLine, { items, byName, taken }: Left, search: Search): Group | undefined {
  if (line.amount === 0) return undefined;
  const isFree = (item: DatedItem) => !taken.has(item);
  const named = byName.flatMap((own) => {
    // A set never mixes kinds, because entries are matched, documents are paid, and receipts are deposited.
    return KINDS.map((wanted) => own.filter((item) => item.kind === wanted && isFree(item) && fitsInTime(item, line)));
  });
  const sets = named.map((pool) => searched(pool, line.amount, MOST_NAMED, search.budget));
  if (sets.some((set) => set === 'many')) return undefined;
  const [one, another] = sets.filter((set) => set !== undefined);
  if (another !== undefined) return undefined;
  if (one !== undefined && one !== 'many') return itemGroup(line, one, 'named', search);
  const near = (['entry', 'receipt'] as const).flatMap((kind) => {
    const set = searched(fewNear(items, line, kind).filter(isFree), line.amount, MOST_NEAR, search.budget);
    return set === undefined ? [] : [set];
  });
  const [only] = near;
  return near.length !== 1 || only === undefined || only === 'many' ? undefined : itemGroup(line, only, 'near', search);
}

const KINDS = ['entry', 'document', 'receipt'] as const;

/**
 * Returns the items dated near the line that could be part of its amount, or an empty list if there are too many
 * to search.
 */
function fewNear(items: readonly DatedItem[], line: ReadLine, kind: DatedItem['kind']): DatedItem[] {
  const few: DatedItem[] = [];
  const end = firstFrom(items, line.day + NEAR_DAYS + 1);
  for (let at = firstFrom(items, line.day - NEAR_DAYS); at < end; at += 1) {
    const item = items[at];
    if (item === undefined || item.kind !== kind || !isPart(item.amount, line.amount)) continue;
    if (few.length === MOST_NEAR) return [];
    few.push(item);
  }
  return few;
}

/** Returns whether an amount can be part of another amount. */
function isPart(amount: number, whole: number): boolean {
  return whole > 0 ? amount > 0 && amount < whole : amount < 0 && amount > whole;
}

function fitsInTime(item: DatedItem, line: ReadLine): boolean {
  const days = line.day - item.day;
  return item.kind === 'document' ? days >= -NEAR_DAYS : Math.abs(days) <= NAMED_SET_DAYS;
}

/** Returns the only set in a pool that adds up to the amount, or 'many' if there are several. */
function searched<T extends Part>(
  pool: readonly T[],
  target: T['amount'],
  most: number,
  all: Budget,
): T[] | 'many' | undefined {
  const fitting = pool.filter(({ amount }) => isPart(amount, target));
  if (fitting.length < 2 || fitting.length > most || all.steps <= 0) return undefined;
  const budget = { steps: Math.min(SEARCH_STEPS, all.steps) };
  const before = budget.steps;
  const answer = onlySet(fitting, target, budget);
  all.steps -= before - budget.steps;
  return answer.found === 'one' ? answer.set : answer.found === 'many' ? 'many' : undefined;
}

/** The plural names of item kinds. */
export const PLURALS = {
  entry: 'entries',
  document: 'documents',
  receipt: 'receipts',
  transfer: 'entries',
} as const;

function itemGroup(line: ReadLine, set: DatedItem[], by: 'named' | 'near', { refused }: Search): Group | undefined {
  const items = set.toSorted(itemOrder);
  const [first] = items;
  const kind = PLURALS[first?.kind ?? 'entry'];
  const key = `${kind}:${items.map(({ id }) => id).join(',')}`;
  if (first === undefined || refused.has(`${line.id} ${key}`)) return undefined;
  const held = by === 'named' ? `from ${first.entityName}` : `within ${NEAR_DAYS} days`;
  const reason = `the only ${items.length} ${kind} ${held} that add up to the amount`;
  return { key, lines: [line], items, points: POINTS[by], reasons: [reason] };
}

/** Finds several bank transactions for one payee that add up to one entry. */
function* linesFor(items: readonly DatedItem[], lines: readonly ReadLine[], search: Search): Steps<Group[]> {
  const taken = new Set<number>();
  const found: Group[] = [];
  const pools = new Map<number, ReadLine[][]>();
  for (const item of items) {
    if (search.budget.steps <= 0) break;
    const known = pools.get(item.day);
    const near = known ?? payeesOf(within(lines, item.day));
    if (known === undefined) pools.set(item.day, near);
    if (near.length === 0) continue;
    yield;
    const free = near.map((pool) => pool.filter(({ id }) => !taken.has(id)));
    const sets = free.map((pool) => searched(pool, item.amount, MOST_NEAR, search.budget));
    const [one, another] = sets.filter((set) => set !== undefined);
    if (one === undefined || one === 'many' || another !== undefined) continue;
    const group = lineGroup(item, one.toSorted(lineOrder), search);
    if (group === undefined) continue;
    found.push(group);
    for (const { id } of one) taken.add(id);
  }
  return found;
}

/** Returns the lines for each payee that has several lines. */
function payeesOf(lines: readonly ReadLine[]): ReadLine[][] {
  const byPayee = new Map<string, ReadLine[]>();
  for (const line of lines) {
    const known = byPayee.get(line.payee);
    if (known === undefined) byPayee.set(line.payee, [line]);
    else known.push(line);
  }
  return [...byPayee].flatMap(([payee, own]) => (payee !== '' && own.length > 1 ? [own] : []));
}

function lineGroup(item: DatedItem, lines: ReadLine[], { refused, names }: Search): Group | undefined {
  const key = `lines:${item.id}:${lines
    .map(({ id }) => id)
    .toSorted((a, b) => a - b)
    .join(',')}`;
  const [first] = lines;
  if (first === undefined || lines.some(({ id }) => refused.has(`${id} ${key}`))) return undefined;
  const isNamed = names.fit(item.entityName, first) === 'full';
  const reason = `the only ${lines.length} transactions from this payee that add up to one entry`;
  return { key, lines, items: [item], points: isNamed ? POINTS.named : POINTS.near, reasons: [reason] };
}

/** Returns the elements of a sorted list that are near a day. */
function within<T extends OnDay>(sorted: readonly T[], day: number): T[] {
  return sorted.slice(firstFrom(sorted, day - NEAR_DAYS), firstFrom(sorted, day + NEAR_DAYS + 1));
}
