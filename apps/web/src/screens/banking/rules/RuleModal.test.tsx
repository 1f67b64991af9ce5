// @vitest-environment jsdom
import '../../../testing/setup.ts';
import { Rehearsal } from '@evenkeel/contract/bankRules';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { sampleOf } from '../../../testing/sample.ts';
import { fakeNetwork, showWithData, signedIn } from '../../billing/testing/answers.tsx';
import { ruleLine } from './ruleForm.ts';
import { RuleModal } from './RuleModal.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('an incomplete rule is never previewed, and a complete rule is previewed once', async () => {
  signedIn();
  const network = fakeNetwork({ 'POST /bankrule/rehearse': [{ status: 200, body: sampleOf(Rehearsal) }] });
  showWithData(<RuleModal id={0} starts={{ lines: [ruleLine(1, { accountID: 1 })] }} onClose={() => undefined} />);
  const words = await screen.findByLabelText('Words');
  const timer = vi.spyOn(globalThis, 'setTimeout');
  fireEvent.change(words, { target: { value: 'ACME' } });
  const ended = timer.mock.calls.flatMap(([run, ms]) => (ms === 300 ? [run] : []));
  timer.mockRestore();
  expect(ended).not.toEqual([]);
  // React may render and run effects between two timers that end at the same time.
  for (const run of ended) await act(async () => run());
  await waitFor(() => expect(network.writes).not.toEqual([]));
  expect(network.writes.map(({ path, body }) => [path, body])).toEqual([
    ['/bankrule/rehearse', expect.objectContaining({ text: 'ACME' })],
  ]);
});
