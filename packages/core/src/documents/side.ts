import { AP, AR, DISCOUNTS_GIVEN, UNAPPLIED_CASH_EXPENSE, UNAPPLIED_CASH_INCOME } from '../books/accounts.ts';
import type { AccountType } from '../books/accounts.ts';
import { creditmemo } from '../kinds/creditmemo.ts';
import { deposit } from '../kinds/deposit.ts';
import { estimate } from '../kinds/estimate.ts';
import { expense } from '../kinds/expense.ts';
import { expensepayment } from '../kinds/expensepayment.ts';
import { invoice } from '../kinds/invoice.ts';
import { journal } from '../kinds/journal.ts';
import type { DocumentKind } from '../kinds/kind.ts';
import { openingbalance } from '../kinds/openingbalance.ts';
import { payment } from '../kinds/payment.ts';
import { reconciliation } from '../kinds/reconciliation.ts';
import { taxreturn } from '../kinds/taxreturn.ts';
import { transfer } from '../kinds/transfer.ts';
import { writeoff } from '../kinds/writeoff.ts';

/** The name of a kind of document in the journal and the API. */
export type SourceType = string;

/** A reference to a document by its kind and ID. */
export interface Source {
  type: SourceType;
  id: number;
}

/** The built-in kinds, in the order in which lists show them. */
export const documentKinds = {
  invoice,
  estimate,
  creditmemo,
  writeoff,
  payment,
  expense,
  expensepayment,
  transfer,
  deposit,
  reconciliation,
  taxreturn,
  openingbalance,
  journal,
};

/** The name of a built-in kind. */
export type OwnKind = keyof typeof documentKinds;

/** A kind of document that payments settle. */
export interface SettledKind extends DocumentKind {
  records: 'document';
  side: Side['name'];
}

/** The kinds of documents that move money between the company's own accounts. */
export type BankKind = typeof documentKinds.transfer | typeof documentKinds.deposit;

/** All kinds by name. To define a kind, add an entry to this object. */
export const kinds = new Map<SourceType, DocumentKind>(Object.entries(documentKinds));

/**
 * Returns the kind with this name. Throws an Error for an unknown name, because the journal contains only known kinds.
 */
export function kindOf(name: SourceType): DocumentKind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`${name} is not a document type`);
  return kind;
}

const isSettled = (kind: DocumentKind): kind is SettledKind => kind.records === 'document' && kind.side !== null;

/** Returns the kinds of documents that payments on a side settle. */
export function settledKinds({ name }: Pick<Side, 'name'>): SettledKind[] {
  return [...kinds.values()].filter(isSettled).filter(({ side }) => side === name);
}

/** Returns the kinds that post nothing. */
export function offers() {
  return [...kinds.values()].flatMap(({ offer, ...kind }) => (offer === undefined ? [] : [{ ...kind, offer }]));
}

/** Returns the names of kinds as an SQL parameter. */
export function namesOf(some: readonly DocumentKind[]): SourceType[] {
  return some.map(({ source }) => source);
}

/**
 * One side of the subledger: receivables from customers or payables to vendors. Both sides follow the same rules, but
 * the entries on the payable side have the opposite sign (`sign`).
 */
export interface Side {
  name: 'receivable' | 'payable';
  /** 1 if a document debits its control account, −1 if a document credits it. */
  sign: 1 | -1;
  /**
   * The default control account for new documents. A company can choose a different account with the setting
   * `controlSetting`.
   */
  controlAccountId: number;
  controlSetting: 'defaultARAccountId' | 'defaultAPAccountId';
  controlType: AccountType;
  /** The default account for early-payment discounts. Null if the company must choose one. */
  discountAccountId: number | null;
  discountSetting: 'discountsGivenAccountId' | 'purchaseDiscountsAccountId';
  /** The cash-basis account for money that has not been applied to a document yet. */
  unappliedAccountId: number;
  /** 0 for customers, 1 for vendors. */
  entityKind: 0 | 1;
  /** The usual kind of document that the side's payments settle. Messages use its name. */
  document: SettledKind;
  /**
   * The action that webhooks report when the document is settled. The audit log records the payment or the edit
   * instead.
   */
  paidAct: string;
  payment: DocumentKind & { records: 'payment'; source: 'payment' | 'expensepayment' };
  /** Whether a payment must have a type. Vendor payments have no types. */
  hasPaymentTypes: boolean;
  words: {
    entity: string;
    document: string;
    /** The name of the side's early-payment discounts. */
    discounts: string;
    /** The name of the control accounts' balance in the verification. */
    control: string;
  };
}

export const RECEIVABLE = {
  name: 'receivable',
  sign: 1,
  controlAccountId: AR,
  controlSetting: 'defaultARAccountId',
  controlType: 'Accounts Receivable',
  discountAccountId: DISCOUNTS_GIVEN,
  discountSetting: 'discountsGivenAccountId',
  unappliedAccountId: UNAPPLIED_CASH_INCOME,
  entityKind: 0,
  document: documentKinds.invoice,
  paidAct: 'invoice pay',
  payment: documentKinds.payment,
  hasPaymentTypes: true,
  words: { entity: 'customer', document: 'invoice', discounts: 'discounts given', control: 'accounts receivable' },
} as const satisfies Side;

export const PAYABLE = {
  name: 'payable',
  sign: -1,
  controlAccountId: AP,
  controlSetting: 'defaultAPAccountId',
  controlType: 'Accounts Payable',
  discountAccountId: null,
  discountSetting: 'purchaseDiscountsAccountId',
  unappliedAccountId: UNAPPLIED_CASH_EXPENSE,
  entityKind: 1,
  document: documentKinds.expense,
  paidAct: 'expense pay',
  payment: documentKinds.expensepayment,
  hasPaymentTypes: false,
  words: { entity: 'vendor', document: 'bill', discounts: 'purchase discounts', control: 'accounts payable' },
} as const satisfies Side;

export const sides: readonly Side[] = [RECEIVABLE, PAYABLE];

/** Returns the side that settles documents of a kind. */
export function sideOf({ side }: Pick<SettledKind, 'side'>): Side {
  return side === 'receivable' ? RECEIVABLE : PAYABLE;
}

/** The label of a refund. Refunds share the number sequence of payments. */
export const REFUND = 'Refund';

/**
 * Returns the label for an item by its kind and the amount that it adds to the balance. A payment that adds to the
 * balance is a refund.
 */
export function itemLabel(source: SourceType, added: number): string {
  const { records, label } = kindOf(source);
  return records === 'payment' && added > 0 ? REFUND : label;
}

/** Returns the label for a document by its kind and total. A negative bill is a vendor credit. */
export function documentLabel(source: SourceType, total: number): string {
  const { label, side } = kindOf(source);
  return side === 'payable' && total < 0 ? 'Vendor credit' : label;
}

/** Capitalizes a side's word for the start of a sentence or title. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
