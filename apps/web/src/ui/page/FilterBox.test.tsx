// @vitest-environment jsdom
import '../../testing/setup.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { FilterBox } from './FilterBox.tsx';

const box = () => screen.getByLabelText<HTMLInputElement>('Search');

/** A list whose owner stores the text with a delay, as the URL does. */
function Slow({ ms, told }: { ms: number; told: string[] }) {
  const [value, setValue] = useState('');
  const heard = useRef((text: string) => {
    told.push(text);
    setTimeout(() => setValue(text), ms);
  });
  return (
    <>
      <FilterBox placeholder="Search" value={value} onChange={heard.current} />
      <button onClick={() => setValue('elsewhere')}>Link</button>
      <output>{value}</output>
    </>
  );
}

const PACES: [number, string][] = [
  [20, 'Accumulated'],
  [70, 'Sales Tax'],
  [130, 'Rent'],
];
it.each(PACES)(
  'no character is lost at %i ms per key, even if the parent stores the text late',
  async (delay, word) => {
    show(<Slow ms={90} told={[]} />);
    await userEvent.setup({ delay }).type(box(), word);
    expect(box().value).toBe(word);
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe(word));
    expect(box().value).toBe(word);
  },
);

it("the deletion of a letter is reported, even if the owner hasn't stored the letter yet", async () => {
  const told: string[] = [];
  show(<Slow ms={90} told={told} />);
  fireEvent.change(box(), { target: { value: 'o' } });
  await waitFor(() => expect(told).toEqual(['o']));
  fireEvent.change(box(), { target: { value: '' } });
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('o'));
  expect(box().value).toBe('');
  await waitFor(() => expect(told).toEqual(['o', '']));
});

it('the box notifies its owner when typing stops, and immediately when the user leaves or clears it', async () => {
  const told: string[] = [];
  show(<Slow ms={0} told={told} />);
  for (const text of ['o', 'oa', 'oak']) fireEvent.change(box(), { target: { value: text } });
  expect(told).toEqual([]);
  fireEvent.blur(box());
  expect(told).toEqual(['oak']);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('oak'));
  fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
  expect(told).toEqual(['oak', '']);
  expect(box().value).toBe('');
});

it('a value set by the owner replaces the typed text', async () => {
  show(<Slow ms={0} told={[]} />);
  await userEvent.type(box(), 'oak');
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('oak'));
  fireEvent.click(screen.getByText('Link'));
  expect(box().value).toBe('elsewhere');
});

it('nothing is reported after the box is unmounted, so that the next page keeps its URL', async () => {
  const told: string[] = [];
  const { unmount } = show(<Slow ms={0} told={told} />);
  fireEvent.change(box(), { target: { value: 'oak' } });
  unmount();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(told).toEqual([]);
});
