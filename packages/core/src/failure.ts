/** The codes for failures that the caller can correct. Each code has one HTTP status (server/http/errors). */
export type FailureCode =
  | 'malformed'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'stale'
  | 'key_reused'
  | 'terms_required'
  /** The password was correct, but a verification code is also required. */
  | 'code_required'
  /** The company requires two-step verification, but this user has not set it up. */
  | 'second_factor_required'
  | 'too_large'
  | 'unsupported_type'
  | 'rule'
  | 'closed'
  | 'rate_limited'
  | 'unavailable';

export type FieldMessages = Record<string, string>;
export interface FailureDetail {
  current?: unknown;
  retryAfterSeconds?: number;
  /** The reconciliation that prevents the change. */
  reconciliation?: { id: number; bankAccountId: number };
  /** The invoice that already has the work items. `billedAt` is an ISO 8601 timestamp in UTC. */
  billed?: { invoiceId: number; invoiceNumber: string; billedBy: string; billedAt: string };
  /** The work item that cannot be billed. */
  workItemId?: number;
}

/**
 * An error with a message for the user. The form shows the same `message`.
 * `fields` has a message for each invalid field by its path in the request ("lineItems.0.description").
 */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly fields: FieldMessages | undefined;
  /**
   * Additional members of the error response: the current record for an outdated edit, the seconds to wait, or the
   * cause.
   */
  readonly detail: FailureDetail | undefined;

  constructor(
    code: FailureCode,
    message: string,
    ...more: [fields?: FieldMessages | undefined, detail?: FailureDetail | undefined]
  ) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    [this.fields, this.detail] = more;
  }
}

/** Returns the value. Throws an Error (500) if the value is missing, which only a bug can cause. */
export function present<T>(value: T | null | undefined, name: string): T {
  if (value === undefined || value === null) throw new Error(`${name} is missing`);
  return value;
}

/** Returns the error for a business rule (422). */
export function refuse(message: string, fields?: FieldMessages): Failure {
  return new Failure('rule', message, fields);
}

/** Throws 422 if there are messages. The first field's message is also the message for the whole request. */
export function refuseFields(fields: FieldMessages): void {
  const [first] = Object.values(fields);
  if (first !== undefined) throw refuse(first, fields);
}

/**
 * Returns the error for a record that is missing or belongs to another company (404). The response does not distinguish
 * between the two cases.
 */
export function notFound(what: string): Failure {
  return new Failure('not_found', `${what} not found`);
}

/** Returns the error for a record whose state prevents the change (409). */
export function conflict(message: string): Failure {
  return new Failure('conflict', message);
}
