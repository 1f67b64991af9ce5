import { Dice } from '@evenkeel/core/dice';
import { SALES, SALES_TAX_PAYABLE, SERVICE_INCOME } from '@evenkeel/core/books/accounts';
import { isoDate } from '@evenkeel/core/dates';
import type { IsoDate } from '@evenkeel/core/dates';
import { Failure } from '@evenkeel/core/failure';
import { cents, toPlain } from '@evenkeel/core/money';
import { Books } from './books.ts';
import { CUSTOMER_MONEY, editMoney, newMoney, newRefund, VENDOR_MONEY } from './random/money.ts';
import { changeMove, newDeposit, newTransfer, randomJournal } from './random/moves.ts';
import { creditBill, editBill, newBill } from './random/purchases.ts';
import {
  creditInvoice,
  editInvoice,
  invoiceEstimate,
  newCharge,
  newEstimate,
  newInvoice,
  newTemplate,
  newWriteOff,
} from './random/sales.ts';
import { CUSTOMERS, type Happening, removal, type Turn, VENDORS } from './random/turn.ts';
import type { Scenario, ScenarioEvent, ScenarioStep } from './scenario.ts';

export interface RandomOptions {
  /** The number of events to create. Rejected events don't count. Defaults to 30. */
  events?: number;
  fiscalYearStartMonth?: number;
  /** The first day of the two-year period that contains the documents. */
  from?: IsoDate;
}

const PACKAGE = [
  { kind: 'product', name: 'Mowing', quantity: '1.5' },
  { kind: 'product', name: 'Mulch', quantity: '3' },
] as const;

/** All kinds of events in random books, with the relative frequency of each kind. */
const HAPPENINGS: readonly (readonly [number, Happening])[] = [
  [22, newInvoice],
  [6, editInvoice],
  [2, ({ dice, books }) => removal('invoice', dice.any(books.invoiceKeys()))],
  [15, (turn) => newMoney(CUSTOMER_MONEY, turn)],
  [6, (turn) => editMoney(CUSTOMER_MONEY, turn)],
  [3, ({ dice, books }) => removal('payment', dice.any(books.paymentKeys()))],
  [4, (turn) => newRefund(CUSTOMER_MONEY, turn)],
  [4, newWriteOff],
  [1, ({ dice, books }) => removal('writeoff', dice.any(books.writeOffKeys()))],
  [3, newEstimate],
  [3, invoiceEstimate],
  [6, creditInvoice],
  [1, ({ dice, books }) => removal('estimate', dice.any(books.estimateKeys()))],
  [3, newTemplate],
  [3, newCharge],
  [8, newBill],
  [3, editBill],
  [2, creditBill],
  [1, ({ dice, books }) => removal('bill', dice.any(books.billKeys()))],
  [6, (turn) => newMoney(VENDOR_MONEY, turn)],
  [3, (turn) => editMoney(VENDOR_MONEY, turn)],
  [2, ({ dice, books }) => removal('bill-payment', dice.any(books.billPaymentKeys()))],
  [2, (turn) => newRefund(VENDOR_MONEY, turn)],
  [3, newTransfer],
  [5, newDeposit],
  [4, changeMove],
  [5, randomJournal],
];
const ALL = HAPPENINGS.reduce((total, [times]) => total + times, 0);

/**
 * Returns a random scenario for a seed, with all events in `HAPPENINGS`: sales, purchases, and payments on both sides
 * (early, late, partial, and excessive), with edits and deletions. Every event is accepted if the events are run in
 * order. Calls with the same seed and options return the same scenario.
 */
export function randomScenario(seed: number, options: RandomOptions = {}): Scenario {
  const { events = 30, fiscalYearStartMonth = 1, from = isoDate('2025-01-01') } = options;
  const dice = new Dice(seed);
  const scenario: Scenario = { ...randomCompany(dice, seed), fiscalYearStartMonth, steps: [] };
  const books = new Books(scenario);
  for (let turn = 1; turn <= events; turn += 1) {
    const event = randomEvent({ dice, books, scenario, turn, from });
    if (event !== undefined && accepted(books, event)) scenario.steps.push(stepOf(event, turn));
  }
  return scenario;
}

function stepOf(event: ScenarioEvent, at: number): ScenarioStep {
  return { step: 'event', at, event, refused: null };
}

function accepted(books: Books, event: ScenarioEvent): boolean {
  try {
    books.apply(event);
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

function randomEvent(turn: Turn): ScenarioEvent | undefined {
  let roll = turn.dice.between(1, ALL);
  const happening = HAPPENINGS.find(([times]) => {
    roll -= times;
    return roll <= 0;
  });
  return happening?.[1](turn);
}

function randomCompany(dice: Dice, seed: number): Omit<Scenario, 'steps' | 'fiscalYearStartMonth'> {
  const rates = [
    { label: 'State', salesTaxType: 0, percentage: dice.pick(['6', '4.225', '6.25']) },
    { label: 'City', salesTaxType: 1, percentage: dice.pick(['1', '2.5', '0.375']) },
    { label: 'County', salesTaxType: 2, percentage: '0.5' },
  ].slice(0, dice.between(0, 3));
  return {
    companyName: `Random Books ${seed}`,
    chargeRate: dice.pick(['18', '12.5', null]),
    tax:
      rates.length === 0 ? null : { label: 'Sales tax', accountId: SALES_TAX_PAYABLE, combined: seed % 3 === 0, rates },
    agencies: [],
    customers: [...CUSTOMERS],
    vendors: [...VENDORS],
    products: [
      { name: 'Mowing', price: '45.00', accountId: SERVICE_INCOME, taxable: false },
      { name: 'Mulch', price: toPlain(cents(dice.between(100, 9999))), accountId: SALES, taxable: true },
    ],
    discounts: [
      { name: 'Loyalty', amount: null, percentage: dice.pick(['5', '7.5', '33.333']), accountId: 143 },
      { name: 'Voucher', amount: cents(dice.between(1, 500)), percentage: null, accountId: 143 },
    ],
    packages: [
      { name: 'Whole', goal: null, items: PACKAGE },
      { name: 'Saver', goal: null, items: [...PACKAGE, { kind: 'discount', name: 'Loyalty', quantity: '1' }] },
      { name: 'Round', goal: cents(dice.between(0, 30000)), items: PACKAGE },
    ],
  };
}
