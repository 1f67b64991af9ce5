import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountTypeInfo, masterAccount } from '../books/accounts.ts';
import type { AccountTypeInfo } from '../books/accounts.ts';
import { Dice } from '../dice.ts';
import { append, difference, movedMarks } from '../books/ledger.ts';
import type { Entry, JournalEnd, LiveLine, Transaction } from '../books/ledger.ts';
import { type Mark, type Marks, ReconciledFailure } from './marks.ts';
import { cents } from '../money.ts';
import { postJournal } from '../books/posting.ts';
import { wantedPostings, withDocument } from '../books/settlement.ts';
import type { Settlement } from '../books/settlement.ts';
import { PAYABLE, RECEIVABLE } from '../documents/side.ts';
import type { Side, Source } from '../documents/side.ts';
import { change, day, EMPTY, START } from '../testing/random-settlement.ts';

const numRuns = Number(process.env['TORTURE_RUNS'] ?? 200);
const STEPS = 16;

/** The expected state of documents of all kinds. */
interface Documents {
  receivable: Settlement;
  payable: Settlement;
  journals: ReadonlyMap<number, Transaction>;
}

/** The journal for these documents, with the entries that reconciliations have marked. */
interface Journal {
  end: JournalEnd;
  live: ReadonlyMap<string, readonly LiveLine[]>;
  marked: Marks;
}

const MARK: Mark = { reconciliationId: 1, bankAccountId: 1, name: 'Checking', statementDate: START };
const withMark = (ids: readonly number[]): Marks => new Map(ids.map((id) => [id, MARK]));

interface Wanted {
  source: Source;
  transactions: readonly Transaction[];
}

const nameOf = ({ type, id }: Source): string => `${type} ${id}`;
const placeOf = ({ postingDate, accountId, amount, basis }: LiveLine): string =>
  [postingDate, accountId, amount, basis].join(' ');

/** Returns a random journal entry. Often, several of its lines are identical or differ only in their descriptions. */
function randomEntry(dice: Dice): Transaction {
  const lines = Array.from({ length: dice.between(1, 3) }, () => {
    const described = { profitCenterId: null, locationId: null, entityId: null, description: dice.pick(['a', 'b']) };
    const amount = cents(dice.between(1, 2) * 100);
    const [accountId, against] = [dice.pick([101, 102]), dice.pick([133, 167])];
    return [
      { ...described, accountId, debit: true, amount },
      { ...described, accountId: against, debit: false, amount },
    ];
  });
  return postJournal({ postingDate: day(dice), basis: 0, lines: lines.flat(), accountType });
}

function accountType(id: number): AccountTypeInfo {
  const account = masterAccount(id);
  if (account === undefined) throw new Error(`there is no account ${id}`);
  return accountTypeInfo(account.accountTypeLabel, account.contra);
}

/** Returns the entry with some of its lines or descriptions replaced. */
function editedEntry(entry: Transaction, dice: Dice): Transaction {
  const [first = 0, second = 1] = dice.chance(50) ? [0, 1] : [2, 3];
  const entries = entry.entries.filter((_, at) => entry.entries.length === 2 || (at !== first && at !== second));
  return { ...entry, entries: entries.map((each) => ({ ...each, description: dice.pick(['a', 'b']) })) };
}

/**
 * Changes the description and dimensions of one document in a settlement. The dates, accounts, and amounts don't
 * change.
 */
function redescribed(settlement: Settlement, dice: Dice): Settlement {
  const description = `Words ${dice.between(1, 3)}`;
  const own = [...settlement.documents.values(), ...settlement.payments.values()];
  const one = own[dice.between(0, Math.max(0, own.length - 1))];
  if (one === undefined) return settlement;
  const payment = settlement.payments.get(one.id);
  if (payment !== undefined) {
    return { ...settlement, payments: new Map(settlement.payments).set(one.id, { ...payment, description }) };
  }
  const document = settlement.documents.get(one.id);
  if (document === undefined) return settlement;
  const components = document.components.map((each) => ({
    ...each,
    description: dice.chance(50) ? description : each.description,
    profitCenterId: dice.pick([null, 1, 2]),
    locationId: dice.pick([null, 7]),
  }));
  return withDocument(settlement, { ...document, description, components }, null);
}

