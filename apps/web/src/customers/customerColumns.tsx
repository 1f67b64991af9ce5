import type { CustomerRow } from '@evenkeel/contract/entities';
import { IconCashBanknote } from '@tabler/icons-react';
import { Amount } from '../ui/show/Amount.tsx';
import { ICON } from '../ui/show/icons.ts';
import type { Column } from '../ui/table/columns.ts';
import type { PhoneRow } from '../ui/table/RowList.tsx';

/** Post Payment for a customer; undefined where the session may not bill. */
export type PayCustomer = ((row: CustomerRow) => void) | undefined;

function payButton(row: CustomerRow, onPay: (row: CustomerRow) => void) {
  return (
    <button
      type="button"
      className="ek-icon-btn"
      aria-label={`Post Payment for ${row.displayname}`}
      onClick={(event) => {
        event.stopPropagation();
        onPay(row);
      }}
    >
      <IconCashBanknote {...ICON} />
    </button>
  );
}

const PLAIN: readonly Column<CustomerRow>[] = [
  { id: 'displayname', header: 'Customer', value: (row) => row.displayname },
  { id: 'emailAddress', header: 'Email', value: (row) => row.emailAddress, width: '26%', quiet: true },
  { id: 'phone', header: 'Phone', value: (row) => row.primaryContactPhone, width: '150px', quiet: true },
  { id: 'currentbalance', header: 'Balance', kind: 'amount', value: (row) => row.currentbalance, total: 'sum' },
];

/** Columns of the customers list (Specification part 1 §2), with e-mail and phone for finding people. */
export function customerColumns(onPay: PayCustomer): readonly Column<CustomerRow>[] {
  if (onPay === undefined) return PLAIN;
  return [{ id: 'pay', header: 'Post Payment', kind: 'action', render: (row) => payButton(row, onPay) }, ...PLAIN];
}

/** A customer on a phone: who and what is owed, then how to reach them. */
export function customerPhoneRow(onPay: PayCustomer): (row: CustomerRow) => PhoneRow {
  return (row) => ({
    ...(onPay === undefined ? {} : { lead: payButton(row, onPay) }),
    title: row.displayname,
    amount: <Amount value={row.currentbalance} />,
    detail: row.primaryContactPhone === '' ? row.emailAddress : row.primaryContactPhone,
  });
}

export const customerRowId = (row: CustomerRow): string => String(row.id);
