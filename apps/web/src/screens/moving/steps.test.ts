import { expect, it } from 'vitest';
import type { MoveProgress } from '@evenkeel/contract/moving';
import { remainingOf } from './RunningStep.tsx';
import { resumeStep, shownStep } from './steps.ts';

type Facts = Parameters<typeof resumeStep>[0];
const ready: Facts = { status: 'ready', history: { from: null }, blocked: { files: '', match: '' }, preview: null };

it.each([
  ['a draft', { ...ready, status: 'draft' as const }, 'files'],
  ['files that are being read', { ...ready, status: 'reading' as const }, 'files'],
  ['no choice of history', { ...ready, history: null }, 'files'],
  ['rejected files', { ...ready, blocked: { files: 'Replace it', match: '' } }, 'files'],
  ['open questions', { ...ready, blocked: { files: '', match: 'Confirm 1 account' } }, 'match'],
  ['answered questions, but no preview', ready, 'match'],
  ['a running preview', { ...ready, status: 'previewing' as const }, 'preview'],
  ['a running import', { ...ready, status: 'importing' as const }, 'import'],
])('an import is resumed at the right step: %s', (_, move, step) => expect(resumeStep(move)).toBe(step));

it("a completed step can be opened, but a step that is too far ahead can't", () => {
  const blocked = { ...ready, blocked: { files: '', match: 'Confirm 1 account' } };
  expect(shownStep(blocked, 'source')).toBe('source');
  expect(shownStep(blocked, 'preview')).toBe('match');
  expect(shownStep({ ...blocked, status: 'importing' }, 'files')).toBe('import');
});

it('the remaining time appears after 3 seconds, in seconds if it is less than a minute', () => {
  const start = Date.parse('2026-06-12T19:12:00Z');
  const at: MoveProgress = {
    phase: 'transactions',
    done: 2500,
    total: 10_000,
    date: null,
    startedAt: '2026-06-12T19:12:00Z',
    cancelable: true,
  };
  expect(remainingOf(at, start + 2000)).toBeUndefined();
  expect(remainingOf(at, start + 10_000)).toBe('About 30 seconds left');
  expect(remainingOf(at, start + 60_000)).toBe('About 3 minutes left');
  expect(remainingOf({ ...at, phase: 'proof' }, start + 60_000)).toBeUndefined();
});
