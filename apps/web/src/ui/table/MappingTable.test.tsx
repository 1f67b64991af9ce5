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

it('selecting a field for another column moves it, and required fields without a column are named', async () => {
  const heard: Mapping<string>[] = [];
  function Table() {
    const [value, setValue] = useState<Mapping<string>>({ '0': 'date' });
    const hear = (mapping: Mapping<string>) => {
      heard.push(mapping);
      setValue(mapping);
    };
    return <MappingTable label="Columns" columns={COLUMNS} fields={FIELDS} value={value} onChange={hear} />;
  }
  show(<Table />);
  const rows = [...document.querySelectorAll('table[aria-label="Columns"] tr')];
  expect(rows.map((row) => [...row.children].slice(0, 2).map((cell) => cell.textContent))).toEqual([
    ['Column', 'Sample values'],
    ['Posted', '5/1/2026'],
    ['Booked', '5/2/2026\n5/3/2026'],
  ]);
  const pick = (column: string, field: string) =>
    userEvent.type(screen.getByLabelText(`Field for ${column}`, { selector: 'input' }), `${field}{Tab}`);
  const state = () => document.querySelector('[role="status"]')?.textContent;
  expect(state()).toBe('Required fields without a column: Amount');
  await pick('Booked', 'Date');
  expect(heard.at(-1)).toEqual({ '1': 'date' });
  await pick('Posted', 'Amount');
  expect([heard.at(-1), state()]).toEqual([{ '0': 'amount', '1': 'date' }, 'All required fields have a column']);
});
