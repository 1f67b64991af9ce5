import type { ChartAccount } from '@evenkeel/contract/ledger';
import { useMemo } from 'react';
import { useChart } from '../../parts/ledger/queries.ts';
import { useAddressSort } from '../../records/openRecord.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import type { Column } from '../../ui/table/columns.ts';
import type { PhoneRow } from '../../ui/table/RowList.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { counted } from '../../ui/show/words.ts';
import { groupOf, inChartOrder } from '../../parts/ledger/chart.ts';

const idOf = (row: ChartAccount) => String(row.customerAccountID);

/** The name, preceded by the account number in muted tabular digits if the company shows numbers. */
function CodeAndName({ account }: { account: ChartAccount }) {
  const number = account.displayAccountNumber;
  if (number === '' || !account.displayAccountLabel.startsWith(number)) return account.displayAccountLabel;
  return (
    <>
      <span className="ac-code ek-num">{number}</span> {account.displayAccountName}
    </>
  );
}

const COLUMNS: readonly Column<ChartAccount>[] = [
  {
    id: 'label',
    header: 'Code/Desc',
    value: (row) => row.displayAccountLabel,
    render: (row) => <CodeAndName account={row} />,
  },
  { id: 'type', header: 'Type', value: (row) => row.displayAccountType, quiet: true, width: '190px' },
  { id: 'balance', header: 'Balance', kind: 'amount', value: (row) => row.balance ?? null, width: '124px' },
];

function phoneRow(row: ChartAccount): PhoneRow {
  const number = row.displayAccountLabel.startsWith(row.displayAccountNumber) ? row.displayAccountNumber : '';
  return {
    title: row.displayAccountName,
    amount: <Amount value={row.balance} />,
    detail: [number, row.displayAccountType].filter((each) => each !== '').join(' · '),
  };
}

export interface ChartTableProps {
  filter: string;
  selectedId: number | undefined;
  onOpen: (accountId: number) => void;
  onClose: () => void;
}

/** The chart of accounts with Code/Desc, Type, and Balance, grouped as on the financial statements. */
export function ChartTable({ filter, selectedId, onOpen, onClose }: ChartTableProps) {
  const { value: rows, error, retry } = useChart(false);
  const ordered = useMemo(() => (rows === undefined ? undefined : inChartOrder(rows)), [rows]);
  return (
    <DataTable<ChartAccount>
      label="Chart of accounts"
      columns={COLUMNS}
      rows={ordered}
      rowId={idOf}
      {...useAddressSort()}
      filter={filter}
      error={rows === undefined ? error : undefined}
      onRetry={retry}
      empty={{ title: 'No accounts', hint: 'Add a GL account to start your chart of accounts.' }}
      onOpen={(row) => onOpen(row.customerAccountID)}
      onEscape={onClose}
      selectedId={selectedId === undefined ? undefined : String(selectedId)}
      density="compact"
      groupOf={groupOf}
      phoneRow={phoneRow}
      count={(accounts) => counted(accounts, { one: 'account', many: 'accounts' })}
    />
  );
}
