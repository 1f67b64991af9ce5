import { adjustmentKinds } from '@evenkeel/core/taxes/returns';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { DateField, Done, flag, Id, IdText, LineId, maybe, Moment, RowVersion, text, Usd } from './fields.ts';

/** Tax agencies, their due list, and their returns. */

export const TaxAgency = z.object({
  id: Id,
  name: z.string(),
  /** The abbreviation of the state, whose tax rules determine due dates and discounts. */
  state: z.string(),
  /** The liability account of the agency's tax. */
  accountId: Id,
  /** The sales tax items that are reported to the agency. */
  itemIds: z.array(Id),
  /** 0 annually, 1 semiannually, 2 quarterly, 3 monthly. */
  frequency: z.number().int(),
  /** A month (1 to 12) in which a period starts. */
  firstMonth: z.number().int(),
  basis: z.enum(['accrual', 'cash']),
  /** The first day of the first period. */
  startDate: DateField,
  rowVersion: RowVersion,
});
export type TaxAgency = z.output<typeof TaxAgency>;

export const TaxAgencyInput = z.object({
  id: maybe(LineId),
  name: text(100),
  state: text(20),
  accountId: Id,
  itemIds: z.array(Id).max(200),
  frequency: z.number().int(),
  firstMonth: maybe(z.number().int()),
  basis: z.enum(['accrual', 'cash']),
  startDate: DateField,
  rowVersion: maybe(RowVersion),
});
export type TaxAgencyInput = z.output<typeof TaxAgencyInput>;

const Adjustment = z.object({
  kind: z.enum(adjustmentKinds),
  accountId: Id,
  /** The amount added to the tax due. A discount is negative. */
  amount: Usd,
  reason: text(200),
});

const TaxReturnDocument = z.object({
  documentId: Id,
  /** The kind of document (`invoice`, `creditmemo`, …). */
  kind: z.string(),
  number: z.string(),
  customer: z.string(),
  date: DateField,
  gross: Usd,
  taxable: Usd,
  tax: Usd,
  /** The changes since earlier returns were filed. */
  sinceTaxable: Usd,
  sinceTax: Usd,
});

/** A tax item on a return, with its share of the amounts. */
const TaxReturnItem = z.object({
  itemId: Id,
  label: z.string(),
  /** The percentages on the documents, for example `["6.75", "7"]`. */
  rates: z.array(z.string()),
  taxable: Usd,
  tax: Usd,
  sinceTaxable: Usd,
  sinceTax: Usd,
});

/** A written-off invoice for which the agency refunds the tax. */
const BadDebtClaim = z.object({
  invoiceId: Id,
  number: z.string(),
  customer: z.string(),
  date: DateField,
  writtenOffOn: DateField,
  /** The part of the invoice that the agency taxes, and the tax on that part. */
  taxable: Usd,
  tax: Usd,
  writtenOff: Usd,
  /** The part of earlier claims that is no longer written off. */
  recovered: Usd,
  /** The credit that no earlier return includes. Negative for a recovered debt. */
  credit: Usd,
  /** The part of the credit that the write-off took from the tax account. */
  deducted: Usd,
});

export const TaxPayment = z.object({
  id: Id,
  /** The agency's name and the period, for example "Ohio, May 2026". */
  name: z.string(),
  agencyId: Id,
  periodEnd: DateField,
  /** Null for a prepayment, which was made before the return was filed. */
  returnId: Id.nullable(),
  bankAccountId: Id,
  paymentDate: DateField,
  amount: Usd,
});
export type TaxPayment = z.output<typeof TaxPayment>;

