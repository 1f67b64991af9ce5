import { Dice } from '@evenkeel/core/dice';
import {
  CHECKING,
  CREDIT_CARD,
  PETTY_CASH,
  SALES,
  SALES_TAX_PAYABLE,
  SAVINGS,
  SERVICE_INCOME,
  UNDEPOSITED,
} from '@evenkeel/core/accounts';
import { addDays, isoDate, laterOf } from '@evenkeel/core/dates';
import type { IsoDate } from '@evenkeel/core/dates';
import { Failure } from '@evenkeel/core/failure';
import { DRAFT, OPEN, SENT } from '@evenkeel/core/invoice';
import { cents, minCents, toPlain, negate } from '@evenkeel/core/money';
import type { Cents } from '@evenkeel/core/money';
import { Books } from './books.ts';
import type {
  DeleteEvent,
  DepositEvent,
  InvoiceEvent,
  JournalEvent,
  PaymentEvent,
  Scenario,
  ScenarioEvent,
  ScenarioLine,
  ScenarioStep,
  TransferEvent,
} from './scenario.ts';

export interface RandomOptions {
  /** Number of events to try; refused ones are left out. Default 30. */
  events?: number;
  fiscalYearStartMonth?: number;
  /** First day of the two years that the documents lie in. */
  from?: IsoDate;
}

const CUSTOMERS = ['Alder', 'Birch', 'Cedar'] as const;
const PACKAGE = [
  { kind: 'product', name: 'Mowing', quantity: '1.5' },
  { kind: 'product', name: 'Mulch', quantity: '3' },
] as const;
const EXPENSE_ACCOUNTS = [150, 158, 163, 167, 146] as const;

