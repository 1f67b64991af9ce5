// @vitest-environment jsdom
import '../../testing/setup.ts';
import { fireEvent, screen } from '@testing-library/react';
import { createPortal } from 'react-dom';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FileDrop } from '../fields/FileDrop.tsx';
import { show } from '../../testing/show.tsx';
import { refuseStrayDrops } from './strayDrops.ts';

let end: () => void;
beforeEach(() => (end = refuseStrayDrops()));
afterEach(() => end());

const receipt = new File(['x'], 'receipt.pdf', { type: 'application/pdf' });
const filesOver = () => ({ types: ['Files'], files: [receipt], dropEffect: 'copy' });
const linkOver = () => ({ types: ['text/uri-list', 'text/plain'], files: [], dropEffect: 'copy' });

/** Sends both events. Returns true for each event whose browser default was prevented. */
function kept(place: Element, dataTransfer: object): boolean[] {
  return [fireEvent.dragOver(place, { dataTransfer }), fireEvent.drop(place, { dataTransfer })].map((went) => !went);
}

it("the browser doesn't open a file dropped outside a drop area, and the pointer indicates this", () => {
  show(<p>The page</p>);
  const over = filesOver();
  expect(kept(screen.getByText('The page'), over)).toEqual([true, true]);
  expect(over.dropEffect).toBe('none');
});

it('a drop area still accepts files', () => {
  const taken: string[] = [];
  const { container } = show(<FileDrop onFiles={(files) => taken.push(...files.map((file) => file.name))} />);
  const place = container.querySelector('.ek-drop');
  if (place === null) throw new Error('no drop area');
  const over = filesOver();
  expect(kept(place, over)).toEqual([true, true]);
  expect({ taken, effect: over.dropEffect }).toEqual({ taken: ['receipt.pdf'], effect: 'copy' });
});

it.each([false, true])(
  'a file dropped on a dialog on top of a drop area is neither accepted nor opened (area disabled: %s)',
  (disabled) => {
    const taken: File[] = [];
    show(
      <FileDrop disabled={disabled} onFiles={(files) => taken.push(...files)}>
        <p>The place</p>
        {createPortal(<p>A dialog over it</p>, document.body)}
      </FileDrop>,
    );
    const place = screen.getByText(disabled ? 'The place' : 'A dialog over it');
    fireEvent.dragEnter(place, { dataTransfer: filesOver() });
    expect(screen.queryByText('Drop Files Here')).toBeNull();
    expect(kept(place, filesOver())).toEqual([true, true]);
    expect(taken).toEqual([]);
  },
);

it("text and links can be dropped into a field, and a link dropped elsewhere doesn't open", () => {
  show(
    <label>
      Words <input aria-label="Field" />
    </label>,
  );
  expect(kept(screen.getByLabelText('Field'), linkOver())).toEqual([false, false]);
  expect(kept(screen.getByText('Words'), linkOver())).toEqual([true, true]);
  expect(kept(screen.getByText('Words'), { types: ['text/plain'], files: [] })).toEqual([false, false]);
});
