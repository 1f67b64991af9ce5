import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import type { Cents } from '@evenkeel/core/money';
import { capital } from '@evenkeel/core/documents/side';
import { parseDate } from '@evenkeel/core/dates';
import { IconCashBanknote, IconExclamationMark, IconPlayerPause } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { OpenRecord } from '../../../records/openRecord.ts';
import { useMay } from '../../../client/session.ts';
import { Amount } from '../../../ui/show/Amount.tsx';
import { DateText } from '../../../ui/show/DateText.tsx';
import { ICON } from '../../../ui/show/icons.ts';
import { NameLink } from '../../../ui/show/NameLink.tsx';
import type { Column } from '../../../ui/table/columns.ts';
import type { PhoneRow } from '../../../ui/table/RowList.tsx';
import { badgeText, InvoiceBadge } from '../../badges.tsx';
import { type DocumentSide, entityOf, type WithEntity } from '../side.ts';

/** The row fields that the invoice and bill lists need. */
export type DocumentRow = WithEntity &
  Pick<BillingInvoiceRow, 'badge' | 'daysOverdue'> & {
    id: number;
    invoiceNumber: string;
    invoiceAmount: Cents;
  };

/** The targets of the links and icons in a row. Targets that the user has no permission for are omitted. */
export interface RowLinks<One> {
  invoice: OpenRecord;
  onPay?: ((row: One) => void) | undefined;
}

export const documentRowId = (row: Pick<DocumentRow, 'id'>): string => String(row.id);

/**
 * A link to the customer or vendor, or only the name if the user can't open the record. The navigation state makes Back
 * on that screen return here.
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

/** The Post Payment button in a row. */
function PayButton({ name, onPay }: { name: string; onPay: () => void }) {
  const label = `Post a payment for ${name}`;
  return (
    <button type="button" className="ek-icon-btn" aria-label={label} title="Post Payment" onClick={onPay}>
      <IconCashBanknote {...ICON} />
    </button>
  );
}

const nameOf = ({ core }: DocumentSide, { invoiceNumber }: DocumentRow): string =>
  `${core.words.document} ${invoiceNumber}`;

/** The payment icon is hidden first, because a payment can also be started from the panel. */
const PAY_RANK = 10;

/** Returns the Post Payment column. The icon appears if the user can post payments and `canPay` accepts the row. */
function payColumn<One extends DocumentRow>(
  side: DocumentSide,
  onPay: ((row: One) => void) | undefined,
  canPay: (row: One) => boolean,
): Column<One>[] {
  if (onPay === undefined) return [];
  const render = (row: One) => canPay(row) && <PayButton name={nameOf(side, row)} onPay={() => onPay(row)} />;
  return [{ id: 'pay', header: 'Post Payment', kind: 'action', render, rank: PAY_RANK }];
}

/** Returns the column in which the number of a document or payment links to that record. */
export function numberColumn<One extends { id: number }>(
  { link }: OpenRecord,
  column: Pick<Column<One>, 'id' | 'header' | 'width'>,
  numberOf: (row: One) => string,
): Column<One> {
  const render = (row: One) => (
    <NameLink {...link(row.id)} isNumber>
      {numberOf(row)}
    </NameLink>
  );
  return { ...column, value: numberOf, render };
}

/** Returns the Customer or Vendor column, which links to the record. */
export function entityColumn<One>(
  side: DocumentSide,
  id: string,
  of: (row: One) => { id: number; name: string },
): Column<One> {
  const render = (row: One) => <EntityLink side={side} {...of(row)} />;
  return { id, header: capital(side.core.words.entity), value: (row) => of(row).name, render };
}

/** Returns the first columns of every document list: Post Payment, Invoice Number, and Customer or Vendor. */
export function firstColumns<One extends DocumentRow>(
  side: DocumentSide,
  { invoice, onPay }: RowLinks<One>,
  canPay: (row: One) => boolean,
): Column<One>[] {
  const number = { id: 'invoiceNumber', header: 'Invoice Number', width: '134px' };
  return [
    ...payColumn(side, onPay, canPay),
    numberColumn(invoice, number, (row) => row.invoiceNumber),
    entityColumn(side, `${side.core.words.entity}DisplayName`, entityOf),
  ];
}

