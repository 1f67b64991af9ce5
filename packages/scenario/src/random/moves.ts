import { CHECKING, CREDIT_CARD, PETTY_CASH, SALES, SAVINGS } from '@evenkeel/core/books/accounts';
import { cents } from '@evenkeel/core/money';
import type { DepositEvent, JournalEvent, ScenarioEvent, TransferEvent } from '../scenario.ts';
import { randomDate, removal, type Turn } from './turn.ts';

const MONEY = [CHECKING, SAVINGS, CREDIT_CARD] as const;
const EXPENSE_ACCOUNTS = [150, 158, 163, 167, 146] as const;

export function newTransfer(turn: Turn): TransferEvent {
  const { dice } = turn;
  const amount = cents(dice.between(1, 300_000));
  const [fromAccountId, toAccountId] = [dice.pick(MONEY), dice.pick(MONEY)];
  const transferDate = randomDate(turn);
  return { kind: 'transfer', edit: false, key: `T${turn.turn}`, transferDate, amount, fromAccountId, toAccountId };
}

/** Creates or replaces a deposit with some of the receipts in Undeposited Funds. */
export function newDeposit(turn: Turn, key = `D${turn.turn}`): DepositEvent {
  const { dice, books } = turn;
  const receipts = books.undeposited(key).filter(() => dice.chance(60));
  const cash = { description: 'Cash back', amount: cents(-dice.between(1, 2000)), accountId: PETTY_CASH };
  const other = { description: 'Rebate', amount: cents(dice.between(1, 9000)), accountId: SALES };
  const lines = [...(dice.chance(25) ? [cash] : []), ...(dice.chance(20) ? [other] : [])];
  const depositDate = randomDate(turn);
  const accountId = dice.pick([CHECKING, SAVINGS]);
  return { kind: 'deposit', edit: false, key, depositDate, accountId, receipts, lines };
}

/** Edits or deletes a transfer or deposit. */
export function changeMove(turn: Turn): ScenarioEvent | undefined {
  const { dice, books } = turn;
  const [transfer, deposit] = [dice.any(books.transferKeys()), dice.any(books.depositKeys())];
  switch (dice.pick(['edit transfer', 'edit deposit', 'delete transfer', 'delete deposit'] as const)) {
    case 'edit transfer':
      return transfer === undefined ? undefined : { ...newTransfer(turn), key: transfer, edit: true };
    case 'edit deposit':
      return deposit === undefined ? undefined : { ...newDeposit(turn, deposit), edit: true };
    case 'delete transfer':
      return removal('transfer', transfer);
    case 'delete deposit':
      return removal('deposit', deposit);
  }
}

export function randomJournal(turn: Turn): JournalEvent {
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
