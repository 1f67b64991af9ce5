import { daysBetween, formatDate, isoDate, startOfMonth } from '../dates.ts';
import type { IsoDate } from '../dates.ts';
import { Failure, refuse } from '../failure.ts';
import { type Marks, reconciled } from '../banking/marks.ts';
import { cents, negate } from '../money.ts';
import type { Cents } from '../money.ts';
import type { Source } from '../documents/side.ts';
import type { DocumentKind } from '../kinds/kind.ts';

/**
 * The bases that a line belongs to: B for both, A for accrual only, and C for cash only (docs/accounting.md, "Two bases
 * in one journal").
 */
export type Basis = 'B' | 'A' | 'C';

/** A reporting basis. The accrual basis includes B and A lines, and the cash basis includes B and C lines. */
export type ReportBasis = 'accrual' | 'cash';

export interface Entry {
  accountId: number;
  /** Debit − credit, in cents. */
  amount: Cents;
  basis: Basis;
  description: string;
  entityId: number | null;
  profitCenterId: number | null;
  locationId: number | null;
}

/** The lines that a document should have in the journal on a date. */
export interface Transaction {
  postingDate: IsoDate;
  description: string;
  entries: Entry[];
}

/** A posted line that neither reverses another line nor is reversed. */
export interface LiveLine extends Entry {
  id: number;
  postingDate: IsoDate;
}

export interface PostedEntry extends Entry {
  /** The ID of the live line that this line reverses. */
  reverses: number | null;
  /**
   * The ID of the line that this line replaces. The replaced line has the same date, account, amount, and basis and is
   * reversed in the same posting.
   */
  replaces?: number;
}

/** Lines to add to the journal on one date. */
export interface Posting {
  postingDate: IsoDate;
  description: string;
  entries: PostedEntry[];
}

/** Returns whether a line counts on the given reporting basis. */
export function inView(basis: Basis, view: ReportBasis): boolean {
  return basis === 'B' || basis === (view === 'accrual' ? 'A' : 'C');
}

/** Throws unless the lines add up to zero on the accrual basis and on the cash basis. */
export function assertBalanced({ entries }: { entries: readonly Entry[] }): void {
  for (const view of ['accrual', 'cash'] as const) {
    let rest = 0;
    for (const { basis, amount } of entries) if (inView(basis, view)) rest += amount;
    if (cents(rest) !== 0) throw new Error(`transaction does not balance on the ${view} basis: ${rest} cents`);
  }
}

const UNMARKED: Marks = new Map();

/**
 * Returns the postings that turn a document's live lines into the desired lines. For each date, a posting reverses the
 * lines that are no longer desired and adds new lines. Each new line has the ID of the line that it reverses or
 * replaces, if any. Lines are compared as a multiset by account, amount, basis, date, entity, dimensions, and
 * description. Lines with a zero amount are dropped, and the result is empty if nothing changed. `marked` contains the
 * reconciled lines. A marked line either stays or is replaced, so that its mark can move. Throws ReconciledFailure if a
 * marked line has no replacement.
 */
export function difference(
  live: readonly LiveLine[],
  wanted: readonly Transaction[],
  marked: Marks = UNMARKED,
): Posting[] {
  const days = new Map<IsoDate, Posting>();
  const { removed, added } = compare(live, wanted.flatMap(linesOf), marked);
  const replaced = replacements(removed.toSorted(markedFirst(marked)), added);
  for (const line of removed.toSorted((a, b) => a.id - b.id)) {
    const { id, postingDate, ...entry } = line;
    const title = wanted.find((each) => each.postingDate === postingDate)?.description ?? line.description;
    dayOf(days, postingDate, title).entries.push({ ...entry, amount: negate(entry.amount), reverses: id });
  }
  for (const line of added) {
    const replaces = replaced.get(line);
    const named = replaces === undefined ? {} : { replaces };
    dayOf(days, line.postingDate, line.title).entries.push({ ...line.entry, reverses: null, ...named });
  }
  const postings = [...days.values()].toSorted((a, b) => (a.postingDate < b.postingDate ? -1 : 1));
  postings.forEach(assertBalanced);
  return postings;
}