/** Deletes a document from the settlement unless it is paid. */
function withoutOne(settlement: Settlement, dice: Dice): Settlement {
  const free = [...settlement.documents.values()].filter(({ applied }) => applied === 0);
  const gone = free[dice.between(0, free.length)];
  return gone === undefined ? settlement : withDocument(settlement, { ...gone, posts: false }, null);
}

/** Makes one random edit. `words` is true if the edit changes only descriptions and dimensions. */
function edit(before: Documents, dice: Dice): { after: Documents; words: boolean } {
  const side = dice.pick(['receivable', 'payable'] as const);
  const roll = dice.between(1, 10);
  if (roll <= 4) {
    const changed = change(before[side], dice, side === 'payable' ? PAYABLE : RECEIVABLE);
    return { after: { ...before, [side]: changed }, words: false };
  }
  if (roll === 5) return { after: { ...before, [side]: withoutOne(before[side], dice) }, words: false };
  if (roll <= 8) return { after: { ...before, [side]: redescribed(before[side], dice) }, words: true };
  const journals = new Map(before.journals);
  const id = dice.between(1, 3);
  const old = journals.get(id);
  if (old === undefined || roll === 10) journals.set(id, randomEntry(dice));
  else if (dice.chance(20)) journals.delete(id);
  else journals.set(id, editedEntry(old, dice));
  return { after: { ...before, journals }, words: false };
}

/**
 * Returns every document whose postings an edit may have changed, with the transactions that the document should have
 * now.
 */
function wantedAfter(before: Documents, after: Documents): Wanted[] {
  const ofSide = (side: Side): Wanted[] => {
    const [old, own] = [before[side.name], after[side.name]];
    const gone = [...old.payments.keys()].filter((id) => !own.payments.has(id));
    const source = (id: number) => ({ type: side.payment.source, id });
    return [...wantedPostings(side, own, old), ...gone.map((id) => ({ source: source(id), transactions: [] }))];
  };
  const journals = [1, 2, 3].flatMap((id): Wanted[] => {
    const entry = after.journals.get(id);
    const transactions = entry === undefined ? [] : [entry];
    return entry === before.journals.get(id) ? [] : [{ source: { type: 'journal', id }, transactions }];
  });
  return [...ofSide(RECEIVABLE), ...ofSide(PAYABLE), ...journals];
}

