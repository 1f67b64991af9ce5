import { type Cents, cents, decimal, extend, sum, toDecimal } from '@evenkeel/core/money';
import { useState } from 'react';
import { MoneyField } from '../fields/MoneyField.tsx';
import { Picker } from '../fields/Picker.tsx';
import { QuantityField } from '../fields/QuantityField.tsx';
import { TextField } from '../fields/TextField.tsx';
import type { LineColumn, LineErrors } from '../lines/lineColumns.ts';
import { LineTable } from '../lines/LineTable.tsx';
import { Amount } from '../show/Amount.tsx';
import { ACCOUNTS } from './accounts.ts';
import { Section } from './Section.tsx';

export interface SampleLine {
  id: number;
  description: string;
  accountId: number | null;
  price: Cents | null;
  quantity: number | null;
}

export const lineAmount = (line: SampleLine): Cents =>
  line.price === null || line.quantity === null ? cents(0) : extend(toDecimal(line.price), decimal(line.quantity));

export const LINE_COLUMNS: readonly LineColumn<SampleLine>[] = [
  {
    id: 'description',
    header: 'Description',
    show: (line) => line.description,
    edit: ({ line, set, field }) => (
      <TextField {...field} value={line.description} onChange={(description) => set({ description })} />
    ),
    total: () => 'Total',
  },
  {
    id: 'accountId',
    header: 'Account',
    width: 280,
    show: (line) => ACCOUNTS.find((account) => account.id === line.accountId)?.label,
    edit: ({ line, set, field }) => (
      <Picker {...field} options={ACCOUNTS} value={line.accountId} onChange={(accountId) => set({ accountId })} />
    ),
  },
  {
    id: 'price',
    header: 'Price',
    right: true,
    width: 132,
    half: true,
    show: (line) => <Amount value={line.price} />,
    edit: ({ line, set, field }) => <MoneyField {...field} value={line.price} onChange={(price) => set({ price })} />,
  },
  {
    id: 'quantity',
    header: 'Quantity',
    right: true,
    width: 96,
    half: true,
    show: (line) => line.quantity,
    edit: ({ line, set, field }) => (
      <QuantityField {...field} value={line.quantity} onChange={(quantity) => set({ quantity })} />
    ),
  },
  {
    id: 'amount',
    header: 'Amount',
    right: true,
    width: 132,
    show: (line) => <Amount value={lineAmount(line)} />,
    total: (lines) => <Amount value={sum(lines.map(lineAmount))} />,
  },
];

export function validateLine(line: SampleLine): LineErrors {
  return {
    ...(line.description.trim() === '' ? { description: 'A description entry is required' } : {}),
    ...(line.accountId === null ? { accountId: 'Please Select an Account' } : {}),
  };
}

const sampleCard = (line: SampleLine) => ({
  title: line.description,
  amount: <Amount value={lineAmount(line)} />,
  detail: `${line.quantity ?? ''} ×`,
});

const FIRST: readonly SampleLine[] = [
  { id: 1, description: 'Weekly Lawn Maintenance', accountId: 4100, price: cents(18500), quantity: 4 },
  { id: 2, description: 'Spring Loyalty 5%', accountId: 4800, price: cents(-9450), quantity: 1 },
];

export function Lines() {
  const [lines, setLines] = useState(FIRST);
  return (
    <Section title="Lines, entered in place" wide>
      <LineTable<SampleLine>
        label="Line items"
        columns={LINE_COLUMNS}
        lines={lines}
        lineId={(line) => String(line.id)}
        blank={(all) => ({ id: -1 - all.length, description: '', accountId: null, price: null, quantity: 1 })}
        validate={validateLine}
        onCommit={(line) =>
          setLines((all) =>
            all.some((one) => one.id === line.id)
              ? all.map((one) => (one.id === line.id ? line : one))
              : [...all, line],
          )
        }
        onRemove={(line) => setLines((all) => all.filter((one) => one.id !== line.id))}
        addLabel="Add Billing Line Item"
        below={(line) => (line.id === 2 ? '5% off products and packages' : null)}
        card={sampleCard}
      />
    </Section>
  );
}
