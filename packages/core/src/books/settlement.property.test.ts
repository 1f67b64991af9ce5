import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '../dates.ts';
import { assertBalanced, difference, inView } from './ledger.ts';
import type { Entry, Transaction } from './ledger.ts';
import { cents, sum, ZERO } from '../money.ts';
import type { Cents } from '../money.ts';
import { moneyOf, recognise, totalOf } from './posting.ts';
import { Dice } from '../dice.ts';
import {
  openAmount,
  openAmounts,
  refundRows,
  unappliedOf,
  wantedPostings,
  withDocument,
  withoutPayment,
  withPayment,
} from './settlement.ts';
import type { SettledDocument, Settlement } from './settlement.ts';
import { PAYABLE, RECEIVABLE, sides } from '../documents/side.ts';
import type { Side } from '../documents/side.ts';
import { change, day, DISCOUNTS, EMPTY, ENTITY, grown, paymentChange, START } from '../testing/random-settlement.ts';

const numRuns = Number(process.env['TORTURE_RUNS'] ?? 60);

const postings = (side: Side, settlement: Settlement): Transaction[] =>
  wantedPostings(side, settlement).flatMap((each) => each.transactions);

/**
 * Returns the settlement after all payments have been removed. Refunds are removed before the payments that they pay
 * back.
 */
function withoutPayments(settlement: Settlement): Settlement {
  const all = [...settlement.payments.values()].toSorted((a, b) => a.amount - b.amount);
  return all.reduce((rest, { id }) => withoutPayment(rest, id), settlement);
}

function balance(transactions: readonly Transaction[], view: 'accrual' | 'cash', isOwn: (entry: Entry) => boolean) {
  const entries = transactions.flatMap((each) => each.entries).filter((each) => inView(each.basis, view));
  return sum(entries.filter(isOwn).map((each) => each.amount));
}

function totals(transactions: readonly Transaction[], view: 'accrual' | 'cash'): Map<number, number> {
  const found = new Map<number, number>();
  for (const { accountId, amount, basis } of transactions.flatMap((each) => each.entries)) {
    if (inView(basis, view)) found.set(accountId, (found.get(accountId) ?? 0) + amount);
  }
  return new Map([...found].filter(([, amount]) => amount !== 0).toSorted(([a], [b]) => a - b));
}

const seeds = fc.integer({ min: 1, max: 1_000_000 });

