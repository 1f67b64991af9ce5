// @vitest-environment jsdom
import '../ui/testing/setup.ts';
import { billingCalls } from '@evenkeel/contract/billing';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { type Ask, makeQueryClient, useAsk } from '../api.ts';
import { show } from '../ui/testing/show.tsx';
import { useRemove } from './records.ts';

let reads: string[] = [];

/** A call that only counts that it was sent. */
function counted(name: string, id: number): Ask<unknown> {
  const sent = async (): Promise<string> => {
    reads.push(name);
    return name;
  };
  return { endpoint: billingCalls.getPayment, input: { params: { id } }, read: sent, once: sent };
}

const get = (id: number) => counted(`record ${id}`, id);
const remove = (id: number) => counted(`removal of ${id}`, id);

/** A panel that stands until its screen closes it, beside something else that is read. */
function Panel() {
  useAsk(get(3));
  useAsk(get(4));
  const run = useRemove({ get, remove });
  return <button onClick={() => void run(3)}>Delete</button>;
}

it('what was deleted is not read again, though its panel still stands; all else on screen is', async () => {
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