/** A return, filed (`id` above 0) or prepared from the ledger (`id` 0). */
export const TaxReturn = z.object({
  id: Id,
  agencyId: Id,
  agencyName: z.string(),
  /** The liability account of the agency's tax. */
  accountId: Id,
  /** The agency's name and the period, for example "Ohio, May 2026" or "Ohio, May 2026, amendment 1". */
  name: z.string(),
  basis: z.enum(['accrual', 'cash']),
  /** 1 for the first return of the period, and one higher for each amendment. */
  version: z.number().int(),
  /** Whether this is the agency's last filed return, which can be amended or undone. */
  isLast: z.boolean(),
  from: DateField,
  to: DateField,
  /** The due date, moved to a business day. Null if the state has no rule for the period. */
  dueDate: DateField.nullable(),
  filedDate: DateField.nullable(),
  confirmation: z.string(),
  filedBy: z.string().nullable(),
  filedAt: Moment.nullable(),
  gross: Usd,
  nonTaxable: Usd,
  taxable: Usd,
  tax: Usd,
  /** The changes in filed periods that no earlier return includes. */
  sinceTaxable: Usd,
  sinceTax: Usd,
  /** The discount for filing and paying by the due date, with its rule in words. Null if the state has no rule. */
  discount: z.object({ amount: Usd, rule: z.string(), source: z.string(), isLost: z.boolean() }).nullable(),
  /**
   * The bad debts whose tax can be claimed, or was claimed on a filed return. Empty for agencies on the cash basis,
   * which never received the tax, and for amendments.
   */
  badDebts: z.array(BadDebtClaim),
  /** The order in which payments on bad debts are divided, with the source. Empty if the state has no rule. */
  badDebtRule: z.string(),
  /**
   * A bad-debt credit on the agency's own liability account posts nothing, because the write-offs have reduced the
   * account.
   */
  adjustments: z.array(Adjustment),
  /** The credit from the last return, as a negative amount. */
  carriedIn: Usd,
  prepaid: Usd,
  netDue: Usd,
  /** The credit for the next return, as a negative amount. */
  carriedOver: Usd,
  /** The payments since filing. */
  paid: Usd,
  /** The prepayments and the payments since filing. */
  payments: z.array(TaxPayment),
  items: z.array(TaxReturnItem),
  documents: z.array(TaxReturnDocument),
  /**
   * For a filed return, the documents in its period whose amounts have changed since the return was filed, with the
   * differences and the last change to each document.
   */
  changes: z.array(
    TaxReturnDocument.extend({ changedAt: Moment.nullable(), changedBy: z.string(), isDeleted: z.boolean() }),
  ),
});
export type TaxReturn = z.output<typeof TaxReturn>;

const DuePeriod = z.object({
  from: DateField,
  to: DateField,
  name: z.string(),
  dueDate: DateField.nullable(),
  /** `open`: the period has not ended yet. `zero`: the period has no sales, but its return must still be filed. */
  status: z.enum(['open', 'prepare', 'zero', 'unpaid', 'paid']),
  isOverdue: z.boolean(),
  taxable: Usd,
  tax: Usd,
  /** Null until the return is filed. */
  netDue: Usd.nullable(),
  /** The payments since filing. */
  paid: Usd,
  /** The payments before filing. */
  prepaid: Usd,
  /** The last version of the period's return. */
  returnId: Id.nullable(),
  filedDate: DateField.nullable(),
});

export const TaxDueList = z.object({
  agencies: z.array(z.object({ agency: TaxAgency, periods: z.array(DuePeriod) })),
  /** The amounts that make up the balance of the agencies' liability accounts, on the accrual basis. */
  liability: z.object({
    /** Tax that is not on a filed return, including changes since filing. */
    unfiled: Usd,
    unpaid: Usd,
    /** Prepayments and credits carried over. */
    credits: Usd,
    /** Tax on unpaid invoices, for agencies on the cash basis. */
    uncollected: Usd,
    /** Other entries, for example opening balances, journal entries, and tax without an agency. */
    other: Usd,
    /** The balance of the accounts. */
    balance: Usd,
    /** The balance less the amounts above. 0 unless filed returns and the ledger disagree. */
    difference: Usd,
  }),
});
export type TaxDueList = z.output<typeof TaxDueList>;

