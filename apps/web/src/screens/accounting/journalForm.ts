import type { JournalEntryInput, PostedTransaction } from '@evenkeel/contract/ledger';
import { type AccountTypeInfo, OPENING_BALANCE_EQUITY } from '@evenkeel/core/books/accounts';
import { type IsoDate, isIsoDate } from '@evenkeel/core/dates';
import { Failure, type FieldMessages } from '@evenkeel/core/failure';
import type { LineRequirements } from '@evenkeel/core/documents/invoice';
import { type Cents, cents, sum, ZERO } from '@evenkeel/core/money';
import { postJournal } from '@evenkeel/core/books/posting';

/** The journal entry form. Its rules are in this file and in core/posting. */

export interface FormLine {
  /** Identifies the line while it is being edited. New lines have higher keys. */
  key: number;
  accountId: number | null;
  profitCenterId: number | null;
  locationId: number | null;
  description: string;
  /**
   * True for debit, false for credit, and null until the user chooses. Lines without a choice are not in the totals.
   */
  debit: boolean | null;
  amount: Cents | null;
  /**
   * Messages about text in a pasted row that could not be read. They are kept until the line has an account and a side.
   */
  told?: string | undefined;
}

export interface JournalForm {
  postingDate: IsoDate | null;
  /** The description of all lines that have no description. */
  memo?: string | undefined;
  lines: readonly FormLine[];
  /** The key of the current line, which the fields show. */
  at: number;
  /** The key of the last line, which balances the entry until the user edits its amount. */
  balancing?: number | undefined;
  /** The row version of the saved entry being edited. */
  rowVersion?: number | undefined;
}

export type LineField = 'accountId' | 'profitCenterId' | 'locationId' | 'description' | 'amount' | 'debit';
export type LineProblems = Readonly<Partial<Record<LineField, string>>>;

export interface Totals {
  debit: Cents;
  credit: Cents;
  /** The absolute difference |debit − credit|. */
  out: Cents;
  heavier: 'debit' | 'credit' | undefined;
}

/** Returns the debit and credit totals of the lines with a side. */
export function totalsOf(lines: readonly FormLine[]): Totals {
  const side = (debit: boolean) => sum(lines.map((line) => (line.debit === debit ? (line.amount ?? ZERO) : ZERO)));
  const [debit, credit] = [side(true), side(false)];
  const heavier = debit === credit ? undefined : debit > credit ? ('debit' as const) : ('credit' as const);
  return { debit, credit, out: cents(Math.abs(debit - credit)), heavier };
}

function blankLine(lines: readonly FormLine[]): FormLine {
  const { out } = totalsOf(lines);
  return {
    key: Math.max(0, ...lines.map((line) => line.key)) + 1,
    accountId: null,
    profitCenterId: null,
    locationId: null,
    description: '',
    debit: null,
    amount: out === 0 ? null : out,
  };
}

/** Returns an empty entry dated `postingDate` whose first line is the current one. */
export function startForm(postingDate: IsoDate): JournalForm {
  const line = blankLine([]);
  return { postingDate, lines: [line], at: line.key };
}

/**
 * Returns the form for opening balances: one line for the first balance, and a last line for Opening Balance Equity
 * that balances the entry.
 */
export function startOpening(postingDate: IsoDate): JournalForm {
  const first = blankLine([]);
  const rest = { ...blankLine([first]), accountId: OPENING_BALANCE_EQUITY };
  return { postingDate, memo: 'Opening balances', lines: [first, rest], at: first.key, balancing: rest.key };
}

const NO_SIDE = { debit: null, amount: null };

/** Returns the form with its balancing line moved to the end, where it balances all other lines. */
export function balanced(form: JournalForm): JournalForm {
  const line = form.lines.find(({ key }) => key === form.balancing);
  if (line === undefined) return form.balancing === undefined ? form : released(form);
  const { debit, amount } = levelling(form.lines, line.key) ?? NO_SIDE;
  // An unchanged line stays the same object, so that it isn't rendered again.
  const level = line.debit === debit && line.amount === amount ? line : { ...line, debit, amount };
  return { ...form, lines: [...othersOf(form), level] };
}

/** Returns the form without a balancing line, because the user is editing its amount. */
export function released({ balancing: _, ...form }: JournalForm): JournalForm {
  return form;
}

