// @vitest-environment jsdom
import '../../testing/setup.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { makeQueryClient } from '../../client/api.ts';
import { sessionUser, takeSignOutReason } from '../../client/session.ts';
import { show } from '../../testing/show.tsx';
import { alerts } from '../../ui/alerts/store.ts';
import { signedIn } from '../billing/testing/answers.tsx';
import { DeleteCard } from './DeleteCard.tsx';

let asked: string[];

function open(answer: () => Response): void {
  asked = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    asked.push(`${init.method} ${address}`);
    return answer();
  });
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <DeleteCard />
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Delete My Account' }));
  expect(asked).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Delete My Account' }));
}

beforeEach(signedIn);

it("a user's own account is deleted after confirmation, and the user is signed out", async () => {
  const { id } = sessionUser() ?? {};
  open(() => Response.json({ ok: true }));
  await waitFor(() => expect(sessionUser()).toBeNull());
  expect([asked[0], takeSignOutReason()]).toEqual([`DELETE /api/user/${id}`, 'Your account was deleted.']);
});

it('the last administrator stays signed in and sees the reason', async () => {
  const message = "You can't remove or demote the last administrator";
  open(() => Response.json({ code: 'conflict', message, requestId: '1' }, { status: 409 }));
  await waitFor(() => expect(alerts.state().past.map(({ text }) => text)).toEqual([message]));
  expect(sessionUser()).not.toBeNull();
});
