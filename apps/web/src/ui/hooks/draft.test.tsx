// @vitest-environment jsdom
import '../testing/setup.ts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { show } from '../testing/show.tsx';
import { useDraft } from './draft.ts';

const isText = (stored: unknown) => (typeof stored === 'string' ? stored : undefined);

function Note({ version = 1 }: { version?: number }) {
  const draft = useDraft({ name: 'note', initial: 'first', version, read: isText });
  return (
    <>
      <input aria-label="Note" value={draft.value} onChange={(event) => draft.set(event.currentTarget.value)} />
      <button type="button" onClick={() => draft.clear()}>
        Save
      </button>
      <p data-testid="state">{`${String(draft.dirty)} ${String(draft.restored)} ${typeof draft.savedAt}`}</p>
    </>
  );
}

const value = () => screen.getByLabelText<HTMLInputElement>('Note').value;
const state = () => screen.getByTestId('state').textContent;

it.each([['not json'], ['{"version":1}'], ['{"version":1,"savedAt":1,"value":42}'], ['null']])(
  'a stored %s is passed over',
  (text) => {
    localStorage.setItem('3.7:draft:note', text);
    show(<Note />);
    expect(value()).toBe('first');
    expect(state()).toBe('false false undefined');
  },
);

it('what was typed is there after a reload, and is told to be a draft', async () => {
  const { unmount } = show(<Note />);
  expect(localStorage.getItem('3.7:draft:note')).toBeNull();
  await userEvent.type(screen.getByLabelText('Note'), ' and more');
  unmount();
  show(<Note />);
  expect(value()).toBe('first and more');
  expect(state()).toBe('true true number');
});

it('a draft of version 1 is dropped by version 2', async () => {
  const { unmount } = show(<Note />);
  await userEvent.type(screen.getByLabelText('Note'), '!');
  unmount();
  show(<Note version={2} />);
  expect(value()).toBe('first');
});

it('saving forgets the draft', async () => {
  const { unmount } = show(<Note />);
  await userEvent.type(screen.getByLabelText('Note'), '!');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(localStorage.getItem('3.7:draft:note')).toBeNull();
  expect(state()).toBe('false false undefined');
  unmount();
  show(<Note />);
  expect(value()).toBe('first');
});
