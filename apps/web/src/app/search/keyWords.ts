import type { KeyName } from '../../ui/keys/keys.ts';

/** The keys of a part of the app, in words. */
export interface KeySection {
  title: string;
  /** Stands on the screen where they do something; everywhere without it. */
  where?: string;
  keys: readonly (readonly [keys: readonly KeyName[], words: string])[];
}

export const KEY_SECTIONS: readonly KeySection[] = [
  {
    title: 'Everywhere',
    keys: [
      [['search'], 'Search, open and do'],
      [['sheet'], 'This sheet'],
      [['close'], 'Close what was opened last'],
    ],
  },
  {
    title: 'Search',
    where: '.ek-palette',
    keys: [
      [['up', 'down'], 'Another row'],
      [['open'], 'Open it'],
      [['openApart'], 'Open it in a new tab'],
      [['close'], 'Clear the text, then close'],
    ],
  },
  {
    title: 'Lists',
    where: '[data-active-row]',
    keys: [
      [['up', 'down'], 'Another row'],
      [['pageUp', 'pageDown'], 'A page of rows'],
      [['first', 'last'], 'The first or the last row'],
      [['open'], 'Open the row'],
      [['select'], 'Select it, with Shift all between'],
      [['selectAll'], 'Select all rows'],
      [['close'], 'Select none, close the panel'],
      [['print'], 'Print all rows'],
    ],
  },
  {
    title: 'Tabs',
    where: '[role="tablist"]',
    keys: [
      [['previous', 'next'], 'Another tab'],
      [['first', 'last'], 'The first or the last tab'],
      [['closeTab'], 'Close a report'],
    ],
  },
  {
    title: 'Forms',
    where: '.ek-modal',
    keys: [
      [['save'], 'Save'],
      [['close'], 'Close, asking first if you typed'],
      [['calendar'], 'The calendar of a date'],
    ],
  },
  {
    title: 'Lines',
    where: '[data-line-work], .ek-line',
    keys: [
      [['open'], 'Change the line'],
      [['nextField'], 'In the last field: one more line'],
      [['close'], 'Leave the line as it was'],
    ],
  },
  {
    title: 'Journal entry',
    where: '.ac-keys',
    keys: [
      [['nextField'], 'The next field, and the next line'],
      [['open', 'down'], 'The line below'],
      [['up'], 'The line above'],
      [['level'], 'Brings the entry level'],
    ],
  },
  {
    title: 'Dashboard',
    where: '[data-card]',
    keys: [
      [['up', 'down', 'previous', 'next'], 'On a grip: move the card'],
      [['first', 'last'], 'To the first or last place'],
    ],
  },
];
