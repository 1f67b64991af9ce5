// @vitest-environment jsdom
import '../../testing/setup.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { makeQueryClient } from '../../client/api.ts';
import { show } from '../../testing/show.tsx';
import { EmailCard } from './EmailCard.tsx';
import { FactorCard } from './FactorCard.tsx';
import { FactorSetup } from './FactorSetup.tsx';
import { Login } from './Login.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const CODES = Array.from({ length: 10 }, (_, at) => `k4f9-2xq${at}`);
const BEGUN = { secret: 'JBSWY3DPEHPK3PXP', address: 'otpauth://totp/Evenkeel:a?secret=J', recoveryCodes: CODES };
const NOT_RIGHT = 'This code is incorrect or was already used. Enter the latest code.';

/** Responds to calls by method and path. Returns the requests. */
function server(answers: Record<string, () => Response>): [string, unknown][] {
  const sent: [string, unknown][] = [];
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const call = `${init?.method ?? 'GET'} ${url.replace(/\?$/, '')}`;
    if (call.endsWith('/installation')) {
      return Response.json({
        empty: false,
        demo: false,
        signUp: 'invite',
        passwordMin: 6,
        chatWidgetUrl: null,
        maxUploadMb: 25,
      });
    }
    sent.push([call, typeof init?.body === 'string' ? JSON.parse(init.body) : undefined]);
    return answers[call]?.() ?? Response.json({ ok: true });
  });
  return sent;
}

const refusal = (code: string, message: string, status = 401) =>
  Response.json({ code, message, fields: { code: message }, requestId: 'x' }, { status });

const shown = (page: ReactNode) =>
  show(<QueryClientProvider client={makeQueryClient()}>{page}</QueryClientProvider>, '/login');
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(new RegExp(`^${label}`), { selector: 'input' }), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test('Turn On requires a six-digit code and confirmed recovery codes, and stores nothing locally', async () => {
  const sent = server({ 'POST /api/account/secondfactor': () => Response.json(BEGUN) });
  const onDone = vi.fn<() => void>();
  shown(<FactorSetup onDone={onDone} />);
  press('Continue');
  expect(screen.getByText('Current Password is required')).toBeTruthy();
  type('Current Password', 'plain words');
  press('Continue');
  await screen.findByText('JBSW Y3DP EHPK 3PXP');
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(expect.arrayContaining(CODES));
  const turnOn = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Turn On' });
  expect(turnOn().disabled).toBe(true);
  type('Enter the 6-digit code from the app', '407 123');
  expect(turnOn().disabled).toBe(true);
  fireEvent.click(screen.getByLabelText('I saved my recovery codes'));
  expect(turnOn().disabled).toBe(false);
  type('Enter the 6-digit code from the app', '40712');
  expect(turnOn().disabled).toBe(true);
  type('Enter the 6-digit code from the app', '407 123');
  press('Turn On');
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(sent).toEqual([
    ['POST /api/account/secondfactor', { password: 'plain words' }],
    ['PUT /api/account/secondfactor', { code: '407 123' }],
  ]);
  const kept = JSON.stringify({ ...localStorage, ...sessionStorage });
  for (const secret of ['plain words', BEGUN.secret, CODES[0]]) expect(kept).not.toContain(secret);
});

test('a wrong code is reported at its field, and the setup stays open', async () => {
  server({
    'POST /api/account/secondfactor': () => Response.json(BEGUN),
    'PUT /api/account/secondfactor': () => refusal('rule', NOT_RIGHT, 422),
  });
  const onDone = vi.fn<() => void>();
  shown(<FactorSetup onDone={onDone} />);
  type('Current Password', 'plain words');
  press('Continue');
  await screen.findByText('JBSW Y3DP EHPK 3PXP');
  fireEvent.click(screen.getByLabelText('I saved my recovery codes'));
  type('Enter the 6-digit code from the app', '000000');
  press('Turn On');
  expect(await screen.findByText(NOT_RIGHT)).toBeTruthy();
  expect([screen.getByText('JBSW Y3DP EHPK 3PXP').textContent, onDone.mock.calls.length]).toEqual([
    'JBSW Y3DP EHPK 3PXP',
    0,
  ]);
});

test('turning off two-step verification requires the password and a code', async () => {
  const sent = server({});
  const factor = { isOn: true, since: '2026-03-02T12:00:00Z', codesLeft: 2, isRequired: false };
  shown(<FactorCard factor={factor} hasPasskeys={false} />);
  expect(screen.getByText(/You have 2 of 10 recovery codes left\./)).toBeTruthy();
  press('Turn Off');
  press('Turn Off');
  expect(screen.getByText('Code is required')).toBeTruthy();
  type('Current Password', 'plain words');
  type('Code', 'k4f9-2xqm');
  press('Turn Off');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent).toEqual([['POST /api/account/secondfactor/remove', { password: 'plain words', code: 'k4f9-2xqm' }]]);
});

test("the last two-step verification method can't be turned off if the company requires one", () => {
  server({});
  const factor = { isOn: true, since: '2026-03-02T12:00:00Z', codesLeft: 10, isRequired: true };
  shown(<FactorCard factor={factor} hasPasskeys={false} />);
  press('Turn Off');
  expect(screen.getByText(/add a passkey first/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Turn Off' })).toBeNull();
});

test('sign-in asks for a code after the password, reports a wrong code, and can be started again', async () => {
  const answers = [() => refusal('code_required', 'Please enter it'), () => refusal('code_required', NOT_RIGHT)];
  const sent = server({ 'POST /api/login': () => answers.shift()?.() ?? Response.json({}, { status: 500 }) });
  shown(<Login />);
  await screen.findByRole('heading', { name: 'Sign in' });
  type('Email', 'ada@harbor.example');
  type('Password', 'plain words');
  press('Sign in');
  await screen.findByRole('heading', { name: 'Enter your code' });
  expect(screen.queryByText('Please enter it')).toBeNull();
  press('Sign in');
  expect(screen.getByText('Code is required')).toBeTruthy();
  type('Code', '000000');
  press('Sign in');
  expect(await screen.findByText(NOT_RIGHT)).toBeTruthy();
  expect(sent.map(([, body]) => body)).toEqual([
    { email: 'ada@harbor.example', password: 'plain words' },
    { email: 'ada@harbor.example', password: 'plain words', code: '000000' },
  ]);
  press('Back');
  const password = await screen.findByLabelText<HTMLInputElement>(/^Password/, { selector: 'input' });
  expect(password.value).toBe('');
});

test.each<[boolean, { email: string; password: string; code?: string }]>([
  [true, { email: 'new@harbor.example', password: 'plain words', code: '407123' }],
  [false, { email: 'new@harbor.example', password: 'plain words' }],
])('changing the email address requires a code if two-step verification is on: %s', async (isOn, wanted) => {
  const sent = server({});
  const account = { email: 'ada@harbor.example', newEmail: null };
  shown(<EmailCard account={account} has={{ code: isOn, passkey: false }} />);
  type('New Email', wanted.email);
  type('Current Password', wanted.password);
  if (isOn) {
    press('Change Email');
    expect(screen.getByText('Code is required')).toBeTruthy();
    type('Code', '407123');
  } else expect(screen.queryByLabelText(/^Code/)).toBeNull();
  press('Change Email');
  await waitFor(() => expect(sent).toEqual([['POST /api/account/email', wanted]]));
});
