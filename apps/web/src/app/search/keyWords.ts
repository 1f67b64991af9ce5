import type { KeyName } from '../../ui/keys/keys.ts';

/** A section of the shortcut sheet: the keyboard shortcuts of one part of the app. */
export interface KeySection {
  title: string;
  /** A selector for an element on the screens where the shortcuts work. Omitted if they work everywhere. */
  where?: string;
  keys: readonly (readonly [keys: readonly KeyName[], words: string])[];
}

export const KEY_SECTIONS: readonly KeySection[] = [
  {
    title: 'Everywhere',
    keys: [
      [['search'], 'Search, open, and run commands'],
      [['sheet'], 'This list of shortcuts'],
      [['close'], 'Close the most recently opened panel'],
    ],
  },
  {
    title: 'Search',
    where: '.ek-palette',
    keys: [
      [['up', 'down'], 'Next or previous row'],
      [['open'], 'Open the result'],
      [['openApart'], 'Open the result in a new tab'],
      [['close'], 'Clear the text, then close'],
    ],
  },
  {
    title: 'Lists',
    where: '[data-active-row]',
    keys: [
      [['up', 'down'], 'Next or previous row'],
      [['pageUp', 'pageDown'], 'One page of rows'],
      [['first', 'last'], 'First or last row'],
      [['open'], 'Open the row'],
      [['select'], 'Select the row (with Shift, also the rows in between)'],
      [['selectAll'], 'Select all rows'],
      [['close'], 'Clear the selection and close the panel'],
      [['print'], 'Print all rows'],
    ],
  },
  {
    title: 'Tabs',
    where: '[role="tablist"]',
    keys: [
      [['previous', 'next'], 'Next or previous tab'],
      [['first', 'last'], 'First or last tab'],
      [['closeTab'], 'Close the report'],
    ],
  },
  {
    title: 'Forms',
    where: '.ek-modal',
    keys: [
      [['save'], 'Save'],
      [['effects'], 'Preview the effects of saving'],
      [['close'], 'Close (asks you to confirm if you have unsaved changes)'],
      [['calendar'], 'Open the calendar'],
    ],
  },
  {
    title: 'Lines',
    where: '[data-line-work], .ek-line',
    keys: [
      [['open'], 'Edit the line'],
      [['nextField'], 'In the last field: add a line'],
      [['close'], 'Discard the changes to the line'],
    ],
  },
  {
    title: 'Opening balances',
    where: '.ob-page',
    keys: [
      [['open', 'down'], 'Cell below'],
      [['up'], 'Cell above'],
      [['fillDown'], 'Copy the cell above'],
      [['save'], 'Post the opening balances'],
    ],
  },
  {
    title: 'Journal entry',
    where: '.ac-keys',
    keys: [
      [['nextField'], 'Next field, then next line'],
      [['open', 'down'], 'Line below'],
      [['up'], 'Line above'],
      [['level'], 'Enter the amount that balances the entry'],
    ],
  },
  {
    title: 'Move in',
    where: '.mv-steps',
    keys: [
      [['save'], 'Next step, or confirm all suggestions'],
      [['remove'], 'Remove the file'],
      [['open'], 'Confirm the account, or merge the names'],
      [['create'], 'Create the account'],
      [['keep'], 'Keep both names'],
      [['find'], 'Search accounts or names'],
      [['nextTab'], 'Next tab'],
    ],
  },
  {
    title: 'Budget',
    where: '.bg-grid',
    keys: [
      [['up', 'down', 'previous', 'next'], 'Next or previous cell (with Shift, select a range)'],
      [['first', 'last'], 'First month or year total'],
      [['edit', 'open'], 'Edit the cell'],
      [['formula'], 'Enter a formula, for example =1200*1.05'],
      [['empty'], 'Clear the range'],
      [['copy', 'paste'], 'Copy the range, or paste rows from a spreadsheet'],
      [['fillDown'], 'Fill the range from its first cell'],
      [['undo'], 'Undo the last change'],
      [['saveAll'], 'Save the budget'],
    ],
  },
  {
    title: '1099 forms',
    where: '.tx-forms',
    keys: [[['request'], 'Request Form W-9 from the open vendor']],
  },
  {
    title: 'Webhooks',
    where: '.wh-log',
    keys: [[['resend'], 'Resend the event']],
  },
  {
    title: 'Dashboard',
    where: '[data-card]',
    keys: [
      [['up', 'down', 'previous', 'next'], 'On a drag handle: move the card'],
      [['first', 'last'], 'First or last position'],
    ],
  },
];
