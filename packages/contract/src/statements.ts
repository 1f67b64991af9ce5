import * as z from 'zod';
import { DocumentLink, documentLinksInput } from './attachments.ts';
import { BankRule, BankRuleInput, LINE_STATES, Rehearsal, ruleInputFields, RuleOffer } from './bankRules.ts';
import { endpoint, listOf, manyReply, PageQuery } from './endpoint.ts';
import { DateField, Done, flag, Id, IdText, maybe, RowVersion, text, Usd } from './fields.ts';

/** Bank statements, bank transactions, matches, and the calls for rules. Money in is positive everywhere here. */

const Column = z.number().int().min(-1).max(500);

/**
 * The settings for reading a table from a bank (CSV, TSV). Columns are numbered from 0, and −1 means that the table has
 * no such column. Missing values are guessed from the whole file. `dateOrder`, `decimal`, and `turned` also apply to
 * OFX and QIF.
 */
export const StatementMapping = z.object({
  separator: z.string().max(1).optional(),
  /** Whether the first row that is not skipped contains column names. */
  header: z.boolean().optional(),
  /** The number of rows before the table. */
  skip: z.number().int().min(0).max(1000).optional(),
  dateColumn: Column.optional(),
  amountColumn: Column.optional(),
  debitColumn: Column.optional(),
  creditColumn: Column.optional(),
  /** The column that says "DR" or "CR" for each amount. */
  directionColumn: Column.optional(),
  /**
   * The words in the direction column for money out and money in, if the column has no known pair of words. A missing
   * word is empty.
   */
  outWord: z.string().max(20).optional(),
  inWord: z.string().max(20).optional(),
  textColumns: z.array(Column).max(20).optional(),
  checkColumn: Column.optional(),
  bankIdColumn: Column.optional(),
  balanceColumn: Column.optional(),
  dateOrder: z.enum(['mdy', 'dmy', 'ymd']).optional(),
  decimal: z.enum(['.', ',']).optional(),
  /** Whether all signs are reversed because the file shows money out as positive amounts. */
  turned: z.boolean().optional(),
});
export type StatementMapping = z.output<typeof StatementMapping>;

const StatementAsk = z.object({
  /** The file that was uploaded with `POST /document`. */
  documentId: Id,
  bankAccountId: Id,
  mapping: maybe(StatementMapping),
  /** If true, confirms that the account number in the file belongs to this account. The confirmation is saved. */
  accountNumberConfirmed: maybe(z.boolean()),
});

const PreviewLine = z.object({
  date: DateField,
  amount: Usd,
  text: z.string(),
  bankId: z.string().optional(),
  checkNumber: z.string().optional(),
  /**
   * A `doubtful` transaction has the bank ID of an existing transaction, but another date, amount, or text. Or it has
   * the date, amount, and text of an existing transaction, and only one of the two has a bank ID. A doubtful
   * transaction is imported with a note.
   */
  state: z.enum(['new', 'known', 'doubtful']),
});

/**
 * A question about the file, which was read with the first choice. To answer the question, send the choice in the
 * mapping field `name`.
 */
const StatementQuestion = z.object({
  name: z.string(),
  choices: z.array(z.object({ value: z.string(), label: z.string() })),
});

/** An answered question. To change the answer, send another choice in the mapping field `name`. */
const StatementAnswer = StatementQuestion.extend({
  /** The choice that was used to read the file. */
  value: z.string(),
  /** Whether the file proves the answer. Otherwise, the answer comes from the request or from an earlier import. */
  proved: z.boolean(),
});

