import { CHECKING, PETTY_CASH, UNDEPOSITED } from '@evenkeel/core/books/accounts';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Dice } from '@evenkeel/core/dice';
import { type Cents, cents, minCents, negate, sum } from '@evenkeel/core/money';
import type { Books } from '../books.ts';
import type { MoneyEvent } from '../documents.ts';
import type { ScenarioEvent } from '../scenario.ts';
import { dateNear, randomDate, type Turn } from './turn.ts';

/** A document or payment that a payment event can use. */
interface Open {
  key: string;
  /** The customer or vendor. */
  party: string;
  date: IsoDate;
  /** The open part of a document or the unapplied part of a payment. */
  amount: Cents;
}

/** The documents and payments on one side, and the side's payment events. */
interface MoneySide {
  documents: (books: Books) => Open[];
  payments: (books: Books) => Open[];
  accounts: readonly [number, ...number[]];
  /**
   * Whether the side's payments take discounts. On bill payments, discounts need an account that a new company does not
   * have.
   */
  hasDiscounts: boolean;
  event: (party: string, money: Omit<MoneyEvent, 'key'> & { key: string; edit: boolean }) => ScenarioEvent;
  edited: (books: Books, key: string) => MoneyEvent & { edit: boolean };
}

export const CUSTOMER_MONEY: MoneySide = {
  documents: (books) =>
    books.invoiceKeys().map((key) => {
      const { customer: party, invoiceDate: date } = books.invoice(key).event;
      return { key, party, date, amount: books.openAmount(key) };
    }),
  payments: (books) =>
    books.paymentKeys().map((key) => {
      const { customer: party, paymentDate: date } = books.payment(key).event;
      return { key, party, date, amount: books.leftOf('payment', key) };
    }),
  accounts: [CHECKING, CHECKING, UNDEPOSITED],
  hasDiscounts: true,
  event: (customer, money) => ({ kind: 'payment', customer, ...money }),
  edited: (books, key) => books.payment(key).event,
};

export const VENDOR_MONEY: MoneySide = {
  documents: (books) =>
    books.billKeys().map((key) => {
      const { vendor: party, postingDate: date } = books.bill(key).event;
      return { key, party, date, amount: books.billAmounts(key).openAmount };
    }),
  payments: (books) =>
    books.billPaymentKeys().map((key) => {
      const { vendor: party, paymentDate: date } = books.billPayment(key).event;
      return { key, party, date, amount: books.leftOf('bill-payment', key) };
    }),
  accounts: [CHECKING, CHECKING, PETTY_CASH],
  hasDiscounts: false,
  event: (vendor, money) => ({ kind: 'bill-payment', vendor, ...money }),
  edited: (books, key) => books.billPayment(key).event,
};

/** Returns a random amount, which often equals the open amount but may also be less or more. */
function randomAmount(dice: Dice, open: Cents): Cents {
  if (open <= 0 || dice.chance(15)) return cents(dice.between(1, 200000));
  return dice.chance(45) ? open : cents(dice.between(1, open + 5000));
}

/**
 * Creates a payment for a document. The payment is applied in list order, applied only to the document, combined with a
 * credit, or left unapplied.
 */
export function newMoney(side: MoneySide, turn: Turn): ScenarioEvent | undefined {
  const { dice, books } = turn;
  const documents = side.documents(books);
  const document = dice.any(documents);
  if (document === undefined) return undefined;
  const { key, party, date, amount: open } = document;
  const amount = randomAmount(dice, open);
  const part = minCents(open, dice.chance(70) ? amount : cents(dice.between(1, amount)));
  const own = part > 0 && dice.chance(60) ? [{ invoice: key, ...shareOf(side, dice, part) }] : [];
  const head = { edit: false, key: `P${turn.turn}`, paymentDate: dateNear(turn, date) };
  const accountId = dice.pick(side.accounts);
  const credit = documents.find((each) => each.amount < 0 && each.party === party);
  if (part <= 0 || credit === undefined || dice.chance(50)) {
    return side.event(party, { ...head, amount, accountId, applications: dice.chance(45) ? null : own });
  }
  // A credit pays the document, often without moving money.
  const used = minCents(part, negate(credit.amount));
  const rest = cents(part - used);
  const applications = [
    { invoice: key, amount: part },
    { invoice: credit.key, amount: negate(used) },
  ];
  const money = dice.chance(60) ? rest : cents(rest + dice.between(1, 5000));
  return side.event(party, { ...head, amount: money, accountId, applications });
}

/** Settles part of a document with money, and sometimes another part with a discount. */
function shareOf({ hasDiscounts }: MoneySide, dice: Dice, part: Cents): { amount: Cents; discount?: Cents } {
  const discount = hasDiscounts && dice.chance(50) ? cents(Math.floor(part / dice.between(2, 60))) : 0;
  return discount === 0 ? { amount: part } : { amount: cents(part - discount), discount: cents(discount) };
}

/**
 * Edits a payment: increases it, changes its date, or removes its applications. For a refund, only the date changes.
 */
export function editMoney(side: MoneySide, turn: Turn): ScenarioEvent | undefined {
  const { dice, books } = turn;
  const payment = dice.any(side.payments(books));
  if (payment === undefined) return undefined;
  const event = side.edited(books, payment.key);
  const paymentDate = dice.chance(20) ? randomDate(turn) : event.paymentDate;
  const changed = { ...event, edit: true, paymentDate };
  if (event.amount < 0) return side.event(payment.party, changed);
  const amount = dice.chance(50) ? cents(event.amount + dice.between(1, 20000)) : event.amount;
  return side.event(payment.party, { ...changed, amount, applications: dice.chance(70) ? null : [] });
}

/** Refunds credits and unapplied payments of one customer or vendor, in full or in part. */
export function newRefund(side: MoneySide, turn: Turn): ScenarioEvent | undefined {
  const { dice, books } = turn;
  const credits = side.documents(books).filter(({ amount }) => amount < 0);
  const payments = side.payments(books).filter(({ amount }) => amount > 0);
  const first = dice.any([...credits, ...payments]);
  if (first === undefined) return undefined;
  const { party, date } = first;
  const some = (all: readonly Open[]) =>
    all.filter((each) => each.party === party && (each === first || dice.chance(40)));
  const partOf = (amount: Cents): Cents => (dice.chance(60) ? amount : cents(dice.between(1, amount)));
  const applications = some(credits).map(({ key, amount }) => {
    return { invoice: key, amount: negate(partOf(negate(amount))) };
  });
  const refunds = some(payments).map(({ key, amount }) => ({ payment: key, amount: partOf(amount) }));
  const amount = cents(sum(applications.map((each) => each.amount)) - sum(refunds.map((each) => each.amount)));
  const money = { amount, accountId: CHECKING, applications, ...(refunds.length === 0 ? {} : { refunds }) };
  return side.event(party, { edit: false, key: `P${turn.turn}`, paymentDate: dateNear(turn, date), ...money });
}
