import { SALES, SERVICE_INCOME } from '@evenkeel/core/books/accounts';
import { addDays, addMonths, laterOf } from '@evenkeel/core/dates';
import type { Dice } from '@evenkeel/core/dice';
import { DRAFT, OPEN, SENT, VOID } from '@evenkeel/core/documents/invoice';
import { cents, type Decimal, decimal, round, toPlain } from '@evenkeel/core/money';
import { leftOf } from '../estimates.ts';
import type {
  ChargeEvent,
  EstimateEvent,
  InvoiceEvent,
  ScenarioEvent,
  ScenarioLine,
  TemplateEvent,
  WriteOffEvent,
} from '../scenario.ts';
import { newBill } from './purchases.ts';
import { randomJournal } from './moves.ts';
import { CUSTOMERS, randomDate, type Turn } from './turn.ts';

export function newInvoice(turn: Turn): InvoiceEvent {
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
  // A taxable discount may be larger than the taxable lines.
  const taxable = dice.chance(40);
  const itemPrice = toPlain(cents(-dice.between(1, taxable ? 49_999 : 999)));
  return { product: null, description: 'Discount', itemPrice, quantity: '1', accountId: 143, taxable };
}

/** Edits an invoice: replaces the lines or adds one, changes the date, voids the invoice, or opens it again. */
export function editInvoice(turn: Turn): ScenarioEvent | undefined {
  const { dice, books } = turn;
  const key = dice.any(books.invoiceKeys().filter((each) => !books.isCharge(each)));
  if (key === undefined) return undefined;
  const { event, priced } = books.invoice(key);
  // A percentage keeps its amount while the invoice has payments. The result would therefore depend on the order of the
  // events.
  const isKept =
    event.lines.some((line) => line.discount === 'Loyalty') && books.openAmount(key) < priced.invoiceAmount;
  if (isKept) return undefined;
  const invoiceDate = dice.chance(25) ? randomDate(turn) : event.invoiceDate;
  const dueDate = event.dueDate === null ? null : laterOf(event.dueDate, invoiceDate);
  const status = dice.pick([OPEN, OPEN, SENT, SENT, VOID]);
  if (event.isCredit && event.of !== undefined) {
    const lines = event.lines.map((line) => ({ ...line, quantity: dice.chance(50) ? halfOf(line) : line.quantity }));
    return { ...event, edit: true, invoiceDate, dueDate, status, lines };
  }
  const isMore = event.of !== undefined || books.creditsOf(key).length > 0 || dice.chance(70);
  const lines = isMore ? [...event.lines, randomLine(turn)] : randomLines(turn);
  return { ...event, edit: true, invoiceDate, dueDate, status, lines };
}

/** Returns half the quantity of a line, or the whole quantity of a discount. */
function halfOf({ quantity, discount }: ScenarioLine): string {
  const half = round(decimal(quantity).div(2), 3);
  return discount !== undefined || half.lte(0) ? quantity : half.toString();
}

/** Writes off an invoice's open amount. */
export function newWriteOff(turn: Turn): WriteOffEvent | undefined {
  const { dice, books } = turn;
  const open = books.invoiceKeys().filter((key) => books.openAmount(key) > 0);
  const invoice = dice.any(open);
  if (invoice === undefined) return undefined;
  const writeOffDate = addDays(books.invoice(invoice).event.invoiceDate, dice.between(0, 200));
  return { kind: 'writeoff', key: `W${turn.turn}`, invoice, writeOffDate, withTax: dice.chance(60) };
}

/** Creates a finance charge for a day in the past. */
export function newCharge({ dice, from, turn }: Turn): ChargeEvent {
  const chargeDate = addDays(from, dice.between(60, 640));
  return { kind: 'charge', key: `I${turn}`, customer: dice.pick(CUSTOMERS), chargeDate };
}

export function newEstimate(turn: Turn): EstimateEvent {
  const { dice } = turn;
  const [customer, estimateDate] = [dice.pick(CUSTOMERS), randomDate(turn)];
  return { kind: 'estimate', key: `E${turn.turn}`, customer, estimateDate, lines: randomLines(turn) };
}

/** Creates an invoice for part of the quantity that remains on an estimate. */
export function invoiceEstimate(turn: Turn): InvoiceEvent | undefined {
  const { dice, books, scenario } = turn;
  const key = dice.any(books.estimateKeys());
  if (key === undefined) return undefined;
  const estimate = books.estimate(key);
  const lines = someOf(turn, estimate.lines, leftOf(estimate, books.invoicesOf(key), scenario.discounts));
  if (lines.length === 0) return undefined;
  const invoiceDate = addDays(estimate.estimateDate, dice.between(0, 60));
  const dueDate = addDays(invoiceDate, 30);
  const { customer } = estimate;
  const status = dice.chance(80) ? OPEN : DRAFT;
  const head = { kind: 'invoice', edit: false, key: `I${turn.turn}`, of: key } as const;
  return { ...head, customer, invoiceDate, dueDate, status, lines };
}

/** Returns some of a document's lines, each with the remaining quantity or half of it. */
function someOf({ dice }: Turn, lines: readonly ScenarioLine[], left: readonly Decimal[]): ScenarioLine[] {
  return lines.flatMap(({ ofLine: _, ...line }, at): ScenarioLine[] => {
    const all = left[at] ?? decimal(0);
    if (all.lte(0) || dice.chance(30)) return [];
    const quantity = all.toString();
    return [{ ...line, quantity: dice.chance(50) ? quantity : halfOf({ ...line, quantity }), ofLine: at + 1 }];
  });
}

/** Creates a credit memo for part of an invoice. */
export function creditInvoice(turn: Turn): InvoiceEvent | undefined {
  const { dice, books, scenario } = turn;
  const key = dice.any(
    books.invoiceKeys().filter((each) => !books.isCharge(each) && !books.invoice(each).event.isCredit),
  );
  if (key === undefined) return undefined;
  const { event } = books.invoice(key);
  const lines = someOf(turn, event.lines, leftOf(event, books.creditsOf(key), scenario.discounts));
  if (lines.length === 0) return undefined;
  const invoiceDate = addDays(event.invoiceDate, dice.between(0, 60));
  const status = dice.chance(80) ? OPEN : DRAFT;
  const head = { kind: 'invoice', edit: false, key: `I${turn.turn}`, isCredit: true, of: key } as const;
  return { ...head, customer: event.customer, invoiceDate, dueDate: null, status, lines };
}

/** Creates a template for an invoice, a bill, or a journal entry with dates that are all due. */
export function newTemplate(turn: Turn): TemplateEvent {
  const { dice, from } = turn;
  const unit = dice.pick(['day', 'week', 'month', 'quarter'] as const);
  const every = unit === 'quarter' ? 1 : dice.between(1, 2);
  const rule = { kind: 'template', unit, every, count: dice.between(2, 4) } as const;
  const start = addDays(from, dice.between(0, 300));
  const dueDate = dice.pick([null, start, addDays(start, 30), addMonths(start, 1)]);
  switch (dice.pick(['invoice', 'invoice', 'bill', 'journal'] as const)) {
    case 'invoice': {
      const { isCredit: _, ...invoice } = newInvoice(turn);
      const status = dice.pick([OPEN, OPEN, DRAFT]);
      return { ...rule, document: { ...invoice, invoiceDate: start, dueDate: dueDate ?? start, status } };
    }
    case 'bill':
      return { ...rule, document: { ...newBill(turn), postingDate: start, dueDate: dueDate ?? start } };
    case 'journal':
      return { ...rule, document: { ...randomJournal(turn), postingDate: start } };
  }
}
