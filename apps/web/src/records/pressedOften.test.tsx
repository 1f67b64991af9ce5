// @vitest-environment jsdom
import '../testing/setup.ts';
import { entityCalls } from '@evenkeel/contract/entities';
import { bySentField } from '@evenkeel/core/words/mailtext';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PropsWithChildren } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { ask, makeQueryClient, send } from '../client/api.ts';
import { enterCompany } from '../client/companies.ts';
import { sessionUser, signOut } from '../client/session.ts';
import { SendList } from '../parts/sending/SendList.tsx';
import { ConfirmButton } from '../screens/auth/ConfirmButton.tsx';
import { signedIn } from '../screens/billing/testing/answers.tsx';
import { ConfirmDelete } from '../ui/overlay/ConfirmDelete.tsx';
import { FooterBar } from '../ui/overlay/FooterBar.tsx';
import { useSecretForm } from './secretForm.ts';
import { useStars } from '../screens/reports/useStars.ts';
import { ExportCard } from '../screens/settings/ExportCard.tsx';
import { show } from '../testing/show.tsx';
import { alerts } from '../ui/alerts/store.ts';
import { useOnce } from '../ui/hooks/once.ts';
import { RecordModal } from './RecordModal.tsx';
import { useRecordForm } from './useRecordForm.ts';

/** Clicks the shared form and button components 2 to 8 times, 5 to 400 ms apart, with slow and fast responses. */

/** The number of click patterns for each form. `npm run torture` uses more. */
const ROUNDS = process.env['TORTURE'] === undefined ? 20 : 2000;

const Form = z.object({ name: z.string() });
type Form = z.output<typeof Form>;

let sent: number;
/** The response time in ms. */
let answerMs: number;

beforeEach(() => {
  sent = 0;
  vi.useFakeTimers();
});