/** A line that a document should have, with its transaction's date and description. */
interface WantedLine {
  postingDate: IsoDate;
  title: string;
  entry: Entry;
}

function linesOf({ postingDate, description: title, entries }: Transaction): WantedLine[] {
  return entries.filter((entry) => entry.amount !== 0).map((entry) => ({ postingDate, title, entry }));
}

/**
 * Returns the live lines that match no desired line, and the desired lines that are not live. Keeps marked lines if
 * possible.
 */
function compare(
  live: readonly LiveLine[],
  wanted: readonly WantedLine[],
  marked: Marks,
): { removed: LiveLine[]; added: WantedLine[] } {
  const unmatched = groupBy(live.toSorted(markedFirst(marked)), (line) => keyOf(line, line.postingDate));
  const spare = marked.size === 0 ? undefined : spareLines(live, wanted, marked);
  const added = wanted.filter(({ entry, postingDate }) => {
    const equal = unmatched.get(keyOf(entry, postingDate));
    const first = equal?.[0];
    if (first === undefined) return true;
    if (spare !== undefined && !marked.has(first.id) && !takeOne(spare, placeOf(entry, postingDate))) return true;
    equal?.shift();
    return false;
  });
  return { removed: [...unmatched.values()].flat(), added };
}

/**
 * Returns how many desired lines with the same date, account, amount, and basis are left for unmarked lines. Throws
 * ReconciledFailure if there are fewer desired lines than marked lines.
 */
function spareLines(live: readonly LiveLine[], wanted: readonly WantedLine[], marked: Marks): Map<string, number> {
  const spare = new Map<string, number>();
  for (const { entry, postingDate } of wanted) addOne(spare, placeOf(entry, postingDate), 1);
  const fixed = live.filter(({ id }) => marked.has(id));
  for (const line of fixed) addOne(spare, placeOf(line, line.postingDate), -1);
  const lost = fixed.filter((line) => (spare.get(placeOf(line, line.postingDate)) ?? 0) < 0);
  if (lost.length > 0)
    throw reconciled(
      lost.map(({ id }) => id),
      marked,
    );
  return spare;
}

/**
 * Returns the ID of the removed line that each new line replaces, which has the same date, account, amount, and basis.
 * Earlier lines are replaced first.
 */
function replacements(removed: readonly LiveLine[], added: readonly WantedLine[]): Map<WantedLine, number> {
  const replaced = new Map<WantedLine, number>();
  if (removed.length === 0) return replaced;
  const free = groupBy(added, ({ entry, postingDate }) => placeOf(entry, postingDate));
  for (const line of removed) {
    const replacing = free.get(placeOf(line, line.postingDate))?.shift();
    if (replacing !== undefined) replaced.set(replacing, line.id);
  }
  return replaced;
}

