import { Suspense } from 'react';
import type { EntityRow } from '@evenkeel/contract/entities';
import {
  EntityLink,
  type EntityList,
  EntityScreen,
  type EntityScreenProps,
} from '../../parts/entities/EntityScreen.tsx';
import { lazyPart } from '../../ui/lazy/lazyPart.tsx';
import { useOpenRecord } from '../../records/openRecord.ts';
import { VENDORS } from './vendors.ts';

const VendorTaxModal = lazyPart(async () => (await import('../../parts/entities/VendorTaxModal.tsx')).VendorTaxModal);

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
  const tax = useOpenRecord('tax', { hasNew: false });
  return (
    <>
      <EntityScreen list={LIST} {...props} />
      {tax.id !== undefined && (
        <Suspense fallback={null}>
          <VendorTaxModal vendorId={tax.id} onClose={tax.close} />
        </Suspense>
      )}
    </>
  );
}