/** Returns a deterministic generator of numbers from 0 to 1. */
function dice(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** Responds like a server that creates a record for each request, and rejects an outdated version of a saved record. */
const answered = async (): Promise<Form> => {
  sent += 1;
  await new Promise((done) => setTimeout(done, answerMs));
  return { name: `Fern ${sent}` };
};

function Dialog({ id }: { id: number }) {
  const form = useRecordForm<Form, Form>({
    name: 'sample',
    id,
    saved: id === 0 ? undefined : { name: 'Fern' },
    formOf: (one) => one ?? { name: 'Fern' },
    schema: Form,
    check: () => ({}),
    send: answered,
    words: { saved: ({ name }) => `${name} saved` },
    // The dialog stays on the screen while it fades out, and its buttons can still be selected.
    onSaved: () => undefined,
  });
  return (
    <RecordModal form={form} title="Sample" onClose={() => undefined}>
      <input aria-label="Name" />
    </RecordModal>
  );
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Sends a click, Ctrl+Enter in a field, or both at the same time. */
function press(roll: number): void {
  if (roll < 0.7) fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  if (roll > 0.6) fireEvent.keyDown(screen.getByLabelText('Name'), { key: 'Enter', ctrlKey: true });
}

async function rhythm(next: () => number): Promise<void> {
  answerMs = next() < 0.5 ? next() * 30 : next() * 2000;
  const presses = 2 + Math.floor(next() * 7);
  for (let at = 0; at < presses; at += 1) {
    // Some clicks arrive before React has rendered the effect of the previous click.
    act(() => press(next()));
    await pass(5 + next() * 395);
  }
  await pass(2500);
}

it.each([0, 7])('a form for record %i sends exactly one request, regardless of the pattern of clicks', async (id) => {
  const next = dice(2026 + id);
  for (let round = 0; round < ROUNDS; round += 1) {
    sent = 0;
    show(<Dialog id={id} />);
    await rhythm(next);
    expect(sent, `round ${round}`).toBe(1);
    expect(alerts.state().past.map(({ kind }) => kind)).not.toContain('Error');
    cleanup();
    localStorage.clear();
  }
});

it('the form that created a record sends no further requests while its dialog stays open', async () => {
  answerMs = 10;
  show(<Dialog id={0} />);
  for (let at = 0; at < 5; at += 1) {
    act(() => press(at / 5));
    await pass(60_000);
  }
  expect(sent).toBe(1);
});

it('an action that failed runs again on the next click', async () => {
  const { result } = renderHook(() => useOnce());
  const refused = () => Promise.resolve(undefined);
  await result.current.run(refused);
  expect(await result.current.run(() => Promise.resolve('saved'))).toBe('saved');
  await expect(result.current.run(() => Promise.resolve('again'))).resolves.toBeUndefined();
});

it("a small account form is sent only once after 8 clicks, and doesn't report its cleared fields", async () => {
  answerMs = 20;
  function Card() {
    const form = useSecretForm({
      blank: { name: '' },
      check: ({ name }) => (name === '' ? { name: 'Name is required' } : {}),
      send: answered,
    });
    return (
      <>
        <input
          aria-label="Name"
          {...form.bind('name')}
          onChange={(event) => form.bind('name').onChange(event.target.value)}
        />
        <button type="button" onClick={() => void form.submit()}>
          {form.bind('name').error ?? 'Save'}
        </button>
      </>
    );
  }
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <Card />
    </QueryClientProvider>,
  );
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Fern' } });
  for (let at = 0; at < 8; at += 1) {
    act(() => void fireEvent.click(screen.getByRole('button')));
    await pass(at * 50);
  }
  expect([sent, screen.getByRole('button').textContent]).toEqual([1, 'Save']);
});

it('a write that is repeated while in progress or right after its response is sent only once', async () => {
  vi.stubGlobal('fetch', async () => Response.json((await answered(), { ok: true })));
  const remove = (id: number) => send(ask(entityCalls.deleteCustomer, { params: { id } }));
  for (const [gap, slow] of [
    [5, 0],
    [60, 0],
    [400, 0],
    [5, 900],
    [400, 900],
  ] as const) {
    sent = 0;
    answerMs = slow;
    const tries: Promise<unknown>[] = [];
    for (let at = 0; at < 8; at += 1) {
      tries.push(remove(7));
      await vi.advanceTimersByTimeAsync(gap);
    }
    await vi.advanceTimersByTimeAsync(5000);
    await Promise.all(tries);
    expect(sent, `${gap} ms apart, response after ${slow} ms`).toBe(1);
  }
});

/**
 * The modules that use `call` directly instead of the shared function that sends a write only once, and the reason for
 * each.
 */
const DIRECT = {
  'client/companies.ts': 'joined',
  'parts/attachments/uploadFile.ts': 'a chosen file with a separate key',
  'screens/auth/EmailCard.tsx': 'useSecretForm',
  'screens/auth/FactorCard.tsx': 'Proof, a useSecretForm',
  'screens/auth/FactorSetup.tsx': 'useSecretForm',
  'screens/auth/Login.tsx': 'one sign-in at a time',
  'screens/auth/NameCard.tsx': 'useSecretForm',
  'screens/auth/PasskeySetup.tsx': 'useSecretForm',
  'screens/auth/PasskeysCard.tsx': 'Proof, a useSecretForm',
  'screens/auth/PasswordCard.tsx': 'useSecretForm',
  'client/passkeys.ts': 'a challenge, which changes nothing',
  'screens/moving/ProofTables.tsx': 'reads',
  'screens/moving/ResultPage.tsx': 'reads',
  'screens/settings/ExportCard.tsx': 'reads',
  'screens/taxes/FileFormsModal.tsx': 'reads',
  'screens/taxes/FiledModal.tsx': 'reads',
  'screens/taxes/useForms.tsx': 'reads',
};

it('every button ignores repeated clicks, except where a second request changes nothing', () => {
  const root = join(import.meta.dirname, '..');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !/\.test\.|^client\/(api|transport)\.ts$|(^|\/)testing\//.test(path),
  );
  const direct = sources.filter((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return /\b(call|heard)\((\w+Calls|calls)\./.test(text) || /new XMLHttpRequest|\bfetch\(/.test(text);
  });
  expect(direct.toSorted()).toEqual(Object.keys(DIRECT).toSorted());
});

it('the second click of a double-click does not answer the question that the first click opens', () => {
  const done: string[] = [];
  show(
    <>
      <FooterBar actions={[{ label: 'Void', question: 'Void invoice 7?', onClick: () => done.push('void') }]} />
      <ConfirmButton label="Sign Out" question="Sign out of 3 sessions?" onConfirm={() => done.push('signed out')} />
      <ConfirmDelete
        action={{ question: 'Delete invoice 7?', onConfirm: () => done.push('deleted') }}
        onCancel={() => undefined}
      />
    </>,
  );
  const remove = screen.getByRole('button', { name: 'Confirm Delete' });
  for (const detail of [2, 3, 8]) fireEvent.click(remove, { detail });
  expect(done).toEqual([]);
  fireEvent.click(remove, { detail: 1 });
  expect(done.splice(0)).toEqual(['deleted']);
  for (const [ask, go] of [
    ['Void', 'Void'],
    ['Sign Out', 'Sign Out'],
  ] as const) {
    const press = (name: string, detail: number) => fireEvent.click(screen.getByRole('button', { name }), { detail });
    press(ask, 1);
    for (const click of [2, 3, 8]) press(go, click);
    expect(done).toEqual([]);
    press(go, 1);
    expect(done).toHaveLength(1);
    done.length = 0;
  }
});

it('two clicks within one frame start one export for the accountant, with one request to the server', async () => {
  signedIn();
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    await answered();
    return new Response('date,amount');
  });
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:file', revokeObjectURL: () => undefined }));
  answerMs = 20;
  show(<ExportCard />);
  const button = screen.getByRole('button', { name: 'Export' });
  act(() => {
    fireEvent.click(button);
    fireEvent.click(button);
  });
  await pass(100);
  expect([asked.length, saved.mock.calls.length]).toEqual([1, 1]);
  saved.mockRestore();
  signOut();
});