function markedFirst(marked: Marks): (a: LiveLine, b: LiveLine) => number {
  return (a, b) => Number(marked.has(b.id)) - Number(marked.has(a.id)) || a.id - b.id;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * Returns a key that is the same for identical lines. The description comes last, because only the description may
 * contain spaces.
 */
function keyOf(entry: Entry, postingDate: IsoDate): string {
  const { accountId, amount, basis, description, entityId, profitCenterId, locationId } = entry;
  return `${postingDate} ${accountId} ${amount} ${basis} ${entityId} ${profitCenterId} ${locationId} ${description}`;
}

/** Returns the key of the fields that a bank statement confirms. */
function placeOf({ accountId, amount, basis }: Entry, postingDate: IsoDate): string {
  return `${postingDate} ${accountId} ${amount} ${basis}`;
}

function addOne(counts: Map<string, number>, key: string, by: 1 | -1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

/** Subtracts one from a key's count. Returns false if the count is zero. */
function takeOne(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key) ?? 0;
  if (count <= 0) return false;
  counts.set(key, count - 1);
  return true;
}

function dayOf(days: Map<IsoDate, Posting>, postingDate: IsoDate, description: string): Posting {
  const known = days.get(postingDate);
  if (known !== undefined) return known;
  const day: Posting = { postingDate, description, entries: [] };
  days.set(postingDate, day);
  return day;
}

/**
 * The end of a company's journal, where the next transaction is added. The hash is hexadecimal, and empty before the
 * first transaction.
 */
export interface ChainEnd {
  transactionId: number;
  lineId: number;
  postingNo: number;
  hash: string;
}

/** A transaction to post. A source ID of 0 means that the transaction is its own source. */
export interface Unchained {
  companyId: number;
  sourceType: string;
  sourceId: number;
  createdBy: number;
  createdAt: Date;
  posting: Posting;
}

export interface ChainedLine extends PostedEntry {
  id: number;
  lineNo: number;
}

/** A transaction with its position in the hash chain. */
export interface Chained extends Omit<Unchained, 'posting'> {
  id: number;
  postingNo: number;
  postingDate: IsoDate;
  description: string;
  previousHash: string;
  hash: string;
  lines: ChainedLine[];
}

/**
 * Returns the SHA-256 of the previous hash's bytes followed by the UTF-8 bytes of the text. Hashes are passed and
 * returned in hexadecimal.
 */
export type HashChain = (previousHash: string, text: string) => string;

const EPOCH = isoDate('2000-01-01');
const EPOCH_MS = 946_684_800_000n;

const hexOf = (value: bigint, bits: 32 | 64): string =>
  BigInt.asUintN(bits, value)
    .toString(16)
    .padStart(bits / 4, '0');

/** Returns a date in PostgreSQL's binary format: days since 2000-01-01. */
const dateHex = (date: IsoDate): string => hexOf(BigInt(daysBetween(EPOCH, date)), 32);

/** Returns a timestamp in PostgreSQL's binary format: microseconds since 2000-01-01 UTC. */
const momentHex = (at: Date): string => hexOf((BigInt(at.getTime()) - EPOCH_MS) * 1000n, 64);

/** Returns the length of a string in UTF-8. An unpaired surrogate counts as its replacement character. */
function byteLength(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    // A surrogate pair is one character.
    if (code >= 0x10000) at += 1;
  }
  return length;
}

/** Prefixes a string with its length in bytes, so that two different lists of strings never give the same result. */
const counted = (text: string): string => `${byteLength(text)}:${text}`;

/**
 * Returns the text that a transaction's hash covers: every stored column except the hash. The UTF-8 bytes of this text
 * are identical to the result of the database function ledger_canonical, which the verification uses.
 */
export function canonicalText(transaction: Omit<Chained, 'hash'>): string {
  const { companyId, id, postingNo, postingDate, sourceType, sourceId, createdBy, createdAt } = transaction;
  const date = dateHex(postingDate);
  const head = [companyId, id, postingNo, date, sourceType, sourceId, createdBy, momentHex(createdAt)];
  let text = [...head, transaction.previousHash, counted(transaction.description)].join('|');
  for (const line of transaction.lines) {
    const { accountId, amount, basis, entityId, profitCenterId, locationId, reverses } = line;
    text += `|${companyId}|${line.id}|${id}|${line.lineNo}|${date}|${accountId}|${amount}|${basis}`;
    text += `|${entityId ?? ''}|${profitCenterId ?? ''}|${locationId ?? ''}|${reverses ?? ''}`;
    text += `|${counted(line.description)}`;
  }
  return text;
}

/**
 * Appends a transaction to its company's hash chain with consecutive IDs, a posting number, and a hash. Throws unless
 * the transaction has lines and balances on both bases.
 */
export function chain(end: ChainEnd, wanted: Unchained, hash: HashChain): { transaction: Chained; end: ChainEnd } {
  const { posting, sourceId, ...rest } = wanted;
  if (posting.entries.length === 0) throw new Error('the transaction has no lines');
  assertBalanced(posting);
  const id = end.transactionId;
  const unhashed = {
    ...rest,
    id,
    postingNo: end.postingNo,
    sourceId: sourceId === 0 ? id : sourceId,
    postingDate: posting.postingDate,
    description: posting.description,
    previousHash: end.hash,
    lines: posting.entries.map((entry, at) => ({ ...entry, id: end.lineId + at, lineNo: at + 1 })),
  };
  const transaction = { ...unhashed, hash: hash(end.hash, canonicalText(unhashed)) };
  const next = {
    transactionId: id + 1,
    lineId: end.lineId + transaction.lines.length,
    postingNo: end.postingNo + 1,
    hash: transaction.hash,
  };
  return { transaction, end: next };
}

