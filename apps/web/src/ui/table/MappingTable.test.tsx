// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import type { Mapping } from './mapping.ts';
import { MappingTable } from './MappingTable.tsx';

const COLUMNS = [
  { id: '0', header: 'Posted', samples: ['5/1/2026'] },
  { id: '1', header: 'Booked', samples: ['5/2/2026', '5/3/2026'] },
];
const FIELDS = [
  { id: 'date', label: 'Date', isRequired: true },
  { id: 'amount', label: 'Amount', isRequired: true },
  { id: 'check', label: 'Check Number' },
];

it('picking a field for a column moves the field there, and required fields without a column are named', async () => {
  const heard: Mapping<string>[] = [];
  function Table() {
    const [value, setValue] = useState<Mapping<string>>({ '0': 'date' });
    const hear = (mapping: Mapping<string>) => {
      heard.push(mapping);
      setValue(mapping);
    };
    const result = { header: 'In Evenkeel', cells: ['1.00', '2.00'] };
    return <MappingTable label="Columns" columns={COLUMNS} {...{ fields: FIELDS, value, onChange: hear, result }} />;
  }
  show(<Table />);
  const rows = [...document.querySelectorAll('table[aria-label="Columns"] tbody tr')];
  const names = [...document.querySelectorAll('.ek-sheet-name')];
  expect(names.map((name) => name.textContent)).toEqual(['Posted', 'Booked']);
  expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
    ['5/1/2026', '5/2/2026', '1.00'],
    ['', '5/3/2026', '2.00'],
  ]);
  const pick = (column: string, field: string) =>
    userEvent.type(screen.getByLabelText(`Field for ${column}`, { selector: 'input' }), `${field}{Tab}`);
  const state = () => document.querySelector('[role="status"]')?.textContent;
  expect(state()).toBe('Required fields without a column: Amount');
  await pick('Booked', 'Date');
  expect(heard.at(-1)).toEqual({ '1': 'date' });
  await pick('Posted', 'Amount');
  expect([heard.at(-1), state()]).toEqual([{ '0': 'amount', '1': 'date' }, '']);
});
