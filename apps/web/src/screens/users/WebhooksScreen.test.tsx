// @vitest-environment jsdom
import '../../testing/setup.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeQueryClient } from '../../client/api.ts';
import { show } from '../../testing/show.tsx';
import { signedIn } from '../billing/testing/answers.tsx';
import { WebhooksScreen } from './WebhooksScreen.tsx';
import { causeWords, durationWords, momentWords } from './webhookWords.ts';

beforeEach(() => signedIn());
afterEach(() => vi.unstubAllGlobals());

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDC2FVsBQIhrs=';
const SHOP = {
  id: 5,
  name: 'Web shop',
  url: 'https://shop.example/hooks',
  events: ['invoice.sent'],
  status: 'active',
  pausedAt: null,
  pausedByFailures: false,
  failures: 0,
  oldSecretUntil: null,
  createdAt: '2026-11-27T12:00:00.000Z',
  createdBy: 'Ada Admin',
};
const EVENT = {
  id: 71,
  webhookId: 'evt_01',
  event: 'invoice.sent',
  kind: 'invoice',
  recordId: 3,
  title: '10465',
  at: '2026-11-27T12:00:00.000Z',
  status: 'waiting',
  attempts: 1,
  nextAt: '2026-11-27T12:05:00.000Z',
  sentAt: '2026-11-27T12:00:00.000Z',
  responseStatus: 503,
  milliseconds: 10_000,
};
const ATTEMPT = {
  attempt: 1,
  at: EVENT.at,
  milliseconds: 10_000,
  status: 503,
  error: 'The response has the status 503',
  response: 'busy',
  signature: 'v1,K5oZf=',
};
const DETAIL = {
  ...EVENT,
  payload: '{"type":"invoice.sent","data":{"id":3}}',
  requestId: 'req-1',
  idempotencyKey: 'ship-10465',
  log: [ATTEMPT],
};

/** Stubs the screen's calls. Returns the sent requests as `METHOD path body`. */
function serve(webhooks: object[]): string[] {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const method = init?.method ?? 'GET';
    if (method !== 'GET') sent.push(`${method} ${url} ${typeof init?.body === 'string' ? init.body : ''}`.trim());
    if (url.includes('/deliveries?')) {
      const part = (count: number) => ({ count, amount: 0 });
      const parts = { all: part(1204), failed: part(1), retrying: part(1) };
      return Response.json({ items: [EVENT], next: null, total: 1, parts });
    }
    if (url.includes('/deliveries/')) return Response.json(method === 'POST' ? EVENT : DETAIL);
    if (/\/(pause|resume)$/.test(url)) return Response.json(SHOP);
    if (method === 'POST') return Response.json({ secret: SECRET, record: SHOP });
    return Response.json(webhooks);
  });
  return sent;
}

const shown = (at: string) =>
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <WebhooksScreen />
    </QueryClientProvider>,
    at,
  );

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

test('a new webhook receives all events, and its secret is shown once', async () => {
  const sent = serve([]);
  shown('/webhooks?edit=0');
  await userEvent.type(await screen.findByLabelText('Name'), 'Web shop');
  await userEvent.type(screen.getByLabelText('Address'), 'https://shop.example/hooks');
  const invoices = screen.getByRole('group', { name: 'Invoice' });
  const updated = [...invoices.querySelectorAll('input')][1];
  await userEvent.click(updated as Element);
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add Webhook' }));
  expect((await screen.findByLabelText('Webhook secret')).textContent).toBe(SECRET);
  const [request = ''] = sent;
  const body = JSON.parse(request.slice(request.indexOf('{'))) as { events: string[] };
  expect(request).toMatch(/^POST \/api\/webhooks /);
  expect(body.events).toContain('invoice.sent');
  expect(body.events).not.toContain('invoice.updated');
  expect(screen.getByRole('button', { name: 'Done' })).toHaveProperty('disabled', true);
  await userEvent.click(screen.getByLabelText('I have stored the secret'));
  await press('Done');
  await waitFor(() => expect(document.body.textContent).not.toContain(SECRET));
});

test('the log shows the attempts and the payload, and R resends an event', async () => {
  const sent = serve([SHOP]);
  shown('/webhooks?event=71');
  expect(await screen.findByRole('heading', { name: 'invoice.sent' })).toBeDefined();
  expect(screen.getByRole('button', { name: /^All/ }).textContent).toContain('1,204');
  expect(await screen.findByText('Request req-1, key ship-10465')).toBeDefined();
  expect(screen.getByLabelText('Payload').textContent).toContain('"type": "invoice.sent"');
  expect(screen.getByText('The response has the status 503')).toBeDefined();
  await userEvent.keyboard('r');
  await waitFor(() => expect(sent).toEqual(['POST /api/webhooks/5/deliveries/71/resend']));
});

test('a webhook that was paused because of failures says so and can be resumed', async () => {
  const paused = { ...SHOP, status: 'paused', pausedByFailures: true, failures: 104, pausedAt: EVENT.at };
  const sent = serve([paused]);
  shown('/webhooks?event=71');
  expect(await screen.findByText(/is paused because 104 attempts failed in a row/)).toBeDefined();
  expect(await screen.findByRole('button', { name: 'Resend' })).toHaveProperty('disabled', true);
  await press('Resume');
  await waitFor(() => expect(sent).toEqual(['POST /api/webhooks/5/resume']));
});

test('timestamps from today have no date, and causes and durations are spelled out', () => {
  const now = new Date('2026-06-12T02:41:08.000Z');
  expect(momentWords('2026-06-12T02:41:08.000Z', now)).toBe('2:41:08 PM');
  expect(momentWords('2026-06-10T02:41:08.000Z', now)).toBe('6/10/2026, 2:41 PM');
  expect([durationWords(84), durationWords(9800)]).toEqual(['84 ms', '9.8 s']);
  expect(causeWords({ requestId: null, idempotencyKey: null })).toBe('Evenkeel');
  expect(causeWords({ requestId: 'a', idempotencyKey: null })).toBe('Request a');
});
