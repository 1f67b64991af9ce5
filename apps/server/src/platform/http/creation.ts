import type { RawBuilder } from 'kysely';
import type * as z from 'zod';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Chained, Posting } from '@evenkeel/core/books/ledger';
import type { Source } from '@evenkeel/core/documents/side';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';
import type { Action } from '../db/audit.ts';
import type { Runnable } from '../db/query.ts';
import type { Actor, By } from './context.ts';
import type { Once } from './idempotency.ts';

/**
 * The document number and the transactions that are assigned to an accepted record at the end of the company's journal.
 */
export interface Given {
  number: string;
  transactions: readonly Chained[];
}

/** A record that has been accepted and can be written. */
export interface Made<R, V> {
  /** The source of the transactions. ID 0 means the ID of the first transaction. */
  source: Source;
  postings: readonly Posting[];
  /** The kind whose next number the record gets. Entries without a description get `${label} ${number}`. */
  number?: DocumentKind;
  /** An administrator's reason for posting to closed books. */
  reason?: string | undefined;
  /** The action that is recorded in the audit log. */
  action: Action;
  /** Returns the row to write and the record in the API format. */
  finish(given: Given): { row: R; view: V };
}

/**
 * Describes how records of one kind are created in their company's batches. No step waits: one query reads everything
 * that several requests need, each request is checked separately, and the accepted rows are written together.
 */
export interface Creation<I, F, R, V> {
  /** Identifies the kind within a batch. */
  kind: string;
  reply: z.ZodType;
  /** Returns a query in parentheses. It selects a single jsonb value with all of the data that these inputs need. */
  facts(inputs: readonly I[]): RawBuilder<F>;
  /** Checks a single input. If the check throws, only that request is rejected, and nothing is written for it. */
  make(actor: Actor, input: I, facts: F): Made<R, V>;
  /** Returns the statements that write the accepted rows. */
  write(rows: readonly R[]): Runnable<unknown>[];
}

/** A creation of any type. Only its own functions know its types. */
export type AnyCreation = Creation<unknown, unknown, unknown, unknown>;

/** A request for a record, queued for its company's next batch. */
export interface Asked {
  actor: Actor;
  creation: AnyCreation;
  input: unknown;
  once?: Once | undefined;
  /** The size of the request in bytes. */
  bytes: number;
  /** Returns whether the client has disconnected. */
  isGone?: (() => boolean) | undefined;
}

/** One of several records that are created together. Each record has its own entry date. */
export interface New<I> {
  input: I;
  today: IsoDate;
  /** The request for this record, if requests share a transaction. */
  by?: By | undefined;
}

/** Creates the record and returns the response as JSON text. */
export type Submit = (asked: Asked) => Promise<string>;
