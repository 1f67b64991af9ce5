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
import { payment } from '../kinds/payment.ts';
import { reconciliation } from '../kinds/reconciliation.ts';
import { transfer } from '../kinds/transfer.ts';
import { writeoff } from '../kinds/writeoff.ts';

/** The name of a kind of document, as the journal and the API carry it. */
export type SourceType = string;

/** A document by its kind and id. */
export interface Source {
  type: SourceType;
  id: number;
}

/** The kinds of the product, in the order in which lists name them. */
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
  journal,
};

/** The name of a kind of the product. */
export type OwnKind = keyof typeof documentKinds;

/** A kind of document that payments settle. */
export interface SettledKind extends DocumentKind {
  records: 'document';
  side: Side['name'];
}

/** The kinds that move money between accounts of the company itself. */
export type BankKind = typeof documentKinds.transfer | typeof documentKinds.deposit;

/** Every kind by its name. A kind exists by its entry here. */
export const kinds = new Map<SourceType, DocumentKind>(Object.entries(documentKinds));

/** The kind of this name. Throws an Error for a name that is none: the journal holds no other. */
export function kindOf(name: SourceType): DocumentKind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`${name} is no kind of document`);
  return kind;
}

const isSettled = (kind: DocumentKind): kind is SettledKind => kind.records === 'document' && kind.side !== null;

/** The kinds of documents that payments of a side settle. */
export function settledKinds({ name }: Pick<Side, 'name'>): SettledKind[] {
  return [...kinds.values()].filter(isSettled).filter(({ side }) => side === name);
}

/** Returns the kinds that post nothing. */
export function offers() {
  return [...kinds.values()].flatMap(({ offer, ...kind }) => (offer === undefined ? [] : [{ ...kind, offer }]));
}

/** The names of kinds, as a statement takes them. */
export function namesOf(some: readonly DocumentKind[]): SourceType[] {
  return some.map(({ source }) => source);
}

/**
 * One side of the subledger: what customers owe, or what is owed to vendors. Both follow the same rules; the entries of
 * the payable are those of the receivable, turned by `sign`.
 */
export interface Side {
  name: 'receivable' | 'payable';
  /** 1 where a document debits its control account, −1 where it credits it. */
  sign: 1 | -1;
  /** The control account of new documents, unless the company chose another by the setting `controlSetting`. */
  controlAccountId: number;
  controlSetting: 'defaultARAccountId' | 'defaultAPAccountId';
  controlType: AccountType;
  /** The account of early-payment discounts, unless the company chose another; null where it must choose. */
  discountAccountId: number | null;
  discountSetting: 'discountsGivenAccountId' | 'purchaseDiscountsAccountId';
  /** The account of the cash view for money that no document has taken yet. */
  unappliedAccountId: number;
  /** 0 customers, 1 vendors. */
  entityKind: 0 | 1;
  /** The kind that its payments are for as a rule, and by whose name its words go. */
  document: SettledKind;
  payment: DocumentKind & { records: 'payment'; source: 'payment' | 'expensepayment' };
  /** Whether a payment must name its type; vendors' have none. */
  hasPaymentTypes: boolean;
  words: {
    entity: string;
    document: string;
    /** Its early-payment discounts. */
    discounts: string;
    /** The name that verification gives to the balance of the control accounts. */
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
  payment: documentKinds.expensepayment,
  hasPaymentTypes: false,
  words: { entity: 'vendor', document: 'bill', discounts: 'purchase discounts', control: 'accounts payable' },
} as const satisfies Side;

export const sides: readonly Side[] = [RECEIVABLE, PAYABLE];

/** The side that settles documents of a kind. */
export function sideOf({ side }: Pick<SettledKind, 'side'>): Side {
  return side === 'receivable' ? RECEIVABLE : PAYABLE;
}

/** A payment that gives money back; it is numbered with the payments. */
export const REFUND = 'Refund';

/** The word for an item by its kind and the amount that it adds to what is owed: a refund is a payment that adds. */
export function itemLabel(source: SourceType, added: number): string {
  const { records, label } = kindOf(source);
  return records === 'payment' && added > 0 ? REFUND : label;
}

/** A side's word where a sentence or a title begins. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
