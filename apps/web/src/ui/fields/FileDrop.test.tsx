// @vitest-environment jsdom
import '../../testing/setup.ts';
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { FileDrop } from './FileDrop.tsx';

const receipt = new File(['x'], 'receipt.pdf', { type: 'application/pdf' });

it('dragged text is ignored and shows no overlay', () => {
  const taken: File[] = [];
  const { container } = show(<FileDrop onFiles={(files) => taken.push(...files)} />);
  const place = container.querySelector('.ek-drop');
  if (place === null) throw new Error('no drop area');
  fireEvent.dragEnter(place, { dataTransfer: { types: ['text/plain'], files: [] } });
  expect(screen.queryByText('Drop Files Here')).toBeNull();
  fireEvent.drop(place, { dataTransfer: { types: ['text/plain'], files: [] } });
  expect(taken).toEqual([]);
});

it('dragging files over the area shows Drop Files Here until they are dropped', () => {
  const taken: string[] = [];
  const { container } = show(<FileDrop onFiles={(files) => taken.push(...files.map((file) => file.name))} />);
  const place = container.querySelector('.ek-drop');
  if (place === null) throw new Error('no drop area');
  fireEvent.dragEnter(place, { dataTransfer: { types: ['Files'], files: [] } });
  expect(screen.getByText('Drop Files Here')).toBeTruthy();
  fireEvent.drop(place, { dataTransfer: { types: ['Files'], files: [receipt] } });
  expect(taken).toEqual(['receipt.pdf']);
  expect(screen.queryByText('Drop Files Here')).toBeNull();
});

it('the button of a drop area also accepts files', async () => {
  const taken: string[] = [];
  show(<FileDrop onFiles={(files) => taken.push(...files.map((file) => file.name))} />);
  expect(screen.getByRole('button', { name: 'Attach Files' })).toBeTruthy();
  await userEvent.upload(screen.getByLabelText('Attach Files', { selector: 'input' }), [receipt]);
  expect(taken).toEqual(['receipt.pdf']);
});
