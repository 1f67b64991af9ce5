import * as z from 'zod';
import { DateField, Id, Usd } from './fields.ts';

/** A balance in dollars before and after the change, with the account's natural sign. */
const Change = z.object({ before: Usd, after: Usd });

/** An amount on both reporting bases. */
const OnBothBases = z.object({ accrual: Change, cash: Change });
export type OnBothBases = z.output<typeof OnBothBases>;

const RehearsedLine = z.object({
  accountId: Id,
  /** The account's label, with its number if the company uses account numbers. */
  account: z.string(),
  description: z.string(),
  /** Zero if the line is a credit. */
  debit: Usd,
  credit: Usd,
  /** The reports that include the line: reports on both bases, only on the accrual basis, or only on the cash basis. */
  basis: z.enum(['both', 'accrual', 'cash']),
});

/** A transaction that the call would add to the journal. */
const RehearsedTransaction = z.object({
  postingDate: DateField,
  description: z.string(),
  /**
   * Whether the books are closed on this date. If so, only an administrator who gives a reason can post on that date.
   */
  closed: z.boolean(),
  lines: z.array(RehearsedLine),
});

/**
 * The effects that a call would have. Balances are as of `asOf`. Income and expenses count from the start of the fiscal
 * year. Entries, accounts, and net income require View Accounting or View Reports, like ledger entries elsewhere.
 */
export const Rehearsal = z.object({
  transactions: z.array(RehearsedTransaction),
  /** Today, or the last posting date if that date is later. */
  asOf: DateField,
  /** The accounts whose balance changes, in account order. */
  accounts: z.array(OnBothBases.extend({ accountId: Id, account: z.string() })),
  /** The customers and vendors whose balance changes. */
  entities: z.array(Change.extend({ entityId: Id, name: z.string() })),
  /** The fiscal year's net income through `asOf`. Null for a user who isn't allowed to see it. */
  netIncome: OnBothBases.nullable(),
  /**
   * At most 10 posted documents and payments that may duplicate the new documents and payments: they have the same
   * kind, customer or vendor, and amount, and their dates are at most 3 days apart.
   */
  duplicates: z.array(z.object({ description: z.string(), date: DateField, name: z.string(), amount: Usd })),
  /** The document numbers that would be assigned, each with the name of its kind of document. */
  numbers: z.array(z.object({ kind: z.string(), number: z.string() })),
});
export type Rehearsal = z.output<typeof Rehearsal>;

/** The response to a rehearsed call. `reply` is the call's usual response, with provisional record IDs. */
export const Rehearsed = z.object({ reply: z.unknown(), rehearsal: Rehearsal });