describe.each(sides.map((side): [string, Side] => [side.name, side]))('settlements on the %s side', (_name, side) => {
  const isControl = ({ accountId }: Entry): boolean => accountId % 2000 === side.controlAccountId;

  test('applied and open amounts and the running totals of applications are consistent after every change', () => {
    const check = (seed: number): void => {
      const dice = new Dice(seed);
      let settlement = EMPTY;
      for (let step = 0; step < 25; step += 1) {
        settlement = change(settlement, dice, side);
        for (const document of settlement.documents.values()) {
          const own = settlement.applications.filter((each) => each.documentId === document.id);
          const ordered = own.toSorted((a, b) =>
            a.recognitionDate === b.recognitionDate
              ? a.paymentId - b.paymentId
              : a.recognitionDate < b.recognitionDate
                ? -1
                : 1,
          );
          let before = 0;
          for (const each of ordered) {
            expect(each.appliedBefore).toBe(before);
            before += each.amount;
          }
          expect(document.applied).toBe(before);
          expect(openAmounts(settlement).get(document.id)).toBe(totalOf(document) - before);
        }
      }
    };
    fc.assert(fc.property(seeds, check), { numRuns });
  });

  test('both bases balance, and control accounts equal open less unapplied amounts, or 0 on the cash basis', () => {
    const check = (seed: number): void => {
      const settlement = grown(seed, side);
      const all = postings(side, settlement);
      all.forEach(assertBalanced);
      const open = sum(openAmounts(settlement).values());
      const paid = sum([...settlement.payments.values()].map((each) => each.amount));
      const applied = sum(settlement.applications.map(moneyOf));
      expect(balance(all, 'accrual', isControl)).toBe(side.sign * (open - (paid - applied)) + 0);
      expect(balance(all, 'cash', isControl)).toBe(0);
    };
    fc.assert(fc.property(seeds, check), { numRuns });
  });

  test('each account has the same total on both bases after everything is paid and applied', () => {
    const check = (seed: number): void => {
      let settlement = grown(seed, side);
      settlement = withoutPayments(settlement);
      const dice = new Dice(seed);
      for (const id of settlement.documents.keys()) {
        // Splitting into three parts tests how cents are rounded. A separate payment of 0.00 uses a credit.
        for (let part = 1; part <= 3; part += 1) {
          const document = settlement.documents.get(id);
          if (document === undefined) continue;
          const rest = openAmount(document);
          const amount: Cents = part === 3 ? rest : cents(Math.trunc(rest / 3));
          const payment = {
            id: 1000 + id * 10 + part,
            date: day(dice),
            entityId: ENTITY,
            moneyAccountId: 101,
            controlAccountId: side.controlAccountId,
            amount: cents(Math.max(0, amount)),
            description: 'Part',
          };
          if (amount < 0) continue;
          settlement = withPayment(settlement, payment, [{ documentId: id, amount }], null);
        }
      }
      const paid = [...settlement.documents.values()].filter((each) => openAmount(each) === 0);
      const documents = new Map(paid.map((each) => [each.id, each]));
      const all = postings(side, settlement);
      const credits = [...settlement.documents.values()].filter((each) => !documents.has(each.id));
      expect(credits.every((each) => totalOf(each) < 0)).toBe(true);
      const unpaid = credits.flatMap((each) =>
        postings(side, { ...EMPTY, documents: new Map([[each.id, each]]) }).flatMap(({ entries }) => entries),
      );
      const ledger = totals(all, 'accrual');
      for (const { accountId, amount } of unpaid) {
        ledger.set(accountId, (ledger.get(accountId) ?? 0) - amount);
        if (ledger.get(accountId) === 0) ledger.delete(accountId);
      }
      expect(totals(all, 'cash')).toEqual(new Map([...ledger].toSorted(([a], [b]) => a - b)));
    };
    fc.assert(fc.property(seeds, check), { numRuns });
  });

  test('a settlement with only the payments since a change gives the same result as one with all payments', () => {
    const check = (seed: number): void => {
      const settlement = grown(seed, side, 40);
      const dice = new Dice(seed + 1);
      const { payment, wanted } = paymentChange(settlement, dice, side, dice.between(101, 113));
      const own = settlement.applications.filter((each) => each.paymentId === payment.id);
      const from = [payment.date, ...own.map((each) => each.recognitionDate)].toSorted()[0] ?? START;
      const touched = new Set([...own, ...wanted].map((each) => each.documentId));
      const behind = settlement.applications.filter(
        (each) => touched.has(each.documentId) && each.recognitionDate >= from,
      );
      const held = new Set([payment.id, ...behind.map((each) => each.paymentId)]);
      const part: Settlement = {
        documents: settlement.documents,
        payments: new Map([...settlement.payments].filter(([id]) => held.has(id))),
        applications: settlement.applications.filter((each) => held.has(each.paymentId)),
      };
      const ofAll = withPayment(settlement, payment, wanted, null);
      const ofPart = withPayment(part, payment, wanted, null);
      expect(openAmounts(ofPart)).toEqual(openAmounts(ofAll));
      const untouched = ofAll.applications
        .filter((each) => !held.has(each.paymentId))
        .map((each) => JSON.stringify(each));
      expect(settlement.applications.map((each) => JSON.stringify(each))).toEqual(expect.arrayContaining(untouched));
      for (const wantedOfPart of wantedPostings(side, ofPart)) {
        const same = wantedPostings(side, ofAll).find(
          ({ source }) => source.type === wantedOfPart.source.type && source.id === wantedOfPart.source.id,
        );
        expect(byContent(wantedOfPart.transactions)).toEqual(byContent(same?.transactions ?? []));
      }
    };
    fc.assert(fc.property(seeds, check), { numRuns });
  });

  test('in each account, the accrual and cash bases differ by the open and waived amounts', () => {
    const check = (seed: number): void => {
      const settlement = grown(seed, side, 40);
      const all = postings(side, settlement);
      const apart = new Map<number, number>();
      const add = ({ components }: SettledDocument, before: number, after: number): void =>
        recognise(components, cents(before), cents(after)).forEach((part, at) => {
          const accountId = components[at]?.accountId ?? 0;
          apart.set(accountId, (apart.get(accountId) ?? 0) - side.sign * part);
        });
      for (const document of settlement.documents.values()) {
        add(document, document.applied, totalOf(document));
        for (const { amount, waived = 0, appliedBefore } of settlement.applications.filter(
          (each) => each.documentId === document.id,
        )) {
          const after = appliedBefore + (waived < 0 ? waived : amount);
          add(document, after - waived, after);
        }
      }
      const taken = sum(settlement.applications.map(({ waived }) => waived ?? ZERO));
      apart.set(DISCOUNTS, side.sign * taken);
      const [accrual, cash] = [totals(all, 'accrual'), totals(all, 'cash')];
      for (const accountId of new Set([...accrual.keys(), ...cash.keys(), ...apart.keys()])) {
        if (accountId % 2000 === side.controlAccountId || accountId === side.unappliedAccountId) continue;
        const difference = (accrual.get(accountId) ?? 0) - (cash.get(accountId) ?? 0);
        expect([accountId, difference]).toEqual([accountId, (apart.get(accountId) ?? 0) + 0]);
      }
    };
    fc.assert(fc.property(seeds, check), { numRuns });
  });

  test("refunds never exceed a payment's unapplied amount, and a refund's parts add up to its amount", () => {
    const check = (seed: number): void => {
      const settlement = grown(seed, side, 40);
      for (const { id, amount, refunded = 0 } of settlement.payments.values()) {
        const rows = refundRows(settlement).filter((each) => each.paymentId === id);
        expect(sum(rows.map((each) => each.amount))).toBe(refunded);
        const left = unappliedOf(settlement, id);
        expect(amount < 0 ? left === 0 : left >= 0).toBe(true);
      }
    };
    fc.assert(fc.property(seeds, check), { numRuns });
  });

  test('no live lines remain after all payments and documents are deleted', () => {
    const check = (seed: number): void => {
      let settlement = grown(seed, side);
      settlement = withoutPayments(settlement);
      for (const document of settlement.documents.values()) {
        settlement = withDocument(settlement, { ...document, posts: false }, null);
      }
      expect(postings(side, settlement)).toEqual([]);
      expect([...openAmounts(settlement).values()].every((open) => open === 0)).toBe(true);
    };
    fc.assert(fc.property(seeds, check), { numRuns });
  });
});

