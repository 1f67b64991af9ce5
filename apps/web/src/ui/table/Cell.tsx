import { parseDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { Amount } from '../show/Amount.tsx';
import { DateText } from '../show/DateText.tsx';
import { cellText, type Column, isRight } from './columns.ts';

/**
 * A cell, rendered by its column's kind. Text is truncated with an ellipsis and shown in full as a tooltip. Amounts are
 * never truncated.
 */
export function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const kind = column.kind ?? 'text';
  return (
    <td
      data-kind={kind}
      data-right={isRight(kind) ? '' : undefined}
      data-quiet={column.quiet === true ? '' : undefined}
      title={kind === 'text' && column.value !== undefined ? cellText(column, row) : undefined}
    >
      {column.render === undefined ? <Value column={column} row={row} /> : column.render(row)}
    </td>
  );
}

function Value<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const value = column.value?.(row);
  if (value === null || value === undefined) return null;
  if (column.kind === 'amount') return <Amount value={cents(Number(value))} />;
  if (column.kind === 'date') return <DateText value={parseDate(String(value))} />;
  return <>{value}</>;
}
