import * as z from 'zod';
import { MOVE_LISTS } from '@evenkeel/core/moving/lists';
import { MATCH_REASON_NAMES, MOVE_SYSTEMS } from '@evenkeel/core/moving/sources';
import { MOVE_STATES } from '@evenkeel/core/moving/states';
import { endpoint } from './endpoint.ts';
import { DateField, Done, Id, IdText, maybe, Moment, RowVersion, text, Usd } from './fields.ts';

/**
 * The import of books from another program. Amounts are debits less credits unless a field says otherwise. The sources
 * and their files are in core/moving/sources.ts.
 */

const Count = z.number().int().min(0);
const System = z.enum(MOVE_SYSTEMS);
const Person = z.object({ id: Id, name: z.string() });

/** A message about a file. Rows are numbered from 1. */
export const MoveNotice = z.object({ file: z.string(), row: z.number().int().optional(), text: z.string() });
export type MoveNotice = z.output<typeof MoveNotice>;

const Counts = z.object({ accounts: Count, parties: Count, items: Count, transactions: Count, documents: Count });

/** A file in an import. An archive or a workbook has several parts, which are listed like files. */
export const MoveFile = z.object({
  id: Id,
  /** The uploaded file's name. For a part of a file, the part's name is added after a slash. */
  name: z.string(),
  /** The size in bytes. */
  size: Count,
  sha256: z.string(),
  uploadedAt: Moment,
  /** `reading` until the files have been read. `unused` means that another file has the same data in more detail. */
  state: z.enum(['reading', 'recognized', 'question', 'rejected', 'unused']),
  /** Empty if the file has no known format. */
  format: z.string(),
  /** The name of the format, such as "QuickBooks Online Journal". */
  label: z.string(),
  company: z.string(),
  from: DateField.nullable(),
  to: DateField.nullable(),
  basis: z.enum(['accrual', 'cash']).nullable(),
  counts: Counts,
  /** Questions about the order of the day and month, if the dates are ambiguous. Answered with `dateOrders`. */
  questions: z.array(
    z.object({
      name: z.literal('dateOrder'),
      choices: z.array(z.object({ value: z.enum(['mdy', 'dmy', 'ymd']), label: z.string() })),
    }),
  ),
  /**
   * The columns of a spreadsheet, which the user may change with `sheets`. Columns are numbered from 0. An unknown kind
   * is empty.
   */
  sheet: z
    .object({
      kind: z.string(),
      headings: z.array(z.string()),
      mapping: z.record(z.string(), z.number().int()),
      /** The first rows below the headings. */
      samples: z.array(z.array(z.string())),
    })
    .nullable(),
  warnings: z.array(MoveNotice),
  /** The reason why the file can't be imported, and what the user can do. */
  refusal: MoveNotice.nullable(),
});
export type MoveFile = z.output<typeof MoveFile>;

/** A new account. If the number is empty, the account has no number. */
export const NewAccount = z.object({ number: text(20), name: text(100), type: text(40) });
export type NewAccount = z.output<typeof NewAccount>;

/** An account in the source, with its account in Evenkeel. */
export const MoveAccount = z.object({
  /** Identifies the account within the import. */
  key: z.string(),
  number: z.string(),
  /** The full name, with ':' between a parent and its subaccount. */
  name: z.string(),
  /** The account type as the source names it. */
  sourceType: z.string(),
  /** The type in Evenkeel. Null if no file contains it. */
  type: z.string().nullable(),
  active: z.boolean(),
  /** The number of lines that post to the account. */
  lines: Count,
  /** The balance on the last day. Debits are positive. */
  balance: Usd,
  /** The proposed account, or the account that would be created. Both are null if the user must choose. */
  suggestion: z.object({
    reason: z.enum(MATCH_REASON_NAMES),
    accountId: Id.nullable(),
    create: NewAccount.nullable(),
  }),
  /** The user's decision, or null. */
  choice: z.object({ accountId: Id.nullable(), create: NewAccount.nullable() }).nullable(),
  /** Whether the suggestion needs no confirmation or the user has made a decision. */
  confirmed: z.boolean(),
  /** Whether a bank account is created for the account, so that it can be reconciled with the import. */
  isBank: z.boolean(),
  /** The date and balance of the last reconciliation in the old program. */
  reconciled: z.object({ date: DateField, balance: Usd }).nullable(),
});
export type MoveAccount = z.output<typeof MoveAccount>;

