import './customers.css';
import type { CustomerRow } from '@evenkeel/contract/entities';
import { Button } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../session.ts';
import { FilterBox } from '../ui/page/FilterBox.tsx';
import { Page } from '../ui/page/Page.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import { customerColumns, customerPhoneRow, customerRowId, type PayCustomer } from './customerColumns.tsx';
import { CustomerPanel } from './CustomerPanel.tsx';
import { EntityModal } from './EntityModal.tsx';
import { useOpenCustomer } from './openCustomer.ts';
import { useCustomers } from './queries.ts';

const counted = (rows: number): string => `${rows.toLocaleString('en-US')} ${rows === 1 ? 'customer' : 'customers'}`;
const BY_NAME = { id: 'displayname' };

/** Customers with what they owe; a row opens its record beside the list (Specification part 1 §2). */
export function CustomersScreen() {
  const mayManage = useMay()('Manage Customers');
  const [filter, setFilter] = useState('');
  // A new customer gets an id by its first save; the modal stays the same one.
  const [modal, setModal] = useState<{ openedAs: number; id: number }>();
  const show = (id: number) => setModal({ openedAs: id, id });
  const opened = useOpenCustomer();
  const add = mayManage ? () => show(0) : undefined;
  return (
    <>
      <Page
        title="Customers"
        primary={add === undefined ? undefined : { label: 'Add Customer', onClick: add }}
        filter={<FilterBox placeholder="Search Customers..." value={filter} onChange={setFilter} />}
        panel={
          opened.id !== undefined && (
            <CustomerPanel key={opened.id} id={opened.id} onClose={opened.close} onBack={opened.back} onOpen={show} />
          )
        }
      >
        <CustomerTable filter={filter} onAdd={add} opened={opened} />
      </Page>
      {modal !== undefined && (
        <EntityModal
          key={modal.openedAs}
          id={modal.id}
          onClose={() => setModal(undefined)}
          onSaved={(id) => {
            setModal({ ...modal, id });
            opened.open(id);
          }}
          onDeleted={() => {
            setModal(undefined);
            opened.close();
          }}
        />
      )}
    </>
  );
}

interface CustomerTableProps {
  filter: string;
  onAdd: (() => void) | undefined;
  opened: ReturnType<typeof useOpenCustomer>;
}

function CustomerTable({ filter, onAdd, opened }: CustomerTableProps) {
  const { rows, error, retry } = useCustomers();
  const pay = usePayCustomer();
  const columns = useMemo(() => customerColumns(pay), [pay]);
  const phoneRow = useMemo(() => customerPhoneRow(pay), [pay]);
  const { open } = opened;
  return (
    <DataTable<CustomerRow>
      label="Customers"
      columns={columns}
      rows={rows}
      rowId={customerRowId}
      defaultSort={BY_NAME}
      filter={filter}
      error={error}
      onRetry={retry}
      empty={{
        title: 'No customers',
        hint: 'Add the people and businesses that you bill.',
        action: onAdd === undefined ? undefined : <Button onClick={onAdd}>Add Customer</Button>,
      }}
      onOpen={(row) => open(row.id)}
      onEscape={opened.close}
      selectedId={opened.id === undefined ? undefined : String(opened.id)}
      count={counted}
      phoneRow={phoneRow}
    />
  );
}

/** The post-payment icon: the billing screen opens its payment for the customer that the navigation state names. */
function usePayCustomer(): PayCustomer {
  const may = useMay();
  const navigate = useNavigate();
  const pay = useCallback(
    (row: CustomerRow) => void navigate('/billing', { state: { payCustomerId: row.id } }),
    [navigate],
  );
  return may('Manage Billing') ? pay : undefined;
}
