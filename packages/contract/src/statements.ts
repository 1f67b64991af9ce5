import * as z from 'zod';
import { DocumentLink, documentLinksInput } from './attachments.ts';
import { endpoint, listOf, manyReply, PageQuery } from './endpoint.ts';
import { DateField, Done, decimalField, flag, Id, IdText, LineId, maybe, RowVersion, text, Usd } from './fields.ts';

/** The bank's side of the books: statements, their lines, matches and rules. Money in is positive everywhere here. */

/** A bank line is for review until a person, or a rule that a person has set to, has dealt with it. */
export const LINE_STATES = ['review', 'matched', 'added', 'transferred', 'excluded'] as const;
export type LineState = (typeof LINE_STATES)[number];

const Column = z.number().int().min(-1).max(500);

/**
 * The way a bank's table (CSV, TSV) is read. Columns count from 0, −1 says that there is none; what is left out is
 * guessed from the whole file. `dateOrder`, `decimal` and `turned` hold for OFX and QIF too.
 */
export const StatementMapping = z.object({
  separator: z.string().max(1).optional(),
  /** The first row behind the skipped ones names the columns. */
  header: z.boolean().optional(),
  /** Rows before the table. */
  skip: z.number().int().min(0).max(1000).optional(),
  dateColumn: Column.optional(),
  amountColumn: Column.optional(),
  debitColumn: Column.optional(),
  creditColumn: Column.optional(),
  /** Says "DR" or "CR" of each amount. */
  directionColumn: Column.optional(),
  /** The direction column's words for money out and money in, if no known pair has them. Empty if a word is missing. */
  outWord: z.string().max(20).optional(),
  inWord: z.string().max(20).optional(),
  textColumns: z.array(Column).max(20).optional(),
  checkColumn: Column.optional(),
  bankIdColumn: Column.optional(),
  balanceColumn: Column.optional(),
  dateOrder: z.enum(['mdy', 'dmy', 'ymd']).optional(),
  decimal: z.enum(['.', ',']).optional(),
  /** Every sign is turned: the file writes money out as positive. */
  turned: z.boolean().optional(),
});
export type StatementMapping = z.output<typeof StatementMapping>;

const StatementAsk = z.object({
  /** The uploaded file (POST document). */
  documentId: Id,
  bankAccountId: Id,
  mapping: maybe(StatementMapping),
  /** True says that the file's account number is this account's; it is remembered. */
  accountNumberConfirmed: maybe(z.boolean()),
});

const PreviewLine = z.object({
  date: DateField,
  amount: Usd,
  text: z.string(),
  bankId: z.string().optional(),
  checkNumber: z.string().optional(),
  /** Doubtful: the account has its bank id with another date or amount; it is kept, and said. */
  state: z.enum(['new', 'known', 'doubtful']),
});

/**
 * Something that the file leaves open. The first choice is the one that it was read with; a person's goes into the
 * field of the mapping that `name` says.
 */
const StatementQuestion = z.object({
  name: z.string(),
  choices: z.array(z.object({ value: z.string(), label: z.string() })),
});

/** A statement file as it was read, before anything is saved. */
export const StatementPreview = z.object({
  format: z.string(),
  /** The last four digits of the account that the file names. */
  accountNumber: z.string().optional(),
  /** True: the file names an account that this banking account was never said to be. */
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
  /** Sum of the lines that a save adds. */
  newSum: Usd,
  /** The account's balance in the books as of `to`, which no import changes. */
  booksBalance: Usd,
  /** The first 500. */
  lines: z.array(PreviewLine),
  questions: z.array(StatementQuestion),
  /** Guessed, remembered or given. */
  mapping: StatementMapping.optional(),
  /** The names of a table's columns, and its first rows as they stand. */
  columns: z.array(z.string()).optional(),
  sample: z.array(z.array(z.string())).optional(),
  /** Sentences about what a person should know, such as a bank id that came again with another amount. */
  notes: z.array(z.string()),
});
export type StatementPreview = z.output<typeof StatementPreview>;

