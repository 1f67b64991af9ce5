import { documentKinds } from '@evenkeel/core/documents/side';
import * as z from 'zod';
import { DocumentLink } from './attachments.ts';
import { endpoint, InactiveQuery } from './endpoint.ts';
import { EntriesAsk, OpenItems, OpenItemsAsk, OwingAsk, OwingPage, PostedAsk, PostedItems } from './explain.ts';
import { DateField, Done, flag, Id, IdText, LineId, maybe, RowVersion, text, Usd } from './fields.ts';
import { alias } from './wire.ts';

/** Chart of accounts, account register, and journal entries. */

const MasterAccount = z.object({
  id: Id,
  accountNumber: z.string(),
  accountName: z.string(),
  accountLabel: z.string(),
  accountTypeLabel: z.string(),
  accountCategoryId: Id,
});

/** An account in a lookup. The ID is included in both spellings. */
export const AccountItem = z.object({
  customerAccountID: Id,
  customerAccountId: Id,
  name: z.string(),
  displayAccountName: z.string(),
  displayAccountNumber: z.string(),
  displayAccountLabel: z.string(),
  displayAccountType: z.string(),
  glAccountDescription: z.string(),
  /** Whether the account is active. An inactive account is no longer offered and can be made active. */
  active: z.boolean(),
});
export type AccountItem = z.output<typeof AccountItem>;

/** An account in the chart. The balance has its natural sign, on the company's basis, as of today. */
export const ChartAccount = AccountItem.extend({
  description: z.string(),
  masterAccountID: Id,
  accountCategoryId: Id,
  categoryName: z.string(),
  system: z.boolean(),
  balance: Usd.optional(),
  rowVersion: RowVersion,
});
export type ChartAccount = z.output<typeof ChartAccount>;

export const AccountSetup = z.object({
  customerAccountID: Id,
  customerAccountId: Id,
  description: z.string(),
  accountNumberLabel: z.string(),
  accountNameLabel: z.string(),
  masterAccountNumberLabel: z.string(),
  masterAccountNameLabel: z.string(),
  masterAccountID: Id,
  accountCategoryId: Id,
  selected: z.boolean(),
  rowVersion: RowVersion,
});
export const AccountSetupInput = z.object({
  customerAccountID: LineId,
  description: maybe(text(500)),
  accountNumberLabel: maybe(text(20)),
  accountNameLabel: maybe(text(100)),
  masterAccountID: maybe(Id),
  accountCategoryId: maybe(Id),
  selected: maybe(z.boolean()),
  rowVersion: maybe(RowVersion),
});
export type AccountSetupInput = z.output<typeof AccountSetupInput>;

/** Fields that the short lists share. An inactive record is no longer offered but can be made active. */
const kept = { active: z.boolean(), rowVersion: RowVersion };
const keptInput = { active: maybe(z.boolean()), rowVersion: maybe(RowVersion) };

export const AccountCategory = z.object({ id: Id, categoryName: z.string(), ...kept });
export type AccountCategory = z.output<typeof AccountCategory>;
const AccountCategoryInput = z.object({ id: maybe(LineId), categoryName: maybe(text(100)), ...keptInput });

export const ProfitCenter = z.object({ profitcenterid: Id, profitcentername: z.string(), ...kept });
export type ProfitCenter = z.output<typeof ProfitCenter>;
const ProfitCenterInput = z.object({ profitcenterid: maybe(LineId), profitcentername: maybe(text(100)), ...keptInput });

export const Location = z.object({
  locationId: Id,
  locationName: z.string(),
  address1: z.string(),
  address2: z.string(),
  city: z.string(),
  state: z.string(),
  county: z.string(),
  country: z.string(),
  postalCode: z.string(),
  ...kept,
});
export type Location = z.output<typeof Location>;
const LocationInput = z.object({
  locationId: maybe(LineId),
  locationName: maybe(text(100)),
  address1: maybe(text(200)),
  address2: maybe(text(200)),
  city: maybe(text(100)),
  state: maybe(text(100)),
  county: maybe(text(100)),
  country: maybe(text(100)),
  postalCode: maybe(text(20)),
  ...keptInput,
});

/**
 * An entry in the ledger, identified by `glid`. In a register, `balance` is the running balance with the account's
 * natural sign (negative for a contra account), and `entityName` is the document's customer or vendor if the line has
 * none.
 * `basis` 0 counts on both bases, 1 only on the accrual basis, and 2 only on the cash basis. A transaction balances on
 * each basis.
 */