const PartySide = z.object({
  /** The record's key in the import. Empty for a record in Evenkeel. */
  key: z.string(),
  /** The ID of the record in Evenkeel, or 0 if there is none. */
  entityId: Id,
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  /** The position in the files, if a list contains the record. */
  file: z.string(),
  row: z.number().int().nullable(),
  transactions: Count,
  /** Receivables less payables. */
  balance: Usd,
});

/** Two records that could be the same customer or vendor. Nothing is preselected. */
export const PartyQuestion = z.object({
  /** The key of `source`, by which the answer identifies the question. */
  key: z.string(),
  kind: z.enum(['customer', 'vendor']),
  /** For example, "Same email and phone". */
  reason: z.string(),
  source: PartySide,
  /** The record into which `source` would be merged. */
  other: PartySide,
  answer: z.enum(['merge', 'keep']).nullable(),
});
export type PartyQuestion = z.output<typeof PartyQuestion>;

/** A customer or vendor in the source. */
export const MoveParty = z.object({
  key: z.string(),
  name: z.string(),
  kind: z.enum(['customer', 'vendor']),
  email: z.string(),
  phone: z.string(),
  transactions: Count,
  /** Receivables less payables on the last day. */
  balance: Usd,
  /** Whether a record is created, an existing record is used, or the name is merged into another record. */
  action: z.enum(['create', 'match', 'merge']),
  /** The name of the record with which this record is matched or into which it is merged. */
  into: z.string(),
});
export type MoveParty = z.output<typeof MoveParty>;

/** A list from the source: sales tax codes, payment types, terms, or products. */
export const MoveList = z.object({
  kind: z.enum(MOVE_LISTS),
  /** The decisions to choose from: `create`, `skip`, the ID of a record, or for terms the days until payment is due. */
  options: z.array(z.object({ value: z.string(), label: z.string() })),
  items: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      /** Details such as a rate, an agency, or a price. */
      detail: z.string(),
      /** The number of customers and vendors that use this record. */
      uses: Count,
      /** The suggestion or decision. Empty if the user must decide. */
      value: z.string(),
      isDecided: z.boolean(),
    }),
  ),
});
export type MoveList = z.output<typeof MoveList>;

/** One line of the proof. */
export const ProofRow = z.object({
  kind: z.enum(['trialBalance', 'receivables', 'payables', 'netIncome', 'retainedEarnings', 'reconciliation', 'file']),
  /** For example, "Trial balance". */
  name: z.string(),
  /** For example, "34 accounts at 30 month ends". */
  compared: z.string(),
  source: Usd,
  ledger: Usd,
  /** The sum of all differences, ignoring signs. */
  difference: Usd,
  /** The number of balances that differ, and the number that were compared. */
  differing: Count,
  total: Count,
});
export type ProofRow = z.output<typeof ProofRow>;

/** The trial balance at the end of a month. */
export const ProofMonth = z.object({
  monthEnd: DateField,
  accounts: Count,
  /** The sums of all debit balances. */
  source: Usd,
  ledger: Usd,
  difference: Usd,
  differing: Count,
});
export type ProofMonth = z.output<typeof ProofMonth>;

/** A line in a file that could explain a difference. */
const CandidateRow = z.object({
  file: z.string(),
  row: z.number().int(),
  date: DateField.nullable(),
  type: z.string(),
  number: z.string(),
  party: z.string(),
  account: z.string(),
  amount: Usd,
  /** Whether this is the amount that differs. */
  marked: z.boolean(),
});

export const ProofCandidate = z.object({
  title: z.string(),
  text: z.string(),
  /** Whether the amount equals the difference. */
  exact: z.boolean(),
  /** The file to export again, if that could fix the difference. 0 if no file needs to be exported again. */
  replaceFileId: Id,
  rows: z.array(CandidateRow),
});
export type ProofCandidate = z.output<typeof ProofCandidate>;

/** An account whose balance differs, at the first month end with a difference. */
export const ProofAccount = z.object({
  key: z.string(),
  number: z.string(),
  name: z.string(),
  /** The last month end at which the balances agree. Null if there is none. */
  lastAgreeing: DateField.nullable(),
  monthEnd: DateField,
  source: Usd,
  ledger: Usd,
  /** `ledger` less `source`. */
  difference: Usd,
  /** The difference on the last day. */
  differenceAtEnd: Usd,
});
export type ProofAccount = z.output<typeof ProofAccount>;

