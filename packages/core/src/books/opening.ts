import {
  type AccountTypeInfo,
  isControlAccount,
  isProfitAndLoss,
  OPENING_BALANCE_EQUITY,
  RETAINED_EARNINGS,
} from './accounts.ts';
import type { IsoDate } from '../dates.ts';
import { formatDate } from '../dates.ts';
import type { Side } from '../documents/side.ts';
import type { FieldMessages } from '../failure.ts';
import type { Entry, Transaction } from './ledger.ts';
import { type Cents, cents, decimal, formatUsd, millionths, negate, share, sum, ZERO } from '../money.ts';
import { balanced, line, type PostableDocument, recognise, totalOf } from './posting.ts';

/**
 * Opening balances: the account balances of a company that switches to Evenkeel, and each of its open documents
 * (docs/accounting.md, "Opening balances").
 */

/** The description of the opening entry and its lines. */
export const OPENING_BALANCES = 'Opening balances';

/** The balance of an account on the date of the opening balances, in cents. Debits are positive. */
export interface OpeningAccount {
  accountId: number;
  amount: Cents;
  /** The balance on the cash basis, if it can't be calculated from `amount` and the open documents. */
  cashAmount?: Cents | null | undefined;
}

/** A document that was open on the date of the opening balances. */
export interface OpeningDocument extends Pick<PostableDocument, 'date' | 'components'> {
  side: Pick<Side, 'sign'>;
}

export interface OpeningBalances {
  date: IsoDate;
  /** The first day of the fiscal year that contains the date. */
  fiscalYearStart: IsoDate;
  accounts: readonly OpeningAccount[];
  documents: readonly OpeningDocument[];
  accountType: (id: number) => AccountTypeInfo;
}

/**
 * Returns a document's open amount with the sign that it has in the balances: receivables are positive, payables
 * negative.
 */
const owed = ({ side, components }: OpeningDocument): Cents => cents(side.sign * totalOf({ components }));

/**
 * Returns the balance of opening balance equity that results from the other accounts and the open documents. This
 * balance must equal the amount that the user states for that account, which is usually 0.00.
 */
export function openingEquity({ accounts, documents }: Pick<OpeningBalances, 'accounts' | 'documents'>): Cents {
  const others = accounts.filter(({ accountId }) => accountId !== OPENING_BALANCE_EQUITY);
  return negate(sum([...others.map(({ amount }) => amount), ...documents.map(owed)]));
}

/**
 * Posts the balances against opening balance equity. Receivables and payables are not included, because their documents
 * post them. The cash basis has not recognized open documents yet, so their components are subtracted from the cash
 * balances. The income and expenses of earlier fiscal years are subtracted from retained earnings.
 */
export function postOpening(balances: OpeningBalances): Transaction {
  const entries = bothBalances(balances).flatMap(({ accountId, accrual, cash }): Entry[] => [
    entryOf(accountId, accrual, 'B'),
    entryOf(accountId, cents(cash - accrual), 'C'),
  ]);
  const rest = (['B', 'C'] as const).map((basis) => {
    const own = entries.filter((entry) => entry.basis === basis);
    return entryOf(OPENING_BALANCE_EQUITY, negate(sum(own.map(({ amount }) => amount))), basis);
  });
  return balanced(balances.date, OPENING_BALANCES, [...entries, ...rest]);
}

/** Returns the balances to post on both bases, by account, without opening balance equity and control accounts. */
function bothBalances(balances: Omit<OpeningBalances, 'date'>) {
  const others = balances.accounts.filter(({ accountId }) => accountId !== OPENING_BALANCE_EQUITY);
  const accounts = new Map(others.map((each) => [each.accountId, each]));
  const apart = unrecognised(balances);
  const ids = [...new Set([...accounts.keys(), ...apart.keys()])].toSorted((a, b) => a - b);
  return ids.map((accountId) => {
    const { amount: accrual = ZERO, cashAmount } = accounts.get(accountId) ?? {};
    return { accountId, accrual, cash: cashAmount ?? cents(accrual - (apart.get(accountId) ?? 0)) };
  });
}

const entryOf = (accountId: number, amount: Cents, basis: Entry['basis']): Entry =>
  line({ accountId, amount, basis, description: OPENING_BALANCES });

