import { addDays, type IsoDate } from '@evenkeel/core/dates';
import { Dice } from '@evenkeel/core/dice';
import { demoCustomers } from './customers.data.ts';
import { demoProducts } from './products.data.ts';
import { isBusiness } from './invoices.ts';
import { monthOf, weekday } from './story.ts';

/** Work from the last two weeks that is not billed yet. */
export interface WorkEvent {
  date: IsoDate;
  /** The index in demoCustomers. */
  customer: number;
  /** The index in demoProducts. Null for crew hours. */
  product: number | null;
  description: string;
  /** The price in dollars. */
  price: number;
  quantity: number;
}

const SEED = 7;
const CUSTOMERS = 12;
const DAYS = 13;

/** Crew hours at an hourly rate, which have no product. */
const HOURS = ['Storm cleanup, crew hour', 'Gate and path repair, crew hour', 'Irrigation check, crew hour'] as const;
const HOUR = 68;

/**
 * Returns one to three work items for each of twelve customers, on workdays in the last two weeks. The items are always
 * the same for a given date.
 */
export function tellWork(today: IsoDate): WorkEvent[] {
  const dice = new Dice(SEED);
  return Array.from({ length: CUSTOMERS }, (_, place) => place * 3).flatMap((customer) =>
    Array.from({ length: dice.between(1, 3) }, (): WorkEvent => {
      const date = workday(addDays(today, -dice.between(1, DAYS)));
      return { customer, date, ...workOf(dice, customer, date) };
    }),
  );
}

/** Moves a weekend date to the preceding Friday. */
const workday = (day: IsoDate): IsoDate => addDays(day, -Math.max(0, weekday(day) - 4));

function workOf(dice: Dice, customer: number, date: IsoDate): Omit<WorkEvent, 'customer' | 'date'> {
  const buyer = demoCustomers[customer];
  const isHome = buyer === undefined || !isBusiness(buyer);
  const offered = demoProducts.flatMap(({ months, buyers }, at) =>
    months.includes(monthOf(date)) && (buyers === 'all' || (buyers === 'homes') === isHome) ? [String(at)] : [],
  );
  const place = dice.chance(25) ? undefined : dice.any(offered);
  const product = demoProducts[Number(place ?? -1)];
  if (product === undefined) {
    return { product: null, description: dice.pick(HOURS), price: HOUR, quantity: dice.between(2, 24) / 4 };
  }
  const [least, most] = product.quantity;
  const { description, price } = product;
  return { product: Number(place), description, price, quantity: dice.between(least, most) };
}