/** The end of a journal whose head is locked, with all the data needed to validate a posting. */
export interface JournalEnd extends ChainEnd {
  companyId: number;
  closingDate: IsoDate | null;
  /** The timestamp of all postings. */
  at: Date;
  /** The next number of each kind of document that has ever used a number. */
  numbers: DocumentNumbers;
  /** The next number of each kind that has used a number since the journal was opened. */
  taken: DocumentNumbers;
}

/** The next number of each kind of document, by its source. */
export type DocumentNumbers = Readonly<Record<string, number>>;

/** A request to post one document, usually the result of `difference`. */
export interface PostingRequest {
  /** A journal entry's ID may be 0, which means the ID of the transaction that is being posted. */
  source: Source;
  postings: readonly Posting[];
  /**
   * The kind whose next number is assigned, even if nothing is posted (for example, for a draft). An empty description
   * of a transaction or line becomes `${label} ${number}`.
   */
  number?: DocumentKind | undefined;
  /** An administrator's reason for posting to closed books. The caller records it in the audit log. */
  reason?: string | undefined;
  /** The marks of the document's reconciled live lines, which move to the lines that replace them. */
  marks?: Marks | undefined;
}

/** A request's transactions with the ID of each line, and the number that was assigned to the document. */
export interface Posted {
  transactions: readonly Chained[];
  number: string | undefined;
}

/**
 * Numbers a document in the sequence for its kind and appends its transactions to the journal. Omits lines of zero and
 * postings without lines. Throws Failure 422 if the books are closed on a posting date. Throws an Error if a posting
 * does not balance on both bases or the document has no ID, because these are bugs in the caller.
 */
export function append(
  end: JournalEnd,
  { source, postings, number: kind, reason }: PostingRequest,
  { userId: createdBy, hash }: { userId: number; hash: HashChain },
): Posted & { end: JournalEnd } {
  requireId(source);
  const number = nextNumber(end, kind);
  const called = `${kind?.prefix ?? ''}${number ?? ''}`;
  const name = kind === undefined || number === undefined ? '' : `${kind.label} ${called}`;
  const taken = kind === undefined || number === undefined ? {} : { [kind.source]: number + 1 };
  const { companyId, at: createdAt } = end;
  let behind: ChainEnd = end;
  const transactions = named(postings, name).map((posting) => {
    if (reason === undefined) requireOpen(end.closingDate, posting.postingDate);
    const document = { companyId, createdBy, createdAt, sourceType: source.type, sourceId: source.id };
    const placed = chain(behind, { ...document, posting }, hash);
    behind = placed.end;
    return placed.transaction;
  });
  return {
    end: { ...end, ...behind, taken: { ...end.taken, ...taken } },
    transactions,
    number: number === undefined ? undefined : called,
  };
}

function requireId({ type, id }: Source): void {
  const isId = Number.isSafeInteger(id) && (id > 0 || (id === 0 && type === 'journal'));
  if (!isId) throw new Error(`a posting requires the ID of its ${type}`);
}

/** Returns the next number for a kind, or undefined for a kind without numbers. Each kind has its own sequence. */
function nextNumber({ taken, numbers }: JournalEnd, kind: DocumentKind | undefined): number | undefined {
  if (kind === undefined || kind.firstNumber === null) return undefined;
  return taken[kind.source] ?? numbers[kind.source] ?? kind.firstNumber;
}

function requireOpen(closingDate: IsoDate | null, date: IsoDate): void {
  if (closingDate === null || date > closingDate) return;
  throw new Failure('closed', `The books are closed through ${formatDate(closingDate)}`);
}

/**
 * Fills empty descriptions with the document's name, which could not be known before its number was assigned. Omits
 * lines with a zero amount.
 */
function named(postings: readonly Posting[], name: string): Posting[] {
  return postings.flatMap((posting) => {
    const entries = posting.entries.filter((entry) => entry.amount !== 0);
    if (entries.length === 0) return [];
    const called = entries.map((entry) => (entry.description === '' ? { ...entry, description: name } : entry));
    return [{ ...posting, description: posting.description || name, entries: called }];
  });
}

