import { addDays, isoDate } from '../dates.ts';
import type { IsoDate } from '../dates.ts';
import { Dice } from '../dice.ts';
import { cents, sum } from '../money.ts';
import { totalOf } from '../posting.ts';
import { openAmount, withDocument, withoutPayment, withPayment } from '../settlement.ts';
import type { SettledPayment, Settlement, WantedApplication } from '../settlement.ts';
import { documentKinds, PAYABLE } from '../side.ts';
import type { Side } from '../side.ts';

/** The first day of a random settlement. */
export const START = isoDate('2026-01-01');
export const EMPTY: Settlement = { documents: new Map(), payments: new Map(), applications: [] };
/** Everything is of one customer or vendor. */
export const ENTITY = 5;

export const day = (dice: Dice): IsoDate => addDays(START, dice.between(0, 40));

/** A document of up to four lines; some are credits, below zero as a whole. */
function saveDocument(settlement: Settlement, dice: Dice, side: Side, id: number): Settlement {
  const before = settlement.documents.get(id);
  const isCredit = before === undefined ? dice.between(1, 4) === 1 : totalOf(before) < 0;
  const amounts = Array.from({ length: dice.between(1, 4) }, () => dice.between(1, 9_000));
  if (amounts.length > 2) amounts[1] = -Math.floor((amounts[0] ?? 0) / 2);
  const sign = isCredit ? -1 : 1;
  const components = amounts.map((amount, index) => ({
    accountId: side === PAYABLE ? 150 + index : 140 + index,
    amount: cents(sign * amount),
    description: `Line ${index}`,
    profitCenterId: index,
    locationId: null,
  }));
  const total = totalOf({ components });
  if (before !== undefined && Math.abs(total) < Math.abs(before.applied)) return settlement;
  const controlAccountId = dice.between(1, 4) === 1 ? side.controlAccountId + 2000 : side.controlAccountId;
  return withDocument(
    settlement,
    {
      id,
      kind: isCredit && side !== PAYABLE ? documentKinds.creditmemo.source : side.document.source,
      date: day(dice),
      entityId: ENTITY,
      controlAccountId: before?.controlAccountId ?? controlAccountId,
      description: `${side.document.label} ${id}`,
      components,
      posts: true,
    },
    null,
  );
}

export interface PaymentChange {
  payment: SettledPayment;
  wanted: WantedApplication[];
}

/** Money on some of the documents, within what is open on each; credits never exceed what they are used on. */
export function paymentChange(settlement: Settlement, dice: Dice, side: Side, id: number): PaymentChange {
  const own = settlement.applications.filter((each) => each.paymentId === id);
  const wanted: WantedApplication[] = [];
  for (const document of settlement.documents.values()) {
    const returned = sum(own.filter((each) => each.documentId === document.id).map((each) => each.amount));
    const unpaid = cents(openAmount(document) + returned);
    const part = cents(Math.trunc((unpaid * dice.between(1, 4)) / 4));
    if (dice.between(1, 3) === 1 && part !== 0) wanted.push({ documentId: document.id, amount: part });
  }
  const isCovered = sum(wanted.map((each) => each.amount)) >= 0;
  const used = isCovered ? wanted : wanted.filter((each) => each.amount > 0);
  const over = dice.between(1, 3) === 1 ? dice.between(1, 5_000) : 0;
  const payment = {
    id,
    date: day(dice),
    entityId: ENTITY,
    moneyAccountId: 101,
    controlAccountId: side.controlAccountId,
    amount: cents(sum(used.map((each) => each.amount)) + over),
    description: `${side.payment.label} ${id}`,
  };
  return { payment, wanted: used };
}

function savePayment(settlement: Settlement, dice: Dice, side: Side, id: number): Settlement {
  const { payment, wanted } = paymentChange(settlement, dice, side, id);
  const closed = dice.between(1, 4) === 1 ? addDays(START, dice.between(0, 30)) : null;
  return withPayment(settlement, payment, wanted, closed);
}

/** One random change; the ids of documents and payments are apart. */
export function change(settlement: Settlement, dice: Dice, side: Side): Settlement {
  const roll = dice.between(1, 10);
  if (roll <= 3) return saveDocument(settlement, dice, side, dice.between(1, 6));
  const payments = [...settlement.payments.keys()];
  const gone = payments[dice.between(0, payments.length)];
  if (roll === 10 && gone !== undefined) return withoutPayment(settlement, gone);
  return savePayment(settlement, dice, side, dice.between(101, 112));
}

/** The settlement that so many random changes make from an empty one. */
export function grown(seed: number, side: Side, steps = 30): Settlement {
  const dice = new Dice(seed);
  let settlement = EMPTY;
  for (let step = 0; step < steps; step += 1) settlement = change(settlement, dice, side);
  return settlement;
}
