import type { GlEntry } from '@evenkeel/contract/ledger';
import { type Cents, sum, ZERO } from '@evenkeel/core/money';
import { Amount } from '../../ui/show/Amount.tsx';
import { type MiniColumn, MiniTable, type MiniTableProps } from '../../ui/table/MiniTable.tsx';

export interface DebitCreditProps extends Pick<MiniTableProps<GlEntry>, 'label' | 'className'> {
  lines: readonly GlEntry[];
  /** The columns that come before Debit and Credit. */
  columns: readonly MiniColumn<GlEntry>[];
}

/** A table of journal lines with debits, credits, and totals. */
export function DebitCredit({ lines, columns, ...table }: DebitCreditProps) {
  const side = (header: string, of: (line: GlEntry) => Cents | null) => ({
    column: { header, right: true, render: (line: GlEntry) => <Amount value={of(line)} zero="blank" /> },
    total: <Amount value={sum(lines.map((line) => of(line) ?? ZERO))} />,
  });
  const debit = side('Debit', (line) => line.debitAmount);
  const credit = side('Credit', (line) => line.creditAmount);
  return (
    <MiniTable<GlEntry>
      {...table}
      columns={[...columns, debit.column, credit.column]}
      rows={lines}
      keyOf={(line) => line.glid}
      total={{ label: 'Total', before: debit.total, value: credit.total }}
    />
  );
}
