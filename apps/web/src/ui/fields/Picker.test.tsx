// @vitest-environment jsdom
import '../../testing/setup.ts';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { Picker, type PickerSearch } from './Picker.tsx';
import { TextField } from './TextField.tsx';
import { matchingOptions, type PickerOption } from './pickerOptions.ts';

const ACCOUNTS: readonly PickerOption<number>[] = [
  { id: 1000, label: '1000 – Checking', group: 'Assets' },
  { id: 4100, label: '4100 – Service Income', group: 'Income' },
  { id: 4800, label: '4800 – Discounts Given', group: 'Income' },
];

interface AccountProps {
  told: (number | null)[];
  made?: string[];
  options?: readonly PickerOption<number>[];
}

function Account({ told, made, options = ACCOUNTS }: AccountProps) {
  const [value, setValue] = useState<number | null>(null);
  return (
    <Picker
      label="Account"
      options={options}
      value={value}
      error={value === null ? 'Please Select an Account' : undefined}
      onCreate={made === undefined ? undefined : (text) => made.push(text)}
      onChange={(next) => {
        told.push(next);
        setValue(next);
      }}
    />
  );
}

it('text that matches no option is cleared with a message when the user leaves the field', async () => {
  const told: (number | null)[] = [];
  show(<Account told={told} />);
  const field = screen.getByRole('combobox', { name: 'Account' });
  await userEvent.type(field, 'zzz');
  expect(screen.getByText('No results')).toBeTruthy();
  await userEvent.tab();
  expect(told).toEqual([]);
  expect(field).toHaveProperty('value', '');
  expect(screen.getByText('Please Select an Account')).toBeTruthy();
});

it('typing and Enter select the first match and clear the message', async () => {
  const told: (number | null)[] = [];
  show(<Account told={told} />);
  const field = screen.getByRole('combobox', { name: 'Account' });
  await userEvent.type(field, 'inc serv{Enter}');
  expect(told).toEqual([4100]);
  expect(field).toHaveProperty('value', '4100 – Service Income');
  expect(screen.queryByText('Please Select an Account')).toBeNull();
});

it('typing and Tab also select the first match, and Escape selects nothing', async () => {
  const told: (number | null)[] = [];
  show(<Account told={told} />);
  const field = screen.getByRole('combobox', { name: 'Account' });
  await userEvent.type(field, 'disc{Escape}');
  expect(told).toEqual([]);
  await userEvent.type(field, 'disc');
  await userEvent.tab();
  expect(told).toEqual([4800]);
});

it('if text is typed before the options load, the first match is selected afterward', async () => {
  const told: (number | null)[] = [];
  const { rerender } = show(<Account told={told} options={[]} />);
  await userEvent.type(screen.getByRole('combobox', { name: 'Account' }), 'inc serv');
  rerender(<Account told={told} />);
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['4100 – Service Income']);
  await userEvent.keyboard('{Enter}');
  expect(told).toEqual([4100]);
});

it('+ Add "Fuel" is offered only if no option has that name', async () => {
  const made: string[] = [];
  show(<Account told={[]} made={made} />);
  const field = screen.getByRole('combobox', { name: 'Account' });
  await userEvent.type(field, '1000 – checking');
  expect(screen.queryByText(/^\+ Add/)).toBeNull();
  await userEvent.clear(field);
  await userEvent.type(field, ' Fuel ');
  await userEvent.click(screen.getByRole('option', { name: '+ Add "Fuel"' }));
  expect(made).toEqual(['Fuel']);
});

it('60 of 10,000 options are rendered, with a message that 9,940 more match', async () => {
  const options = Array.from({ length: 10_000 }, (_, id) => ({ id, label: `Customer ${id}` }));
  show(<Account told={[]} options={options} />);
  await userEvent.click(screen.getByRole('combobox', { name: 'Account' }));
  expect(screen.getAllByRole('option')).toHaveLength(60);
  expect(screen.getByText('9940 more. Keep typing.')).toBeTruthy();
});

it('options that start with the typed text come first', () => {
  const options = [
    { id: 1, label: 'Big Oak' },
    { id: 2, label: 'Oak Hollow' },
  ];
  expect(matchingOptions(options, 'oak').map((option) => option.id)).toEqual([2, 1]);
});

const NAMESAKES: readonly PickerOption<number>[] = [
  { id: 7, label: 'Oak Hollow', detail: 'ada@oak.example' },
  { id: 8, label: 'oak hollow ', detail: 'ben@hollow.example' },
  { id: 9, label: 'Oak Hollow' },
  { id: 10, label: 'Cedar Row', detail: 'cedar@row.example' },
];

it("options with the same name show a second line, in the list and when selected, but others don't", async () => {
  const told: (number | null)[] = [];
  show(<Account told={told} options={NAMESAKES} />);
  const field = screen.getByRole('combobox', { name: 'Account' });
  await userEvent.click(field);
  const lines = () => screen.getAllByRole('option').map((option) => option.textContent);
  const shown = ['Oak Hollowada@oak.example', 'oak hollow ben@hollow.example', 'Oak Hollow#9', 'Cedar Row'];
  expect(lines()).toEqual(shown);
  await userEvent.type(field, 'ben@');
  expect(lines()).toEqual(['oak hollow ben@hollow.example']);
  await userEvent.keyboard('{Enter}');
  expect(told).toEqual([8]);
  expect(document.querySelector('.mantine-InputWrapper-description')?.textContent).toBe('ben@hollow.example');
});

