import { BAD_DEBT } from '../books/accounts.ts';
import { addDays, isoDate, laterOf } from '../dates.ts';
import type { IsoDate } from '../dates.ts';
import { Dice } from '../dice.ts';
import { Failure } from '../failure.ts';
import { cents, negate, sum, ZERO } from '../money.ts';
import { moneyOf, totalOf } from '../books/posting.ts';
import { openAmount, unappliedOf, withDocument, withoutPayment, withPayment } from '../books/settlement.ts';
import type { SettledPayment, Settlement, WantedApplication } from '../books/settlement.ts';
import { documentKinds, PAYABLE } from '../documents/side.ts';
import type { Side } from '../documents/side.ts';

/** The first day of a random settlement. */
export const START = isoDate('2026-01-01');
export const EMPTY: Settlement = { documents: new Map(), payments: new Map(), applications: [] };
/** The account to which only early-payment discounts are posted. */
export const DISCOUNTS = 199;
/** The only customer or vendor in the settlement. */
export const ENTITY = 5;

export const day = (dice: Dice): IsoDate => addDays(START, dice.between(0, 40));

/** Saves a document with up to four lines. Some documents are credits with a negative total. */
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

/**
 * Returns a payment on some of the documents, up to each document's open amount and occasionally with a discount.
 * Credits never exceed the documents that they are applied to.
 */
export function paymentChange(settlement: Settlement, dice: Dice, side: Side, id: number): PaymentChange {
  const own = settlement.applications.filter((each) => each.paymentId === id);
  const wanted: WantedApplication[] = [];
  for (const document of settlement.documents.values()) {
    const returned = sum(own.filter((each) => each.documentId === document.id).map((each) => each.amount));
    const unpaid = cents(openAmount(document) + returned);
    const part = cents(Math.trunc((unpaid * dice.between(1, 4)) / 4));
    const waived = part > 0 && dice.between(1, 3) === 1 ? cents(Math.trunc(part / dice.between(2, 50))) : ZERO;
    if (dice.between(1, 3) === 1 && part !== 0) wanted.push({ documentId: document.id, amount: part, waived });
  }
  const isCovered = sum(wanted.map(moneyOf)) >= 0;
  const used = isCovered ? wanted : wanted.filter((each) => each.amount > 0);
  const over = dice.between(1, 3) === 1 ? dice.between(1, 5_000) : 0;
  const refunded = settlement.payments.get(id)?.refunded ?? ZERO;
  const payment = {
    id,
    date: day(dice),
    entityId: ENTITY,
    moneyAccountId: 101,
    controlAccountId: side.controlAccountId,
    amount: cents(sum(used.map(moneyOf)) + over + refunded),
    discountAccountId: DISCOUNTS,
    description: `${side.payment.label} ${id}`,
    refunded,
  };
  return { payment, wanted: used };
}

function savePayment(settlement: Settlement, dice: Dice, side: Side, id: number): Settlement {
  const { payment, wanted } = paymentChange(settlement, dice, side, id);
  const closed = dice.between(1, 4) === 1 ? addDays(START, dice.between(0, 30)) : null;
  try {
    return withPayment(settlement, payment, wanted, closed);
  } catch (error) {
    if (error instanceof Failure && error.message.includes('discount')) return settlement;
    throw error;
  }
}

/** Refunds some of the open credits and some of the unapplied parts of payments. */
function saveRefund(settlement: Settlement, dice: Dice, side: Side, id: number): Settlement {
  const before = settlement.payments.get(id)?.givesBack ?? [];
  const { wanted } = paymentChange(settlement, dice, side, id);
  const credits = wanted.filter(({ amount }) => amount < 0);
  const givesBack = [...settlement.payments.values()].flatMap(({ id: paymentId, amount, controlAccountId }) => {
    if (amount <= 0 || dice.between(1, 2) === 1) return [];
    const own = before.find((each) => each.paymentId === paymentId)?.amount ?? 0;
    const part = cents(Math.trunc(((unappliedOf(settlement, paymentId) + own) * dice.between(1, 4)) / 4));
    return part > 0 ? [{ paymentId, controlAccountId, amount: part }] : [];
  });
  const amount = cents(sum(credits.map((each) => each.amount)) - sum(givesBack.map((each) => each.amount)));
  if (amount === 0) return settlement;
  const refund = {
    id,
    date: day(dice),
    entityId: ENTITY,
    moneyAccountId: 101,
    controlAccountId: side.controlAccountId,
    amount,
    description: `Refund ${id}`,
    givesBack,
  };
  return withPayment(settlement, refund, credits, null);
}

/** Writes off a document's whole open amount. The write-off is fully applied to the document. */
function writeOff(settlement: Settlement, dice: Dice, side: Side): Settlement {
  const open = [...settlement.documents.values()].filter((each) => openAmount(each) > 0);
  const written = open[dice.between(0, open.length)];
  if (written === undefined) return settlement;
  const id = 300 + settlement.documents.size;
  const amount = openAmount(written);
  const date = laterOf(written.date, day(dice));
  const component = { accountId: BAD_DEBT, amount: negate(amount), description: 'Bad debt' };
  const document = {
    id,
    kind: documentKinds.writeoff.source,
    date,
    entityId: ENTITY,
    controlAccountId: written.controlAccountId,
    description: `Write-off ${id}`,
    components: [{ ...component, profitCenterId: null, locationId: null }],
    posts: true,
  };
  const payment = {
    id: id + 200,
    date,
    entityId: ENTITY,
    moneyAccountId: 101,
    controlAccountId: side.controlAccountId,
    amount: ZERO,
    description: document.description,
  };
  const wanted = [
    { documentId: written.id, amount, waived: amount },
    { documentId: id, amount: negate(amount), waived: negate(amount) },
  ];
  return withPayment(withDocument(settlement, document, null), payment, wanted, null);
}

/** Makes one random change. The IDs of documents and payments don't overlap. */
export function change(settlement: Settlement, dice: Dice, side: Side): Settlement {
  const roll = dice.between(1, 14);
  if (roll > 12) return saveRefund(settlement, dice, side, dice.between(201, 204));
  if (roll > 11) return writeOff(settlement, dice, side);
  if (roll <= 3) return saveDocument(settlement, dice, side, dice.between(1, 6));
  const payments = [...settlement.payments.keys()];
  const gone = payments[dice.between(0, payments.length)];
  const isRefunded = gone !== undefined && (settlement.payments.get(gone)?.refunded ?? 0) > 0;
  if (roll >= 10 && gone !== undefined && !isRefunded) return withoutPayment(settlement, gone);
  return savePayment(settlement, dice, side, dice.between(101, 112));
}

/** Applies the given number of random changes to an empty settlement, and returns the settlement. */
export function grown(seed: number, side: Side, steps = 30): Settlement {
  const dice = new Dice(seed);
  let settlement = EMPTY;
  for (let step = 0; step < steps; step += 1) settlement = change(settlement, dice, side);
  return settlement;
}