/** A parsed statement file, before any of its contents are saved. */
export const StatementPreview = z.object({
  format: z.string(),
  /** The last four digits of the account in the file. */
  accountNumber: z.string().optional(),
  /** Whether a user has yet to confirm that the file's account is this bank account. */
  asksAccountNumber: z.boolean(),
  from: DateField.nullable(),
  to: DateField.nullable(),
  opening: Usd.optional(),
  closing: Usd.optional(),
  count: z.number().int(),
  sum: Usd,
  newCount: z.number().int(),
  knownCount: z.number().int(),
  doubtfulCount: z.number().int(),
  /** The total of the bank transactions that an import would add. */
  newSum: Usd,
  /** The account's balance in the books at the end of `booksDate`. Imports never change this balance. */
  booksBalance: Usd,
  /** The date of `booksBalance`: `to`, or today if the file has no dates. */
  booksDate: DateField,
  /** The first 500 bank transactions. */
  lines: z.array(PreviewLine),
  questions: z.array(StatementQuestion),
  /** The answered questions about dates, amounts, and signs. */
  answers: z.array(StatementAnswer),
  /** The settings used to read the file: guessed, remembered from an earlier import, or set by the user. */
  mapping: StatementMapping.optional(),
  /** The column names and the first rows of a table, as they are in the file. */
  columns: z.array(z.string()).optional(),
  sample: z.array(z.array(z.string())).optional(),
  /** For each sample row, the position of its bank transaction in `lines`. Null if the row is not imported. */
  sampleLines: z.array(z.number().int().nullable()).optional(),
  /** The number of the line in the file that contains the column names, starting with 1. */
  headerRow: z.number().int().optional(),
  /** Notes for the user, for example about a repeated bank ID with a different amount. */
  notes: z.array(z.string()),
});
export type StatementPreview = z.output<typeof StatementPreview>;

/** An imported statement. */
export const BankStatement = z.object({
  id: Id,
  bankAccountId: Id,
  documentId: Id,
  fileName: z.string(),
  format: z.string(),
  from: DateField.nullable(),
  to: DateField.nullable(),
  opening: Usd.nullable(),
  closing: Usd.nullable(),
  /**
   * The number and total of the bank transactions that the statement added. Transactions from earlier statements are
   * not included.
   */
  count: z.number().int(),
  sum: Usd,
  knownCount: z.number().int(),
  /** The number of bank transactions on the statement that are still for review. */
  reviewCount: z.number().int(),
  importedAt: z.string(),
  importedBy: z.string(),
});
export type BankStatement = z.output<typeof BankStatement>;

/** An entry in the books that is matched to a bank transaction, or that may match a bank transaction. */
const MatchedEntry = z.object({
  glid: Id,
  transactionID: Id,
  postingDate: DateField,
  description: z.string(),
  amount: Usd,
  entityId: Id.nullable(),
  entityName: z.string(),
  sourceType: z.string(),
  sourceId: Id,
  /** The number of the entry's document or transaction. */
  number: z.string(),
  /** The entry's bank account. For a transfer, this may differ from the bank transaction's account. */
  bankAccountId: Id,
});
export type MatchedEntry = z.output<typeof MatchedEntry>;

/** An open invoice or bill that a bank transaction may pay in full or in part. */
const PayableDocument = z.object({
  invoiceId: Id,
  kind: z.string(),
  number: z.string(),
  date: DateField,
  openAmount: Usd,
  entityId: Id,
  entityName: z.string(),
});
export type PayableDocument = z.output<typeof PayableDocument>;

/** A document that a payment would settle, with the part of the bank transaction that is applied to it. */
const PaidDocument = z.object({
  invoiceId: Id,
  kind: z.string(),
  number: z.string(),
  date: DateField,
  openAmount: Usd,
  amount: Usd,
  /** The early-payment discount that the payment takes in addition to the amount. Missing if there is none. */
  discountAmount: Usd.optional(),
});

/** A line that `add` posts. The amounts of the lines add up to the bank transaction. */
const AddedLine = z.object({
  accountID: Id,
  amount: Usd,
  description: z.string(),
  profitcenterid: Id.nullable(),
  locationid: Id.nullable(),
  entityId: Id.nullable(),
});

/**
 * A suggested match for a bank transaction. `key` identifies the suggestion in requests that accept or reject it.
 * `kind` is the kind of match, and `action` is the action that accepting the match performs.
 */
