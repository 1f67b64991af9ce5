import { UNDEPOSITED } from '@evenkeel/core/books/accounts';
import { conflict, refuse } from '@evenkeel/core/failure';
import type { Transaction } from '@evenkeel/core/books/ledger';
import type { Cents } from '@evenkeel/core/money';
import { postDeposit, postTransfer, requireDeposit, requireTransfer } from '@evenkeel/core/banking/transfers';
import { existing, found, without } from './documents.ts';
import type { Deletion, DepositEvent, PaymentEvent, ScenarioEvent, TransferEvent } from './scenario.ts';

/** A company's transfers and deposits in memory. */
export interface Moves {
  transfers: ReadonlyMap<string, TransferEvent>;
  deposits: ReadonlyMap<string, DepositEvent>;
}

export type MoveEvent = TransferEvent | DepositEvent | Deletion<'transfer' | 'deposit'>;

/** Returns whether an event creates, edits, or deletes a transfer or deposit. */
export function isMove(event: ScenarioEvent): event is MoveEvent {
  const kind = event.kind === 'delete' ? event.document : event.kind;
  return kind === 'transfer' || kind === 'deposit';
}

type Payments = ReadonlyMap<string, { event: PaymentEvent }>;

/**
 * Returns the transfers and deposits after an event, and the desired journal lines for the event's document. Throws a
 * Failure if the event is rejected.
 */
export function withMove(
  { transfers, deposits }: Moves,
  event: MoveEvent,
  payments: Payments,
): { moves: Moves; wanted: Transaction[] } {
  if (event.kind === 'transfer') {
    existing(transfers, event, 'Transfer');
    const wanted = [transferPosting(event)];
    return { moves: { transfers: new Map(transfers).set(event.key, event), deposits }, wanted };
  }
  if (event.kind === 'deposit') {
    existing(deposits, event, 'Deposit');
    const wanted = [depositPosting(event, deposits, payments)];
    return { moves: { transfers, deposits: new Map(deposits).set(event.key, event) }, wanted };
  }
  const own = event.document === 'transfer' ? transfers : deposits;
  found(own.get(event.key), `${event.document} ${event.key}`);
  const moves =
    event.document === 'transfer'
      ? { transfers: without(transfers, event.key), deposits }
      : { transfers, deposits: without(deposits, event.key) };
  return { moves, wanted: [] };
}

function transferPosting({ key, transferDate: date, amount, fromAccountId, toAccountId }: TransferEvent): Transaction {
  requireTransfer({ fromBankAccountId: fromAccountId, toBankAccountId: toAccountId, amount });
  return postTransfer({ date, amount, fromAccountId, toAccountId, description: `Transfer ${key}` });
}

function depositPosting(event: DepositEvent, deposits: Moves['deposits'], payments: Payments): Transaction {
  const { key, depositDate: date, accountId, lines } = event;
  const receipts = event.receipts.map((name, index): Cents => {
    const { amount, accountId: held } = found(payments.get(name), `Payment ${name}`).event;
    const taken = depositOf(deposits, name);
    if (held !== UNDEPOSITED) throw refuse('This receipt is no longer in Undeposited Funds');
    if (event.receipts.indexOf(name) !== index) throw refuse('This receipt is selected twice');
    if (taken !== undefined && taken !== key) throw conflict(`The receipt is already in deposit ${taken}`);
    return amount;
  });
  requireDeposit({ bankAccountId: accountId, receipts, lineItems: lines });
  const none = { entityId: null, profitCenterId: null, locationId: null };
  const own = lines.map((line) => ({ ...line, ...none }));
  return postDeposit({ date, accountId, receipts, lines: own, description: `Deposit ${key}` });
}

/** Returns the deposit that contains a payment. */
export function depositOf(deposits: Moves['deposits'], payment: string): string | undefined {
  return [...deposits.values()].find(({ receipts }) => receipts.includes(payment))?.key;
}

/** Throws if an event deletes a payment in a deposit, or changes its date, amount, or account. */
export function requireOutOfDeposit({ deposits }: Moves, before: PaymentEvent, after?: PaymentEvent): void {
  const deposit = depositOf(deposits, before.key);
  if (deposit === undefined) return;
  const keeps = (['paymentDate', 'amount', 'accountId'] as const).every((field) => before[field] === after?.[field]);
  if (!keeps) throw conflict(`This payment is in deposit ${deposit}`);
}
