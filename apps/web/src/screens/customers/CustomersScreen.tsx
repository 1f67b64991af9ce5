import type { EntityRow } from '@evenkeel/contract/entities';
import { EntityLink, type EntityList, EntityScreen } from '../../parts/entities/EntityScreen.tsx';
import { CustomerInvoices } from './CustomerInvoices.tsx';
import { CUSTOMERS } from './customers.ts';

const LIST: EntityList = {
  kind: CUSTOMERS,
  title: 'Customers',
  hint: 'Add the people and businesses that you bill.',
  columns: [
    {
      id: 'displayname',
      header: 'Customer',
      value: (row: EntityRow) => row.displayname,
      render: (row) => <EntityLink kind={CUSTOMERS} row={row} />,
    },
    { id: 'emailAddress', header: 'Email', value: (row) => row.emailAddress, width: '34%', quiet: true },
    { id: 'phone', header: 'Phone', value: (row) => row.primaryContactPhone, width: '150px', quiet: true },
  ],
  pay: { needs: 'Manage Billing', label: 'Post Payment', to: '/billing', state: 'payCustomerId' },
};

/** Customers with what they owe; a row opens its record beside the list. */
export function CustomersScreen() {
  return <EntityScreen list={LIST} Invoices={CustomerInvoices} />;
}