/** A statement that was imported. */
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
  /** The lines that it added, and their sum; those that were known belong to earlier statements. */
  count: z.number().int(),
  sum: Usd,
  knownCount: z.number().int(),
  /** Its lines that are still for review. */
  reviewCount: z.number().int(),
  importedAt: z.string(),
  importedBy: z.string(),
});
export type BankStatement = z.output<typeof BankStatement>;

/** An entry of the books that a bank line is, or may be, matched to. */
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
  /** The number of its document, or of its transaction. */
  number: z.string(),
  /** The banking account on whose side it stands; another one than the line's where money moved between two. */
  bankAccountId: Id,
});
export type MatchedEntry = z.output<typeof MatchedEntry>;

/** An open invoice or bill that a bank line may pay, whole or a part of it. */
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

/** A document that paying would settle, with the part of the bank line that it takes. */
const PaidDocument = z.object({
  invoiceId: Id,
  kind: z.string(),
  number: z.string(),
  date: DateField,
  openAmount: Usd,
  amount: Usd,
  /** The early-payment discount that the payment takes besides; missing where it takes none. */
  discountAmount: Usd.optional(),
});

/** A line of what "add" posts; the amounts sum to the bank line's. */
const AddedLine = z.object({
  accountID: Id,
  amount: Usd,
  description: z.string(),
  profitcenterid: Id.nullable(),
  locationid: Id.nullable(),
  entityId: Id.nullable(),
});

/**
 * Something that may explain a bank line; `key` names it when it is accepted or refused. Its `kind` says what it is,
 * and `action` what accepting does.
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
  /** 0 to 1. */
  score: z.number(),
  /** In words: "same amount, 2 days apart, invoice 1042 in the text". */
  reason: z.string(),
  /** Score 0.95 or more, and no other comes close. */
  sure: z.boolean(),
  entries: z.array(MatchedEntry),
  /** Other bank lines that are matched along: to one entry, or the other side of a transfer. */
  lineIds: z.array(Id),
  documents: z.array(PaidDocument),
  /** The customer or vendor of documents, of a rule, or of what the payee was booked to before. */
  entityId: Id.nullable(),
  entityName: z.string(),
  /** The other banking account of a transfer. */
  bankAccountId: Id.nullable(),
  lines: z.array(AddedLine),
  ruleId: Id.nullable(),
});
export type Candidate = z.output<typeof Candidate>;

/** A person's or a rule's dealing with a bank line. */
const LineAct = z.object({
  action: z.enum(['match', 'add', 'pay', 'deposit', 'transfer', 'exclude']),
  /** The evidence at the time. */
  reason: z.string(),
  by: z.string(),
  at: z.string(),
  /** A rule did it by itself. */
  automatic: z.boolean(),
  ruleId: Id.nullable(),
  /** Files on what the line became: the payment, journal entry, transfer or deposit. */
  documentLinks: z.array(DocumentLink),
  entries: z.array(MatchedEntry),
  /** Other bank lines of the same match. */
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
  /** The bank sent its id before with another date or amount. */
  doubtful: z.boolean(),
  /** One of its entries is reconciled: nothing of it may be undone. */
  reconciled: z.boolean(),
  act: LineAct.nullable(),
  /** The best candidate of a line for review. */
  candidate: Candidate.nullable(),
  /** The candidates so close to the best one, itself included, that a person chooses; 1 where it stands out. */
  choices: z.number().int(),
  rowVersion: RowVersion,
});
export type BankLine = z.output<typeof BankLine>;

const AddedLineInput = z.object({
  accountID: Id,
  /** In the sign of the bank line. */
  amount: Usd,
  description: maybe(text(500)),
  profitcenterid: maybe(Id),
  locationid: maybe(Id),
  entityId: maybe(Id),
});

/**
 * A dealing with one bank line. A `candidate` alone does all that the candidate says, and `action` must be its own;
 * memo and payment type may come along. Without one the action's own fields say what to do. `undo` takes back whatever
 * was done, `refuse` keeps a candidate from being offered again, and `attach` puts files on what the line became.
 */