export const GlEntry = z.object({
  glid: Id,
  transactionID: Id,
  postingDate: DateField,
  description: z.string(),
  debitAmount: Usd.nullable(),
  creditAmount: Usd.nullable(),
  balance: Usd.nullable(),
  accountID: Id,
  displayAccountLabel: z.string(),
  profitcenterid: Id.nullable(),
  locationid: Id.nullable(),
  entityId: Id.nullable(),
  entityName: z.string(),
  basis: z.number().int(),
  sourceType: z.string(),
  sourceId: Id,
  reverses: Id.nullable(),
  reversedBy: Id.nullable(),
  /**
   * The reconciliation that includes the entry. While this reconciliation exists, the entry can't be deleted, and its
   * amount, account, and date can't be changed.
   */
  reconciliationId: Id.nullable(),
  /** The number of the invoice, bill, payment, or journal entry. Included only in a register. */
  number: z.string().optional(),
});
export type GlEntry = z.output<typeof GlEntry>;

/** A line that is being entered. The account, side, and amount may be missing in a draft and on a trailing line. */
const JournalLineInput = alias(
  z.object({
    accountID: maybe(Id),
    debit: maybe(z.boolean()),
    amount: maybe(Usd),
    description: maybe(text(500)),
    postingDate: maybe(DateField),
    profitcenterid: maybe(Id),
    locationid: maybe(Id),
    entityId: maybe(Id),
  }),
  { customerAccountID: 'accountID' },
);

export const JournalEntryInput = z.object({
  transactionID: maybe(LineId),
  /** The customer or vendor for all lines that have none. 0 or the company's own ID means no customer or vendor. */
  entityID: maybe(Id),
  postingDate: maybe(DateField),
  generalLedgerEntries: z.array(JournalLineInput).max(1000),
  /** Saves the journal entry as a draft instead of posting it. */
  draft: maybe(z.boolean()),
  /** 0 both bases (default), 1 accrual only, 2 cash only. */
  basis: maybe(z.number().int().min(0).max(2)),
  rowVersion: maybe(RowVersion),
  closingOverrideReason: maybe(text(500)),
});
export type JournalEntryInput = z.output<typeof JournalEntryInput>;

export const PostedTransaction = z.object({
  transactionID: Id,
  entityID: Id,
  draft: z.boolean(),
  postingDate: DateField.nullable(),
  description: z.string(),
  sourceType: z.string(),
  sourceId: Id,
  generalLedgerEntries: z.array(GlEntry),
  rowVersion: RowVersion,
});
export type PostedTransaction = z.output<typeof PostedTransaction>;

/** A register: the whole list as an array, or one page with a cursor. */
const EntriesQuery = z.object({
  limit: z
    .codec(z.string().regex(/^\d{1,3}$/), z.number().int().min(1).max(500), { decode: Number, encode: String })
    .optional(),
  after: z.string().max(200).optional(),
  from: DateField.optional(),
  to: DateField.optional(),
  /** 0 for accrual, 1 for cash. Defaults to the company's basis. */
  basis: z.enum(['0', '1']).optional(),
  /** Limits the lines to one profit center or location. The filter also applies to balances. 0 means all. */
  profitcenterid: IdText.optional(),
  locationid: IdText.optional(),
  /** Limits the register to lines without a profit center or without a location. */
  unassigned: z.enum(['profitcenter', 'location']).optional(),
  /** Limits the lines to one customer or vendor. */
  entityid: IdText.optional(),
  /**
   * Limits the lines to documents that buy or sell an asset between `from` and `to`, or excludes these documents (cash
   * flows).
   */
  ofassets: z.enum(['only', 'without']).optional(),
  /** Limits the lines to journal entries, or excludes journal entries. */
  journals: z.enum(['only', 'without']).optional(),
  showReversed: flag,
  /**
   * Words that an entry's number, name, description, or amount must contain. Cannot be combined with `entityid`,
   * `ofassets`, or `journals`.
   */
  q: text(200).optional(),
  /**
   * If true, limits the register to lines in saved reconciliations. If false, limits the register to all other lines.
   * Balances still include all of the account's lines. Cannot be combined with `entityid`, `ofassets`, or `journals`.
   */
  cleared: z.enum(['true', 'false']).optional(),
  /** Whether to return the newest entries first. Later pages then contain older entries. */
  desc: flag,
});

/** An account's totals for a date range: closing = broughtForward ± (debits − credits) within one fiscal year. */
const RegisterPeriod = z.object({ broughtForward: Usd, debits: Usd, credits: Usd, closing: Usd });

/** The maximum number of entries that a register search counts. A `total` of this size means that there may be more. */
export const MOST_FOUND = 1000;

/** A page of a register. `opening` is the balance before its earliest entry. */
const RegisterPage = z.object({
  items: z.array(GlEntry),
  next: z.string().nullable(),
  total: z.number(),
  opening: Usd,
  /** The account's totals for the date range (`from` or `to`). Returned only on the first page. */
  period: RegisterPeriod.optional(),
});

