import { inOneGo, type Steps } from '../steps.ts';
import { type Assignment, assign, choicesOf, claimsOf, type Ground } from './matching/assign.ts';
import { type Group, groupsOf, PLURALS } from './matching/groups.ts';
import { itemOrder, lineOrder, type Pair, pairsOf } from './matching/pairs.ts';
import { type BookItem, dated, Names, readLine, type ReviewLine, scoreIn, SURE } from './matching/score.ts';

/**
 * The input for matching bank transactions with the books (docs/accounting.md, "Matching"). The result depends only on
 * this data, not on the order of lines and items.
 */
export interface MatchData {
  lines: readonly ReviewLine[];
  items: readonly BookItem[];
  /** The pairs that a user has rejected, each as `${line id} ${candidate's key}`. */
  refused: ReadonlySet<string>;
  /** The customers and vendors to which each payee was matched earlier. */
  aliases: ReadonlyMap<string, ReadonlySet<number>>;
}

/** A possible explanation of a bank transaction. */
export interface Explanation {
  key: string;
  kind: 'entry' | 'entries' | 'lines' | 'document' | 'documents' | 'receipt' | 'receipts' | 'transfer';
  /** The score, from 0 to 1. */
  score: number;
  reason: string;
  items: readonly BookItem[];
  /**
   * The IDs of the bank transactions that the candidate explains together, including the requested bank transaction.
   */
  lineIds: readonly number[];
  /** Whether the candidate is assigned to another bank transaction, which the candidate explains better. */
  isTaken: boolean;
  /** Whether the bank transaction pays the document's amount less the early-payment discount. */
  takesDiscount: boolean;
}

/** All candidates for a bank transaction, best first. */
export interface Explained {
  explanations: readonly Explanation[];
  /**
   * Whether the first candidate is assigned to this bank transaction. False if all candidates are assigned to other
   * bank transactions, or if the list is empty.
   */
  isAssigned: boolean;
  /**
   * The number of candidates that are about as good as the first one, including the first one. 1 if there is a clear
   * winner.
   */
  choices: number;
  /** Whether the first candidate's score is at least 0.95 and no other candidate is close. */
  isSure: boolean;
}

const NOTHING: Explained = { explanations: [], isAssigned: false, choices: 0, isSure: false };

/**
 * Returns a function that takes a bank transaction's ID and returns the candidates for that transaction. Yields between
 * steps.
 */
export function* explainInSteps(data: MatchData): Steps<(lineId: number) => Explained> {
  const names = new Names();
  const known = { names, refused: data.refused };
  const lines = data.lines.map((line) => readLine(line, data.aliases)).toSorted(lineOrder);
  const items = data.items.map(dated).toSorted(itemOrder);
  const pairs = yield* pairsOf({ lines, items }, known);
  const assignment = yield* assign(pairs);
  const free = {
    lines: lines.filter(({ id }) => !assignment.byLine.has(id)),
    items: items.filter((item) => !assignment.byItem.has(item)),
  };
  const groups = groupsByLine(yield* groupsOf(free, known));
  const ground = { assignment, pairs, claims: claimsOf(pairs) };
  const isKnown = new Set(lines.map(({ id }) => id));
  return (lineId) => (isKnown.has(lineId) ? explainedBy(lineId, ground, groups.get(lineId)) : NOTHING);
}

/** Runs `explainInSteps` without interruption. */
export function explain(data: MatchData): (lineId: number) => Explained {
  return inOneGo(explainInSteps(data));
}

function groupsByLine(groups: readonly Group[]): Map<number, Group> {
  return new Map(groups.flatMap((group) => group.lines.map(({ id }) => [id, group] as const)));
}

function explainedBy(lineId: number, ground: Ground, group: Group | undefined): Explained {
  const own = ground.assignment.byLine.get(lineId);
  const others = (ground.pairs.get(lineId) ?? []).filter(({ key }) => key !== own?.key);
  const [taken, free] = [others.filter(isTaken(ground.assignment)), others.filter(isFree(ground.assignment))];
  const explanations = [
    ...(own === undefined ? [] : [ofPair(own, false)]),
    ...(group === undefined ? [] : [ofGroup(group)]),
    ...free.map((pair) => ofPair(pair, false)),
    ...taken.map((pair) => ofPair(pair, true)),
  ];
  if (own === undefined) {
    return { explanations, isAssigned: group !== undefined, choices: group === undefined ? 0 : 1, isSure: false };
  }
  const choices = choicesOf(own, ground);
  return { explanations, isAssigned: true, choices, isSure: choices === 1 && own.points >= SURE };
}

const isTaken =
  ({ byItem }: Assignment) =>
  ({ item }: Pair): boolean =>
    byItem.has(item);
const isFree = (assignment: Assignment) => (pair: Pair) => !isTaken(assignment)(pair);

function ofPair({ key, item, line, points, reasons, takesDiscount }: Pair, isOthers: boolean): Explanation {
  return {
    key,
    kind: item.kind,
    score: scoreIn(points),
    reason: reasons.join(', '),
    items: [item],
    lineIds: item.kind === 'transfer' ? [line.id, item.id] : [line.id],
    isTaken: isOthers,
    takesDiscount,
  };
}

function ofGroup({ key, lines, items, points, reasons }: Group): Explanation {
  const isOfLines = lines.length > 1;
  const kind = isOfLines ? 'lines' : PLURALS[items[0]?.kind ?? 'entry'];
  const lineIds = lines.map(({ id }) => id);
  return {
    key,
    kind,
    score: scoreIn(points),
    reason: reasons.join(', '),
    items,
    lineIds,
    isTaken: false,
    takesDiscount: false,
  };
}
