// @vitest-environment jsdom
import '../../../testing/setup.ts';
import type { StatementPreview } from '@evenkeel/contract/statements';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { ImportPreview } from './ImportPreview.tsx';
import { useSayings } from './useSayings.ts';

const SIGNS = {
  name: 'turned',
  choices: [
    { value: 'false', label: '64.12 SHELL OIL is money in' },
    { value: 'true', label: '64.12 SHELL OIL is money out' },
  ],
};

const PREVIEW: StatementPreview = {
  format: 'CSV',
  accountNumber: '6620',
  asksAccountNumber: false,
  from: isoDate('2026-11-02'),
  to: isoDate('2026-11-02'),
  count: 1,
  sum: cents(6412),
  newCount: 1,
  knownCount: 0,
  doubtfulCount: 0,
  newSum: cents(6412),
  booksBalance: cents(0),
  booksDate: isoDate('2026-11-30'),
  lines: [{ date: isoDate('2026-11-02'), amount: cents(6412), text: 'SHELL OIL', state: 'new' }],
  questions: [SIGNS],
  answers: [],
  mapping: { header: true, skip: 3, dateColumn: 0, textColumns: [1], amountColumn: 2 },
  columns: ['Posted', 'Merchant', 'Amount'],
  sample: [
    ['11/02/2026', 'SHELL OIL', '64.12'],
    ['11/03/2026', 'PENDING', '9.00'],
  ],
  sampleLines: [0, null],
  headerRow: 4,
  notes: [],
};

/** The preview. After the user answers the question, the preview shows the file as the server would then read it. */
function Dialog({ onOther }: { onOther: () => void }) {
  const said = useSayings();
  const turned = said.mapping?.turned;
  const answers = turned === undefined ? [] : [{ ...SIGNS, value: String(turned), proved: false }];
  const [line] = PREVIEW.lines;
  const lines = line === undefined ? [] : [{ ...line, amount: cents(turned === true ? -6412 : 6412) }];
  const preview = turned === undefined ? PREVIEW : { ...PREVIEW, lines, questions: [], answers };
  return (
    <ImportPreview preview={preview} isRead said={said} account={{ name: 'Credit Card', isOnly: false, onOther }} />
  );
}

it('a row shows its result next to its columns, and answering the question about signs reverses the result', () => {
  let others = 0;
  show(<Dialog onOther={() => (others += 1)} />);
  const rows = () =>
    within(screen.getByRole('table', { name: 'File columns' }))
      .getAllByRole('row')
      .slice(1)
      .map((row) => [...row.children].map((cell) => cell.textContent));
  expect(rows()).toEqual([
    ['11/02/2026', 'SHELL OIL', '64.12', '64.12New'],
    ['11/03/2026', 'PENDING', '9.00', 'Not imported'],
  ]);
  expect(screen.getByLabelText<HTMLInputElement>('Line 4 contains column names').checked).toBe(true);
  const signs = () => screen.getByRole('radiogroup', { name: 'Is 64.12 SHELL OIL money in or money out?' });
  const chosen = (group: HTMLElement) => within(group).queryByRole<HTMLInputElement>('radio', { checked: true })?.value;
  // The file is read with the first choice, but no answer is selected until the user gives one.
  expect(chosen(signs())).toBeUndefined();
  fireEvent.click(within(signs()).getByLabelText('Money out'));
  expect([chosen(signs()), rows()[0]?.[3]]).toEqual(['true', '(64.12)New']);
  expect(screen.getByText('We remember your answer for this account and file layout.')).toBeTruthy();
  const account = screen.getByRole('radiogroup', { name: 'Account in the File' });
  expect([screen.getByText('The number matches the account.') !== null, chosen(account)]).toEqual([true, 'yes']);
  fireEvent.click(within(account).getByLabelText('Choose Another Account'));
  expect(others).toBe(1);
});

it('the balance in the books is shown with its date', () => {
  show(<Dialog onOther={() => {}} />);
  const summary = within(screen.getByRole('complementary', { name: 'File summary' }));
  expect(summary.getByText(/^Balance of Credit Card in your books on 11\/30\/2026\./)).toBeTruthy();
});
