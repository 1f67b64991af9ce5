import type { EntityRow } from '@evenkeel/contract/entities';
import {
  EntityLink,
  type EntityList,
  EntityScreen,
  type EntityScreenProps,
} from '../../parts/entities/EntityScreen.tsx';
import { CustomerInvoices } from './CustomerInvoices.tsx';
import { CUSTOMERS } from './customers.ts';
import { useStatements } from './SendStatements.tsx';

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
  words: {
    icon: 'Post Payment',
    add: 'New Invoice',
    pay: 'Take Payment',
    other: { label: 'New Estimate', to: '/billing?tab=estimates&editestimate=0' },
  },
};

/** The list of customers with their balances. Selecting a row opens the customer next to the list. */
export function CustomersScreen({ documents }: Pick<EntityScreenProps, 'documents'>) {
  const statements = useStatements();
  return (
    <>
      <EntityScreen list={LIST} documents={documents} Invoices={CustomerInvoices} actions={statements.actions} />
      {statements.dialog}
    </>
  );
}
