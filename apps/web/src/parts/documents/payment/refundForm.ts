import type { HistoryRow, OpenDocument } from '@evenkeel/contract/subledger';
import type { IsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import { type Cents, negate, sum, ZERO } from '@evenkeel/core/money';
import { REFUND } from '@evenkeel/core/documents/side';
import { appliedTo, blankPayment, listedOpen, type PaymentForm, paymentInput, unpaidOf } from './paymentForm.ts';
import type { AnyPayment, DocumentSide, PaymentBody } from '../side.ts';

/**
 * The data of the refund form. It is a payment form whose applications are only credits: credit memos, and unapplied
 * payments, which are listed under their negative IDs. All amounts are positive until they are sent.
 */

/** Returns all refundable items: credits with a remaining amount, and payments with an unapplied amount. */
export function refundableOf(
  open: readonly OpenDocument[],
  history: readonly HistoryRow[],
  saved: AnyPayment | undefined,
): OpenDocument[] {
  const own = new Map(saved?.paymentRefunds.map(({ paymentId, amount }) => [paymentId, amount]));
  const rests = history.flatMap((row): OpenDocument[] => {
    const given = own.get(row.id) ?? ZERO;
    if (row.kind !== 'payment' || row.amount <= 0 || row.balance + given === 0) return [];
    return [
      {
        invoiceId: -row.id,
        invoiceNumber: `Payment ${row.refNumber}`,
        invoiceDate: row.historyDate,
        dueDate: null,
        invoiceAmount: row.amount,
        openAmount: row.balance,
        appliedAmount: given,
        applyAmount: given,
        profitCenterId: null,
        locationId: null,
        lineItems: [],
      },
    ];
  });
  return listedOpen([...open.filter((each) => unpaidOf(each) < 0).map(turned), ...rests], []);
}

function turned(credit: OpenDocument): OpenDocument {
  const { invoiceAmount, openAmount, appliedAmount } = credit;
  return {
    ...credit,
    invoiceAmount: negate(invoiceAmount),
    openAmount: negate(openAmount),
    appliedAmount: negate(appliedAmount),
  };
}

/** Returns a new refund of the credit that the refund was opened from, or of all credits. */
export function blankRefund(
  { today, entityId }: { today: IsoDate; entityId: number },
  credits: readonly OpenDocument[],
  of: number | undefined,
): PaymentForm {
  const chosen = credits.filter(({ invoiceId }) => of === undefined || invoiceId === of);
  const applied = Object.fromEntries(chosen.map((each) => [each.invoiceId, unpaidOf(each)]));
  return { ...blankPayment({ today, entityId }), applied };
}

/** Returns the refund amount, as a positive number. */
export function refundTotal(form: Pick<PaymentForm, 'applied'>, credits: readonly OpenDocument[]): Cents {
  return sum(credits.map(({ invoiceId }) => appliedTo(form, invoiceId)));
}

export function refundFaults(
  form: PaymentForm,
  credits: readonly OpenDocument[],
  side: Pick<DocumentSide, 'core' | 'words'>,
): FieldMessages {
  const hasType = !side.core.hasPaymentTypes || form.paymentTypeId !== null;
  return {
    ...(form.paymentDate === null ? { paymentDate: 'Please enter a date' } : {}),
    ...(hasType ? {} : { paymentTypeId: 'Please Select a Payment Type' }),
    ...(form.money === null ? { money: side.words.noMoneyAccount } : {}),
    ...(refundTotal(form, credits) > 0 ? {} : { paymentApplications: 'Please enter an amount to refund' }),
  };
}

/** Returns the request body. Throws if the form is not valid. */
export function refundInput(
  form: PaymentForm,
  credits: readonly OpenDocument[],
  how: Parameters<typeof paymentInput>[2],
): PaymentBody {
  const isRest = ({ invoiceId }: OpenDocument): boolean => invoiceId < 0;
  const paymentRefunds = credits.filter(isRest).flatMap(({ invoiceId }) => {
    const amount = appliedTo(form, invoiceId);
    return amount > 0 ? [{ paymentId: -invoiceId, amount }] : [];
  });
  const amount = negate(refundTotal(form, credits));
  const memos = credits.filter((each) => !isRest(each));
  const applied = Object.fromEntries(memos.map((each) => [each.invoiceId, negate(appliedTo(form, each.invoiceId))]));
  return { ...paymentInput({ ...form, amount, applied }, memos, how), paymentRefunds };
}

/** Returns a side's labels for the account that refund money comes from or goes to. */
export function refundWords({ core, takes }: Pick<DocumentSide, 'core' | 'takes'>) {
  const isOut = core.name === 'receivable';
  return {
    title: `${REFUND} ${isOut ? 'to' : 'from'}`,
    money: isOut ? 'Refund From' : 'Deposit To',
    date: isOut ? 'refunded' : 'refund received',
    takes: takes === 'allowDeposits' ? ('allowPayments' as const) : ('allowDeposits' as const),
  };
}
