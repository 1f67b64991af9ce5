// @vitest-environment jsdom
import '../../testing/setup.ts';
import { act, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { useDraft } from './draft.ts';
import { keepFor } from './localState.ts';

afterEach(() => sessionStorage.clear());

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
  'a stored draft is ignored if it is %s',
  (text) => {
    localStorage.setItem('3.7:draft:note', text);
    show(<Note />);
    expect(value()).toBe('first');
    expect(state()).toBe('false false undefined');
  },
);

it('typed values are restored after a reload and reported as a draft', async () => {
  const { unmount } = show(<Note />);
  expect(localStorage.getItem('3.7:draft:note')).toBeNull();
  await userEvent.type(screen.getByLabelText('Note'), ' and more');
  unmount();
  show(<Note />);
  expect(value()).toBe('first and more');
  expect(state()).toBe('true true number');
});

it('version 2 discards a draft saved by version 1', async () => {
  const { unmount } = show(<Note />);
  await userEvent.type(screen.getByLabelText('Note'), '!');
  unmount();
  show(<Note version={2} />);
  expect(value()).toBe('first');
});

it('saving deletes the draft', async () => {
  const { unmount } = show(<Note />);
  await userEvent.type(screen.getByLabelText('Note'), '!');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(localStorage.getItem('3.7:draft:note')).toBeNull();
  expect(state()).toBe('false false undefined');
  unmount();
  show(<Note />);
  expect(value()).toBe('first');
});

function NewNote() {
  const draft = useDraft({ name: 'note:0', initial: '', read: isText, isNew: true });
  return (
    <>
      <input aria-label="Note" value={draft.value} onChange={(event) => draft.set(event.currentTarget.value)} />
      <button type="button" onClick={() => draft.sent.write({ key: 'k', request: '/note {}' })}>
        Lose
      </button>
      <p data-testid="state">{`${String(draft.restored)} ${draft.sent.read()?.key ?? 'none'}`}</p>
    </>
  );
}

/** Simulates another browser tab, which has its own session storage. */
const asTab = (id: string) => sessionStorage.setItem('tab', id);

it('a request without a response stays with the draft after a reload and is deleted with the draft', async () => {
  const { unmount } = show(<NewNote />);
  await userEvent.type(screen.getByLabelText('Note'), 'rent');
  await userEvent.click(screen.getByRole('button', { name: 'Lose' }));
  unmount();
  show(<NewNote />);
  expect(value()).toBe('rent');
  expect(state()).toBe('true k');
});

it('two tabs that each create a new record have separate drafts', async () => {
  asTab('one');
  const first = show(<NewNote />);
  await userEvent.type(screen.getByLabelText('Note'), 'of one');
  first.unmount();
  const other = new BroadcastChannel('evenkeel-tabs');
  other.addEventListener('message', ({ data }) => {
    if (data.ask === 'one') other.postMessage({ here: 'one', from: 'another document' });
  });
  asTab('two');
  const second = show(<NewNote />);
  await new Promise((done) => setTimeout(done, 300));
  expect(value()).toBe('');
  await userEvent.type(screen.getByLabelText('Note'), 'of two');
  second.unmount();
  asTab('one');
  show(<NewNote />);
  expect(value()).toBe('of one');
  other.close();
});

it("a closed tab's draft of a new record is offered to the next form, with its pending request", async () => {
  asTab('gone');
  const first = show(<NewNote />);
  await userEvent.type(screen.getByLabelText('Note'), 'left behind');
  await userEvent.click(screen.getByRole('button', { name: 'Lose' }));
  first.unmount();
  asTab('next');
  const next = show(<NewNote />);
  await waitFor(() => expect(value()).toBe('left behind'));
  expect(state()).toBe('true k');
  expect(Object.keys(localStorage)).toEqual(['3.7:draft:note:0~next']);
  next.unmount();
});

it('changes made while another tab signs in another user are kept for the user who typed them', () => {
  const { result } = renderHook(() => useDraft({ name: 'note', initial: '', read: isText }));
  act(() => {
    result.current.set('the name of an uploaded file');
    keepFor('4.8');
  });
  expect(Object.keys(localStorage)).toEqual(['3.7:draft:note']);
});