it('options with the same name and second line show their IDs', async () => {
  const detail = 'office@oak.example';
  const twins = [7, 8].map((id) => ({ id, label: 'Oak Hollow', detail }));
  show(<Account told={[]} options={[...twins, { id: 9, label: 'Oak Hollow', detail: 'ada@oak.example' }]} />);
  await userEvent.click(screen.getByRole('combobox', { name: 'Account' }));
  const lines = screen.getAllByRole('option').map((option) => option.textContent);
  expect(lines).toEqual([`Oak Hollow${detail} #7`, `Oak Hollow${detail} #8`, 'Oak Hollowada@oak.example']);
});

it("a read-only field isn't a tab stop", async () => {
  show(
    <>
      <Picker label="Account" readOnly options={ACCOUNTS} value={1000} onChange={() => undefined} />
      <TextField label="Name" readOnly value="Oak" onChange={() => undefined} />
      <button type="button">Next</button>
    </>,
  );
  await userEvent.tab();
  expect(document.activeElement?.textContent).toBe('Next');
});

/** A picker whose server returns matching options when the test tells it to. */
function Searched({ told, serve }: { told: (number | null)[]; serve: (answer: (text: string) => void) => void }) {
  const [value, setValue] = useState<number | null>(null);
  const [typed, setTyped] = useState('');
  const [answered, setAnswered] = useState({ text: '', options: NAMESAKES });
  useEffect(() => serve((text) => act(() => setAnswered({ text, options: matchingOptions(FAR, text) }))), [serve]);
  const search: PickerSearch = { onType: setTyped, isBusy: typed !== answered.text, isFailed: false, hasMore: true };
  return (
    <>
      <Picker
        label="Customer"
        options={answered.options}
        chosen={FAR.find(({ id }) => id === value)}
        search={search}
        value={value}
        onChange={(next) => {
          told.push(next);
          setValue(next);
        }}
      />
      <TextField label="Next" value="" onChange={() => undefined} />
    </>
  );
}

/** Shows the picker. Returns a function that sends the response that the picker is waiting for. */
function showSearched(told: (number | null)[]): (text: string) => void {
  let answer: (text: string) => void = () => undefined;
  const serve = (given: typeof answer) => {
    answer = given;
  };
  show(<Searched told={told} serve={serve} />);
  return (text) => answer(text);
}

const FAR: readonly PickerOption<number>[] = [
  { id: 70, label: 'Far Away', detail: 'far@away.example', isNamesake: true },
  { id: 71, label: 'Far Hill' },
];

it.each(['{Enter}', '{Tab}'])(
  'if %s is pressed before the response arrives, the first option is selected and keeps its label',
  async (key) => {
    const told: (number | null)[] = [];
    const answer = showSearched(told);
    const field = screen.getByRole('combobox', { name: 'Customer' });
    await userEvent.type(field, 'far');
    expect(screen.getByText('Searching …')).toBeTruthy();
    expect(screen.queryByText('No results')).toBeNull();
    await userEvent.keyboard(key);
    expect(told).toEqual([]);
    answer('far');
    expect(told).toEqual([70]);
    answer('');
    expect(field).toHaveProperty('value', 'Far Away');
    // The second line distinguishes the option from another option with the same name, which isn't listed.
    expect(screen.getAllByText('far@away.example')).toHaveLength(2);
  },
);

it('no option is selected if the response is for other text or the user presses Escape or leaves', async () => {
  const told: (number | null)[] = [];
  const answer = showSearched(told);
  const field = screen.getByRole('combobox', { name: 'Customer' });
  await userEvent.type(field, 'far');
  await userEvent.keyboard('{Enter}');
  await userEvent.type(field, ' h');
  answer('far');
  expect(told).toEqual([]);
  answer('far h');
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Far Hill']);
  await userEvent.keyboard('{Enter}');
  expect(told).toEqual([71]);
  await userEvent.type(field, 'x{Escape}');
  answer('');
  await userEvent.type(field, 'far');
  await userEvent.click(screen.getByRole('textbox', { name: 'Next' }));
  answer('far');
  expect(told).toEqual([71]);
});

it("typing in another field doesn't render the options again, and a choice calls the latest handler", async () => {
  let read = 0;
  const options = ACCOUNTS.map(({ id, label }) => ({
    id,
    get label() {
      read += 1;
      return label;
    },
  }));
  const told: string[] = [];
  function Form() {
    const [memo, setMemo] = useState('');
    return (
      <>
        <TextField label="Memo" value={memo} onChange={setMemo} />
        <Picker label="Account" options={[...options]} value={null} onChange={(id) => told.push(`${memo} ${id}`)} />
      </>
    );
  }
  show(<Form />);
  const before = read;
  await userEvent.type(screen.getByRole('textbox', { name: 'Memo' }), 'Rent');
  expect(read).toBe(before);
  await userEvent.type(screen.getByRole('combobox', { name: 'Account' }), 'inc{Enter}');
  expect(told).toEqual(['Rent 4100']);
});
