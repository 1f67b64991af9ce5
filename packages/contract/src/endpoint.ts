import * as z from 'zod';
import type { Needs } from './areas.ts';
import { flag, Id, Moment, Usd } from './fields.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One call of the API. Paths are written without the /api prefix; `{name}` marks a parameter. */
export interface Endpoint {
  method: Method;
  path: string;
  needs: Needs;
  /** One line for the API document: what it does. */
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Instead of a JSON body: multipart/form-data with one part `file`. */
  takes?: 'file';
  /** Schema of the JSON answer, or the content type of a file answer; 'file': stored bytes of whatever type. */
  reply: z.ZodType | DrawnType | 'file';
  /** Reads made by PUT or POST write nothing, so they need no idempotency key and run read-only. */
  reads?: true;
  /**
   * The field in the body of a creating POST that names a saved record when it is above 0. The call then saves that
   * record as PUT does; 0, missing or negative means new.
   */
  names?: string;
  /** A PUT that makes new records too: it takes an Idempotency-Key, as every POST that writes does. */
  makes?: true;
  /**
   * The reply hands out a secret, which is stored nowhere. The call takes no Idempotency-Key, because its first answer
   * would have to be kept; a repeated request hands out a new secret in place of the earlier one.
   */
  answersSecret?: true;
  /** Calls of a company within an hour, where each is costly. Beyond them the server returns 429. */
  atMost?: number;
}

/** Whether a call takes an Idempotency-Key: a POST that writes or a PUT that makes, unless its reply is a secret. */
export function takesKey({ method, reads, makes, answersSecret }: Endpoint): boolean {
  return answersSecret !== true && (method === 'POST' ? reads !== true : makes === true);
}

/** A workbook. */
export const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Content types of drawn replies. */
export type DrawnType = 'application/pdf' | typeof EXCEL;

/** Declares an endpoint; the type keeps each schema so that handlers and the client follow from it. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;

export type ParamsOf<E extends Endpoint> = Output<E['params']>;
export type QueryOf<E extends Endpoint> = Output<E['query']>;
export type BodyOf<E extends Endpoint> = Output<E['body']>;
/** The value that a handler returns and the client gets: money as Cents. */
export type ReplyOf<E extends Endpoint> = E['reply'] extends z.ZodType
  ? z.output<E['reply']>
  : E['reply'] extends 'file'
    ? FileReply
    : Uint8Array;

/** A stored file as a client gets it. */
export interface FileReply {
  bytes: Uint8Array;
  contentType: string;
}

/**
 * Query of a list: absent answers the whole list as an array, `limit` a page of it: the first, the one behind `after`
 * (which costs the same wherever it is), or the one that begins after `skip` rows.
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

/** Whether a query says yes. */
export function isTrue(given: string | undefined): boolean {
  return given === 'true' || given === '1';
}

/** Asks a list also for the records that were deactivated. */
export const InactiveQuery = z.object({ inactive: flag });

/** A part of a list: the number of its rows, and the sum of the amount that it is looked at for. */
const ListPart = z.object({ count: z.number().int(), amount: Usd });
export type ListPart = z.output<typeof ListPart>;

/**
 * A list's answer: a bare array, or one page of it when asked with `limit`, with how many rows there are and what some
 * of their amounts come to, over all pages. `parts` are those that the list can be narrowed to by `status`.
 */
export function listOf<T extends z.ZodType>(item: T) {
  const page = { items: z.array(item), next: z.string().nullable(), total: z.number() };
  return z.union([
    z.array(item),
    z.object({ ...page, sums: z.record(z.string(), Usd).optional(), parts: z.record(z.string(), ListPart).optional() }),
  ]);
}

/** The invoice that billed work items, by whom and when. */
export const Billed = z.object({ invoiceId: Id, invoiceNumber: z.string(), billedBy: z.string(), billedAt: Moment });

/** The one error shape. */
export const ErrorReply = z.object({
  code: z.string(),
  message: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  requestId: z.string(),
  current: z.unknown().optional(),
  /** The reconciliation that forbids it. */
  reconciliation: z.object({ id: Id, bankAccountId: Id }).optional(),
  /** The invoice that has the work items already, who made it and when. */
  billed: Billed.optional(),
  /** The work item that cannot be billed. */
  workItemId: Id.optional(),
});
export type ErrorBody = z.output<typeof ErrorReply>;

/** The answers to a list of records, in its order: each has the record as saved, or says why it was refused. */
export function manyReply<T extends z.ZodType>(record: T) {
  return z.array(z.object({ record: record.optional(), error: ErrorReply.optional() }));
}
