import * as z from 'zod';
import type { Needs } from './areas.ts';
import { flag, Id, Moment, Usd } from './fields.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** An API call. Paths omit the /api prefix, and `{name}` is a parameter. */
export interface Endpoint {
  method: Method;
  path: string;
  needs: Needs;
  /** A one-line description for the API document. */
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The endpoint takes multipart/form-data with a single part named `file` instead of a JSON body. */
  takes?: 'file';
  /** The maximum size of the file in MB, if it differs from the installation's limit (MAX_UPLOAD_MB). */
  mostMb?: number;
  /** The schema of the JSON response, or the content type of a file. 'file' means a stored file of any type. */
  reply: z.ZodType | DrawnType | 'file';
  /** A PUT or POST that only reads. The call needs no idempotency key and runs in a read-only transaction. */
  reads?: true;
  /**
   * For a POST that creates records, the body field that identifies a saved record. A positive ID makes the call save
   * that record, as PUT does. A missing, zero, or negative ID creates a record.
   */
  names?: string;
  /** A PUT that also creates records. It takes an Idempotency-Key, like every POST that writes. */
  makes?: true;
  /**
   * Whether the response contains a secret, which is never stored. The call takes no Idempotency-Key, because repeating
   * the first response would require storing it. A repeated request returns a new secret, which replaces the earlier
   * secret unless the secret is an API key.
   */
  answersSecret?: true;
  /** With this call, agents propose, commit, or undo changes within the policy of their API key. */
  ofAgents?: true;
  /** The call is about the signed-in person's own account or about closing dates, so API keys can't make it. */
  ofPerson?: true;
  /**
   * For an expensive endpoint, the maximum number of calls per company and hour. The server returns 429 for any further
   * calls.
   */
  atMost?: number;
  /**
   * The call can't be rehearsed, because it uses several transactions, or a transaction that doesn't belong to a
   * company. Rolling back a company's transaction would not undo it.
   */
  noRehearsal?: true;
}

/**
 * Returns whether a call takes an Idempotency-Key: a POST that writes or a PUT that creates, unless its response
 * contains a secret.
 */
export function takesKey({ method, reads, makes, answersSecret }: Endpoint): boolean {
  return answersSecret !== true && (method === 'POST' ? reads !== true : makes === true);
}

/**
 * Returns whether a call can be rehearsed: a write in one transaction of the user's company that takes no file and
 * returns JSON. If a call like this accepts a list of records, each in its own transaction, the list can't be
 * rehearsed.
 */
export function canRehearse({ method, reads, takes, reply, needs, noRehearsal }: Endpoint): boolean {
  const isWrite = method !== 'GET' && reads !== true && noRehearsal !== true;
  return isWrite && takes === undefined && typeof reply !== 'string' && needs !== 'public' && needs !== 'session';
}

/** The content type of a workbook. */
export const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The content types of generated files. */
export type DrawnType = 'application/pdf' | typeof EXCEL;

/**
 * Declares an endpoint. The type keeps each schema, so that the types for handlers and the client are derived from it.
 */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;

export type ParamsOf<E extends Endpoint> = Output<E['params']>;
export type QueryOf<E extends Endpoint> = Output<E['query']>;
export type BodyOf<E extends Endpoint> = Output<E['body']>;
/** The value that a handler returns and the client receives, with money as Cents. */
export type ReplyOf<E extends Endpoint> = E['reply'] extends z.ZodType
  ? z.output<E['reply']>
  : E['reply'] extends 'file'
    ? FileReply
    : Uint8Array;

/** A stored file as the client receives it. */
export interface FileReply {
  bytes: Uint8Array;
  contentType: string;
}

/**
 * The query parameters of a list. Without `limit`, the response is the whole list as an array. With `limit`, the
 * response is one page: the first page, the page after the cursor `after` (which costs the same at any position), or
 * the page after `skip` rows.
 */
export const PageQuery = z.object({
  limit: z
    .codec(z.string().regex(/^\d{1,3}$/), z.number().int().min(1).max(500), { decode: Number, encode: String })
    .optional(),
  after: z.string().max(500).optional(),
  skip: z.codec(z.string().regex(/^\d{1,9}$/), z.number().int(), { decode: Number, encode: String }).optional(),
  q: z.string().max(200).optional(),
  sort: z.string().max(50).optional(),
  desc: z.enum(['true', 'false', '1', '0', '']).optional(),
});

/** Returns whether a query flag is true. */
export function isTrue(given: string | undefined): boolean {
  return given === 'true' || given === '1';
}

/** The query parameters of a list that can include inactive records. */
export const InactiveQuery = z.object({ inactive: flag });

/** A part of a list: the number of rows in it and the total of its main amount. */
const ListPart = z.object({ count: z.number().int(), amount: Usd });
export type ListPart = z.output<typeof ListPart>;

/**
 * The response for a list: an array or, with `limit`, one page with the number of rows and the totals of some amounts
 * on all pages. `parts` are the parts that `status` can select.
 */
export function listOf<T extends z.ZodType>(item: T) {
  const page = { items: z.array(item), next: z.string().nullable(), total: z.number() };
  return z.union([
    z.array(item),
    z.object({ ...page, sums: z.record(z.string(), Usd).optional(), parts: z.record(z.string(), ListPart).optional() }),
  ]);
}

/** The invoice that billed the work items, who created it, and when. */
export const Billed = z.object({ invoiceId: Id, invoiceNumber: z.string(), billedBy: z.string(), billedAt: Moment });

/** The format of every error response. */
export const ErrorReply = z.object({
  code: z.string(),
  message: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  requestId: z.string(),
  current: z.unknown().optional(),
  /** The reconciliation that prevents the change. */
  reconciliation: z.object({ id: Id, bankAccountId: Id }).optional(),
  /** The invoice that already bills the work items, who created it, and when. */
  billed: Billed.optional(),
  /** The work item that cannot be billed. */
  workItemId: Id.optional(),
});
export type ErrorBody = z.output<typeof ErrorReply>;

/**
 * The results for a list of records, in the same order. Each result has the saved record or the reason why the record
 * was rejected.
 */
export function manyReply<T extends z.ZodType>(record: T) {
  return z.array(z.object({ record: record.optional(), error: ErrorReply.optional() }));
}