it('a favorite that is selected twice within one frame is saved once', async () => {
  signedIn();
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => {
    if (method === 'GET') return Response.json([]);
    return Response.json((await answered(), { reportId: 1, starred: true }));
  });
  answerMs = 20;
  const client = makeQueryClient();
  const { result } = renderHook(useStars, {
    wrapper: ({ children }: PropsWithChildren) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  act(() => {
    result.current.star(1, true);
    result.current.star(1, true);
  });
  await pass(200);
  expect(sent).toBe(1);
  signOut();
});

it('a user switches to another company only once, however often the button is clicked', async () => {
  signedIn();
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    await answered();
    return Response.json({ ...sessionUser(), companyId: 4, token: 'next' });
  });
  answerMs = 300;
  for (const gap of [0, 5, 60, 200]) {
    void enterCompany(4);
    await vi.advanceTimersByTimeAsync(gap);
  }
  await vi.advanceTimersByTimeAsync(2000);
  expect(asked).toEqual(['/api/account/companies', '/api/logout?only=this']);
  signOut();
});

it('a list of emails is sent only once, and the same double-click does not reach its Done button', async () => {
  vi.stubGlobal('fetch', async () => {
    await answered();
    return Response.json([{ ...bySentField(() => null), customerId: 1, ok: true }]);
  });
  const onClose = vi.fn<() => void>();
  const rows = [{ id: 1, title: 'Fern', body: { customerId: 1 } }];
  answerMs = 20;
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <SendList rows={rows} words={{ one: 'email', many: 'emails' }} label="Emails" says="1 email" onClose={onClose} />
    </QueryClientProvider>,
  );
  for (const gap of [0, 5, 60, 300]) {
    const button = screen.queryByRole('button', { name: 'Send' }) ?? screen.getByRole('button', { name: 'Done' });
    act(() => void fireEvent.click(button));
    await pass(gap);
  }
  expect([sent, onClose.mock.calls.length]).toEqual([1, 0]);
  await pass(1000);
  fireEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(onClose).toHaveBeenCalledOnce();
});

it('two identical writes are separate requests if another write or a pause comes between them', async () => {
  vi.stubGlobal('fetch', async () => Response.json((await answered(), { ok: true })));
  answerMs = 0;
  const remove = async (id: number, ms: number) => {
    void send(ask(entityCalls.deleteCustomer, { params: { id } }));
    await vi.advanceTimersByTimeAsync(ms);
  };
  for (const id of [7, 8, 7]) await remove(id, 1);
  expect(sent).toBe(3);
  await vi.advanceTimersByTimeAsync(1000);
  await remove(7, 1);
  expect(sent).toBe(4);
});