/**
 * A random story from a seed: invoices with lines, discounts and taxes, payments (partial, over, early, late,
 * automatic), transfers, deposits, edits, deletions and journal entries. Every event in it is accepted when played in
 * order; the same seed and options give the same story.
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

function randomCompany(dice: Dice, seed: number): Omit<Scenario, 'steps' | 'fiscalYearStartMonth'> {
  const rates = [
    { label: 'State', salesTaxType: 0, percentage: dice.pick(['6', '4.225', '6.25']) },
    { label: 'City', salesTaxType: 1, percentage: dice.pick(['1', '2.5', '0.375']) },
    { label: 'County', salesTaxType: 2, percentage: '0.5' },
  ].slice(0, dice.between(0, 3));
  return {
    companyName: `Random Books ${seed}`,
    tax: rates.length === 0 ? null : { label: 'Sales tax', accountId: SALES_TAX_PAYABLE, rates },
    customers: [...CUSTOMERS],
    vendors: [],
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

interface Turn {
  dice: Dice;
  books: Books;
  scenario: Scenario;
  turn: number;
  from: IsoDate;
}

function randomEvent(turn: Turn): ScenarioEvent | undefined {
  const { dice, books } = turn;
  const roll = dice.between(1, 100);
  if (roll <= 31) return newInvoice(turn);
  if (roll <= 56) return newPayment(turn);
  if (roll <= 64) return editInvoice(turn);
  if (roll <= 72) return editPayment(turn);
  if (roll <= 75) return removal('invoice', dice.any(books.invoiceKeys()));
  if (roll <= 78) return removal('payment', dice.any(books.paymentKeys()));
  return roll <= 92 ? randomMove(turn, roll) : randomJournal(turn);
}

function removal(document: DeleteEvent['document'], key: string | undefined): ScenarioEvent | undefined {
  return key === undefined ? undefined : { kind: 'delete', document, key };
}

function randomDate({ dice, from }: Turn): IsoDate {
  return addDays(from, dice.between(0, 730));
}

function newInvoice(turn: Turn): InvoiceEvent {
  const { dice } = turn;
  const invoiceDate = randomDate(turn);
  return {
    kind: 'invoice',
    edit: false,
    key: `I${turn.turn}`,
    customer: dice.pick(CUSTOMERS),
    invoiceDate,
    dueDate: dice.chance(70) ? addDays(invoiceDate, 30) : null,
    status: dice.pick([OPEN, OPEN, OPEN, OPEN, SENT, DRAFT]),
    lines: randomLines(turn),
    ...(dice.chance(15) ? { isCredit: true as const } : {}),
  };
}

function randomLines(turn: Turn): ScenarioLine[] {
  const lines = Array.from({ length: turn.dice.between(1, 4) }, () => randomLine(turn));
  return turn.dice.chance(35) ? [...lines, discountLine(turn.dice)] : lines;
}

function randomLine({ dice, scenario }: Turn): ScenarioLine {
  const quantity = dice.pick(['1', '2', '3', '1.333', '0.5', '12']);
  if (dice.chance(15)) {
    const name = dice.pick(['Whole', 'Saver', 'Round']);
    return { ...OWN_PRICE, package: name, description: name, quantity, accountId: SERVICE_INCOME };
  }
  const product = scenario.products[dice.between(0, 3)];
  if (product !== undefined) {
    const { name, price: itemPrice, accountId, taxable } = product;
    return { product: name, description: name, itemPrice, quantity, accountId, taxable };
  }
  const itemPrice = toPlain(cents(dice.between(1, 99999)));
  const accountId = dice.pick([SALES, SERVICE_INCOME, 178]);
  return { product: null, description: 'Extra work', itemPrice, quantity, accountId, taxable: dice.chance(60) };
}

const OWN_PRICE = { product: null, itemPrice: '0', taxable: true };

function discountLine(dice: Dice): ScenarioLine {
  if (dice.chance(50)) {
    const name = dice.pick(['Loyalty', 'Voucher']);
    return { ...OWN_PRICE, discount: name, description: name, quantity: '1', accountId: 143 };
  }
  const itemPrice = toPlain(cents(-dice.between(1, 999)));
  return { product: null, description: 'Discount', itemPrice, quantity: '1', accountId: 143, taxable: false };
}

function editInvoice(turn: Turn): ScenarioEvent | undefined {
  const { dice, books } = turn;
  const key = dice.any(books.invoiceKeys());
  if (key === undefined) return undefined;
  const { event, priced } = books.invoice(key);
  // While it is paid a percentage stays as it is, and then it matters in which order all happened.
  const isKept =
    event.lines.some((line) => line.discount === 'Loyalty') && books.openAmount(key) < priced.invoiceAmount;
  if (isKept) return undefined;
  const invoiceDate = dice.chance(25) ? randomDate(turn) : event.invoiceDate;
  const dueDate = event.dueDate === null ? null : laterOf(event.dueDate, invoiceDate);
  const lines = dice.chance(70) ? [...event.lines, randomLine(turn)] : randomLines(turn);
  return { ...event, edit: true, invoiceDate, dueDate, status: dice.pick([OPEN, SENT]), lines };
}

function newPayment(turn: Turn): PaymentEvent | undefined {
  const { dice, books } = turn;
  const key = dice.any(books.invoiceKeys());
  if (key === undefined) return undefined;
  const { event } = books.invoice(key);
  const open = books.openAmount(key);
  const amount = randomAmount(dice, open);
  const part = minCents(open, dice.chance(70) ? amount : cents(dice.between(1, amount)));
  const explicit = part > 0 && dice.chance(60) ? [{ invoice: key, amount: part }] : [];
  const credit = part > 0 && dice.chance(50) ? openCredit(books, event.customer) : undefined;
  if (credit !== undefined) return paymentWith(turn, event, { key, part, credit });
  return {
    kind: 'payment',
    edit: false,
    key: `P${turn.turn}`,
    customer: event.customer,
    paymentDate: dice.chance(60) ? addDays(event.invoiceDate, dice.between(-40, 90)) : randomDate(turn),
    amount,
    accountId: dice.pick([CHECKING, CHECKING, UNDEPOSITED]),
    applications: dice.chance(45) ? null : explicit,
  };
}

/** A credit memo of the customer of which something is left. */
function openCredit(books: Books, customer: string): string | undefined {
  return books.invoiceKeys().find((key) => books.openAmount(key) < 0 && books.invoice(key).event.customer === customer);
}