export const Candidate = z.object({
  key: z.string(),
  kind: z.enum([
    'entry',
    'entries',
    'lines',
    'document',
    'documents',
    'receipt',
    'receipts',
    'transfer',
    'rule',
    'history',
  ]),
  action: z.enum(['match', 'pay', 'deposit', 'transfer', 'add']),
  /** The score, from 0 to 1. */
  score: z.number(),
  /** The evidence as text: "same amount, 2 days apart, invoice 1042 in the text". */
  reason: z.string(),
  /** Whether the score is at least 0.95 and no other suggestion is close. */
  sure: z.boolean(),
  entries: z.array(MatchedEntry),
  /** Other bank transactions in the same match: for the same entry, or on the other side of a transfer. */
  lineIds: z.array(Id),
  documents: z.array(PaidDocument),
  /** The customer or vendor of the documents, the rule, or the payee's earlier categorization. */
  entityId: Id.nullable(),
  entityName: z.string(),
  /** The other bank account of a transfer. */
  bankAccountId: Id.nullable(),
  lines: z.array(AddedLine),
  ruleId: Id.nullable(),
});
export type Candidate = z.output<typeof Candidate>;

/** The last action that a user or a rule performed on a bank transaction. */
const LineAct = z.object({
  action: z.enum(['match', 'add', 'pay', 'deposit', 'transfer', 'exclude']),
  /** The evidence at the time of the action. */
  reason: z.string(),
  by: z.string(),
  at: z.string(),
  /** Whether a rule performed the action automatically. */
  automatic: z.boolean(),
  ruleId: Id.nullable(),
  /** Attachments of the resulting payment, journal entry, transfer, or deposit. */
  documentLinks: z.array(DocumentLink),
  entries: z.array(MatchedEntry),
  /** Other bank transactions in the same match. */
  lineIds: z.array(Id),
});

export const BankLine = z.object({
  id: Id,
  bankAccountId: Id,
  statementId: Id,
  date: DateField,
  amount: Usd,
  text: z.string(),
  bankId: z.string(),
  checkNumber: z.string(),
  state: z.enum(LINE_STATES),
  /**
   * Whether the bank previously sent the same ID with another date, amount, or text, or the same transaction was
   * imported before and only one of the two has a bank ID.
   */
  doubtful: z.boolean(),
  /** Whether one of the entries is reconciled. In that case, the action can't be undone. */
  reconciled: z.boolean(),
  act: LineAct.nullable(),
  /** The best suggested match of a bank transaction for review. */
  candidate: Candidate.nullable(),
  /**
   * The number of suggestions that are about as good as the best one, including the best one. 1 if there is a clear
   * winner.
   */
  choices: z.number().int(),
  rowVersion: RowVersion,
});
export type BankLine = z.output<typeof BankLine>;

const AddedLineInput = z.object({
  accountID: Id,
  /** The amount with the sign of the bank transaction. */
  amount: Usd,
  description: maybe(text(500)),
  profitcenterid: maybe(Id),
  locationid: maybe(Id),
  entityId: maybe(Id),
});

/**
 * An action on a bank transaction. A `candidate` contains everything that the action needs, and `action` must be the
 * candidate's action. The memo and payment type may be added. Without a candidate, the other fields describe the
 * action. `undo` undoes the last action, `refuse` rejects a suggestion permanently, and `attach` adds attachments to
 * the resulting record.
 */
