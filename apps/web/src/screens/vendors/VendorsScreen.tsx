import type { EntityRow } from '@evenkeel/contract/entities';
import {
  EntityLink,
  type EntityList,
  EntityScreen,
  type EntityScreenProps,
} from '../../parts/entities/EntityScreen.tsx';
import { VENDORS } from './vendors.ts';

const LIST: EntityList = {
  kind: VENDORS,
  title: 'Vendors',
  hint: 'Add the people and businesses that bill you.',
  columns: [
    {
      id: 'displayname',
      header: 'Vendor Name',
      value: (row: EntityRow) => row.displayname,
      render: (row) => <EntityLink kind={VENDORS} row={row} />,
    },
    { id: 'dba', header: 'DBA', value: (row) => row.dba, width: '26%', quiet: true },
    { id: 'phone', header: 'Phone', value: (row) => row.primaryContactPhone, width: '150px', quiet: true },
  ],
  words: {
    icon: 'Add Payment',
    add: 'New Bill',
    pay: 'Pay Bills',
    other: { label: 'Schedule a Bill', to: '/expenses?tab=scheduled&template=0' },
  },
};

/** The list of vendors with their balances. Selecting a row opens the vendor next to the list. */
export function VendorsScreen(props: Omit<EntityScreenProps, 'list'>) {
  return <EntityScreen list={LIST} {...props} />;
}
