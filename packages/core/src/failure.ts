/** Failures that the caller can mend. Each code has one HTTP status (server/http/errors). */
export type FailureCode =
  | 'malformed'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'stale'
  | 'key_reused'
  | 'terms_required'
  /** The password was right, and the second factor is asked for. */
  | 'code_required'
  /** The company requires a second factor, and this user has none. */
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
  /** The reconciliation that forbids it. */
  reconciliation?: { id: number; bankAccountId: number };
  /** The invoice that has the work items already; `billedAt` is a moment, ISO 8601 in UTC. */
  billed?: { invoiceId: number; invoiceNumber: string; billedBy: string; billedAt: string };
  /** The work item that cannot be billed. */
  workItemId?: number;
}

/**
 * A refusal with a sentence for a person. `message` is the sentence that the form shows too;
 * `fields` names each bad field by its path in the request ("lineItems.0.description").
 */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly fields: FieldMessages | undefined;
  /** Extra members of the error answer: the current object of a stale edit, seconds to wait, what forbids it. */
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

/** The value, where nothing but a defect of ours can leave it out (500). */
export function present<T>(value: T | null | undefined, name: string): T {
  if (value === undefined || value === null) throw new Error(`${name} is missing`);
  return value;
}

/** A business rule says no (422). */
export function refuse(message: string, fields?: FieldMessages): Failure {
  return new Failure('rule', message, fields);
}

/** Says no (422) when there is anything to say; the first field's message is the whole request's. */
export function refuseFields(fields: FieldMessages): void {
  const [first] = Object.values(fields);
  if (first !== undefined) throw refuse(first, fields);
}

/** Missing, or another company's: the answer says nothing more (404). */
export function notFound(what: string): Failure {
  return new Failure('not_found', `${what} not found`);
}

/** The state of the record forbids it (409). */
export function conflict(message: string): Failure {
  return new Failure('conflict', message);
}