/** A payment that uses a credit memo on an invoice, often without any money. */
function paymentWith(
  turn: Turn,
  { customer, invoiceDate }: InvoiceEvent,
  { key, part, credit }: { key: string; part: Cents; credit: string },
): PaymentEvent {
  const { dice, books } = turn;
  const used = minCents(part, negate(books.openAmount(credit)));
  const rest = cents(part - used);
  return {
    kind: 'payment',
    edit: false,
    key: `P${turn.turn}`,
    customer,
    paymentDate: dice.chance(60) ? addDays(invoiceDate, dice.between(-40, 90)) : randomDate(turn),
    amount: dice.chance(60) ? rest : cents(rest + dice.between(1, 5000)),
    accountId: dice.pick([CHECKING, CHECKING, UNDEPOSITED]),
    applications: [
      { invoice: key, amount: part },
      { invoice: credit, amount: negate(used) },
    ],
  };
}

/** Often exactly what is open, else less or more. */
function randomAmount(dice: Dice, open: Cents): Cents {
  if (open <= 0 || dice.chance(15)) return cents(dice.between(1, 200000));
  return dice.chance(45) ? open : cents(dice.between(1, open + 5000));
}

function editPayment(turn: Turn): ScenarioEvent | undefined {
  const { dice, books } = turn;
  const key = dice.any(books.paymentKeys());
  if (key === undefined) return undefined;
  const { event } = books.payment(key);
  const paymentDate = dice.chance(20) ? randomDate(turn) : event.paymentDate;
  const amount = dice.chance(50) ? cents(event.amount + dice.between(1, 20000)) : event.amount;
  return { ...event, edit: true, paymentDate, amount, applications: dice.chance(70) ? null : [] };
}

/** A transfer or a deposit: new, edited or deleted. */
function randomMove(turn: Turn, roll: number): ScenarioEvent | undefined {
  const { dice, books } = turn;
  if (roll <= 82) return newTransfer(turn);
  if (roll <= 86) return newDeposit(turn);
  const [transfer, deposit] = [dice.any(books.transferKeys()), dice.any(books.depositKeys())];
  if (roll <= 88) return transfer === undefined ? undefined : { ...newTransfer(turn), key: transfer, edit: true };
  if (roll <= 90) return deposit === undefined ? undefined : { ...newDeposit(turn, deposit), edit: true };
  return dice.chance(50) ? removal('transfer', transfer) : removal('deposit', deposit);
}

const MONEY = [CHECKING, SAVINGS, CREDIT_CARD] as const;

function newTransfer(turn: Turn): TransferEvent {
  const { dice } = turn;
  const amount = cents(dice.between(1, 300_000));
  const [fromAccountId, toAccountId] = [dice.pick(MONEY), dice.pick(MONEY)];
  const transferDate = randomDate(turn);
  return { kind: 'transfer', edit: false, key: `T${turn.turn}`, transferDate, amount, fromAccountId, toAccountId };
}

/** Takes some of what lies in Undeposited Funds, as a new deposit or in place of one. */
function newDeposit(turn: Turn, key = `D${turn.turn}`): DepositEvent {
  const { dice, books } = turn;
  const receipts = books.undeposited(key).filter(() => dice.chance(60));
  const cash = { description: 'Cash back', amount: cents(-dice.between(1, 2000)), accountId: PETTY_CASH };
  const other = { description: 'Rebate', amount: cents(dice.between(1, 9000)), accountId: SALES };
  const lines = [...(dice.chance(25) ? [cash] : []), ...(dice.chance(20) ? [other] : [])];
  const depositDate = randomDate(turn);
  const accountId = dice.pick([CHECKING, SAVINGS]);
  return { kind: 'deposit', edit: false, key, depositDate, accountId, receipts, lines };
}

function randomJournal(turn: Turn): JournalEvent {
  const { dice } = turn;
  const description = `Entry ${turn.turn}`;
  const amount = cents(dice.between(1, 500000));
  const basis = dice.pick([0, 0, 0, 1, 2] as const);
  const accountId = dice.pick(EXPENSE_ACCOUNTS);
  const against = basis === 0 ? dice.pick([CHECKING, 133, 136]) : dice.pick([107, 128, 136]);
  const lines = [
    { accountId, debit: true, amount, description },
    { accountId: against, debit: false, amount, description },
  ];
  return { kind: 'journal', description, postingDate: randomDate(turn), basis, lines };
}