/** Returns all lines except the balancing line. */
export function othersOf({ lines, balancing }: JournalForm): readonly FormLine[] {
  return lines.filter(({ key }) => key !== balancing);
}

/** Returns the current line. */
export function currentLine(form: JournalForm): FormLine {
  return form.lines.find((line) => line.key === form.at) ?? blankLine(form.lines);
}

/** Changes the current line. */
export function patchLine(form: JournalForm, patch: Partial<FormLine>): JournalForm {
  return { ...form, lines: form.lines.map((line) => (line.key === form.at ? withPatch(line, patch) : line)) };
}

function withPatch(line: FormLine, patch: Partial<FormLine>): FormLine {
  const { told, ...next } = { ...line, ...patch };
  const isRead = next.accountId !== null && next.debit !== null;
  return told === undefined || isRead ? next : { ...next, told };
}

/** Changes a line and makes it the current one. */
export function patchAt(form: JournalForm, key: number, patch: Partial<FormLine>): JournalForm {
  return patchLine({ ...form, at: key }, patch);
}

/**
 * Returns the change after an amount is entered on one side, which clears the other side. Clearing one side does not
 * change the other.
 */
export function sidePatch(line: FormLine, debit: boolean, amount: Cents | null): Partial<FormLine> {
  if (amount !== null) return { debit, amount };
  return line.debit === debit ? { debit: null, amount: null } : {};
}

/** Returns the side and amount that a line needs to balance the entry. Undefined if the other lines already balance. */
export function levelling(lines: readonly FormLine[], key: number): Pick<FormLine, 'debit' | 'amount'> | undefined {
  const { out, heavier } = totalsOf(lines.filter((line) => line.key !== key));
  return heavier === undefined ? undefined : { debit: heavier === 'credit', amount: out };
}

/** Returns whether nothing was entered in a line. An amount without a side is only a suggestion. */
export function isBlank({ accountId, profitCenterId, locationId, description, debit, told }: FormLine): boolean {
  const isPlaced = profitCenterId !== null || locationId !== null;
  return accountId === null && !isPlaced && description === '' && debit === null && told === undefined;
}

/** Adds an empty line at the end, unless there already is one, and makes it the current line. */
export function addLine(form: JournalForm): JournalForm {
  const last = othersOf(form).at(-1);
  if (last !== undefined && isBlank(last)) return { ...form, at: last.key };
  const line = blankLine(form.lines);
  return { ...form, lines: [...form.lines, line], at: line.key };
}

/** Makes the unfinished line at the end the current line, or adds a line if no line is unfinished. */
export function nextLine(form: JournalForm): JournalForm {
  const last = othersOf(form).at(-1);
  if (last !== undefined && last.debit === null) return { ...form, at: last.key };
  const line = blankLine(form.lines);
  return { ...form, lines: [...form.lines, line], at: line.key };
}

/** Removes a line. If it was the current line, a new line takes its place. */
export function removeLine(form: JournalForm, key: number): JournalForm {
  const rest = { ...form, lines: form.lines.filter((line) => line.key !== key) };
  return form.at === key ? nextLine(rest) : rest;
}

/** Returns the messages about a line's fields, which are validated when its side is chosen. */
export function lineProblems(line: FormLine, rules: LineRequirements): LineProblems {
  const problems: Partial<Record<LineField, string>> = {};
  if (line.accountId === null) problems.accountId = 'Please Select an Account';
  if (rules.useProfitCenters === true && line.profitCenterId === null)
    problems.profitCenterId = 'Please Select a Profit Center';
  if (rules.useLocations === true && line.locationId === null) problems.locationId = 'Please Select a Location';
  if (line.description.trim() === '') problems.description = 'Please enter a description';
  if (line.amount === null || line.amount <= 0) problems.amount = 'Entries must be greater than $0.00.';
  return problems;
}

export interface SideChoice {
  form: JournalForm;
  problems: LineProblems;
  /** Whether the current line is new. If so, the account field takes the focus. */
  isFresh: boolean;
}

/**
 * Sets Debit or Credit for the current line. If the line had no side yet, the line is validated, and a new line is
 * added. Otherwise, only the side changes.
 */
export function chooseSide(form: JournalForm, debit: boolean, rules: LineRequirements): SideChoice {
  const line = currentLine(form);
  if (line.debit !== null) return { form: patchLine(form, { debit }), problems: {}, isFresh: false };
  const problems = lineProblems(line, rules);
  if (Object.keys(problems).length > 0) return { form, problems, isFresh: false };
  return { form: nextLine(patchLine(form, { debit })), problems: {}, isFresh: true };
}