/** A failed proof. Nothing was written. */
export const ProofFailure = z.object({
  /** For example, "Repair Labor differs by 0.10 in March 2026". */
  title: z.string(),
  /** For example, "So does its other side, Accounts Receivable. The other 32 accounts agree." */
  text: z.string(),
  accounts: z.array(ProofAccount),
  /** The customers and vendors whose balances differ. */
  parties: z.array(
    z.object({ side: z.enum(['receivable', 'payable']), party: z.string(), source: Usd, ledger: Usd, difference: Usd }),
  ),
  otherAccounts: Count,
  /** At most 20 candidates, most likely first. */
  candidates: z.array(ProofCandidate),
});
export type ProofFailure = z.output<typeof ProofFailure>;

/** The result of a preview or an import. A preview runs the import and rolls it back. */
export const MoveResult = z.object({
  /** The numbers of new records. Records that an earlier import created are counted in `known`. */
  counts: z.object({
    transactions: Count,
    accounts: Count,
    accountsCreated: Count,
    bankAccounts: Count,
    customers: Count,
    vendors: Count,
    products: Count,
    openInvoices: Count,
    unpaidBills: Count,
    credits: Count,
    known: Count,
  }),
  /** The first and last posting date. */
  from: DateField.nullable(),
  to: DateField.nullable(),
  /** The rows that were skipped, which never affect a balance. */
  rejected: z.array(MoveNotice),
  /** Whether every difference is 0.00. */
  proved: z.boolean(),
  /** The sum of all differences, ignoring signs. */
  totalDifference: Usd,
  /** The number of accounts whose balances were compared. */
  comparedAccounts: Count,
  proof: z.array(ProofRow),
  /** Newest month first. */
  months: z.array(ProofMonth),
  failure: ProofFailure.nullable(),
  notImported: z.array(z.string()),
  at: Moment,
  seconds: z.number(),
});
export type MoveResult = z.output<typeof MoveResult>;

export const MOVE_PHASES = ['reading', 'records', 'transactions', 'documents', 'proof', 'saving'] as const;

/** The progress of a running preview, import, or undo. */
export const MoveProgress = z.object({
  phase: z.enum(MOVE_PHASES),
  /** The number of finished transactions, or of records in the phases `records` and `documents`. */
  done: Count,
  total: Count,
  /** The date of the transaction that is being written. */
  date: DateField.nullable(),
  startedAt: Moment,
  /** Whether the work can still be canceled. False in the phase `saving`. */
  cancelable: z.boolean(),
});
export type MoveProgress = z.output<typeof MoveProgress>;

/** A record that prevents an import from being undone. */
export const MoveDependent = z.object({
  /** The name of the kind, such as "Payment". */
  kind: z.string(),
  /** The type of the record as in the audit log, for its URL. */
  source: z.string(),
  id: Id,
  /** For example, "Payment 1 · Lakeshore Velo Club". */
  label: z.string(),
  amount: Usd.nullable(),
  text: z.string(),
});
export type MoveDependent = z.output<typeof MoveDependent>;

/** An import in the list. */
export const MoveItem = z.object({
  id: Id,
  status: z.enum(MOVE_STATES),
  system: System,
  company: z.string(),
  createdBy: Person,
  createdAt: Moment,
  importedAt: Moment.nullable(),
  undoneAt: Moment.nullable(),
  files: Count,
  transactions: Count,
});
export type MoveItem = z.output<typeof MoveItem>;

