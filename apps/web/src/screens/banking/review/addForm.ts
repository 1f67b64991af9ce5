import type { BankLine, BankLineInput } from '@evenkeel/contract/statements';
import type { FieldMessages } from '@evenkeel/core/failure';
import { type Cents, cents, formatAmount, sum, ZERO } from '@evenkeel/core/money';
import * as z from 'zod';
import { Money } from '../../../records/formFields.ts';
import { sizeOf } from './work.ts';

/** The data of the form that categorizes a bank transaction. Amounts are entered without the sign. */

const AddLineForm = z.object({
  id: z.number(),
  accountID: z.number().nullable(),
  profitcenterid: z.number().nullable(),
  locationid: z.number().nullable(),
  amount: Money.nullable(),
});
export type AddLineForm = z.output<typeof AddLineForm>;

export const AddForm = z.object({
  entityId: z.number().nullable(),
  memo: z.string(),
  lines: z.array(AddLineForm),
});
export type AddForm = z.output<typeof AddForm>;

const blank = (id: number, given: Partial<AddLineForm> = {}): AddLineForm => ({
  id,
  accountID: null,
  profitcenterid: null,
  locationid: null,
  amount: null,
  ...given,
});

/** Returns the form with the suggested values. A split starts with two rows. */
export function addFormOf({ amount, text, candidate }: BankLine, isSplit: boolean): AddForm {
  const offered = candidate?.action === 'add' ? candidate : undefined;
  const suggested = (offered?.lines ?? []).map(({ accountID, profitcenterid, locationid, amount: part }, at) =>
    blank(at + 1, { accountID, profitcenterid, locationid, amount: sizeOf(part) }),
  );
  const lines = suggested.length > 0 ? suggested : [blank(1, { amount: sizeOf(amount) })];
  const [first] = lines;
  const rows = isSplit && lines.length === 1 && first !== undefined ? [{ ...first, amount: null }, blank(2)] : lines;
  const entityId = offered?.entityId ?? offered?.lines.find((line) => line.entityId !== null)?.entityId ?? null;
  return { entityId, memo: offered?.lines[0]?.description ?? text, lines: rows };
}

const placed = ({ lines }: AddForm): Cents => sum(lines.map(({ amount }) => amount ?? ZERO));

/**
 * Returns the portion of the bank transaction's amount that isn't assigned to an account yet. Negative if the rows
 * exceed the amount.
 */
export const remainingOf = (form: AddForm, amount: Cents): Cents => cents(sizeOf(amount) - placed(form));

/** Returns the form with another row. */
export function withRow(form: AddForm): AddForm {
  const id = Math.max(0, ...form.lines.map((line) => line.id)) + 1;
  return { ...form, lines: [...form.lines, blank(id)] };
}

/** Returns the form without a row. If only one row remains, that row takes the whole amount. */
export function withoutRow(form: AddForm, id: number, amount: Cents): AddForm {
  const lines = form.lines.filter((line) => line.id !== id);
  const [only, ...others] = lines;
  const isOne = only !== undefined && others.length === 0;
  return { ...form, lines: isOne ? [{ ...only, amount: sizeOf(amount) }] : lines };
}

/** Returns the form with the remaining amount added to a row. */
export function withRest(form: AddForm, id: number, amount: Cents): AddForm {
  const rest = remainingOf(form, amount);
  const filled = (line: AddLineForm) => (line.id === id ? { ...line, amount: sum([line.amount ?? ZERO, rest]) } : line);
  return { ...form, lines: form.lines.map(filled) };
}

/** Returns error messages by field. */
export function addFaults(form: AddForm, amount: Cents): FieldMessages {
  const fields: FieldMessages = {};
  form.lines.forEach((line, at) => {
    if (line.accountID === null) fields[`lines.${at}.accountID`] = 'Please Select an Account';
    if ((line.amount ?? 0) === 0) fields[`lines.${at}.amount`] = 'Please enter an amount';
  });
  const rest = remainingOf(form, amount);
  if (rest !== 0) fields['lines'] = `${formatAmount(rest)} is not categorized yet`;
  return fields;
}

/** Returns the request. Amounts have the sign of the bank transaction. */
export function addInput(form: AddForm, { amount, text }: BankLine): BankLineInput {
  const sign = amount < 0 ? -1 : 1;
  return {
    action: 'add',
    entityId: form.entityId,
    memo: form.memo.trim() === '' ? text : form.memo,
    lines: form.lines.map(({ id: _, accountID, amount: part, ...place }) => ({
      ...place,
      accountID: accountID ?? 0,
      amount: cents(sign * (part ?? 0)),
    })),
  };
}