/**
 * Returns the lines to send. Omits empty lines, and a last line that has no account and no side. A line without a
 * description gets the memo.
 */
export function linesToSend({ lines, memo = '' }: JournalForm): FormLine[] {
  const last = lines.at(-1);
  const isOpen = last !== undefined && last.accountId === null && last.debit === null && last.told === undefined;
  const sent = (isOpen ? lines.slice(0, -1) : lines).filter((line) => !isBlank(line));
  return sent.map((line) =>
    line.description.trim() === '' && memo.trim() !== '' ? { ...line, description: memo } : line,
  );
}

export interface Refusal {
  message: string;
  /** Messages by request path, for example `generalLedgerEntries.0.accountID`. */
  fields: FieldMessages;
}

const PATHS: Readonly<Record<LineField, string>> = {
  accountId: 'accountID',
  profitCenterId: 'profitcenterid',
  locationId: 'locationid',
  description: 'description',
  amount: 'amount',
  debit: 'debit',
};

function choicesLeftOpen(lines: readonly FormLine[], rules: LineRequirements): FieldMessages {
  const fields: FieldMessages = {};
  lines.forEach((line, index) => {
    const path = `generalLedgerEntries.${index}`;
    const { accountId, profitCenterId, locationId } = lineProblems(line, rules);
    if (accountId !== undefined) fields[`${path}.${PATHS.accountId}`] = accountId;
    if (line.debit === null) fields[`${path}.debit`] = 'Please select Debit or Credit';
    if (profitCenterId !== undefined) fields[`${path}.${PATHS.profitCenterId}`] = profitCenterId;
    if (locationId !== undefined) fields[`${path}.${PATHS.locationId}`] = locationId;
  });
  return fields;
}

/** Returns the reason why the entry can't be posted, or undefined if it can. */
export function postingRefusal(
  form: JournalForm,
  rules: LineRequirements,
  accountType: (id: number) => AccountTypeInfo,
): Refusal | undefined {
  const lines = linesToSend(form);
  if (form.postingDate === null) {
    return { message: 'Please enter a posting date', fields: { postingDate: 'Please enter a posting date' } };
  }
  if (lines.length >= 2) {
    const fields = choicesLeftOpen(lines, rules);
    const first = Object.values(fields)[0];
    if (first !== undefined) return { message: first, fields };
  }
  try {
    postJournal({ postingDate: form.postingDate, basis: 0, lines: lines.map(coreLine), accountType });
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { message: error.message, fields: error.fields ?? {} };
  }
}

function coreLine(line: FormLine) {
  const { profitCenterId, locationId, description } = line;
  const shared = { profitCenterId, locationId, description, entityId: null };
  return { ...shared, accountId: line.accountId ?? 0, debit: line.debit ?? true, amount: line.amount ?? ZERO };
}

/** The keys for errors about the whole entry: one for an entry that is out of balance, and one for all other errors. */
export const OUT_OF_BALANCE = 'balance';
export const WHOLE_ENTRY = 'generalLedgerEntries';

/** Returns the messages about the problems that prevent posting, by key. Messages about the whole entry come first. */
export function journalFaults(...entry: Parameters<typeof postingRefusal>): FieldMessages {
  const refusal = postingRefusal(...entry);
  if (refusal === undefined) return {};
  const { message, fields } = refusal;
  if (Object.values(fields).includes(message)) return fields;
  const lines = linesToSend(entry[0]);
  const isOut = lines.length >= 2 && totalsOf(lines).heavier !== undefined;
  return { [isOut ? OUT_OF_BALANCE : WHOLE_ENTRY]: message, ...fields };
}

/** Returns the server's messages about one of the lines that were sent, by form field. */
export function problemsOfLine(fields: FieldMessages, index: number): LineProblems {
  const problems: Partial<Record<LineField, string>> = {};
  for (const field of ['accountId', 'profitCenterId', 'locationId', 'description', 'amount', 'debit'] as const) {
    const message = fields[`generalLedgerEntries.${index}.${PATHS[field]}`];
    if (message !== undefined) problems[field] = message;
  }
  return problems;
}