/** Returns the amounts by account that the accrual basis has recognized and the cash basis has not. */
function unrecognised({ documents, fiscalYearStart, accountType }: Omit<OpeningBalances, 'date'>): Map<number, Cents> {
  const apart = new Map<number, Cents>();
  for (const { side, date, components } of documents) {
    for (const { accountId, amount } of components) {
      const isEarlier = date < fiscalYearStart && isProfitAndLoss(accountType(accountId));
      const id = isEarlier ? RETAINED_EARNINGS : accountId;
      apart.set(id, cents((apart.get(id) ?? 0) - side.sign * amount));
    }
  }
  return apart;
}

/**
 * Returns the open part of each component of a document, calculated from the original amounts and the unpaid amount.
 */
export function openParts(originals: readonly Cents[], unpaid: Cents): Cents[] {
  const total = sum(originals);
  const components = originals.map((amount) => ({ amount }));
  return recognise(components, cents(total - unpaid), total);
}

/** Splits an amount that includes tax into the amount before tax and the tax at each rate. Rates are percentages. */
export function withoutTax(amount: Cents, percentages: readonly string[]): { net: Cents; taxes: Cents[] } {
  const weights = ['100', ...percentages].map((percentage) => Number(millionths(decimal(percentage))));
  const [net = amount, ...taxes] = share(amount, weights);
  return { net, taxes };
}

/** An open document as entered in the form and sent in the request. */
export interface CheckableOpening {
  number: string;
  date: IsoDate;
  dueDate: IsoDate | null;
  /** The unpaid amount or remaining credit, in cents. */
  unpaid: Cents;
  /** The original amount, or null if the original amount equals the unpaid amount. */
  original: Cents | null;
}

/** Returns the validation messages for an open document by field, or an empty object. */
export function checkOpeningDocument(document: CheckableOpening, asOf: IsoDate | null): FieldMessages {
  const { number, date, dueDate, unpaid, original } = document;
  const fields: FieldMessages = {};
  if (number.trim() === '') fields['number'] = 'Please enter a number';
  if (asOf !== null && date > asOf) {
    fields['date'] = `The date can't be after the date of the opening balances, ${formatDate(asOf)}`;
  }
  if (dueDate !== null && dueDate < date) fields['dueDate'] = "The due date can't be before the date";
  if (unpaid <= 0) fields['unpaidAmount'] = 'Please enter an amount greater than $0.00';
  else if (original !== null && unpaid > original) {
    fields['unpaidAmount'] = `The unpaid amount can't be more than the original amount, ${formatUsd(original)}`;
  }
  return fields;
}

/**
 * Returns the validation messages for the accounts by field path, or an empty object. Control accounts have no
 * separate balance, and debits must equal credits on both bases.
 */
export function checkOpening(balances: Omit<OpeningBalances, 'date'>): FieldMessages {
  const { accounts, accountType } = balances;
  const fields: FieldMessages = {};
  const seen = new Set<number>();
  accounts.forEach(({ accountId }, index) => {
    const path = `accounts.${index}.accountId`;
    if (seen.has(accountId)) fields[path] = 'This account is listed twice';
    seen.add(accountId);
    if (isControlAccount(accountType(accountId))) {
      fields[path] = "This account's balance is calculated from the open documents";
    }
  });
  if (Object.keys(fields).length > 0) return fields;
  const { amount: stated = ZERO, cashAmount } =
    accounts.find(({ accountId }) => accountId === OPENING_BALANCE_EQUITY) ?? {};
  const rest = cents(openingEquity(balances) - stated);
  if (rest !== 0) return { accounts: openingFault(rest) };
  const cash = cents(-sum(bothBalances(balances).map((each) => each.cash)) - (cashAmount ?? stated));
  return cash === 0 ? {} : { accounts: `On the cash basis: ${openingFault(cash)}` };
}

/** Returns the message about remaining opening balance equity. `rest` is negative if debits exceed credits. */
export function openingFault(rest: Cents): string {
  const size = formatUsd(cents(Math.abs(rest)));
  return rest < 0
    ? `Debits exceed credits by ${size}. Add a credit of ${size} to an equity account.`
    : `Credits exceed debits by ${size}. Add a debit of ${size} to an equity account.`;
}
