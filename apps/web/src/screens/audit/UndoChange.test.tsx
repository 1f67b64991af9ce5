// @vitest-environment jsdom
import '../../testing/setup.ts';
import type { AuditEntry } from '@evenkeel/contract/audit';
import { cents } from '@evenkeel/core/money';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { makeQueryClient } from '../../client/api.ts';
import { show } from '../../testing/show.tsx';
import { Alerts } from '../../ui/alerts/Alerts.tsx';
import { signedIn } from '../billing/testing/answers.tsx';
import { UndoChange } from './UndoChange.tsx';

const entry: AuditEntry = {
  id: 7,
  at: '2026-06-12T18:41:00.000Z',
  userId: 1,
  person: 'Ada Admin',
  action: 'create',
  kind: 'invoice',
  recordId: 42,
  title: '1042',
  amount: cents(10_000),
  reason: null,
  byKind: 'session',
  byName: 'Chrome on Linux',
  changes: [],
  canUndo: true,
};
const both = { before: 100, after: 0 };
const effects = {
  transactions: [],
  asOf: '2026-06-12',
  accounts: [{ accountId: 138, account: 'Accounts Receivable', accrual: both, cash: both }],
  entities: [],
  netIncome: null,
  duplicates: [],
  numbers: [],
};

let sent: { isRehearsal: boolean; body: string; key: string | null }[];
let refusals: Response[];
const onDone = vi.fn<() => void>();

beforeEach(() => {
  signedIn();
  [sent, refusals] = [[], []];
  onDone.mockClear();
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    const isRehearsal = headers.get('evenkeel-rehearse') === 'true';
    const body = typeof init.body === 'string' ? init.body : '';
    sent.push({ isRehearsal, body, key: headers.get('idempotency-key') });
    const refusal = refusals.shift();
    if (refusal !== undefined) return refusal;
    const reply = { operation: 'deleteBillinginvoiceId' };
    return Response.json(isRehearsal ? { reply, rehearsal: effects } : reply);
  });
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <UndoChange entry={entry} onDone={onDone} />
      <Alerts />
    </QueryClientProvider>,
  );
});

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const refusal = (code: string, message: string) => Response.json({ code, message, requestId: '1' }, { status: 409 });

test('a change is undone only after a preview of its effects, and a double-click undoes it once', async () => {
  await press('Undo This Change...');
  await screen.findByText('Accounts Receivable');
  expect(sent.map(({ isRehearsal }) => isRehearsal)).toEqual([true]);
  expect(document.activeElement?.textContent).toBe('What Will This Do?');
  await press('Cancel');
  expect(screen.queryByText('Accounts Receivable')).toBeNull();
  expect(document.activeElement?.textContent).toBe('Undo This Change...');
  await press('Undo This Change...');
  await userEvent.dblClick(await screen.findByRole('button', { name: 'Undo This Change' }));
  await screen.findByText('The change to Invoice 1042 was undone');
  expect(sent.filter(({ isRehearsal }) => !isRehearsal)).toHaveLength(1);
  expect(onDone).toHaveBeenCalledOnce();
});

test('a change that can’t be undone shows the reason, and nothing is sent', async () => {
  refusals.push(refusal('conflict', 'A payment is applied to this invoice'));
  await press('Undo This Change...');
  await screen.findByText('A payment is applied to this invoice');
  expect(screen.queryByRole('button', { name: 'Undo This Change' })).toBeNull();
  expect(sent.map(({ isRehearsal }) => isRehearsal)).toEqual([true]);
});

test('in closed books, an administrator enters a reason before the preview', async () => {
  refusals.push(refusal('closed', 'The books are closed through 06/30/2026'));
  await press('Undo This Change...');
  await userEvent.type(await screen.findByLabelText('Reason for Changing Closed Books'), 'Entered twice');
  await press('Undo This Change...');
  await press('Undo This Change');
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(sent.at(-1)).toMatchObject({ isRehearsal: false, body: '{"closingOverrideReason":"Entered twice"}' });
});

test('after a lost response, a repeated undo is sent with the same key', async () => {
  await press('Undo This Change...');
  await screen.findByRole('button', { name: 'Undo This Change' });
  refusals.push(Response.json({ code: 'unavailable', message: 'Down', requestId: '1' }, { status: 503 }));
  await press('Undo This Change');
  await screen.findAllByText(/Down|again/);
  await press('Undo This Change');
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  const keys = sent.filter(({ isRehearsal }) => !isRehearsal).map(({ key }) => key);
  expect(keys[0]).toMatch(/^\w{16,}$/);
  expect(new Set(keys).size).toBe(1);
});
