import { daysBetween, isoDate, startOfMonth } from './dates.ts';
import type { IsoDate } from './dates.ts';
import { assertBalanced } from './ledger.ts';
import type { Basis, PostedEntry, Posting } from './ledger.ts';
import { cents, ZERO } from './money.ts';
import type { Cents } from './money.ts';

/** Where a company's journal ends: what the next transaction takes. A hash is hexadecimal digits, at first none. */
export interface ChainEnd {
  transactionId: number;
  lineId: number;
  postingNo: number;
  hash: string;
}

/** What is to be posted; a source id of 0 means the transaction's own id. */
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

/** A transaction with its place in the chain. */
export interface Chained extends Omit<Unchained, 'posting'> {
  id: number;
  postingNo: number;
  postingDate: IsoDate;
  description: string;
  previousHash: string;
  hash: string;
  lines: ChainedLine[];
}

/** sha256 of the previous hash's bytes followed by the text's UTF-8 bytes; takes and answers hexadecimal digits. */
export type HashChain = (previousHash: string, text: string) => string;

const EPOCH = isoDate('2000-01-01');
const EPOCH_MS = 946_684_800_000n;
const bytes = new TextEncoder();

const hexOf = (value: bigint, bits: 32 | 64): string =>
  BigInt.asUintN(bits, value)
    .toString(16)
    .padStart(bits / 4, '0');

/** A date as PostgreSQL's binary form writes it: days since 2000-01-01. */
const dateHex = (date: IsoDate): string => hexOf(BigInt(daysBetween(EPOCH, date)), 32);

/** A moment in the same way: microseconds since 2000-01-01 UTC. */
const momentHex = (at: Date): string => hexOf((BigInt(at.getTime()) - EPOCH_MS) * 1000n, 64);

/** A text behind its length in bytes, so that no two texts look alike whatever they hold. */
const counted = (text: string): string => `${bytes.encode(text).length}:${text}`;

/**
 * What a transaction's hash covers: every stored column but the hash itself. Its UTF-8 bytes are, byte for byte, those
 * of the database's ledger_canonical, which verification uses.
 */
export function canonicalText(transaction: Omit<Chained, 'hash'>): string {
  const { companyId, id, postingNo, postingDate, sourceType, sourceId, createdBy, createdAt } = transaction;
  const date = dateHex(postingDate);
  const head = [companyId, id, postingNo, date, sourceType, sourceId, createdBy, momentHex(createdAt)];
  const lines = transaction.lines.map((line) => {
    const { accountId, amount, basis, entityId, profitCenterId, locationId, reverses } = line;
    const columns = [companyId, line.id, id, line.lineNo, date, accountId, amount, basis];
    const named = [entityId, profitCenterId, locationId, reverses].map((each) => each ?? '');
    return ['', ...columns, ...named, counted(line.description)].join('|');
  });
  return [...head, transaction.previousHash, counted(transaction.description)].join('|') + lines.join('');
}

/**
 * Puts a transaction behind the end of its company's chain: consecutive ids, posting number and hash. Throws unless it
 * has lines and balances in both views.
 */
export function chain(end: ChainEnd, wanted: Unchained, hash: HashChain): { transaction: Chained; end: ChainEnd } {
  const { posting, sourceId, ...rest } = wanted;
  if (posting.entries.length === 0) throw new Error('a transaction without lines');
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

/** What a total is of: a day, or the whole month that begins on its day. */
export type Grain = 'D' | 'M';

/** What lines add to one of the ledger's totals; 0 stands for no dimension. */
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

/** Transactions' totals by day and by month, in the order of their key: two writers never wait for each other. */
export function ledgerTotals(transactions: readonly Chained[]): LedgerTotal[] {
  const totals = new Map<string, LedgerTotal>();
  for (const { postingDate, lines } of transactions) {
    const month = startOfMonth(postingDate);
    for (const line of lines) {
      addTo(totals, { grain: 'D', begins: postingDate }, line);
      addTo(totals, { grain: 'M', begins: month }, line);
    }
  }
  return [...totals.values()].toSorted(byKey);
}

function addTo(
  totals: Map<string, LedgerTotal>,
  span: Pick<LedgerTotal, 'grain' | 'begins'>,
  { accountId, basis, profitCenterId, locationId, amount }: ChainedLine,
): void {
  const key = { ...span, accountId, basis, profitCenterId: profitCenterId ?? 0, locationId: locationId ?? 0 };
  const text = Object.values(key).join(' ');
  const known = totals.get(text);
  totals.set(text, { ...key, amount: cents((known?.amount ?? ZERO) + amount), lines: (known?.lines ?? 0) + 1 });
}

function byKey(a: LedgerTotal, b: LedgerTotal): number {
  if (a.grain !== b.grain) return a.grain < b.grain ? -1 : 1;
  if (a.begins !== b.begins) return a.begins < b.begins ? -1 : 1;
  if (a.accountId !== b.accountId) return a.accountId - b.accountId;
  if (a.basis !== b.basis) return a.basis < b.basis ? -1 : 1;
  return a.profitCenterId - b.profitCenterId || a.locationId - b.locationId;
}
