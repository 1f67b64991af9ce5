import { useMemo } from 'react';
import { useOpenRecord } from '../../records/openRecord.ts';
import { usePayPlace } from '../documents/useDocumentPlace.ts';

/**
 * The dialogs on top of a list of customers or vendors, stored in the URL. `pay` works as on the invoice list (`e5` is
 * for customer or vendor 5). `new` is the customer or vendor of a new document. After a save, the list and the page
 * stay open.
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
