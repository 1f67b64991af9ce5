import type { Cents } from '@evenkeel/core/money';
import { IconCashBanknote } from '@tabler/icons-react';
import type { OpenRecord } from '../../records/openRecord.ts';
import { useMay } from '../../client/session.ts';
import { ICON } from '../../ui/show/icons.ts';
import { NameLink } from '../../ui/show/NameLink.tsx';
import type { Column } from '../../ui/table/columns.ts';
import type { DocumentSide } from './side.ts';

/** What the lists of invoices and bills need of a row. */
interface Row {
  id: number;
  invoiceNumber: string;
  invoiceAmount: Cents;
}

export const documentRowId = (row: Row): string => String(row.id);

/**
 * The screen of a customer or vendor, where the session may go there; else the name alone. The state says that one
 * comes from here, so that Back is there (Specification part 1 §2 "Navigation state").
 */
export function EntityLink({ side, id, name }: { side: DocumentSide; id: number; name: string }) {
  const { view, path } = side.entities;
  if (!useMay()(view)) return name;
  return (
    <NameLink to={`${path}/${id}`} state={{ [`${side.core.words.entity}Id`]: id }}>
      {name}
    </NameLink>
  );
}

/** Post Payment of one row. */
export function PayButton({ number, onPay }: { number: string; onPay: () => void }) {
  const label = `Post Payment for invoice ${number}`;
  return (
    <button type="button" className="ek-icon-btn" aria-label={label} title="Post Payment" onClick={onPay}>
      <IconCashBanknote {...ICON} />
    </button>
  );
}

/** The Post Payment icon, where the session may pay and `canPay` the row. */
export function payColumn<One extends Row>(
  onPay: ((row: One) => void) | undefined,
  canPay: (row: One) => boolean,
): Column<One>[] {
  if (onPay === undefined) return [];
  const render = (row: One) => canPay(row) && <PayButton number={row.invoiceNumber} onPay={() => onPay(row)} />;
  return [{ id: 'pay', header: 'Post Payment', kind: 'action', render }];
}

/** Invoice Number: a link to the document. */
export function numberColumn(invoice: OpenRecord): Column<Row> {
  return {
    id: 'invoiceNumber',
    header: 'Invoice Number',
    value: (row) => row.invoiceNumber,
    width: '134px',
    render: (row) => (
      <NameLink {...invoice.link(row.id)} isNumber>
        {row.invoiceNumber}
      </NameLink>
    ),
  };
}

/** Amount, with its sum in the foot. */
export const AMOUNT: Column<Row> = {
  id: 'invoiceAmount',
  header: 'Amount',
  kind: 'amount',
  value: (row) => row.invoiceAmount,
  total: 'sum',
  width: '120px',
};
