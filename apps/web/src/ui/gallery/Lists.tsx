import { Button } from '@mantine/core';
import { useState } from 'react';
import { DataTable } from '../table/DataTable.tsx';
import { SHORT_COLUMNS, sampleId } from './columns.tsx';
import { type SampleInvoice, sampleInvoices } from './samples.ts';
import { Section } from './Section.tsx';

const FEW = sampleInvoices(6);
const EMPTY = {
  title: 'No open invoices',
  hint: 'Bill a customer, or turn work items into invoices.',
  action: <Button>Add Billing</Button>,
};
const byCustomer = (row: SampleInvoice) => row.customer;

export function Lists() {
  const [open, setOpen] = useState<string | undefined>('10394');
  const shared = { columns: SHORT_COLUMNS, rowId: sampleId, empty: EMPTY };
  return (
    <>
      <Section title="List: rows">
        <div className="ekg-box">
          <DataTable
            {...shared}
            label="Invoices"
            rows={FEW}
            defaultSort={{ id: 'number' }}
            selectedId={open}
            onOpen={(row) => setOpen(row.number)}
            onEscape={() => setOpen(undefined)}
            count={(n) => `${n} invoices`}
          />
        </div>
      </Section>
      <Section title="List: groups, compact">
        <div className="ekg-box">
          <DataTable {...shared} label="By customer" rows={FEW} groupOf={byCustomer} density="compact" />
        </div>
      </Section>
      <Section title="List: loading, empty, error">
        <div className="ekg-box">
          <DataTable {...shared} label="Loading" rows={undefined} />
        </div>
        <div className="ekg-box">
          <DataTable {...shared} label="Empty" rows={[]} />
        </div>
        <div className="ekg-box">
          <DataTable
            {...shared}
            label="Failed"
            rows={undefined}
            error="Error Loading Billing Invoices"
            onRetry={() => undefined}
          />
        </div>
      </Section>
    </>
  );
}
