import type { BillingInvoice } from '@evenkeel/contract/billing';
import type { ErrorBody } from '@evenkeel/contract/endpoint';
import { type Cents, sum, ZERO } from '@evenkeel/core/money';
import { useEffect, useSyncExternalStore } from 'react';
import { type Ask, isClearNo, messageOf, placeOf, send } from '../../../client/api.ts';
import { onIdentityChange } from '../../../client/session.ts';
import { ApiError } from '../../../client/transport.ts';
import { alerts } from '../../../ui/alerts/store.ts';
import { counted } from '../../../ui/show/words.ts';
import { CUSTOMER_WORDS } from './workItems.ts';

/**
 * The run that bills customers, work items or finance charges, one after the other. It goes on while its dialog is
 * closed, and what came of it stays readable until it is put away. Each customer has an idempotency key, kept on this
 * device until its answer comes: what is sent again after a lost answer is answered as it was.
 */

/** A customer to bill, as it was shown. */
export interface Job {
  id: number;
  name: string;
  /** Number of what is billed. */
  count: number;
  amount: Cents;
  asked: Ask<BillingInvoice | readonly unknown[]>;
}

/** Whether two lists bill the same. */
export function areSame(jobs: readonly Job[], others: readonly Job[]): boolean {
  const textOf = (all: readonly Job[]) => JSON.stringify(all.map(({ asked, ...job }) => ({ ...job, ...asked.input })));
  return textOf(jobs) === textOf(others);
}

/** The dialog that a run was started from, and its words. */
export interface RunOf {
  title: string;
  /** The dialog's name in the address. */
  dialog: 'process' | 'charges';
  /** Counts of what is billed. */
  words: { one: string; many: string };
  head: string;
}

export type Outcome =
  | { is: 'waiting' }
  | { is: 'billing' }
  | { is: 'billed'; invoiceId: number; invoiceNumber: string; amount: Cents }
  | { is: 'already'; billed: NonNullable<ErrorBody['billed']> }
  | { is: 'refused'; message: string; workItemId: number | undefined }
  /** It may be billed, and sending it again is safe: no answer came (`isLost`), or the server failed at this one. */
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
/** Counts the starts: a run that was put away, or another person's, tells nothing any more. */
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

/** The run under way, or the last one until it is put away. */
export const useRun = (): Run | undefined => useSyncExternalStore(subscribe, () => run);

/** Number of dialogs that show the run. */
let watching = 0;

/** Whoever shows the run need not be told of its end. */
export function useWatching(): void {
  useEffect(() => {
    watching += 1;
    return () => {
      watching -= 1;
    };
  }, []);
}

/** Puts the result away. */
export function forgetRun(): void {
  starts += 1;
  publish(undefined);
}

// The next person, or company, has nothing to do with it.
onIdentityChange(forgetRun);

/** Stops behind the customer in work; what is billed stays billed. */
export function stopRun(): void {
  if (run !== undefined) publish({ ...run, isStopping: true });
}

const isLeft = ({ outcome }: Row): boolean => outcome.is === 'waiting' || outcome.is === 'unanswered';

/**
 * Bills these customers. `onEnd` is called when none is left, or the run was stopped. A second call
 * during the run, or before its result is closed, has no effect.
 */
export async function startRun(of: RunOf, jobs: readonly Job[], onEnd: () => void): Promise<void> {
  if (run !== undefined) return;
  publish({ of, rows: jobs.map((job) => ({ job, outcome: { is: 'waiting' } })), isRunning: false, isStopping: false });
  await goOn(onEnd);
}

/** Bills the customers that are left of a run that was stopped or lost its connection. */
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
    // Without a connection the others would fare no better.
    if (outcome.is === 'unanswered' && outcome.isLost) break;
  }
  publish({ ...run, isRunning: false, isStopping: false });
  if (watching === 0) tellEnd(run);
  onEnd();
}

/** Customers that the alert names; the dialog names all. */
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

/** The status of a server without its database or disk: it would fail at the others too. */
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
  if (!('invoiceNumber' in made)) throw new Error('one customer was answered as a list');
  const { id: invoiceId, invoiceNumber, invoiceAmount: amount } = made;
  return { is: 'billed', invoiceId, invoiceNumber, amount };
}

/** The sums of a run: how many of what, and what is billed by it. */
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
