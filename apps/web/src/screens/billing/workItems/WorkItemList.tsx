import type { WorkItemRow } from '@evenkeel/contract/workitems';
import { formatAmount } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { type OpenRecord, useAddressSort, useOpenRecord } from '../../../records/openRecord.ts';
import { useList } from '../../../records/records.ts';
import { Amount } from '../../../ui/show/Amount.tsx';
import { NameLink } from '../../../ui/show/NameLink.tsx';
import { counted } from '../../../ui/show/words.ts';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import type { PhoneRow } from '../../../ui/table/RowList.tsx';
import type { Sums } from '../../../ui/table/rows.ts';
import { CUSTOMER_WORDS, WORK_ITEMS } from './workItems.ts';
import type { BillingTab, ListPlace } from '../tab.ts';
import { PasteWorkItems } from './PasteWorkItems.tsx';
import { ProcessWorkItems, useDialogPlace } from './ProcessWorkItems.tsx';
import { WorkItemModal } from './WorkItemModal.tsx';

/** Returns the name of an item's product, package, or discount, unless the item's description is the same. */
function soldAs({ productName, displayName }: WorkItemRow): string | undefined {
  return productName === null || productName === displayName ? undefined : productName;
}

const nameOf = (row: WorkItemRow): string =>
  [row.displayName, soldAs(row)].filter((part) => part !== undefined).join(' · ');

/** Returns the columns Customer, Work Item, Sale/Service Date, Price, Quantity, and Amount. */
function itemColumns(item: OpenRecord): readonly Column<WorkItemRow>[] {
  return [
    { id: 'customerDisplayName', header: 'Customer', value: (row) => row.customerDisplayName, width: '26%' },
    {
      id: 'displayName',
      header: 'Work Item',
      value: nameOf,
      render: (row) => (
        <>
          <NameLink {...item.link(row.id)} isNumber>
            {row.displayName}
          </NameLink>
          {soldAs(row) !== undefined && <span className="ek-muted ek-small"> · {soldAs(row)}</span>}
        </>
      ),
    },
    { id: 'serviceDate', header: 'Sale/Service Date', kind: 'date', value: (row) => row.serviceDate, width: '140px' },
    { id: 'itemPrice', header: 'Price', kind: 'amount', value: (row) => row.itemPrice, width: '110px' },
    { id: 'quantity', header: 'Quantity', kind: 'number', value: (row) => Number(row.quantity), width: '96px' },
    {
      id: 'totalAmount',
      header: 'Amount',
      kind: 'amount',
      value: (row) => row.totalAmount,
      total: 'sum',
      width: '120px',
    },
  ];
}

const phoneRow = (row: WorkItemRow): PhoneRow => ({
  title: row.customerDisplayName,
  amount: <Amount value={row.totalAmount} />,
  detail: nameOf(row),
  aside: (
    <span className="ek-muted ek-num">
      {row.quantity.toString()} × {formatAmount(row.itemPrice)}
    </span>
  ),
});

/** The open item in the URL. */
const ITEM = 'workitem';
const BY_CUSTOMER = { id: 'customerDisplayName' };
const rowId = ({ id }: WorkItemRow): string => String(id);

/** Returns the list note with the number of customers, which is omitted if the list is only partly loaded. */
function note(rows: readonly WorkItemRow[], sums: Sums | undefined) {
  if (sums !== undefined) return 'before tax';
  const customers = new Set(rows.map(({ customerId }) => customerId)).size;
  return `for ${counted(customers, CUSTOMER_WORDS)}, before tax`;
}

/** The unbilled work items by customer. */
function WorkItemList({ filter, onAdd, onEscape }: ListPlace) {
  const item = useOpenRecord(ITEM);
  const { value, error, retry } = useList(WORK_ITEMS);
  const columns = useMemo(() => itemColumns(item), [item]);
  return (
    <DataTable<WorkItemRow>
      label="Work Items"
      columns={columns}
      rows={value}
      rowId={rowId}
      {...useAddressSort(BY_CUSTOMER)}
      filter={filter}
      error={error}
      onRetry={retry}
      onOpen={(row) => item.open(row.id)}
      onEscape={onEscape}
      selectedId={item.id === undefined ? undefined : String(item.id)}
      count={(rows) => counted(rows, WORK_ITEMS.words)}
      note={note}
      empty={{
        title: 'No work items',
        hint: 'Record what you did or sold for a customer. Process Work Items bills all of them together.',
        action: onAdd === undefined ? undefined : <Button onClick={onAdd}>Add Work Item</Button>,
      }}
      phoneRow={phoneRow}
    />
  );
}

function WorkItemForms({ manages }: { manages: boolean }) {
  const item = useOpenRecord(ITEM);
  const process = useDialogPlace('process');
  const paste = useDialogPlace('paste');
  return (
    <>
      {item.id !== undefined && <WorkItemModal key={item.id} id={item.id} onClose={item.close} />}
      {process.isOpen && manages && <ProcessWorkItems onClose={process.close} />}
      {paste.isOpen && manages && <PasteWorkItems onClose={paste.close} />}
    </>
  );
}

export const ADD_WORK_ITEM = { label: 'Add Work Item', name: ITEM };
export const PROCESS_WORK_ITEMS = { label: 'Process Work Items', name: 'process', value: 1 };

/** The Work Items tab. */
export const WORK_ITEM_TAB: BillingTab = {
  value: 'work',
  label: 'Work Items',
  search: 'Filter Work Items...',
  primary: ADD_WORK_ITEM,
  second: PROCESS_WORK_ITEMS,
  more: [{ label: 'Paste Work Items', name: 'paste', value: 1 }],
  List: WorkItemList,
  Forms: WorkItemForms,
};