export const taxReturnCalls = {
  listTaxAgencies: endpoint({
    method: 'GET',
    path: '/taxagency',
    needs: 'View Accounting',
    summary: 'Lists the tax agencies.',
    reply: z.array(TaxAgency),
  }),
  createTaxAgency: endpoint({
    method: 'POST',
    path: '/taxagency',
    needs: 'Manage Accounting',
    summary: 'Creates a tax agency, or updates the one with this ID.',
    body: TaxAgencyInput,
    names: 'id',
    reply: TaxAgency,
  }),
  updateTaxAgency: endpoint({
    method: 'PUT',
    path: '/taxagency/{id}',
    needs: 'Manage Accounting',
    summary: "Updates a tax agency. After its first return is filed, its terms and tax items can't be changed.",
    params: z.object({ id: IdText }),
    body: TaxAgencyInput,
    reply: TaxAgency,
  }),
  taxDueList: endpoint({
    method: 'GET',
    path: '/taxdue',
    needs: 'View Accounting',
    summary: "Lists every agency's filing periods through today, and the components of the sales tax liability.",
    reply: TaxDueList,
  }),
  prepareTaxReturn: endpoint({
    method: 'GET',
    path: '/taxagency/{id}/return',
    needs: 'View Accounting',
    summary: "Returns an agency's next return, calculated from the ledger on the agency's basis.",
    params: z.object({ id: IdText }),
    /** With `amends=true`, returns an amendment of the last return, with all changes since that return was filed. */
    query: z.object({ amends: flag }),
    reply: TaxReturn,
  }),
  getTaxReturn: endpoint({
    method: 'GET',
    path: '/taxreturn/{id}',
    needs: 'View Accounting',
    summary: 'Returns a filed return with its documents and the changes since it was filed.',
    params: z.object({ id: IdText }),
    reply: TaxReturn,
  }),
  printTaxReturn: endpoint({
    method: 'GET',
    path: '/taxreturn/{id}/pdf',
    needs: 'View Accounting',
    summary: 'Returns a filed return as a PDF.',
    params: z.object({ id: IdText }),
    reply: 'application/pdf',
  }),
  /**
   * Posts the adjustments on the filing date and saves every amount with its documents. Throws 409 if `netDue` is not
   * the current amount, and 422 if an earlier period is not filed or the period has not ended. With `amends`, files the
   * changes since the last return as a new version of the return. Throws 422 if nothing has changed.
   */
  fileTaxReturn: endpoint({
    method: 'POST',
    path: '/taxreturn',
    needs: 'Manage Accounting',
    summary: "Files an agency's next return. The amounts on a filed return never change.",
    body: z.object({
      agencyId: Id,
      periodEnd: DateField,
      amends: maybe(z.boolean()),
      filedDate: DateField,
      confirmation: maybe(text(100)),
      adjustments: z.array(Adjustment).max(50),
      /** The amount to pay, as the user saw it. */
      netDue: Usd,
      closingOverrideReason: maybe(text(500)),
    }),
    reply: TaxReturn,
  }),
  /** Throws 409 if the return has payments or is not the agency's last return. */
  undoTaxReturn: endpoint({
    method: 'DELETE',
    path: '/taxreturn/{id}',
    needs: 'Manage Accounting',
    summary: "Undoes the filing of an agency's latest return: reverses the adjustments and deletes the return.",
    params: z.object({ id: IdText }),
    query: z.object({ closingOverrideReason: text(500).optional() }),
    reply: Done,
  }),
  /** Throws 409 if a filed return includes this prepayment, or if the payment is reconciled. */
  deleteTaxPayment: endpoint({
    method: 'DELETE',
    path: '/taxpayment/{id}',
    needs: 'Manage Accounting',
    summary: 'Reverses and deletes a payment to a tax agency.',
    params: z.object({ id: IdText }),
    query: z.object({ closingOverrideReason: text(500).optional() }),
    reply: Done,
  }),
  /** A payment for a period that is not filed is a prepayment. A filed return can't be overpaid (422). */
  payTaxReturn: endpoint({
    method: 'POST',
    path: '/taxpayment',
    needs: 'Manage Accounting',
    summary: 'Records a payment to a tax agency for a period.',
    body: z.object({
      agencyId: Id,
      periodEnd: DateField,
      bankAccountId: Id,
      paymentDate: DateField,
      amount: Usd,
      closingOverrideReason: maybe(text(500)),
    }),
    reply: TaxPayment,
  }),
};
