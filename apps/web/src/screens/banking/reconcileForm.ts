import type { GlEntry } from '@evenkeel/contract/ledger';
import type {
  ReconciliationInput,
  ReconciliationProgress,
  ReconciliationProgressInput,
  UnreconciledEntries,
} from '@evenkeel/contract/reconciliation';
import { addDays, endOfMonth, type IsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import { type Cents, cents, negate, sum, ZERO } from '@evenkeel/core/money';
import {
  balanceDifference,
  checkStatement,
  type Reconciling,
  reconciledBalance,
  type Selectable,
} from '@evenkeel/core/banking/reconcile';
import * as z from 'zod';
import { AttachmentsForm, attachmentsFormOf, attachmentsInput } from '../../parts/attachments/attachmentForm.ts';
import { Day, Money } from '../../records/formFields.ts';

/** The data of a reconciliation in progress: the statement, the cleared entries, their totals, and the request. */

export const ReconcileForm = z.object({
  statementDate: Day.nullable(),
  statementBalance: Money.nullable(),
  bankCharge: Money.nullable(),
  bankChargeAccountID: z.number().nullable(),
  interest: Money.nullable(),
  interestAccountID: z.number().nullable(),
  /** The IDs (`glid`) of the cleared entries. */
  entries: z.array(z.number()),
  documentLinks: AttachmentsForm,
  /** The row version of the reconciliation in progress, or 0 if none is saved on the server. */
  rowVersion: z.number(),
});
export type ReconcileForm = z.output<typeof ReconcileForm>;

/** The default accounts for charges and interest, which are Bank Charges and Interest Income in the default chart. */
const CHARGES = 151;
const INTEREST = 176;

/** Returns the last day of the month after the last statement, if that day is in the past. */
function nextStatement(last: IsoDate | null, today: IsoDate): IsoDate | null {
  if (last === null) return null;
  const next = endOfMonth(addDays(last, 1));
  return next <= today ? next : null;
}

/**
 * Returns the form for the reconciliation in progress. In a new form, the statement date is the end of the month after
 * the last statement, and the entries that are matched to bank transactions are already cleared.
 */
export function reconcileFormOf(
  progress: ReconciliationProgress,
  { lastDate, today, matched = [] }: { lastDate: IsoDate | null; today: IsoDate; matched?: Iterable<number> },
): ReconcileForm {
  const isNew = progress.rowVersion === 0;
  return {
    statementDate: progress.statementDate ?? (isNew ? nextStatement(lastDate, today) : null),
    statementBalance: progress.statementBalance,
    bankCharge: progress.bankCharge,
    bankChargeAccountID: progress.bankChargeAccountID ?? CHARGES,
    interest: progress.interest,
    interestAccountID: progress.interestAccountID ?? INTEREST,
    entries: isNew ? [...matched] : progress.entries,
    documentLinks: attachmentsFormOf(progress.documentLinks),
    rowVersion: progress.rowVersion,
  };
}

/** Returns an entry's amount in the bank account. Money in is positive. */
export const amountOf = ({ debitAmount, creditAmount }: GlEntry): Cents => debitAmount ?? negate(creditAmount ?? ZERO);

/**
 * Returns the entries that the form lists: entries through the statement date, or all entries while the date is empty.
 */
export function listedEntries(form: ReconcileForm, { incomingEntries, outgoingEntries }: UnreconciledEntries) {
  const isListed = ({ postingDate }: GlEntry) => form.statementDate === null || postingDate <= form.statementDate;
  return { incoming: incomingEntries.filter(isListed), outgoing: outgoingEntries.filter(isListed) };
}

/** Returns the totals of the cleared entries and the difference from the statement. */
export function figuresOf(form: ReconcileForm, read: UnreconciledEntries) {
  const { incoming, outgoing } = listedEntries(form, read);
  const ticked = new Set(form.entries);
  const sideOf = (entries: readonly GlEntry[]) => {
    const selected = entries.filter(({ glid }) => ticked.has(glid));
    return { entries, selected, amount: sum(selected.map(amountOf)) };
  };
  const receivables = sideOf(incoming);
  const payables = sideOf(outgoing);
  const figures: Reconciling = {
    last: read.lastBalance,
    selected: [receivables.amount, payables.amount],
    bankCharge: form.bankCharge ?? ZERO,
    interest: form.interest ?? ZERO,
  };
  const difference = form.statementBalance === null ? undefined : balanceDifference(figures, form.statementBalance);
  return { receivables, payables, last: read.lastBalance, reconciled: reconciledBalance(figures), difference };
}
export type Figures = ReturnType<typeof figuresOf>;

/** Returns the listed entries in the format that the search for a difference uses. */
export function selectables({ receivables, payables }: Figures, form: ReconcileForm): Selectable[] {
  const ticked = new Set(form.entries);
  return [...receivables.entries, ...payables.entries].map((entry) => ({
    id: entry.glid,
    amount: amountOf(entry),
    isSelected: ticked.has(entry.glid),
  }));
}

/** Returns messages by field. The specification always requires the accounts for the charge and the interest. */
export function reconcileFaults(form: ReconcileForm, lastDate: IsoDate | null): FieldMessages {
  const { statementDate, statementBalance, bankChargeAccountID, interestAccountID } = form;
  const needed = {
    ...(statementDate === null ? { statementDate: 'Please enter a date' } : {}),
    ...(statementBalance === null ? { statementBalance: 'Please enter an amount' } : {}),
    ...(bankChargeAccountID === null ? { bankChargeAccountID: 'Please Select an Account' } : {}),
    ...(interestAccountID === null ? { interestAccountID: 'Please Select an Account' } : {}),
  };
  if (statementDate === null || statementBalance === null) return needed;
  const statement = {
    ...form,
    statementDate,
    statementBalance,
    bankCharge: form.bankCharge ?? ZERO,
    interest: form.interest ?? ZERO,
  };
  return { ...checkStatement(statement, { lastDate }), ...needed };
}

/** Returns the request for Save. Throws if the statement is incomplete, which validation prevents. */
export function reconciliationInput(
  form: ReconcileForm,
  { figures, accountID, bankAccountID }: { figures: Figures; accountID: number; bankAccountID: number },
): ReconciliationInput {
  const { statementDate, statementBalance } = form;
  if (statementDate === null || statementBalance === null) throw new Error('This statement has no date or balance');
  return {
    incomingEntries: figures.receivables.selected.map(({ glid }) => glid),
    outgoingEntries: figures.payables.selected.map(({ glid }) => glid),
    accountID,
    bankAccountID,
    statementDate,
    statementBalance,
    bankCharge: form.bankCharge ?? ZERO,
    bankChargeAccountID: form.bankChargeAccountID,
    interest: form.interest ?? ZERO,
    interestAccountID: form.interestAccountID,
    reconAmount: figures.reconciled,
    documentLinks: attachmentsInput(form.documentLinks),
  };
}

/** Returns the request for saving the reconciliation in progress. */
export function progressInput(form: ReconcileForm): ReconciliationProgressInput {
  const { documentLinks, bankCharge, interest, ...rest } = form;
  return {
    ...rest,
    bankCharge: bankCharge ?? ZERO,
    interest: interest ?? ZERO,
    documentLinks: attachmentsInput(documentLinks),
  };
}

/** Returns the change that adds `ids` to the cleared entries and removes `gone` from them. */
export function withEntries(form: ReconcileForm, ids: Iterable<number>, gone: Iterable<number> = []): ReconcileForm {
  const next = new Set([...form.entries, ...ids]);
  for (const id of gone) next.delete(id);
  return { ...form, entries: [...next].toSorted((a, b) => a - b) };
}

export const wholeAmount = (amount: Cents): Cents => cents(Math.abs(amount));
