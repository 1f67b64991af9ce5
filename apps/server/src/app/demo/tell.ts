import { CHECKING } from '@evenkeel/core/books/accounts';
import { type IsoDate } from '@evenkeel/core/dates';
import { cents, type Cents, fromDollars, negate } from '@evenkeel/core/money';
import { Dice } from '@evenkeel/core/dice';
import { tellBills } from './bills.ts';
import { tellCosts, transfer } from './costs.ts';
import { tellInvoices } from './invoices.ts';
import { tellPayments } from './payments.ts';
import { dayOf, inOrder, type JournalEvent, spanOf, type StoryEvent } from './story.ts';

const SEED = 41_975;
const DRAWS = 135;

/**
 * Returns the story of a landscaping business over the two years through today, day by day. The story is always the
 * same for a given date.
 */
export function tellStory(today: IsoDate): StoryEvent[] {
  const span = spanOf(today);
  const { invoices, voids } = tellInvoices(new Dice(SEED), span);
  const paid = tellPayments(new Dice(SEED + 1), span, invoices);
  const payments = paid.filter((event) => event.kind === 'payment');
  const costs = tellCosts(new Dice(SEED + 2), span, { invoices, payments });
  const bills = tellBills(new Dice(SEED + 3), span, invoices);
  const seen = voids.filter((event) => event.date <= today);
  return withDraws(inOrder([...invoices, ...seen, ...paid, ...bills, ...costs]));
}

/** Returns an event's effect on the bank account. */
export function bankEffect(event: StoryEvent): Cents {
  if (event.kind === 'payment') return event.type === 'Cash' ? cents(0) : event.amount;
  if (event.kind === 'billpayment') return negate(event.amount);
  if (event.kind === 'bill') return event.isPaidAtOnce === true ? negate(event.total) : cents(0);
  if (event.kind !== 'journal') return cents(0);
  const own = event.lines.filter((line) => line.accountId === CHECKING);
  return cents(own.reduce((total, line) => total + line.amount, 0));
}

const RESERVE = fromDollars(9000);
const MOST = fromDollars(4200);
const STEP = fromDollars(100);

/** On the 25th, the owner withdraws money that the business does not need. */
function withDraws(events: readonly StoryEvent[]): StoryEvent[] {
  const told: StoryEvent[] = [];
  let bank = cents(0);
  let lastDrawn = '';
  for (const event of events) {
    const month = event.date.slice(0, 7);
    if (dayOf(event.date) >= 25 && lastDrawn !== month) {
      lastDrawn = month;
      const draw = spare(bank);
      if (draw > 0) told.push(drawOn(event.date, draw));
      bank = cents(bank - draw);
    }
    told.push(event);
    bank = cents(bank + bankEffect(event));
  }
  return inOrder(told);
}

/** Returns a quarter of the amount above the reserve, in multiples of 100, up to a limit. */
function spare(bank: Cents): Cents {
  const quarter = Math.floor(Math.max(0, bank - RESERVE) / 4);
  return cents(Math.min(MOST, quarter - (quarter % STEP)));
}

function drawOn(date: IsoDate, amount: Cents): JournalEvent {
  return transfer(date, "Owner's draw", { debit: DRAWS, credit: CHECKING, amount });
}
