// @vitest-environment jsdom
import '../../testing/setup.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeQueryClient } from '../../client/api.ts';
import { show } from '../../testing/show.tsx';
import { PasswordCard } from './PasswordCard.tsx';

const asked: unknown[] = [];
let answer: () => Response;

beforeEach(() => {
  asked.length = 0;
  answer = () => Response.json({ ok: true });
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (url.startsWith('/api/installation')) return Response.json(INSTALLATION);
    asked.push([init?.method, url, JSON.parse(typeof init?.body === 'string' ? init.body : '')]);
    return answer();
  });
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <PasswordCard
        account={{ email: 'olive@first.example', passwordChangedAt: null, sessions: [] }}
        company="First Light"
      />
    </QueryClientProvider>,
    '/',
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const INSTALLATION = {
  empty: false,
  signUp: 'invite',
  demo: false,
  passwordMin: 6,
  chatWidgetUrl: null,
  maxUploadMb: 25,
};

function fill(current: string, password: string, confirm = password): void {
  const entries = { 'Current Password': current, 'New Password': password, 'Confirm Password': confirm };
  for (const [label, value] of Object.entries(entries)) {
    const input = screen.getByLabelText(new RegExp(`^${label}`), { selector: 'input' });
    fireEvent.change(input, { target: { value } });
  }
  fireEvent.click(screen.getByText('Change Password', { selector: 'button *' }));
}

test('the password fields are masked, allow pasting, and are labeled for password managers', () => {
  const fields = ['Current Password', 'New Password', 'Confirm Password'].map((label) =>
    screen.getByLabelText(new RegExp(`^${label}`), { selector: 'input' }),
  );
  expect(fields.map((field) => [field.getAttribute('type'), field.getAttribute('autocomplete')])).toEqual([
    ['password', 'current-password'],
    ['password', 'new-password'],
    ['password', 'new-password'],
  ]);
  // No event handler prevents pasting into the field.
  expect(fields.map((field) => fireEvent.paste(field))).toEqual([true, true, true]);
});

test('missing, mismatched, or weak passwords are reported at their fields, and nothing is sent', () => {
  fill('', 'firstlight', 'other');
  expect(screen.getByText('Current Password is required')).toBeTruthy();
  expect(screen.getByText('Passwords must match')).toBeTruthy();
  expect(screen.getByText(/^This password is easy to guess/)).toBeTruthy();
  expect(asked).toEqual([]);
});

test('a wrong current password is reported at its field, and a correct password clears the form', async () => {
  const no = 'The current password is incorrect';
  answer = () =>
    Response.json({ code: 'rule', message: no, fields: { currentPassword: no }, requestId: 'x' }, { status: 422 });
  fill('a guess', 'plain words');
  expect(await screen.findByText(no)).toBeTruthy();
  answer = () => Response.json({ ok: true });
  fill('the old words', 'plain words');
  const current = () => screen.getByLabelText<HTMLInputElement>(/^Current Password/, { selector: 'input' }).value;
  await waitFor(() => expect(current()).toBe(''));
  expect(screen.queryByText(no)).toBeNull();
  const body = { currentPassword: 'the old words', password: 'plain words', confirmPassword: 'plain words' };
  expect(asked.at(-1)).toEqual(['PUT', '/api/UserAdmin/ChangePassword', body]);
});