export const BankLineInput = z.object({
  action: z.enum(['match', 'add', 'pay', 'deposit', 'transfer', 'exclude', 'undo', 'refuse', 'attach']),
  candidate: maybe(text(1000)),
  /**
   * match: entries of the books (`glid`) that sum to the bank line, or one entry that it and `lineIds` sum to. deposit:
   * entries of Undeposited Funds.
   */
  glids: maybe(z.array(Id).max(100)),
  /** match: further bank lines of the same account. transfer: the bank line of the other account. */
  lineIds: maybe(z.array(Id).max(100)),
  /** add. */
  lines: maybe(z.array(AddedLineInput).max(100)),
  /** add: of lines that name nobody; pay: the customer or vendor. */
  entityId: maybe(Id),
  /** add and transfer: the description of what is posted; the bank's text when missing. */
  memo: maybe(text(500)),
  /**
   * pay: documents of one customer or vendor, each with the part of it that is paid; the parts sum to the bank line.
   * `discountAmount` is taken besides.
   * Missing: filled in list order. Money in settles invoices, money out bills.
   */
  documents: maybe(z.array(z.object({ invoiceId: Id, amount: Usd, discountAmount: maybe(Usd) })).max(100)),
  /** pay, of a customer. Missing: Check where the bank names a check number, else ACH. */
  paymentTypeId: maybe(Id),
  /** transfer: the other banking account. */
  bankAccountId: maybe(Id),
  /** attach: new files, renamed ones and those that are taken off. */
  documentLinks: documentLinksInput,
  rowVersion: maybe(RowVersion),
  /** An administrator's reason for changing something on or before the closing date. */
  closingOverrideReason: maybe(text(500)),
});
export type BankLineInput = z.output<typeof BankLineInput>;

/** A line of a rule: its share of the amount in percent; the shares sum to 100. */
const RuleLine = z.object({
  accountID: Id,
  percent: decimalField(2, 100),
  profitcenterid: Id.nullable(),
  locationid: Id.nullable(),
});
const RuleLineInput = z.object({
  accountID: Id,
  percent: decimalField(2, 100),
  profitcenterid: maybe(Id),
  locationid: maybe(Id),
});

const ruleWords = {
  direction: z.enum(['in', 'out', 'both']),
  operator: z.enum(['contains', 'is', 'begins']),
};

/** A rule books bank lines that nothing in the books explains. The first one by position that fits counts. */
export const BankRule = z.object({
  id: Id,
  name: z.string(),
  /** Counts from 1. */
  position: z.number().int(),
  active: z.boolean(),
  /** null: of every account. */
  bankAccountId: Id.nullable(),
  ...ruleWords,
  /** Compared without case and with white space made one; empty fits every text. */
  text: z.string(),
  /** Bounds of the amount without its sign; null is open. */
  from: Usd.nullable(),
  to: Usd.nullable(),
  lines: z.array(RuleLine),
  entityId: Id.nullable(),
  /** The description of what is posted; the bank's text when empty. */
  memo: z.string(),
  /** False: it suggests. True: it posts by itself when a statement is imported. */
  posts: z.boolean(),
  rowVersion: RowVersion,
});
export type BankRule = z.output<typeof BankRule>;

const ruleInputFields = {
  bankAccountId: maybe(Id),
  direction: maybe(ruleWords.direction),
  operator: maybe(ruleWords.operator),
  text: maybe(text(200)),
  from: maybe(Usd),
  to: maybe(Usd),
  lines: z.array(RuleLineInput).max(20),
  entityId: maybe(Id),
  memo: maybe(text(500)),
};

/** A rule in a request; missing: of every account, both directions, contains, at the end, suggests. */
export const BankRuleInput = z.object({
  id: maybe(LineId),
  name: maybe(text(100)),
  position: maybe(z.number().int().min(1).max(10_000)),
  active: maybe(z.boolean()),
  ...ruleInputFields,
  posts: maybe(z.boolean()),
  rowVersion: maybe(RowVersion),
});
export type BankRuleInput = z.output<typeof BankRuleInput>;