/** An import with everything that the wizard shows. */
export const Move = z.object({
  id: Id,
  rowVersion: RowVersion,
  status: z.enum(MOVE_STATES),
  system: System,
  createdBy: Person,
  createdAt: Moment,
  files: z.array(MoveFile),
  /** The names of required files that are missing. */
  missing: z.array(z.string()),
  /** Reasons why the files can't be imported that apply to several files, or to no file in the list. */
  refusals: z.array(MoveNotice),
  warnings: z.array(MoveNotice),
  /** The name of the company in the files. */
  company: z.string(),
  /** The first and last date that the files cover. */
  from: DateField.nullable(),
  to: DateField.nullable(),
  basis: z.enum(['accrual', 'cash']).nullable(),
  /** The number of transactions in the files. */
  transactions: Count,
  /** The first month of the source's fiscal year, 1 to 12. */
  fyStartMonth: z.number().int().min(1).max(12),
  /** Null until the user has made a choice. `from` is the start date, or null for all transactions. */
  history: z.object({ from: DateField.nullable() }).nullable(),
  /** The first day of this fiscal year, and the number of transactions on or after that day. */
  suggestedFrom: DateField.nullable(),
  transactionsSince: Count,
  accounts: z.array(MoveAccount),
  /** The sum of all debit balances. */
  debits: Usd,
  parties: z.object({
    customers: Count,
    vendors: Count,
    toCreate: Count,
    /** Receivables less payables. */
    balance: Usd,
    questions: z.array(PartyQuestion),
  }),
  items: z.object({ total: Count, toCreate: Count }),
  /** The lists that the source has. */
  lists: z.array(MoveList),
  documents: z.object({ invoices: Count, bills: Count, credits: Count }),
  /** For each step, a sentence that describes the requirements for the next step. Empty if nothing is left to do. */
  blocked: z.object({ files: z.string(), match: z.string() }),
  progress: MoveProgress.nullable(),
  preview: MoveResult.nullable(),
  report: MoveResult.nullable(),
  /** The reason why the last reading, preview, or import failed. Nothing was written. */
  error: z.string().nullable(),
  importedBy: Person.nullable(),
  importedAt: Moment.nullable(),
  undoneBy: Person.nullable(),
  undoneAt: Moment.nullable(),
  /** Null until the books have been imported. If other records depend on the import, it can't be undone. */
  undo: z
    .object({ transactions: Count, records: Count, documents: Count, dependents: z.array(MoveDependent) })
    .nullable(),
});
export type Move = z.output<typeof Move>;

/** The user's choices. A missing field keeps its value. */
export const MoveInput = z.object({
  rowVersion: RowVersion,
  system: maybe(System),
  history: z.object({ from: DateField.nullable() }).nullish(),
  fyStartMonth: maybe(z.number().int().min(1).max(12)),
  /** The answers, by the names in `files`. The files are read again. */
  dateOrders: maybe(z.array(z.object({ file: text(500), order: z.enum(['mdy', 'dmy', 'ymd']) })).max(200)),
  sheets: maybe(
    z
      .array(
        z.object({ file: text(500), kind: text(40), mapping: z.record(text(40), z.number().int().min(0).max(300)) }),
      )
      .max(200),
  ),
  /** Decisions by key. If both are null, the account's suggestion is restored. */
  accounts: maybe(z.array(z.object({ key: text(500), accountId: maybe(Id), create: maybe(NewAccount) })).max(5000)),
  /** Decisions by key. Null removes a decision. */
  parties: maybe(z.array(z.object({ key: text(500), answer: z.enum(['merge', 'keep']).nullable() })).max(5000)),
  /** Decisions about records of `lists`, by key. Null restores the suggestion. */
  lists: maybe(z.array(z.object({ key: text(500), value: text(40).nullable() })).max(5000)),
  /**
   * The last reconciliation of bank accounts in the old program, by key. The balance is positive if the account has
   * money, and negative if money is owed on a card. Null removes the reconciliation.
   */
  reconciled: maybe(
    z.array(z.object({ key: text(500), last: z.object({ date: DateField, balance: Usd }).nullable() })).max(500),
  ),
});
export type MoveInput = z.output<typeof MoveInput>;

/** An account's balance at a month end, in the proof. */
export const ProofBalance = z.object({
  key: z.string(),
  number: z.string(),
  name: z.string(),
  source: Usd,
  ledger: Usd,
  difference: Usd,
});
export type ProofBalance = z.output<typeof ProofBalance>;

const params = z.object({ id: IdText });