/** Returns the status column for a document. `id` is the column's name for sorting. */
export function statusColumn(id: string, header: string): Column<DocumentRow> {
  return { id, header, kind: 'status', value: badgeText, render: (row) => <InvoiceBadge invoice={row} /> };
}

/**
 * The columns of a list that is next to an open panel: Invoice Number, Customer or Vendor, Due Date with the days
 * overdue, and Unpaid Amount.
 */
export function columnsBeside<One extends DocumentRow & { dueDate: string | null }>(
  columns: readonly Column<One>[],
): readonly Column<One>[] {
  return columns.flatMap((column): Column<One>[] => {
    if (column.id === 'dueDate') return [{ ...column, ...DUE, render: (row) => <DueOn row={row} /> }];
    if (column.id === 'invoiceNumber' || column.id === 'openAmount') return [{ ...column, width: '128px' }];
    return column.id.endsWith('DisplayName') ? [column] : [];
  });
}

/** The width of the due date with `! 370 days`, and the minimum width with only the icon, in px. See documents.css. */
const DUE = { width: '178px', least: 118 };

/** The due date with the days overdue, or On Hold. Replaces the status column. */
function DueOn({ row: { badge, daysOverdue, dueDate } }: { row: DocumentRow & { dueDate: string | null } }) {
  const date = dueDate === null ? undefined : parseDate(dueDate);
  return (
    <div className="dc-due-on">
      <DateText value={date} />
      <DueMark row={{ badge, daysOverdue }} />
    </div>
  );
}

/** `! 68 days` for an overdue document, or `On Hold`. A column without space for the words shows only the icon. */
export function DueMark({ row: { badge, daysOverdue } }: { row: Pick<DocumentRow, 'badge' | 'daysOverdue'> }) {
  if (badge === 'On Hold') {
    return (
      <span className="dc-due" data-hold="" title="On Hold">
        <IconPlayerPause size={12} stroke={2} aria-hidden />
        <span className="dc-due-words">On Hold</span>
      </span>
    );
  }
  if (badge !== 'Overdue') return null;
  return (
    <span className="dc-due" title={badgeText({ badge, daysOverdue })}>
      <IconExclamationMark size={12} stroke={2.4} aria-hidden />
      <span className="ek-vh">Overdue </span>
      <span className="dc-due-words">{daysOverdue === 1 ? '1 day' : `${daysOverdue} days`}</span>
    </span>
  );
}

/** The Amount column with a total in the footer. */
export const AMOUNT: Column<DocumentRow> = {
  id: 'invoiceAmount',
  header: 'Amount',
  kind: 'amount',
  value: (row) => row.invoiceAmount,
  total: 'sum',
  width: '120px',
};

/** The Unpaid Amount column. A paid document shows a dash. */
export const OPEN_AMOUNT: Column<DocumentRow & { openAmount: Cents }> = {
  ...AMOUNT,
  id: 'openAmount',
  header: 'Unpaid Amount',
  width: '144px',
  value: (row) => row.openAmount,
  render: (row) => <Amount value={row.openAmount} zero="dash" />,
};

export interface PhoneRowOptions<One> extends Pick<RowLinks<One>, 'onPay'> {
  side: DocumentSide;
  canPay: (row: One) => boolean;
  amount: (row: One) => Cents;
  detail: (row: One) => ReactNode;
}

/** Returns the two lines that show a document on a phone, with Post Payment if the document can be paid. */
export function phoneRowOf<One extends DocumentRow>(options: PhoneRowOptions<One>): (row: One) => PhoneRow {
  const { side, onPay, canPay, amount, detail } = options;
  return (row) => ({
    ...(onPay !== undefined && {
      lead: canPay(row) && <PayButton name={nameOf(side, row)} onPay={() => onPay(row)} />,
    }),
    title: entityOf(row).name,
    amount: <Amount value={amount(row)} />,
    detail: detail(row),
    aside: <InvoiceBadge invoice={row} />,
  });
}