/** Returns the index of the first line that was sent and has a message, or undefined. */
export function firstBadLine(fields: FieldMessages): number | undefined {
  const indexes = Object.keys(fields).flatMap((path) => {
    const match = /^generalLedgerEntries\.(\d+)\./.exec(path);
    return match === null ? [] : [Number(match[1])];
  });
  return indexes.length === 0 ? undefined : Math.min(...indexes);
}

export interface KeptDraft {
  /** The ID of the entry. 0 if it isn't saved yet. */
  transactionID: number;
  rowVersion: number | undefined;
}

/** Returns the request for Post Transaction. With `draft`, returns the request for Save Transaction. */
export function requestOf(form: JournalForm, kept: KeptDraft, draft: boolean): JournalEntryInput {
  const { postingDate } = form;
  return {
    ...(kept.transactionID === 0 ? {} : { transactionID: kept.transactionID, rowVersion: kept.rowVersion }),
    postingDate,
    generalLedgerEntries: linesToSend(form).map((line) => ({
      accountID: line.accountId ?? 0,
      debit: line.debit,
      amount: line.amount ?? ZERO,
      description: line.description,
      postingDate,
      profitcenterid: line.profitCenterId,
      locationid: line.locationId,
    })),
    ...(draft ? { draft: true } : {}),
  };
}

/** Returns the form for a saved draft, or for a copy of a posted entry with another date. */
export function formOfTransaction(transaction: PostedTransaction, postingDate: IsoDate): JournalForm {
  const lines = transaction.generalLedgerEntries.map((entry, index): FormLine => ({
    key: index + 1,
    accountId: entry.accountID === 0 ? null : entry.accountID,
    profitCenterId: entry.profitcenterid,
    locationId: entry.locationid,
    description: entry.description,
    debit: entry.creditAmount !== null ? false : entry.debitAmount !== null ? true : null,
    amount: entry.creditAmount ?? entry.debitAmount,
  }));
  return nextLine({ postingDate, lines, at: 0 });
}

/** Returns the form for a saved entry that isn't posted yet. */
export function formOfDraft(draft: PostedTransaction, today: IsoDate): JournalForm {
  return { ...formOfTransaction(draft, draft.postingDate ?? today), rowVersion: draft.rowVersion };
}

function isId(value: unknown): value is number | null {
  return value === null || Number.isSafeInteger(value);
}

function readLine(value: unknown): FormLine | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('key' in value) || typeof value.key !== 'number') return undefined;
  if (!('accountId' in value) || !isId(value.accountId)) return undefined;
  if (!('profitCenterId' in value) || !isId(value.profitCenterId)) return undefined;
  if (!('locationId' in value) || !isId(value.locationId)) return undefined;
  if (!('description' in value) || typeof value.description !== 'string') return undefined;
  if (!('debit' in value) || (value.debit !== null && typeof value.debit !== 'boolean')) return undefined;
  if (!('amount' in value) || !isId(value.amount)) return undefined;
  const { key, accountId, profitCenterId, locationId, description, debit, amount } = value;
  const money = amount === null ? null : cents(amount);
  const told = 'told' in value && typeof value.told === 'string' ? { told: value.told } : {};
  return { key, accountId, profitCenterId, locationId, description, debit, amount: money, ...told };
}

/** Reads a form stored on the device. Returns undefined for invalid data. */
export function readForm(stored: unknown): JournalForm | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  if (!('lines' in stored) || !Array.isArray(stored.lines)) return undefined;
  if (!('at' in stored) || typeof stored.at !== 'number') return undefined;
  const lines = stored.lines.map(readLine).filter((line) => line !== undefined);
  if (lines.length !== stored.lines.length || !lines.some((line) => line.key === stored.at)) return undefined;
  const date = 'postingDate' in stored ? stored.postingDate : null;
  const version = 'rowVersion' in stored && typeof stored.rowVersion === 'number' ? stored.rowVersion : undefined;
  const postingDate = typeof date === 'string' && isIsoDate(date) ? date : null;
  const balancing = 'balancing' in stored && typeof stored.balancing === 'number' ? stored.balancing : undefined;
  const kept = { ...(balancing !== undefined && { balancing }), ...(version !== undefined && { rowVersion: version }) };
  const memo = 'memo' in stored && typeof stored.memo === 'string' ? { memo: stored.memo } : {};
  return { postingDate, ...memo, lines, at: stored.at, ...kept };
}
