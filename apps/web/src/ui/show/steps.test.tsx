// @vitest-environment jsdom
import '../../testing/setup.ts';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { MatchCard, type MatchCardProps } from './MatchCard.tsx';
import { Stepper } from './Stepper.tsx';

it('a stepper tells each state in words, marks the current step and leads back to done and failed ones', async () => {
  const gone: string[] = [];
  show(
    <Stepper
      label="Set up"
      steps={[
        { id: 'a', label: 'Company', state: 'done' },
        { id: 'b', label: 'Accounts', state: 'failed' },
        { id: 'c', label: 'Opening', state: 'current' },
        { id: 'd', label: 'Users', state: 'next' },
      ]}
      onGo={(id) => gone.push(id)}
    />,
  );
  const items = screen.getAllByRole('listitem');
  expect(items.map((item) => item.textContent)).toEqual([
    'Step 1 of 4, Done: Company',
    'Step 2 of 4, Failed: Accounts',
    '3Step 3 of 4, Current: Opening',
    '4Step 4 of 4, To come: Users',
  ]);
  expect(items.map((item) => item.getAttribute('aria-current'))).toEqual([null, null, 'step', null]);
  for (const button of screen.getAllByRole('button')) await userEvent.click(button);
  expect(gone).toEqual(['a', 'b']);
});

const SIDE = { title: 'STAPLES', date: isoDate('2026-05-03'), amount: cents(-4217) };

function card(props: Partial<MatchCardProps>, done: string[]) {
  return (
    <MatchCard
      bank={SIDE}
      books={{ ...SIDE, title: 'Bill 7' }}
      isMatched={false}
      onAccept={() => done.push('accept')}
      onOther={() => done.push('other')}
      onUndo={() => done.push('undo')}
      {...props}
    />
  );
}

it('a match is accepted or replaced, a matched one undone, and a line without a proposal looked for', async () => {
  const done: string[] = [];
  const names = () => screen.getAllByRole('button').map((button) => button.textContent);
  const { rerender } = show(card({ reason: 'Same amount' }, done));
  expect(screen.getByRole('article', { name: 'STAPLES' }).textContent).toContain('Same amount');
  expect(names()).toEqual(['Find Another', 'Accept']);
  for (const button of screen.getAllByRole('button')) await userEvent.click(button);
  rerender(card({ isMatched: true }, done));
  expect(names()).toEqual(['Undo']);
  await userEvent.click(screen.getByRole('button'));
  expect(done).toEqual(['other', 'accept', 'undo']);
  rerender(card({ books: undefined }, done));
  expect(names()).toEqual(['Find']);
  rerender(card({ isBusy: true }, done));
  for (const button of screen.getAllByRole('button')) await userEvent.click(button);
  expect(done).toHaveLength(3);
});
