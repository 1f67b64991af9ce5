import { useMemo } from 'react';
import { useOpenRecord } from '../../records/openRecord.ts';
import { usePayPlace } from '../documents/useDocumentPlace.ts';

/**
 * Over a list of customers or vendors: `pay` as over invoices (`e5` is of customer or vendor 5), and `new`, whose value
 * is the customer or vendor that a new document is for. Whatever is saved, the list and the open home stay.
 */
export function useEntityPlace() {
  const paying = usePayPlace('new');
  const add = useOpenRecord('new', { hasNew: false });
  return useMemo(() => {
    const { close } = add;
    return {
      ...paying,
      newFor: add.id,
      add: add.open,
      edit: { ...add, id: add.id === undefined ? undefined : 0 },
      saved: close,
      deleted: close,
      posted: paying.closePay,
      backToInvoice: paying.closePay,
    };
  }, [add, paying]);
}
export type EntityPlace = ReturnType<typeof useEntityPlace>;
