import type { FastifyRequest } from 'fastify';
import { Failure, type FailureCode } from '@evenkeel/core/failure';
import type { ErrorBody } from '@evenkeel/contract/endpoint';
import { refusalOfConstraint } from '../db/constraints.ts';
import { CommitLost, databaseCode, failureOf } from '../db/errors.ts';
import type { Services } from './context.ts';
import { LimitReached, networkOf } from './limits.ts';
import { type Facts, tellEvent } from './security-log.ts';

/** The HTTP status for each error code. */
export const statusOfCode: Record<FailureCode, number> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  stale: 409,
  key_reused: 409,
  terms_required: 409,
  code_required: 401,
  second_factor_required: 409,
  too_large: 413,
  unsupported_type: 415,
  rule: 422,
  closed: 422,
  rate_limited: 429,
  unavailable: 503,
};

const codeOfStatus: Record<number, FailureCode> = {
  400: 'malformed',
  404: 'not_found',
  413: 'too_large',
  415: 'unsupported_type',
  429: 'rate_limited',
  503: 'unavailable',
};

const sentenceOfStatus: Record<number, string> = {
  404: 'Not found',
  413: 'The request body is larger than 1 MB',
  415: "The content type of this request isn't supported",
};

/** An unexpected error (500) with a message for the caller and a `reason` for the log. */
export class Defect extends Error {
  readonly sentence: string;
  constructor(sentence: string, reason: string) {
    super(reason);
    this.sentence = sentence;
  }
}

/** The request for which an error is reported. */
interface About extends Asked {
  requestId: string;
  route: string | undefined;
  /** The index of a record in the request's list. */
  index?: number;
  /** The caller and its address. */
  from: Facts;
}

/** Returns the data about a request that its error responses need. */
export function aboutOf({ id, routeOptions, headers, ip, caller }: FastifyRequest): About {
  const { reads, takesKey } = routeOptions.config;
  const from = { network: networkOf(ip), userId: caller?.userId, companyId: caller?.companyId };
  const isKeyed = takesKey === true && headers['idempotency-key'] !== undefined;
  return { requestId: id, route: routeOptions.url, reads, isKeyed, from };
}

/**
 * Does the same as errorAnswer, but also logs bugs and the reasons why the database was unavailable, which the response
 * doesn't contain. Exceeded limits and denied access are logged as security events.
 */
export function answerLogged(services: Pick<Services, 'log' | 'pseudonym'>, error: unknown, about: About) {
  const { log } = services;
  const { reads, isKeyed, from, ...named } = about;
  if (error instanceof LimitReached) tellEvent(services, 'limit reached', { limit: error.limit, ...named, ...from });
  if (error instanceof Failure && error.code === 'forbidden') {
    tellEvent(services, 'access refused', { ...named, ...from });
  }
  const answer = errorAnswer(error, about.requestId, { reads, isKeyed });
  if (answer.status === 500) log.error({ err: error, ...named }, 'defect');
  else if (answer.status === 503 && !(error instanceof Failure)) log.warn({ err: error, ...named }, 'unavailable');
  return answer;
}

/** The kind of call: whether it only reads, and whether it has an idempotency key. */
interface Asked {
  reads?: boolean | undefined;
  isKeyed?: boolean | undefined;
}

/** Converts any thrown value to a Failure for the caller. Returns undefined if it is a bug (500). */
function failureFor(error: unknown, { reads, isKeyed }: Asked): Failure | undefined {
  if (error instanceof Failure) return error;
  if (error instanceof CommitLost && reads !== true && isKeyed !== true) return perhapsSaved();
  const code = databaseCode(error);
  return (
    failureOf(error) ??
    (reads === true ? unreadable(code) : (refusalOfConstraint(error) ?? unsavable(code))) ??
    frameworkFailure(error)
  );
}

/** Without a key, the same request would be treated as a new request, so the user must first check what was saved. */
function perhapsSaved(): Failure {
  const message =
    'The database connection was lost before a response arrived. Your change may have been ' +
    'saved. Check before you try again.';
  return new Failure('unavailable', message, undefined, { retryAfterSeconds: 2 });
}

/**
 * Returns the error for parameters that can't be used in a read. A stored total that exceeds a bigint (22003) is not
 * the request's fault.
 */
function unreadable(code: string | undefined): Failure | undefined {
  if (code === '22003' || code?.startsWith('22') !== true) return undefined;
  return new Failure('malformed', "A value in the request can't be read");
}

/**
 * Returns the error for input that the contract accepts but that doesn't fit in any column, such as a total beyond the
 * column's range.
 */
function unsavable(code: string | undefined): Failure | undefined {
  if (code?.startsWith('22') !== true) return undefined;
  return new Failure('malformed', "A value in the request can't be saved");
}

/**
 * Converts errors that the web framework throws before a handler runs: a body that is too large, a wrong type, or an
 * unknown path.
 */
function frameworkFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return undefined;
  const { statusCode } = error;
  if (statusCode < 400 || statusCode >= 500) return undefined;
  return new Failure(codeOfStatus[statusCode] ?? 'malformed', sentenceOfStatus[statusCode] ?? 'Malformed request');
}

/** The response for a bug. */
const DEFECT = { code: 'internal', message: 'Something went wrong on the server. Try again.' };

/** Returns the message for a part of a response that could not be read, which is not the request's fault. */
export function partialReadError(error: unknown): Pick<ErrorBody, 'code' | 'message'> {
  const { code, message } = failureOf(error) ?? DEFECT;
  return { code, message };
}

/**
 * Returns the standard error response: status, headers, and body. It never contains a stack trace, SQL, or a file path.
 */
export function errorAnswer(error: unknown, requestId: string, asked: Asked = {}) {
  const failure = failureFor(error, asked);
  if (failure === undefined) {
    const message = error instanceof Defect ? error.sentence : DEFECT.message;
    return { status: 500, headers: {}, body: { ...DEFECT, message, requestId } };
  }
  const { retryAfterSeconds: seconds, ...told } = failure.detail ?? {};
  const headers: Record<string, string> = seconds === undefined ? {} : { 'retry-after': String(Math.ceil(seconds)) };
  const body: ErrorBody = {
    code: failure.code,
    message: failure.message,
    ...(failure.fields === undefined ? {} : { fields: failure.fields }),
    requestId,
    ...told,
  };
  return { status: statusOfCode[failure.code], headers, body };
}
