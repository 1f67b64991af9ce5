import { type IsoDate, isoDate } from '@evenkeel/core/dates';
import { type Cents, cents } from '@evenkeel/core/money';
import { Switch } from '@mantine/core';
import { useState } from 'react';
import { CheckField } from '../fields/CheckField.tsx';
import { DateField } from '../fields/DateField.tsx';
import { FileDrop } from '../fields/FileDrop.tsx';
import { MoneyField } from '../fields/MoneyField.tsx';
import { Picker } from '../fields/Picker.tsx';
import { QuantityField } from '../fields/QuantityField.tsx';
import { TextField } from '../fields/TextField.tsx';
import { FilterBox } from '../page/FilterBox.tsx';
import { ACCOUNTS } from './accounts.ts';
import { Section } from './Section.tsx';

export function Fields() {
  const [text, setText] = useState('Weekly mowing');
  const [price, setPrice] = useState<Cents | null>(cents(123450));
  const [quantity, setQuantity] = useState<number | null>(1.5);
  const [due, setDue] = useState<IsoDate | null>(isoDate('2026-06-25'));
  const [account, setAccount] = useState<number | null>(null);
  return (
    <Section title="Fields">
      <div className="ek-form">
        <div className="ek-c6">
          <TextField label="Description" value={text} onChange={setText} />
        </div>
        <div className="ek-c6">
          <MoneyField label="Price" value={price} onChange={setPrice} hint="Try 12*3.5" />
        </div>
        <div className="ek-c6 ek-half">
          <QuantityField label="Quantity" value={quantity} onChange={setQuantity} />
        </div>
        <div className="ek-c6 ek-half">
          <DateField label="Due Date" value={due} onChange={setDue} hint="t, +7, 3/14" />
        </div>
        <div className="ek-c6">
          <TextField label="Invoice Number" value="10436" onChange={() => undefined} readOnly />
        </div>
        <div className="ek-c6">
          <Picker
            id="gallery-account"
            label="Account"
            options={ACCOUNTS}
            value={account}
            onChange={setAccount}
            error={account === null ? 'Please Select an Account' : undefined}
            onCreate={() => undefined}
          />
        </div>
      </div>
    </Section>
  );
}

export function Choices() {
  const [taxable, setTaxable] = useState(true);
  const [filter, setFilter] = useState('fair');
  const [secret, setSecret] = useState('');
  return (
    <Section title="More fields">
      <div className="ekg-row">
        <CheckField label="Taxable" value={taxable} onChange={setTaxable} />
        <Switch label="Dark Mode" defaultChecked />
      </div>
      <FilterBox placeholder="Filter Open Invoices..." value={filter} onChange={setFilter} />
      <TextField label="Password" kind="password" value={secret} onChange={setSecret} />
      <TextField label="Notes" kind="lines" value="" onChange={() => undefined} disabled />
      <FileDrop onFiles={() => undefined} />
    </Section>
  );
}