/** Returns the number of lines with each combination of date, account, and amount. */
function countPlaces(lines: readonly LiveLine[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(placeOf(line), (counts.get(placeOf(line)) ?? 0) + 1);
  return counts;
}

/**
 * Returns whether a document would have fewer lines than marked lines for any combination of date, account, and amount.
 */
function losesMarked({ live, marked }: Journal, all: readonly Wanted[]): boolean {
  return all.some(({ source, transactions }) => {
    const lines = transactions.flatMap(({ postingDate, entries }) =>
      entries.map((entry) => ({ ...entry, id: 0, postingDate })),
    );
    const found = countPlaces(lines);
    const own = (live.get(nameOf(source)) ?? []).filter(({ id }) => marked.has(id));
    return [...countPlaces(own)].some(([place, count]) => (found.get(place) ?? 0) < count);
  });
}

/**
 * Returns the journal after an edit, with the marks moved to the new lines. Throws ReconciledFailure if a marked line
 * has no replacement.
 */
function posted(journal: Journal, all: readonly Wanted[]): Journal {
  const requests = all.map(({ source, transactions }) => ({
    source,
    postings: difference(journal.live.get(nameOf(source)) ?? [], transactions, journal.marked),
  }));
  const live = new Map(journal.live);
  let { end } = journal;
  const moved = new Map<number, number>();
  for (const request of requests) {
    const { end: behind, transactions } = append(end, request, { userId: 1, hash: () => '' });
    end = behind;
    for (const [from, to] of movedMarks(transactions, journal.marked)) moved.set(from, to);
    const name = nameOf(request.source);
    const gone = new Set(transactions.flatMap(({ lines }) => lines.map(({ reverses }) => reverses)));
    const added = transactions.flatMap(({ postingDate, lines }) =>
      lines.flatMap(({ lineNo: _no, reverses, replaces: _old, ...line }) =>
        reverses === null ? [{ ...line, postingDate }] : [],
      ),
    );
    live.set(name, [...(live.get(name) ?? []).filter(({ id }) => !gone.has(id)), ...added]);
  }
  return { end, live, marked: withMark([...journal.marked.keys()].map((id) => moved.get(id) ?? id)) };
}

const allLines = ({ live }: Journal): LiveLine[] => [...live.values()].flat();
const marksOf = (journal: Journal): string[] =>
  allLines(journal)
    .filter(({ id }) => journal.marked.has(id))
    .map(placeOf)
    .toSorted();

/** Returns the lines as sorted strings without their IDs. */
function asSet(lines: readonly (Entry & { postingDate: string })[]): string[] {
  return lines
    .map(({ postingDate, accountId, amount, basis, description, entityId, profitCenterId, locationId }) =>
      JSON.stringify([postingDate, accountId, amount, basis, description, entityId, profitCenterId, locationId]),
    )
    .toSorted();
}

function tryPosting(journal: Journal, all: readonly Wanted[]): Journal | ReconciledFailure {
  try {
    return posted(journal, all);
  } catch (error) {
    if (error instanceof ReconciledFailure) return error;
    throw error;
  }
}

const NEW: Journal = {
  end: {
    companyId: 1,
    transactionId: 1,
    lineId: 1,
    postingNo: 1,
    hash: '',
    closingDate: null,
    at: new Date(START),
    numbers: {},
    taken: {},
  },
  live: new Map(),
  marked: new Map(),
};

function withMarks(journal: Journal, dice: Dice): Journal {
  const more = allLines(journal).filter(() => dice.chance(15));
  return { ...journal, marked: withMark([...journal.marked.keys(), ...more.map(({ id }) => id)]) };
}

test('a reconciled line keeps its mark if its description changes, and a change to its amount is rejected', () => {
  const seen = { kept: 0, refused: 0, moved: 0 };
  const check = (seed: number): void => {
    const dice = new Dice(seed);
    let documents: Documents = { receivable: EMPTY, payable: EMPTY, journals: new Map() };
    let journal = NEW;
    for (let step = 0; step < STEPS; step += 1) {
      const { after, words } = edit(documents, dice);
      const all = wantedAfter(documents, after);
      const next = tryPosting(journal, all);
      expect(next instanceof ReconciledFailure).toBe(losesMarked(journal, all));
      if (next instanceof ReconciledFailure) {
        expect(words).toBe(false);
        expect(next.lineIds.every((id) => journal.marked.has(id))).toBe(true);
        seen.refused += 1;
        continue;
      }
      expect(marksOf(next)).toEqual(marksOf(journal));
      for (const { source, transactions } of all) {
        const wanted = transactions.flatMap(({ postingDate, entries }) =>
          entries.map((entry) => ({ ...entry, postingDate })),
        );
        expect(asSet(next.live.get(nameOf(source)) ?? [])).toEqual(asSet(wanted));
      }
      if (words) seen.kept += next.marked.size;
      seen.moved += [...next.marked.keys()].filter((id) => !journal.marked.has(id)).length;
      documents = after;
      journal = withMarks(next, dice);
    }
  };
  fc.assert(fc.property(fc.integer({ min: 1, max: 2_000_000_000 }), check), { numRuns });
  expect(Math.min(seen.kept, seen.refused, seen.moved)).toBeGreaterThan(numRuns);
});