/** Entries in several accounts. `amount` is debit − credit for all entries on all pages. */
const FigureEntries = z.object({ items: z.array(GlEntry), next: z.string().nullable(), amount: Usd });

export const ledgerCalls = {
  listAccounts: endpoint({
    method: 'GET',
    path: '/customeraccounts',
    needs: 'signed-in',
    summary: 'Lists accounts to select from. Set `inactive` to include removed accounts.',
    query: InactiveQuery,
    reply: z.array(AccountItem),
  }),
  listPaymentAccounts: endpoint({
    method: 'GET',
    path: '/customeraccounts/paymentaccounts',
    needs: 'signed-in',
    summary: 'Lists the cash and undeposited funds accounts that a payment can use in addition to bank accounts.',
    query: InactiveQuery,
    reply: z.array(AccountItem),
  }),
  listRevenueAccounts: endpoint({
    method: 'GET',
    path: '/customeraccounts/revenueaccounts',
    needs: 'signed-in',
    summary: 'Lists the income accounts for products and billing lines.',
    query: InactiveQuery,
    reply: z.array(AccountItem),
  }),
  listMasterAccounts: endpoint({
    method: 'GET',
    path: '/accounts',
    needs: 'signed-in',
    summary: 'Lists the master accounts that your own accounts are based on.',
    reply: z.array(MasterAccount),
  }),
  chartOfAccounts: endpoint({
    method: 'GET',
    path: '/customerchartofaccounts',
    needs: 'signed-in',
    summary: 'Returns the chart of accounts. Balances (as of today) require View Accounting.',
    query: InactiveQuery,
    reply: z.array(ChartAccount),
  }),
  setupAccount: endpoint({
    method: 'PUT',
    path: '/accountsetup',
    makes: true,
    needs: 'Manage Accounting',
    summary: 'Creates (id 0), renames, removes (`selected` false), or restores (`selected` true) an account.',
    body: AccountSetupInput,
    reply: AccountSetup,
  }),
  listAccountCategories: endpoint({
    method: 'GET',
    path: '/accountcategories',
    needs: 'signed-in',
    summary: 'Lists account categories, sorted by name. Set `inactive` to include inactive ones.',
    query: InactiveQuery,
    reply: z.array(AccountCategory),
  }),
  createAccountCategory: endpoint({
    method: 'POST',
    path: '/accountcategories',
    needs: 'Manage Accounting',
    summary: 'Creates an account category (id 0), or updates the one with this ID.',
    body: AccountCategoryInput,
    names: 'id',
    reply: AccountCategory,
  }),
  updateAccountCategory: endpoint({
    method: 'PUT',
    path: '/accountcategories/{id}',
    needs: 'Manage Accounting',
    summary: 'Updates an account category. To make it active again, set `active` to true.',
    params: z.object({ id: IdText }),
    body: AccountCategoryInput,
    reply: AccountCategory,
  }),
  deleteAccountCategory: endpoint({
    method: 'DELETE',
    path: '/accountcategories/{id}',
    needs: 'Manage Accounting',
    summary: 'Deletes an account category, or makes it inactive if it has been used.',
    params: z.object({ id: IdText }),
    reply: Done,
  }),
  listProfitCenters: endpoint({
    method: 'GET',
    path: '/profitcenters',
    needs: 'signed-in',
    summary: 'Lists profit centers, sorted by name. Set `inactive` to include inactive ones.',
    query: InactiveQuery,
    reply: z.array(ProfitCenter),
  }),
  createProfitCenter: endpoint({
    method: 'POST',
    path: '/profitcenters',
    needs: 'Manage Accounting',
    summary: 'Creates a profit center (id 0), or updates the one with this ID.',
    body: ProfitCenterInput,
    names: 'profitcenterid',
    reply: ProfitCenter,
  }),
  updateProfitCenter: endpoint({
    method: 'PUT',
    path: '/profitcenters',
    needs: 'Manage Accounting',
    summary: 'Updates a profit center. To make it active again, set `active` to true.',
    body: ProfitCenterInput,
    reply: ProfitCenter,
  }),
  deleteProfitCenter: endpoint({
    method: 'DELETE',
    path: '/profitcenters/{profitcenterid}',
    needs: 'Manage Accounting',
    summary: 'Deletes a profit center, or makes it inactive if it has been used.',
    params: z.object({ profitcenterid: IdText }),
    reply: Done,
  }),
  listLocations: endpoint({
    method: 'GET',
    path: '/locations',
    needs: 'signed-in',
    summary: 'Lists locations, sorted by name. Set `inactive` to include inactive ones.',
    query: InactiveQuery,
    reply: z.array(Location),
  }),
  createLocation: endpoint({
    method: 'POST',
    path: '/locations',
    needs: 'Manage Accounting',
    summary: 'Creates a location (id 0), or updates the one with this ID.',
    body: LocationInput,
    names: 'locationId',
    reply: Location,
  }),
  updateLocation: endpoint({
    method: 'PUT',
    path: '/locations',
    needs: 'Manage Accounting',
    summary: 'Updates a location. To make it active again, set `active` to true.',
    body: LocationInput,
    reply: Location,
  }),
  deleteLocation: endpoint({
    method: 'DELETE',
    path: '/locations/{locationId}',
    needs: 'Manage Accounting',
    summary: 'Deletes a location, or makes it inactive if it has been used.',
    params: z.object({ locationId: IdText }),
    reply: Done,
  }),
  accountEntries: endpoint({
    method: 'GET',
    path: '/GeneralLedger/GetAccountEntries/{customerAccountId}',
    needs: ['View Accounting', 'View Reports'],
    summary: "Lists an account's entries by posting date, with the running balance and the payer or payee.",
    params: z.object({ customerAccountId: IdText }),
    query: EntriesQuery,
    reply: z.union([z.array(GlEntry), RegisterPage]),
  }),
  figureEntries: endpoint({
    method: 'PUT',
    path: '/GeneralLedger/FigureEntries',
    needs: ['View Accounting', 'View Reports'],
    summary: 'Lists the entries that make up an amount, newest first, 100 per page, with their total.',
    body: EntriesAsk,
    reply: FigureEntries,
    reads: true,
  }),
  /** Returns 400 unless exactly one of `through` and `since` is given. */
  postedItems: endpoint({
    method: 'PUT',
    path: '/GeneralLedger/PostedItems',
    needs: ['View Accounting', 'View Reports'],
    summary:
      'Lists the transactions that make up an amount as it was known at a past time, or its change since then, ' +
      'newest first, with the user and time of each.',
    body: PostedAsk,
    reply: PostedItems,
    reads: true,
  }),
  openItems: endpoint({
    method: 'PUT',
    path: '/GeneralLedger/OpenItems',
    needs: ['View Billing', 'View Expenses', 'View Customers', 'View Vendors', 'View Accounting', 'View Reports'],
    summary:
      'Lists the open items that make up an aging or balance amount, most overdue first, 200 per page, ' +
      'with their total.',
    body: OpenItemsAsk,
    reply: OpenItems,
    reads: true,
  }),
  owing: endpoint({
    method: 'PUT',
    path: '/GeneralLedger/Owing',
    needs: ['View Billing', 'View Expenses', 'View Accounting', 'View Reports'],
    summary: 'Lists the customers or vendors with an open balance as of a date, by days past due, 100 per page.',
    body: OwingAsk,
    reply: OwingPage,
    reads: true,
  }),
  transactionEntries: endpoint({
    method: 'GET',
    path: '/GeneralLedger/GetTransactionEntriesFromID/{transactionId}',
    needs: ['View Accounting', 'View Reports'],
    summary: 'Returns a posted transaction with its lines. For a journal entry, also returns its attachments.',
    params: z.object({ transactionId: IdText }),
    reply: PostedTransaction.extend({ documentLinks: z.array(DocumentLink) }),
  }),
  sourceEntries: endpoint({
    method: 'GET',
    path: '/GeneralLedger/GetEntriesFromSource/{sourceType}/{sourceId}',
    needs: ['View Accounting', 'View Reports'],
    summary: 'Lists all entries of a document in posting order, including reversed ones.',
    params: z.object({
      sourceType: z.enum(Object.keys(documentKinds)),
      sourceId: IdText,
    }),
    reply: z.array(GlEntry),
  }),
  postTransaction: endpoint({
    method: 'POST',
    path: '/GeneralLedger/PostTransaction',
    needs: 'Manage Accounting',
    summary:
      'Posts a balanced journal entry, or saves it as a draft. An ID greater than 0 identifies an existing draft.',
    body: JournalEntryInput,
    names: 'transactionID',
    reply: PostedTransaction,
  }),
  reverseTransaction: endpoint({
    method: 'POST',
    path: '/GeneralLedger/ReverseTransaction/{transactionId}',
    needs: 'Manage Accounting',
    summary: 'Posts the reversal of a journal entry on a date that is not closed.',
    params: z.object({ transactionId: IdText }),
    body: z.object({ postingDate: DateField, closingOverrideReason: maybe(text(500)) }),
    reply: PostedTransaction,
  }),
  listDrafts: endpoint({
    method: 'GET',
    path: '/GeneralLedger/Drafts',
    needs: 'View Accounting',
    summary: 'Lists draft journal entries.',
    reply: z.array(PostedTransaction),
  }),
  deleteDraft: endpoint({
    method: 'DELETE',
    path: '/GeneralLedger/Drafts/{id}',
    needs: 'Manage Accounting',
    summary: 'Deletes a draft journal entry.',
    params: z.object({ id: IdText }),
    reply: Done,
  }),
};