/**
 * Returns the new line for each marked line that is reversed, by the ID of the old line. Throws ReconciledFailure if a
 * marked line is reversed without a replacement.
 */
export function movedMarks(transactions: readonly Chained[], marked: Marks): ReadonlyMap<number, number> {
  const lines = transactions.flatMap((transaction) => transaction.lines);
  const replacing = new Map(lines.map((line) => [line.replaces, line.id]));
  const moved = new Map<number, number>();
  const lost: number[] = [];
  for (const { reverses } of lines) {
    if (reverses === null || !marked.has(reverses)) continue;
    const next = replacing.get(reverses);
    if (next === undefined) lost.push(reverses);
    else moved.set(reverses, next);
  }
  if (lost.length > 0) throw reconciled(lost, marked);
  return moved;
}

/** The live lines that transactions add to one document, and the IDs of the lines that they reverse. */
export interface LiveChange {
  type: string;
  id: number;
  added: number[];
  reversed: number[];
}

/** Returns the changes that transactions make to the live lines of their documents. */
export function liveChanges(transactions: readonly Chained[]): LiveChange[] {
  const bySource = new Map<string, LiveChange>();
  for (const { sourceType: type, sourceId: id, lines } of transactions) {
    const key = `${type} ${id}`;
    const change = bySource.get(key) ?? { type, id, added: [], reversed: [] };
    bySource.set(key, change);
    for (const line of lines) {
      if (line.reverses === null) change.added.push(line.id);
      else change.reversed.push(line.reverses);
    }
  }
  return [...bySource.values()];
}

/** The period that a total covers: a day, or the whole month that starts on that day. */
export type Grain = 'D' | 'M';

/** The amount that lines add to one of the ledger's totals. 0 means no dimension. */
export interface LedgerTotal {
  grain: Grain;
  begins: IsoDate;
  accountId: number;
  basis: Basis;
  profitCenterId: number;
  locationId: number;
  amount: Cents;
  lines: number;
}

/** Returns the transactions' totals by day and by month, sorted by key so that two writers never deadlock. */
export function ledgerTotals(transactions: readonly Chained[]): LedgerTotal[] {
  const [days, months] = [new Map<string, LedgerTotal>(), new Map<string, LedgerTotal>()];
  for (const { postingDate: begins, lines } of transactions) {
    for (const line of lines) addTo(days, { ...line, grain: 'D', begins, lines: 1 });
  }
  for (const day of days.values()) addTo(months, { ...day, grain: 'M', begins: startOfMonth(day.begins) });
  return [...days.values(), ...months.values()].toSorted(byKey);
}

type Addend = Omit<LedgerTotal, 'profitCenterId' | 'locationId'> & Pick<Entry, 'profitCenterId' | 'locationId'>;

function addTo(totals: Map<string, LedgerTotal>, added: Addend): void {
  const { grain, begins, accountId, basis, amount, lines } = added;
  const [profitCenterId, locationId] = [added.profitCenterId ?? 0, added.locationId ?? 0];
  const key = `${grain} ${begins} ${accountId} ${basis} ${profitCenterId} ${locationId}`;
  const known = totals.get(key);
  if (known === undefined) {
    totals.set(key, { grain, begins, accountId, basis, profitCenterId, locationId, amount, lines });
    return;
  }
  known.amount = totalOf(known.amount + amount);
  known.lines += lines;
}

/**
 * Returns a total as cents. Throws for a total outside the ledger's range, which the database's own check also rejects.
 */
function totalOf(amount: number): Cents {
  if (!Number.isSafeInteger(amount)) throw refuse('Amount is out of range');
  return cents(amount);
}

function byKey(a: LedgerTotal, b: LedgerTotal): number {
  if (a.grain !== b.grain) return a.grain < b.grain ? -1 : 1;
  if (a.begins !== b.begins) return a.begins < b.begins ? -1 : 1;
  if (a.accountId !== b.accountId) return a.accountId - b.accountId;
  if (a.basis !== b.basis) return a.basis < b.basis ? -1 : 1;
  return a.profitCenterId - b.profitCenterId || a.locationId - b.locationId;
}
