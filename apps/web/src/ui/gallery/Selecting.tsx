import { Button } from '@mantine/core';
import { useState } from 'react';
import { FilterBox } from '../page/FilterBox.tsx';
import { DataTable } from '../table/DataTable.tsx';
import { useSelection } from '../table/useSelection.tsx';
import { SAMPLE_COLUMNS, sampleId, samplePhoneRow } from './columns.tsx';
import { type SampleInvoice, sampleInvoices } from './samples.ts';
import { Section } from './Section.tsx';

const ROWS = sampleInvoices(12);
const WORDS = { one: 'invoice', many: 'invoices' };
const SUMS = ['amount'];

/** A list of which rows are selected. */
export function Selecting() {
  const [filter, setFilter] = useState('');
  const [rows, setRows] = useState(ROWS);
  const shared = { rows, filter, columns: SAMPLE_COLUMNS, rowId: sampleId };
  const actions = (chosen: readonly SampleInvoice[]) => (
    <Button onClick={() => setRows((all) => all.filter((row) => !chosen.includes(row)))}>Delete</Button>
  );
  const selection = useSelection({
    ...shared,
    words: WORDS,
    sums: SUMS,
    actions,
  });
  return (
    <Section title="List: rows to select" wide>
      <FilterBox placeholder="Filter Invoices..." value={filter} onChange={setFilter} />
      <div className="ekg-box">
        <DataTable
          {...shared}
          label="Invoices to select"
          selection={selection}
          phoneRow={samplePhoneRow}
          onOpen={() => undefined}
          count={(n) => `${n} invoices`}
          empty={{ title: 'No invoices', hint: 'All of them are gone.' }}
        />
      </div>
    </Section>
  );
}
