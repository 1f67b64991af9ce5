// @vitest-environment jsdom
import '../testing/setup.ts';
import { billingCalls } from '@evenkeel/contract/billing';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { type Ask, makeQueryClient, useRead, useStale } from '../client/api.ts';
import { show } from '../testing/show.tsx';
import { useRemove } from './records.ts';

let reads: string[] = [];

/** Returns a call that counts how often it is sent. */
function counted(name: string, id: number): Ask<unknown> {
  const sent = async (): Promise<string> => {
    reads.push(name);
    return name;
  };
  return { endpoint: billingCalls.getPayment, input: { params: { id } }, read: sent, once: sent };
}

const get = (id: number) => counted(`record ${id}`, id);
const remove = (id: number) => counted(`removal of ${id}`, id);

/** A panel for record 3, with a read of record 4. The panel stays open until its screen closes it. */
function Panel() {
  useRead(get(3));
  useRead(get(4));
  const run = useRemove({ get, remove });
  return <button onClick={() => void run(3)}>Delete</button>;
}

it('a deletion reloads everything except the deleted record, even if its panel is still open', async () => {
  reads = [];
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <Panel />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(reads.toSorted()).toEqual(['record 3', 'record 4']));
  reads = [];
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(reads).toContain('record 4'));
  expect(reads).toEqual(['removal of 3', 'record 4']);
});

/**
 * Returns the call for a record. After the first read, further reads stay in progress until they are canceled. The call
 * records the cancellation.
 */
function held(id: number): Ask<unknown> {
  const read = (signal: AbortSignal): Promise<unknown> => {
    if (!reads.includes('record')) return Promise.resolve(reads.push('record'));
    reads.push('record again');
    return new Promise((_, fail) => {
      signal.addEventListener('abort', () => {
        reads.push('taken back');
        fail(new DOMException('aborted', 'AbortError'));
      });
    });
  };
  return { ...get(id), read };
}

/** A panel that can be reloaded on request. */
function HeldPanel({ refused }: { refused: boolean }) {
  const read = useRead(held(3));
  const stale = useStale();
  const once = () => (refused ? Promise.reject(new Error('Delete its payments first')) : remove(3).once(PLACE));
  const run = useRemove({ get: held, remove: (id) => ({ ...remove(id), once }) });
  return (
    <>
      <p>{read.value === undefined ? 'nothing' : 'shown'}</p>
      <button onClick={() => stale()}>Refresh</button>
      <button onClick={() => void run(3).catch(() => reads.push('refused'))}>Delete</button>
    </>
  );
}

const PLACE = { read: () => undefined, write: () => undefined, isOneRecord: false };

it.each([
  [false, ['record', 'record again', 'taken back', 'removal of 3']],
  [true, ['record', 'record again', 'taken back', 'refused', 'record again']],
])('a read in progress is canceled before a deletion (deletion rejected: %s)', async (refused, order) => {
  reads = [];
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <HeldPanel refused={refused} />
    </QueryClientProvider>,
  );
  await screen.findByText('shown');
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(reads).toHaveLength(order.length));
  expect(reads.toSorted()).toEqual(order.toSorted());
  expect(reads.indexOf('taken back')).toBeLessThan(reads.indexOf(refused ? 'refused' : 'removal of 3'));
  expect(screen.getByText('shown')).toBeTruthy();
});
