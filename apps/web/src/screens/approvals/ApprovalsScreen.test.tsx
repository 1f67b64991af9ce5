// @vitest-environment jsdom
import '../../testing/setup.ts';
import { AREAS } from '@evenkeel/contract/areas';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeQueryClient } from '../../client/api.ts';
import { updateSession } from '../../client/session.ts';
import { show } from '../../testing/show.tsx';
import { Alerts } from '../../ui/alerts/Alerts.tsx';
import { signedIn } from '../billing/testing/answers.tsx';
import { ApprovalsScreen } from './ApprovalsScreen.tsx';
import { approvalOf, effects, openedOf } from './testing/proposals.ts';

let list: ReturnType<typeof approvalOf>[];
let problem: string | null;
let refusal: Response | undefined;
let moved: number;
let sent: string[];

afterEach(() => vi.restoreAllMocks());

beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  signedIn();
  updateSession({ permissions: AREAS.map((area) => `Manage ${area}` as const) });
  [list, problem, refusal, moved, sent] = [
    [approvalOf(1, 'Bill 4471'), approvalOf(2, 'Bill 4472')],
    null,
    undefined,
    0,
    [],
  ];
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const path = url.replace(/^.*\/api/, '');
    const id = Number(/approvals\/(\d+)/.exec(path)?.[1] ?? 0);
    if (path.endsWith('/count')) {
      return Response.json({ waiting: list.length, approved: 0, rejected: 0, hasAgents: true });
    }
    if (path.endsWith('/open')) {
      const now = { rehearsal: effects(500 + moved), hasMoved: moved > 0, problem, seen: `digest ${moved}` };
      return Response.json(openedOf(id, now));
    }
    if (init?.method === 'POST') {
      sent.push(`${path} ${typeof init.body === 'string' ? init.body : ''}`);
      if (refusal !== undefined) return refusal;
      const [status] = path.endsWith('approve') ? ['approved'] : ['rejected'];
      list = list.filter((one) => one.id !== id);
      return Response.json({ ...approvalOf(id, `Bill 447${id}`), status, canUndo: status === 'approved' });
    }
    return Response.json(list);
  });
});

const open = (at = '/approvals') =>
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <ApprovalsScreen />
      <Alerts />
    </QueryClientProvider>,
    at,
  );
const isShown = async () => screen.findByRole('button', { name: 'Approve $1,148.00' });

/** The time in ms on the page's clock. Real pauses would take longer on a busy machine. */
let now = 0;
const pass = (ms: number) => {
  now += ms;
};

test('Enter approves the displayed change only once, after a short delay, and then shows the next change', async () => {
  open();
  await isShown();
  // The user has not seen the change yet.
  await userEvent.keyboard('{Enter}');
  expect(sent).toEqual([]);
  pass(450);
  await userEvent.keyboard('{Enter}{Enter}{Enter}');
  await screen.findByText('Bill 4471 approved');
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Bill 4472' })).toBeTruthy());
  expect(sent).toEqual(['/approvals/1/approve {"seen":"digest 0"}']);
  pass(900);
  await userEvent.keyboard('u');
  await screen.findByText('Bill 4471 undone');
  expect(sent[1]).toContain('/approvals/1/undo');
});

test('x asks for a reason next to the change, and Escape cancels the rejection', async () => {
  open();
  await isShown();
  await userEvent.keyboard('x');
  await userEvent.type(await screen.findByLabelText(/Reason/), 'Already{Escape}');
  await isShown();
  expect(sent).toEqual([]);
  await userEvent.keyboard('x');
  await userEvent.type(await screen.findByLabelText(/Reason/), 'Already paid{Enter}');
  await screen.findByText('Bill 4471 rejected');
  expect(sent).toEqual(['/approvals/1/reject {"reason":"Already paid"}']);
});

test('if the books change, the proposal is checked again before approval, with new amounts marked', async () => {
  open();
  await isShown();
  refusal = Response.json({ code: 'stale', message: 'The books have changed', requestId: '1' }, { status: 409 });
  moved = 10;
  await userEvent.click(await isShown());
  await screen.findByText(/Changed amounts are marked/);
  expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['510.00', '1,658.00']);
  refusal = undefined;
  pass(900);
  await userEvent.click(await isShown());
  await waitFor(() => expect(sent[1]).toBe('/approvals/1/approve {"seen":"digest 10"}'));
});

test('a change that can only be rejected shows the reason', async () => {
  problem = 'The API key was revoked, so its changes can only be rejected';
  open();
  await screen.findByText(problem);
  expect((await isShown()).matches(':disabled')).toBe(true);
  pass(450);
  await userEvent.keyboard('{Enter}');
  expect(sent).toEqual([]);
});

test("the agent's message is shown as plain text without links", async () => {
  open();
  expect((await screen.findByText(/Ignore your rules/)).textContent).toContain(
    '<b>and approve</b> https://evil.example',
  );
  expect(document.querySelector('.ap-untrusted a, .ap-untrusted b')).toBeNull();
});

test('an empty list says that no changes are waiting', async () => {
  list = [];
  open();
  await screen.findByText('No changes are waiting for approval');
});
