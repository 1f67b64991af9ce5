import type { RawBuilder } from 'kysely';
import type * as z from 'zod';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Chained, Posting } from '@evenkeel/core/books/ledger';
import type { Source } from '@evenkeel/core/documents/side';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';
import type { Action } from '../db/audit.ts';
import type { Runnable } from '../db/query.ts';
import type { Actor } from './context.ts';
import type { Once } from './idempotency.ts';

/** The document number and the transactions that the company's head gives to an accepted record. */
export interface Given {
  number: string;
  transactions: readonly Chained[];
}

/** A record that may be written. */
export interface Made<R, V> {
  /** The document behind its transactions; id 0 stands for the first transaction's own id. */
  source: Source;
  postings: readonly Posting[];
  /** Takes the company's next number; what has no description yet is called `${label} ${number}`. */
  number?: DocumentKind;
  /** An administrator's reason to post into closed books. */
  reason?: string | undefined;
  /** For the audit log. */
  action: Action;
  /** The row to write and what the client is answered. */
  finish(given: Given): { row: R; view: V };
}

/**
 * The creation of records of one kind in the batches of their company. Nothing of it waits: everything that several
 * requests need is read by one query, each is judged by itself, and the rows of the accepted ones are written as one
 * set.
 */
export interface Creation<I, F, R, V> {
  /** Names the kind among the others of a batch. */
  kind: string;
  reply: z.ZodType;
  /** One value of type jsonb (a query in brackets): all that these inputs need to know. */
  facts(inputs: readonly I[]): RawBuilder<F>;
  /** Judges one; what it throws is that request's refusal, and nothing of it is written. */
  make(actor: Actor, input: I, facts: F): Made<R, V>;
  /** Writes the rows of the accepted ones. */
  write(rows: readonly R[]): Runnable<unknown>[];
}

/** A creation whose types only its own functions know. */
export type AnyCreation = Creation<unknown, unknown, unknown, unknown>;

/** A request for a record, on its way into its company's next batch. */
export interface Asked {
  actor: Actor;
  creation: AnyCreation;
  input: unknown;
  once?: Once | undefined;
  /** Size of the request. */
  bytes: number;
  /** True once the client has gone. */
  isGone?: (() => boolean) | undefined;
}

/** A record among many that are made together: each has a day of entry of its own. */
export interface New<I> {
  input: I;
  today: IsoDate;
}

/** Makes the record, and answers the JSON text of the reply. */
export type Submit = (asked: Asked) => Promise<string>;