export const movingCalls = {
  listMoves: endpoint({
    method: 'GET',
    path: '/movein',
    needs: 'Administrator',
    summary: 'Lists the imports of books from other programs, newest first.',
    reply: z.array(MoveItem),
  }),
  createMove: endpoint({
    method: 'POST',
    path: '/movein',
    needs: 'Administrator',
    summary: "Starts an import of books, or returns the company's import in progress.",
    body: z.object({ system: System }),
    reply: Move,
  }),
  getMove: endpoint({
    method: 'GET',
    path: '/movein/{id}',
    needs: 'Administrator',
    summary: 'Returns an import of books with its files, choices, preview, and report.',
    params,
    reply: Move,
  }),
  getMoveProgress: endpoint({
    method: 'GET',
    path: '/movein/{id}/progress',
    needs: 'Administrator',
    summary: 'Returns the status and progress of an import. Poll this endpoint while the import runs.',
    params,
    reply: z.object({
      status: z.enum(MOVE_STATES),
      rowVersion: RowVersion,
      progress: MoveProgress.nullable(),
      error: z.string().nullable(),
    }),
  }),
  updateMove: endpoint({
    method: 'PUT',
    path: '/movein/{id}',
    needs: 'Administrator',
    summary:
      'Saves choices for an import, such as how much history to import and which account each source account ' +
      'maps to.',
    params,
    body: MoveInput,
    reply: Move,
  }),
  deleteMove: endpoint({
    method: 'DELETE',
    path: '/movein/{id}',
    needs: 'Administrator',
    summary: 'Deletes an import that has not been run, and its files.',
    params,
    reply: Done,
  }),
  uploadMoveFile: endpoint({
    method: 'POST',
    path: '/movein/{id}/file',
    atMost: 500,
    needs: 'Administrator',
    summary:
      'Adds a file to an import and reads all files in the background. Returns 409 if another file has the ' +
      'same content.',
    params,
    takes: 'file',
    mostMb: 100,
    reply: Move,
  }),
  deleteMoveFile: endpoint({
    method: 'DELETE',
    path: '/movein/{id}/file/{fileId}',
    needs: 'Administrator',
    summary: 'Removes a file from an import and reads the other files again.',
    params: z.object({ id: IdText, fileId: IdText }),
    reply: Move,
  }),
  previewMove: endpoint({
    method: 'POST',
    path: '/movein/{id}/preview',
    atMost: 60,
    needs: 'Administrator',
    summary: 'Starts a preview in the background: runs the import, verifies the balances, and rolls it back.',
    params,
    reply: Move,
  }),
  importMove: endpoint({
    method: 'POST',
    path: '/movein/{id}/import',
    atMost: 60,
    needs: 'Administrator',
    summary: 'Starts the import in the background. Everything is saved in one transaction.',
    params,
    // The version that the user saw. If someone else has changed the import since then, the call returns 409 and
    // imports nothing.
    body: z.object({ rowVersion: maybe(RowVersion) }),
    reply: Move,
  }),
  cancelMove: endpoint({
    method: 'POST',
    path: '/movein/{id}/cancel',
    needs: 'Administrator',
    summary: 'Cancels a running preview or import. Nothing is saved.',
    params,
    reply: Move,
  }),
  undoMove: endpoint({
    method: 'POST',
    path: '/movein/{id}/undo',
    atMost: 60,
    needs: 'Administrator',
    summary: 'Removes everything that an import added. Returns 409 if later records depend on it.',
    params,
    reply: Move,
  }),
  listMoveParties: endpoint({
    method: 'GET',
    path: '/movein/{id}/parties',
    needs: 'Administrator',
    summary:
      "Lists the source's customers and vendors, sorted by name, and whether each one is matched, created, or merged.",
    params,
    reply: z.array(MoveParty),
  }),
  getMoveProof: endpoint({
    method: 'GET',
    path: '/movein/{id}/proof',
    needs: 'Administrator',
    summary:
      'Lists the balance of every account at a month end (by default, the last one) in the last preview or import.',
    params,
    query: z.object({ monthEnd: DateField.optional() }),
    reply: z.array(ProofBalance),
  }),
  downloadMoveProof: endpoint({
    method: 'GET',
    path: '/movein/{id}/proof/csv',
    needs: 'Administrator',
    summary: 'Returns the balances of all accounts at all month ends as CSV.',
    params,
    reply: 'file',
  }),
  printMove: endpoint({
    method: 'GET',
    path: '/movein/{id}/pdf',
    needs: 'Administrator',
    summary: 'Returns an import report as a PDF.',
    params,
    reply: 'application/pdf',
  }),
};