export const BankLineInput = z.object({
  action: z.enum(['match', 'add', 'pay', 'deposit', 'transfer', 'exclude', 'undo', 'refuse', 'attach']),
  candidate: maybe(text(1000)),
  /**
   * For `match`: entries in the books (`glid`) that add up to the bank transaction, or one entry that equals this
   * transaction plus the transactions in `lineIds`. For `deposit`: entries in Undeposited Funds.
   */
  glids: maybe(z.array(Id).max(100)),
  /**
   * For `match`: additional bank transactions from this account. For `transfer`: the bank transaction from the other
   * account.
   */
  lineIds: maybe(z.array(Id).max(100)),
  /** For `add`: the lines to post. */
  lines: maybe(z.array(AddedLineInput).max(100)),
  /** For `add`: the customer or vendor for lines that have none. For `pay`: the documents' customer or vendor. */
  entityId: maybe(Id),
  /** For `add` and `transfer`: the description of the posted transaction. Defaults to the bank's text. */
  memo: maybe(text(500)),
  /**
   * For `pay`: documents of one customer or vendor, with the amount paid on each document. The amounts add up to the
   * bank transaction. `discountAmount` is taken in addition. If missing, documents are paid in list order. Money in
   * pays invoices, and money out pays bills.
   */
  documents: maybe(z.array(z.object({ invoiceId: Id, amount: Usd, discountAmount: maybe(Usd) })).max(100)),
  /**
   * For `pay`, if the documents belong to a customer: the payment type. Defaults to Check if the bank transaction has a
   * check number, and otherwise to ACH.
   */
  paymentTypeId: maybe(Id),
  /** For `transfer`: the other bank account. */
  bankAccountId: maybe(Id),
  /** For `attach`: new, renamed, and removed attachments. */
  documentLinks: documentLinksInput,
  rowVersion: maybe(RowVersion),
  /** An administrator's reason for a change on or before the closing date. */
  closingOverrideReason: maybe(text(500)),
});
export type BankLineInput = z.output<typeof BankLineInput>;

/** The review status of a bank account: the balances at the bank and in the books, and the remaining work. */
const AccountReview = z.object({
  bankAccountId: Id,
  /** The closing balance of the latest statement plus later bank transactions. Null if no statement has a balance. */
  bankBalance: Usd.nullable(),
  bankDate: DateField.nullable(),
  booksBalance: Usd,
  reviewCount: z.number().int(),
  reviewSum: Usd,
});
export type AccountReview = z.output<typeof AccountReview>;

/** A bank transaction whose action is also undone when a statement import is undone. */
const TakenBack = z.object({ lineId: Id, date: DateField, amount: Usd, text: z.string(), does: z.string() });

const params = z.object({ id: IdText });

