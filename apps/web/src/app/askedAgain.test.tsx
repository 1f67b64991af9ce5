// @vitest-environment jsdom
import '../testing/setup.ts';
import { billingCalls } from '@evenkeel/contract/billing';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Ask, ask, makeQueryClient, useRead } from '../client/api.ts';
import { type Answer, fakeNetwork, signedIn } from '../screens/billing/testing/answers.tsx';
import { sessionUser, signOut, useSession } from '../client/session.ts';
import { alerts } from '../ui/alerts/store.ts';
import { useDraft } from '../ui/hooks/draft.ts';
import { show } from '../testing/show.tsx';

beforeEach(() => signedIn());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  signOut();
  alerts.forget();
});

const history = (customerId: number) => ask(billingCalls.customerHistory, { params: { customerId } });
/** The history of customer 1 loads, the request for customer 2 loses its connection, and customer 3 doesn't exist. */
const READS = [1, 2, 3].map(history);

function Read({ asked, name }: { asked: Ask<unknown>; name: string }) {
  const read = useRead(asked);
  const state = read.error ?? (read.value === undefined ? 'on its way' : 'here');
  return <p>{`${name} ${state}`}</p>;
}

function Page() {
  const read = (stored: unknown) => (typeof stored === 'string' ? stored : undefined);
  const note = useDraft({ name: 'note:1', initial: '', read });
  return (
    <>
      <input aria-label="Note" value={note.value} onChange={(event) => note.set(event.target.value)} />
      {READS.map((asked, at) => (
        <Read key={asked.endpoint.path + String(at)} asked={asked} name={`History ${at + 1}`} />
      ))}
    </>
  );
}

/** Renders nothing without a session, like the private routes. */
const Private = () => useSession() !== null && <Page />;

const here: Answer = { status: 200, body: [] };
const gone: Answer = { status: 404, body: { code: 'not_found', message: 'not found', requestId: '1' } };

/**
 * Opens the page, on which the second read loses its connection and the third returns 404. Returns the list of the
 * requests sent afterward, and a function that sets their responses.
 */
async function open() {
  const network = fakeNetwork({
    'GET /customerbillinghistory/1': [here],
    'GET /customerbillinghistory/2': ['silence'],
    'GET /customerbillinghistory/3': [gone],
  });
  const asked: string[] = [];
  const plain = fetch;
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    asked.push(address);
    return plain(address, init);
  });
  const client = makeQueryClient();
  show(
    <QueryClientProvider client={client}>
      <Private />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(screen.getByText(/^History 2 The connection was lost/)).toBeTruthy());
  expect(screen.getByText('History 3 not found')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Note'), 'half a word');
  asked.length = 0;
  return { network, asked };
}

const SIGNALS: [string, () => void][] = [
  ['the network connection is restored', () => window.dispatchEvent(new Event('online'))],
  ['the tab becomes visible again', () => document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))],
];
it.each(SIGNALS)('when %s, only the failed read is requested again, and only once', async (_when, signal) => {
  const { network, asked } = await open();
  network.answers['GET /customerbillinghistory/2'] = [here];
  act(signal);
  expect(await screen.findByText('History 2 here')).toBeTruthy();
  act(signal);
  const known = asked.filter((address) => !address.endsWith('/3'));
  expect(known).toEqual(['/api/customerbillinghistory/2']);
  expect(screen.getByLabelText('Note')).toHaveProperty('value', 'half a word');
});

it.each(SIGNALS)('if the session has ended and %s, nothing is requested', async (_when, signal) => {
  const { network, asked } = await open();
  network.answers['GET /customerbillinghistory/2'] = [{ status: 401, body: gone.body }];
  act(signal);
  await waitFor(() => expect(sessionUser()).toBeNull());
  asked.length = 0;
  for (const [, each] of SIGNALS) act(each);
  await act(async () => void (await new Promise((resolve) => setTimeout(resolve, 50))));
  expect(asked).toEqual([]);
});

it('if the connection is restored while a failed read is not displayed, it is requested when displayed', async () => {
  const network = fakeNetwork({ 'GET /customerbillinghistory/2': ['silence'] });
  const Tab = () => {
    const [isShown, show] = useState(true);
    return (
      <>
        <button onClick={() => show(!isShown)}>Switch</button>
        {isShown && <Read asked={history(2)} name="History 2" />}
      </>
    );
  };
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <Tab />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(screen.getByText(/^History 2 The connection was lost/)).toBeTruthy());
  await userEvent.click(screen.getByRole('button', { name: 'Switch' }));
  network.answers['GET /customerbillinghistory/2'] = [here];
  act(() => void window.dispatchEvent(new Event('online')));
  await userEvent.click(screen.getByRole('button', { name: 'Switch' }));
  expect(await screen.findByText('History 2 here')).toBeTruthy();
});
