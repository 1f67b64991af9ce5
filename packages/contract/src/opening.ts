import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { chosenId, DateField, Id, LineId, maybe, Moment, RowVersion, text, Usd } from './fields.ts';

/** The opening balances of a company that moves its books to Evenkeel: the account balances and each open document. */

/** The maximum number of accounts, and the maximum number of documents of each kind. */
export const MAX_OPENING_ROWS = 5000;

const balanceFields = {
  /** The balance as debits less credits. */
  amount: Usd,
};

const OpeningBalance = z.object({
  accountId: Id,
  ...balanceFields,
  /**
   * The balance on the cash basis, if it was stated. Otherwise, the cash balance is derived from the open documents.
   */
  cashAmount: Usd.optional(),
});

const OpeningBalanceInput = z.object({
  accountId: chosenId('Please Select an Account'),
  ...balanceFields,
  cashAmount: maybe(Usd),
});

const OpeningLine = z.object({
  accountId: Id,
  /** The original amount without tax. */
  amount: Usd,
  description: z.string(),
  taxable: z.boolean(),
  profitCenterId: Id.nullable(),
  locationId: Id.nullable(),
});

const OpeningLineInput = z.object({
  /** The income or expense account, which the cash basis uses when the document is settled. */
  accountId: chosenId('Please Select an Account'),
  /**
   * The original amount without tax. Can be omitted if the document has only one line and the amount equals the unpaid
   * amount.
   */
  amount: maybe(Usd),
  description: maybe(text(500)),
  taxable: maybe(z.boolean()),
  profitCenterId: maybe(Id),
  locationId: maybe(Id),
});

/** The original tax, by tax item in the scenario. */
const OpeningTax = z.object({ id: Id, amount: Usd });

const OpeningDocument = z.object({
  id: Id,
  rowVersion: RowVersion,
  /** The customer or vendor. */
  entityId: Id,
  displayName: z.string(),
  number: z.string(),
  date: DateField,
  dueDate: DateField.nullable(),
  /** The unpaid amount or remaining credit on the date of the opening balances, always positive. */
  unpaidAmount: Usd,
  salesTaxScenario: Id.nullable(),
  lineItems: z.array(OpeningLine),
  taxItems: z.array(OpeningTax),
  /**
   * The records that depend on the document, such as "payment 10001". If there are any, the document can't be deleted,
   * its customer or vendor can't change, and its amount can't be less than `appliedAmount`.
   */
  usedBy: z.array(z.string()),
  appliedAmount: Usd,
});
export type OpeningDocument = z.output<typeof OpeningDocument>;

const OpeningDocumentInput = z.object({
  /** The document's ID. 0, negative, or missing for a new document. */
  id: maybe(LineId),
  rowVersion: maybe(RowVersion),
  entityId: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  number: text(50),
  date: DateField,
  dueDate: maybe(DateField),
  unpaidAmount: Usd,
  /** Used only for invoices and credit memos. */
  salesTaxScenario: maybe(Id),
  lineItems: z.array(OpeningLineInput).max(200),
  /** Used only if the lines have amounts. */
  taxItems: maybe(z.array(OpeningTax).max(50)),
});
export type OpeningDocumentInput = z.output<typeof OpeningDocumentInput>;

/** The lists of open documents. */
export const openingLists = ['invoices', 'bills', 'customerCredits', 'vendorCredits'] as const;
export type OpeningList = (typeof openingLists)[number];

const rows = z.array(OpeningDocumentInput).max(MAX_OPENING_ROWS);

const OpeningInput = z.object({
  /** The day before the first day in these books. */
  date: DateField,
  /**
   * The accounts with a balance, except receivables and payables, which come from the documents. The balance of Opening
   * Balance Equity must be the remaining amount.
   */
  accounts: z.array(OpeningBalanceInput).max(MAX_OPENING_ROWS),
  invoices: rows,
  bills: rows,
  /** Credits of customers and vendors that have not been applied yet, with their remaining amounts. */
  customerCredits: rows,
  vendorCredits: rows,
});
export type OpeningInput = z.output<typeof OpeningInput>;

const documents = z.array(OpeningDocument);

export const OpeningBalances = z.object({
  /** Null until opening balances are posted. */
  date: DateField.nullable(),
  accounts: z.array(OpeningBalance),
  invoices: documents,
  bills: documents,
  customerCredits: documents,
  vendorCredits: documents,
  /**
   * The closing date, if it is on or after a date in the opening balances. If so, the opening balances can no longer
   * change.
   */
  closedThrough: DateField.nullable(),
  postedBy: z.string().nullable(),
  postedAt: Moment.nullable(),
  /** 0 until opening balances are posted. */
  rowVersion: RowVersion,
});
export type OpeningBalances = z.output<typeof OpeningBalances>;

export const openingCalls = {
  getOpeningBalances: endpoint({
    method: 'GET',
    path: '/openingbalances',
    needs: 'Manage Accounting',
    summary: 'Returns the opening balances: their date, the accounts, and the open documents.',
    reply: OpeningBalances,
  }),
  /**
   * Posts either everything or nothing. Returns 422 with the invalid fields, for example if debits don't equal credits,
   * and 409 if opening balances were already posted or the books are closed through one of the dates.
   */
  postOpeningBalances: endpoint({
    method: 'POST',
    path: '/openingbalances',
    needs: 'Manage Accounting',
    summary: 'Posts the opening balances, with open invoices, bills, and credits.',
    body: OpeningInput,
    reply: OpeningBalances,
  }),
  /**
   * Replaces the opening balances until the books are closed for the first time. Documents without an ID are new, and
   * documents that are not in the request are deleted. Returns 409 with the documents and accounts that can't change
   * because something depends on them, and 409 if `rowVersion` is outdated.
   */
  redoOpeningBalances: endpoint({
    method: 'PUT',
    path: '/openingbalances',
    makes: true,
    needs: 'Manage Accounting',
    summary: 'Replaces the opening balances and their open documents.',
    body: OpeningInput.extend({ rowVersion: RowVersion }),
    reply: OpeningBalances,
  }),
};
