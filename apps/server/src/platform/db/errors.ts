import type { IsoDate } from '@evenkeel/core/dates';
import { Failure } from '@evenkeel/core/failure';
import { ReconciledFailure } from '@evenkeel/core/banking/marks';

/**
 * A database error. Errors are identified by SQLSTATE and not only by the constraint name, because the constraint names
 * of distributed tables have a suffix.
 */
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

/** Returns whether a unique key was violated. `constraint` limits the check to names that start with it. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!isDatabaseError(error) || error.code !== '23505') return false;
  return constraint === undefined || (error.constraint ?? error.message).includes(constraint);
}

/**
 * Thrown if the rows that a transaction needs have changed, so that it locked the wrong rows. Nothing was written, and
 * the transaction runs again.
 */
export class StartOver extends Error {
  readonly code = '40001';

  constructor() {
    super('the records to lock changed before they were locked');
  }
}

/**
 * Returns whether a transaction failed without any effect and may be retried. The cause is a serialization failure, a
 * deadlock, or a line that was reconciled in the meantime. In the last case, the retry sees the line's mark.
 */
export function isRetryable(error: unknown): boolean {
  const code = databaseCode(error);
  return code === '40001' || code === '40P01' || code === MARKED;
}

/** The SQLSTATE for the reversal of a reconciled line, which the journal's trigger rejects. */
const MARKED = 'EK005';

/** Returns the error for the user, with the reconciliation that the trigger reports. */
function markedFailure(error: unknown): Failure | undefined {
  if (databaseCode(error) !== MARKED) return undefined;
  const { detail } = error as { detail?: string };
  const { lineId, ...mark } = JSON.parse(detail ?? '{}') as MarkedLine;
  return new ReconciledFailure([lineId], mark);
}

/** The trigger's message about a marked line. */
interface MarkedLine {
  lineId: number;
  reconciliationId: number;
  bankAccountId: number;
  name: string;
  statementDate: IsoDate;
}

const LOST = /^(08...|57P0.|58...|XX000)$/;
const SOCKET = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EACCES']);

/**
 * Returns whether the database is unavailable or the connection was lost. During a commit, this means that the change
 * may have been saved.
 */
export function isUnavailable(error: unknown): boolean {
  const code = databaseCode(error);
  if (code !== undefined && (LOST.test(code) || SOCKET.has(code) || code === '53300')) return true;
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded|timeout expired|Query read timeout|not queryable/.test(error.message)
  );
}

/** The error for a connection that broke during the commit. The change may have been saved. */
export class CommitLost extends Error {
  readonly code = '08007';

  constructor(cause: unknown) {
    super('the response to a commit was lost', { cause });
  }
}

/**
 * The error for a database that hangs: neither a statement nor a parallel probe got a response. A statement that was
 * sent may still take effect.
 */
export class NoAnswer extends Error {
  readonly code = '08006';

  constructor(milliseconds: number) {
    super(`The database did not respond within ${milliseconds} ms`);
  }
}

/** Returns whether the database failed to respond in time. In this case, another statement would take just as long. */
export function isSilent(error: unknown): boolean {
  if (error instanceof NoAnswer) return true;
  if (error instanceof CommitLost) return isSilent(error.cause);
  const told = /timeout exceeded|timeout expired|connection timeout|Query read timeout/;
  return error instanceof Error && told.test(error.message);
}

/** Returns whether the disk is full. Writes fail, but reads still work. */
export function isDiskFull(error: unknown): boolean {
  return databaseCode(error) === '53100';
}

/** Returns whether a statement exceeded its time limit. */
export function isTimeout(error: unknown): boolean {
  return databaseCode(error) === '57014';
}

/**
 * Returns whether another transaction held a lock for too long. In this case, the waiting transaction changed nothing.
 */
export function isLocked(error: unknown): boolean {
  return databaseCode(error) === '55P03';
}

/** Converts a database error to a Failure for the client. Returns undefined if the error is a bug. */
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
