import type { IsoDate } from '@evenkeel/core/dates';
import { Failure } from '@evenkeel/core/failure';
import { ReconciledFailure } from '@evenkeel/core/banking/marks';

/** Errors of the database are known by SQLSTATE, not by constraint name alone (a distributed one carries a suffix). */
interface DatabaseErrorLike {
  code: string;
  constraint?: string;
  message: string;
}

export function databaseCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

function isDatabaseError(error: unknown): error is DatabaseErrorLike & Error {
  return databaseCode(error) !== undefined;
}

/** A unique key was taken; `constraint` narrows to one by the start of its name. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!isDatabaseError(error) || error.code !== '23505') return false;
  return constraint === undefined || (error.constraint ?? error.message).includes(constraint);
}

/** Thrown where what a transaction locked is no longer what it needs: it did nothing and is tried again. */
export class StartOver extends Error {
  readonly code = '40001';

  constructor() {
    super('what was to be locked changed meanwhile');
  }
}

/**
 * Serialization failure, deadlock, or a line that was reconciled meanwhile, whose mark the next try sees: the
 * transaction did nothing and may be tried again.
 */
export function isRetryable(error: unknown): boolean {
  const code = databaseCode(error);
  return code === '40001' || code === '40P01' || code === MARKED;
}

/** The journal's guard refuses to reverse a reconciled line. */
const MARKED = 'EK005';

/** The refusal that this is, with the reconciliation that the guard names. */
function markedFailure(error: unknown): Failure | undefined {
  if (databaseCode(error) !== MARKED) return undefined;
  const { detail } = error as { detail?: string };
  const { lineId, ...mark } = JSON.parse(detail ?? '{}') as MarkedLine;
  return new ReconciledFailure([lineId], mark);
}

/** The guard's word of a marked line. */
interface MarkedLine {
  lineId: number;
  reconciliationId: number;
  bankAccountId: number;
  name: string;
  statementDate: IsoDate;
}

const LOST = /^(08...|57P0.|58...|XX000)$/;
const SOCKET = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EACCES']);

/** The database is away or the connection was lost; at commit that means "may have happened". */
export function isUnavailable(error: unknown): boolean {
  const code = databaseCode(error);
  if (code !== undefined && (LOST.test(code) || SOCKET.has(code) || code === '53300')) return true;
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded|timeout expired|Query read timeout|not queryable/.test(error.message)
  );
}

/** The connection broke while the commit was under way: what was written may be there. */
export class CommitLost extends Error {
  readonly code = '08007';

  constructor(cause: unknown) {
    super('the answer to a commit was lost', { cause });
  }
}

/**
 * The database hangs: neither a statement nor a probe beside it was answered. A sent statement may still take effect.
 */
export class NoAnswer extends Error {
  readonly code = '08006';

  constructor(milliseconds: number) {
    super(`The database did not respond within ${milliseconds} ms`);
  }
}

/** Nothing came back in time: asking the database anything more now would take as long again. */
export function isSilent(error: unknown): boolean {
  if (error instanceof NoAnswer) return true;
  if (error instanceof CommitLost) return isSilent(error.cause);
  const told = /timeout exceeded|timeout expired|connection timeout|Query read timeout/;
  return error instanceof Error && told.test(error.message);
}

/** Disk full: writes are refused, reading goes on. */
export function isDiskFull(error: unknown): boolean {
  return databaseCode(error) === '53100';
}

/** A statement took longer than it may. */
export function isTimeout(error: unknown): boolean {
  return databaseCode(error) === '57014';
}

/** Somebody else held a lock for too long; the transaction did nothing. */
export function isLocked(error: unknown): boolean {
  return databaseCode(error) === '55P03';
}

/** The Failure that a database error means for a client, or undefined when it is our own defect. */
export function failureOf(error: unknown): Failure | undefined {
  const later = (seconds: number, message: string) =>
    new Failure('unavailable', message, undefined, { retryAfterSeconds: seconds });
  if (isDiskFull(error)) return later(60, 'The disk is full, so nothing was saved');
  if (isUnavailable(error)) return later(2, 'The database is temporarily unavailable. Try again in a moment.');
  const marked = markedFailure(error);
  if (marked !== undefined) return marked;
  if (isLocked(error)) return later(2, 'Someone else is saving this record right now. Try again in a moment.');
  if (isRetryable(error)) return later(2, 'Too many people are changing this record right now. Try again in a moment.');
  if (isTimeout(error)) return later(5, 'The request took too long. Try again.');
  return undefined;
}
