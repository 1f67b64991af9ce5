import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes, useLocation } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { makeQueryClient } from '../../client/api.ts';
import { show } from '../../testing/show.tsx';
import { ResetPassword } from './ResetPassword.tsx';

const GONE = 'This reset link is no longer valid. Please ask for a new one.';

/**
 * Opens the page with an emailed link. Returns the requests, and a function that sends the response to the link check.
 */
function visit(): { asked: string[]; answerCheck: (answer: Response) => void } {
  const asked: string[] = [];
  let answer: (answer: Response) => void = () => undefined;
  const check = new Promise<Response>((done) => (answer = done));
  const answerCheck = (response: Response): void => {
    asked.push('answered');
    answer(response);
  };
  const about = { empty: false, signUp: 'invite', demo: false, passwordMin: 6, chatWidgetUrl: null, maxUploadMb: 25 };
  vi.stubGlobal('fetch', async (url: string) => {
    const path = url.replace(/^.*\/api/, '').replace(/\?$/, '');
    if (path === '/installation') return Response.json(about);
    asked.push(path);
    return path === '/validate-reset-token' ? check : Response.json({ message: 'Done' });
  });
  const Elsewhere = () => <output>{useLocation().pathname}</output>;
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <Routes>
        <Route path="/reset-password" element={<ResetPassword />} />
        <Route path="*" element={<Elsewhere />} />
      </Routes>
    </QueryClientProvider>,
    '/reset-password?token=abc&email=olive@first.example',
  );
  return { asked, answerCheck };
}

async function submitTwice(): Promise<void> {
  for (const label of ['Password', 'Confirm Password']) {
    fireEvent.change(screen.getByLabelText(label, { selector: 'input' }), { target: { value: 'plain words' } });
  }
  const button = screen.getByRole('button', { name: 'Reset Password' });
  await userEvent.dblClick(button);
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test('the form is submitted once, after the link check, because a later check would reject the used link', async () => {
  const { asked, answerCheck } = visit();
  await submitTwice();
  answerCheck(Response.json({ message: 'Valid' }));
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('/login'));
  expect(asked).toEqual(['/validate-reset-token', 'answered', '/register/reset-password']);
});

test('an invalid link is reported and not used, even if the user submits before the check is complete', async () => {
  const { asked, answerCheck } = visit();
  await submitTwice();
  answerCheck(Response.json({ message: GONE }, { status: 422 }));
  await screen.findByText(GONE);
  expect(asked).toEqual(['/validate-reset-token', 'answered']);
});