/** Returns the lines in a document's transactions, independent of their order. */
function byContent(transactions: readonly Transaction[]): string[] {
  return transactions
    .flatMap(({ postingDate, entries }) => entries.map((entry) => JSON.stringify([postingDate, entry])))
    .toSorted();
}

test("the payable side posts the receivable side's lines with opposite signs", () => {
  const check = (seed: number): void => {
    const settlement = grown(seed, RECEIVABLE);
    const turned = postings(PAYABLE, settlement).flatMap(({ postingDate, entries }) =>
      entries.map((entry) => {
        const accountId =
          entry.accountId === PAYABLE.unappliedAccountId ? RECEIVABLE.unappliedAccountId : entry.accountId;
        return JSON.stringify([postingDate, { ...entry, accountId, amount: -entry.amount }]);
      }),
    );
    const plain = postings(RECEIVABLE, settlement).flatMap(({ postingDate, entries }) =>
      entries.map((entry) => JSON.stringify([postingDate, entry])),
    );
    expect(turned).toEqual(plain);
  };
  fc.assert(fc.property(seeds, check), { numRuns });
});

test('a vendor credit of 40.00 and a payment of 60.00 pay a bill for 100.00, and both documents are closed', () => {
  const line = (accountId: number, amount: number) => {
    return { accountId, amount: cents(amount), description: 'Paper', profitCenterId: null, locationId: null };
  };
  const bill = (id: number, amount: number) => ({
    id,
    kind: PAYABLE.document.source,
    date: START,
    entityId: ENTITY,
    controlAccountId: PAYABLE.controlAccountId,
    description: `Bill ${id}`,
    components: [line(150 + id, amount)],
    posts: true,
  });
  let settlement = withDocument(EMPTY, bill(1, 10_000), null);
  settlement = withDocument(settlement, bill(2, -4_000), null);
  const payment = {
    id: 9,
    date: addDays(START, 3),
    entityId: ENTITY,
    moneyAccountId: 101,
    controlAccountId: PAYABLE.controlAccountId,
    amount: cents(6_000),
    description: 'Paid',
  };
  const wanted = [
    { documentId: 1, amount: cents(10_000) },
    { documentId: 2, amount: cents(-4_000) },
  ];
  settlement = withPayment(settlement, payment, wanted, null);
  expect([...openAmounts(settlement).values()]).toEqual([0, 0]);
  const [paid] = wantedPostings(PAYABLE, settlement).slice(-1);
  expect(paid?.transactions[0]?.entries.map((each) => [each.accountId, each.amount, each.basis])).toEqual([
    [101, -6_000, 'B'],
    [139, 6_000, 'A'],
    [151, 10_000, 'C'],
    [152, -4_000, 'C'],
  ]);
  expect(difference([], paid?.transactions ?? [])).toHaveLength(1);
});