/** A rule that two like acts of people suggest. */
const RuleOffer = z.object({ text: z.string(), bankAccountId: Id, line: RuleLine, accountLabel: z.string() });

/** The effect of a rule on the bank lines of the last twelve months. */
export const Rehearsal = z.object({
  from: DateField,
  to: DateField,
  count: z.number().int(),
  sum: Usd,
  /** The first 500, the newest first; `now` is the accounts that a line is booked to, empty where it is for review. */
  lines: z.array(
    z.object({ id: Id, date: DateField, amount: Usd, text: z.string(), state: z.enum(LINE_STATES), now: z.string() }),
  ),
  /** Accounts of the Profit & Loss whose totals would differ; `change` in the account's natural sign. */
  accounts: z.array(z.object({ accountID: Id, displayAccountLabel: z.string(), change: Usd })),
  netIncome: Usd,
});
export type Rehearsal = z.output<typeof Rehearsal>;

/** A banking account's review: what the bank says, what the books say, and how much is left to do. */
const AccountReview = z.object({
  bankAccountId: Id,
  /** The closing balance of its latest statement that has one, with the lines after it; null where none has. */
  bankBalance: Usd.nullable(),
  bankDate: DateField.nullable(),
  booksBalance: Usd,
  reviewCount: z.number().int(),
  reviewSum: Usd,
});
export type AccountReview = z.output<typeof AccountReview>;

/** One that a rule or a person's act would take along when a statement is taken back. */
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
  saveStatement: endpoint({
    method: 'POST',
    path: '/bankstatement',
    needs: 'Manage Banking',
    summary:
      'Imports a statement file. Adds new transactions for review and skips known ones. If one ' +
      'fails, none are saved.',
    body: StatementAsk,
    reply: BankStatement,
  }),
  listStatements: endpoint({
    method: 'GET',
    path: '/bankstatement',
    needs: 'View Banking',
    summary: 'Lists the imported statements of one or all banking accounts, newest first.',
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
      /** Lines by state. */
      counts: z.record(z.string(), z.number()),
      /** The acts that are undone besides removing the lines. */
      undone: z.array(TakenBack),
      /** Why it cannot be taken back. */
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
    summary: 'Lists active banking accounts with the bank balance, book balance, and number of transactions to review.',
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
      /** `settled`: matched, added or transferred. */
      state: z.enum([...LINE_STATES, 'settled', 'all']).optional(),
      /** Only those whose best candidate is sure. */
      sure: flag,
      /** Only those of which no entry is reconciled. */
      unreconciled: flag,
    }),
    reply: listOf(BankLine),
  }),
  getBankLine: endpoint({
    method: 'GET',
    path: '/bankline/{id}',
    needs: 'View Banking',
    summary: 'Returns a bank transaction with its suggested match, or its match.',
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
      'Matches, categorizes, pays, transfers, or excludes a bank transaction, undoes that, ' +
      'dismisses a suggestion, or adds attachments.',
    makes: true,
    params,
    body: BankLineInput,
    reply: z.object({
      line: BankLine,
      /** Other bank lines that were matched or freed along. */
      others: z.array(BankLine),
      /** After two like acts: a rule that a person may want. */
      ruleOffer: RuleOffer.nullable(),
    }),
  }),
  acceptBankLines: endpoint({
    method: 'POST',
    path: '/bankline/accept',
    needs: 'Manage Banking',
    summary: 'Accepts suggested matches. Checks each one again, reports the changed ones, and accepts the rest.',
    // `candidates` are the keys that the person has seen, in the order of the ids: another best one is not accepted.
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
    summary:
      'Previews a bank rule: matching transactions in the last 12 months and the effect on the ' +
      'Profit & Loss Statement.',
    body: z.object(ruleInputFields),
    reply: Rehearsal,
  }),
};
