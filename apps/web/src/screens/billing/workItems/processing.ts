import type { BillingInvoice } from '@evenkeel/contract/billing';
import type { ErrorBody } from '@evenkeel/contract/endpoint';
import { DRAFT } from '@evenkeel/core/documents/invoice';
import { type Cents, sum, ZERO } from '@evenkeel/core/money';
import { useEffect, useSyncExternalStore } from 'react';
import { type Ask, isClearNo, messageOf, placeOf, send } from '../../../client/api.ts';
import { onIdentityChange } from '../../../client/session.ts';
import { ApiError } from '../../../client/transport.ts';
import { alerts } from '../../../ui/alerts/store.ts';
import { counted } from '../../../ui/show/words.ts';
import { CUSTOMER_WORDS } from './workItems.ts';

/**
 * The run that bills customers for work items or finance charges one by one. It continues if its dialog is closed, and
 * its results stay until they are dismissed. Each customer has an idempotency key, which is stored on this device until
 * the response arrives, so that a repeated request gets the original response.
 */

/** A customer to bill, with the values that were displayed. */
export interface Job {
  id: number;
  name: string;
  /** The address for the customer's documents. Empty if there is none, and undefined if the run doesn't know it. */
  email?: string;
  /** The number of work items or charges. */
  count: number;
  amount: Cents;
  asked: Ask<BillingInvoice | readonly unknown[]>;
}

/** Returns whether two lists bill the same items. */
export function areSame(jobs: readonly Job[], others: readonly Job[]): boolean {
  const textOf = (all: readonly Job[]) => JSON.stringify(all.map(({ asked, ...job }) => ({ ...job, ...asked.input })));
  return textOf(jobs) === textOf(others);
}

/** The dialog that started the run, and its labels. */
export interface RunOf {
  title: string;
  /** The dialog's name in the URL. */
  dialog: 'process' | 'charges';
  /** The singular and plural of the billed item's name. */
  words: { one: string; many: string };
  head: string;
}

export type Outcome =
  | { is: 'waiting' }
  | { is: 'billing' }
  | { is: 'billed'; invoiceId: number; invoiceNumber: string; amount: Cents; isDraft: boolean }
  | { is: 'already'; billed: NonNullable<ErrorBody['billed']> }
  | { is: 'refused'; message: string; workItemId: number | undefined }
  /**
   * The request may have succeeded, but can be repeated safely. Either no response arrived (`isLost`), or the server
   * failed for this customer.
   */
  | { is: 'unanswered'; message: string; isLost: boolean };

export interface Row {
  job: Job;
  outcome: Outcome;
}

export interface Run {
  of: RunOf;
  rows: readonly Row[];
  isRunning: boolean;
  isStopping: boolean;
}

let run: Run | undefined;
/**
 * The number of the current run. A run that was dismissed, or that belongs to another user, no longer reports anything.
 */
let starts = 0;
const listeners = new Set<() => void>();

function publish(next: Run | undefined): void {
  run = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the run in progress, or the last one until it is dismissed. */
export const useRun = (): Run | undefined => useSyncExternalStore(subscribe, () => run);

/** The number of dialogs that currently show the run. */
let watching = 0;

/** While a component shows the run, no alert appears when the run ends. */
export function useWatching(): void {
  useEffect(() => {
    watching += 1;
    return () => {
      watching -= 1;
    };
  }, []);
}

/** Dismisses the results. */
export function forgetRun(): void {
  starts += 1;
  publish(undefined);
}

// A run doesn't continue for another user or company.
onIdentityChange(forgetRun);

/** Stops after the current customer. Invoices that were already created are kept. */
export function stopRun(): void {
  if (run !== undefined) publish({ ...run, isStopping: true });
}

const isLeft = ({ outcome }: Row): boolean => outcome.is === 'waiting' || outcome.is === 'unanswered';

/**
 * Bills these customers. `onEnd` is called when no customers are left or the run is stopped. A second call during the
 * run, or before its results are dismissed, has no effect.
 */
export async function startRun(of: RunOf, jobs: readonly Job[], onEnd: () => void): Promise<void> {
  if (run !== undefined) return;
  publish({ of, rows: jobs.map((job) => ({ job, outcome: { is: 'waiting' } })), isRunning: false, isStopping: false });
  await goOn(onEnd);
}

/** Bills the remaining customers after the run is stopped or the connection is lost. */
export async function goOn(onEnd: () => void): Promise<void> {
  if (run === undefined || run.isRunning) return;
  const own = (starts += 1);
  publish({ ...run, isRunning: true, isStopping: false });
  for (const { job } of run.rows.filter(isLeft)) {
    if (run.isStopping) break;
    told(job.id, { is: 'billing' });
    const outcome = await bill(job);
    if (own !== starts) return;
    told(job.id, outcome);
    // Without a connection, the other requests would also fail.
    if (outcome.is === 'unanswered' && outcome.isLost) break;
  }
  publish({ ...run, isRunning: false, isStopping: false });
  if (watching === 0) tellEnd(run);
  onEnd();
}

/** The maximum number of customers that the alert names. The dialog names all of them. */
const MOST_NAMED = 3;

function tellEnd(ended: Run): void {
  const { billed } = tally(ended);
  const all = ended.rows.length;
  if (billed === all) {
    alerts.success(`${counted(billed, CUSTOMER_WORDS)} billed`);
    return;
  }
  const reasons = ended.rows.flatMap(({ job, outcome }) =>
    outcome.is === 'refused' || outcome.is === 'unanswered' ? [`${job.name}: ${outcome.message}`] : [],
  );
  const sums = `Billed ${billed} of ${counted(all, CUSTOMER_WORDS)}. See ${ended.of.title} for the reason.`;
  alerts.warning([sums, ...reasons.slice(0, MOST_NAMED)].join('. '));
}

function told(id: number, outcome: Outcome): void {
  if (run === undefined) return;
  publish({ ...run, rows: run.rows.map((row) => (row.job.id === id ? { ...row, outcome } : row)) });
}

/**
 * The status of a response when the server can't reach its database or disk. Requests for the other customers would
 * also fail.
 */
const AWAY = 503;

async function bill({ id, asked }: Job): Promise<Outcome> {
  try {
    return billedAs(await send(asked, placeOf(asked, id)));
  } catch (error) {
    const message = messageOf(error);
    if (!(error instanceof ApiError)) return { is: 'unanswered', message, isLost: true };
    if (!isClearNo(error)) return { is: 'unanswered', message, isLost: error.status === AWAY };
    const { billed, workItemId } = error.body;
    return billed === undefined ? { is: 'refused', message, workItemId } : { is: 'already', billed };
  }
}

function billedAs(made: BillingInvoice | readonly unknown[]): Outcome {
  if (!('invoiceNumber' in made)) throw new Error('a request for one customer returned a list');
  const { id: invoiceId, invoiceNumber, invoiceAmount: amount, arBillingStatus: status } = made;
  return { is: 'billed', invoiceId, invoiceNumber, amount, isDraft: status === DRAFT };
}

/** Returns the totals of a run: the number of customers by result, and the amount billed. */
export function tally({ rows }: Run) {
  const count = (...kinds: readonly Outcome['is'][]): number =>
    rows.filter(({ outcome }) => kinds.includes(outcome.is)).length;
  return {
    billed: count('billed'),
    already: count('already'),
    refused: count('refused'),
    left: count('waiting', 'billing', 'unanswered'),
    amount: sum(rows.map(({ outcome }) => (outcome.is === 'billed' ? outcome.amount : ZERO))),
    of: sum(rows.map(({ job }) => job.amount)),
  };
}