export const statementCalls = {
  previewStatement: endpoint({
    method: 'POST',
    path: '/bankstatement/preview',
    atMost: 300,
    reads: true,
    needs: 'Manage Banking',
    summary: 'Parses an uploaded statement file and previews the import. Nothing is saved.',
    body: StatementAsk,
    reply: StatementPreview,
  }),
  recognizeAccount: endpoint({
    method: 'POST',
    path: '/bankstatement/account',
    atMost: 300,
    reads: true,
    needs: 'Manage Banking',
    summary: 'Returns the bank account whose number is in an uploaded statement file, or null if there is none.',
    body: StatementAsk.pick({ documentId: true }),
    reply: z.object({ bankAccountId: Id.nullable() }),
  }),
  saveStatement: endpoint({
    method: 'POST',
    path: '/bankstatement',
    needs: 'Manage Banking',
    summary:
      'Imports a statement file. Adds new transactions for review and skips those already imported. If one ' +
      'fails, none are saved.',
    body: StatementAsk,
    reply: BankStatement,
  }),
  listStatements: endpoint({
    method: 'GET',
    path: '/bankstatement',
    needs: 'View Banking',
    summary: 'Lists the imported statements of one or all bank accounts, newest first.',
    query: z.object({ bankAccountId: IdText.optional() }),
    reply: z.array(BankStatement),
  }),
  statementContents: endpoint({
    method: 'GET',
    path: '/bankstatement/{id}',
    needs: 'View Banking',
    summary: 'Returns a statement and the effects of undoing its import.',
    params,
    reply: z.object({
      statement: BankStatement,
      /** The number of bank transactions by state. */
      counts: z.record(z.string(), z.number()),
      /** The actions that are undone when the bank transactions are removed. */
      undone: z.array(TakenBack),
      /** The reason why the import cannot be undone. */
      obstacle: z.string().nullable(),
    }),
  }),
  deleteStatement: endpoint({
    method: 'DELETE',
    path: '/bankstatement/{id}',
    needs: 'Manage Banking',
    summary: 'Undoes a statement import: undoes its matches and postings, and removes its bank transactions.',
    params,
    query: z.object({ closingOverrideReason: text(500).optional() }),
    reply: Done,
  }),
  reviewAccounts: endpoint({
    method: 'GET',
    path: '/bankline/accounts',
    needs: 'View Banking',
    summary: 'Lists active bank accounts with the bank balance, book balance, and number of transactions to review.',
    reply: z.array(AccountReview),
  }),
  listBankLines: endpoint({
    method: 'GET',
    path: '/bankline',
    needs: 'View Banking',
    summary: 'Lists bank transactions, oldest first, with suggested matches and counts by state.',
    query: PageQuery.extend({
      bankAccountId: IdText.optional(),
      statementId: IdText.optional(),
      /** `settled` means matched, added, or transferred. */
      state: z.enum([...LINE_STATES, 'settled', 'all']).optional(),
      /** Whether to return only bank transactions whose match is certain. */
      sure: flag,
      /** Whether to return only bank transactions without reconciled entries. */
      unreconciled: flag,
    }),
    reply: listOf(BankLine),
  }),
  getBankLine: endpoint({
    method: 'GET',
    path: '/bankline/{id}',
    needs: 'View Banking',
    summary: 'Returns a bank transaction with its match or suggested match.',
    params,
    reply: BankLine,
  }),
  bankLineCandidates: endpoint({
    method: 'GET',
    path: '/bankline/{id}/candidates',
    needs: 'View Banking',
    summary:
      'Lists possible matches for a bank transaction, including open documents. Set `q` to search ' +
      'matches and entries.',
    params,
    query: z.object({ q: text(200).optional() }),
    reply: z.object({
      candidates: z.array(Candidate),
      found: z.array(MatchedEntry),
      documents: z.array(PayableDocument),
    }),
  }),
  actOnBankLine: endpoint({
    method: 'PUT',
    path: '/bankline/{id}',
    needs: 'Manage Banking',
    summary:
      'Matches, categorizes, pays, transfers, or excludes a bank transaction, undoes the last ' +
      'action, dismisses a suggestion, or adds attachments.',
    makes: true,
    params,
    body: BankLineInput,
    reply: z.object({
      line: BankLine,
      /** Other bank transactions that were matched or undone together with this transaction. */
      others: z.array(BankLine),
      /** A rule that is suggested after the user categorizes two bank transactions in the same way. */
      ruleOffer: RuleOffer.nullable(),
    }),
  }),
  acceptBankLines: endpoint({
    method: 'POST',
    path: '/bankline/accept',
    needs: 'Manage Banking',
    summary: 'Accepts suggested matches. Checks each match again, reports the changed matches, and accepts the rest.',
    // `candidates` are the suggestions' keys that the user saw, in the order of the IDs. If the best suggestion for a
    // bank transaction has changed, the suggestion is not accepted.
    body: z.object({ ids: z.array(Id).min(1).max(500), candidates: maybe(z.array(text(1000)).max(500)) }),
    reply: manyReply(BankLine),
  }),
  listBankRules: endpoint({
    method: 'GET',
    path: '/bankrule',
    needs: 'View Banking',
    summary: 'Lists bank rules in the order they run.',
    reply: z.array(BankRule),
  }),
  createBankRule: endpoint({
    method: 'POST',
    path: '/bankrule',
    needs: 'Manage Banking',
    summary: 'Creates a bank rule (id 0), or updates the one with this ID.',
    body: BankRuleInput,
    names: 'id',
    reply: BankRule,
  }),
  updateBankRule: endpoint({
    method: 'PUT',
    path: '/bankrule/{id}',
    needs: 'Manage Banking',
    summary: 'Updates a bank rule. Changing its position moves the rules after it.',
    params,
    body: BankRuleInput,
    reply: BankRule,
  }),
  deleteBankRule: endpoint({
    method: 'DELETE',
    path: '/bankrule/{id}',
    needs: 'Manage Banking',
    summary: "Deletes a bank rule. Transactions that it categorized don't change.",
    params,
    reply: Done,
  }),
  rehearseBankRule: endpoint({
    method: 'POST',
    path: '/bankrule/rehearse',
    reads: true,
    needs: 'Manage Banking',
    summary: 'Previews a bank rule: matching transactions in the last 12 months and its effect on profit and loss.',
    body: z.object(ruleInputFields),
    reply: Rehearsal,
  }),
};
