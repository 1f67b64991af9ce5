import type { ChartAccount } from '@evenkeel/contract/ledger';
import { type Cents, ZERO } from '@evenkeel/core/money';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { pageRows } from '@evenkeel/core/reports/page';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useChart } from '../../parts/ledger/queries.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { EntryTable } from './EntryTable.tsx';
import { CUSTOM, FIRST_DAY } from './openReports.ts';
import { useReport } from './queries.ts';
import type { Source } from './reportRows.ts';

/**
 * Shows a single account's entries immediately. Several accounts appear in a separate Profit & Loss Statement, in which
 * each name opens the account's entries.
 */
export function BehindAccounts({ source, onOpen }: { source: Source; onOpen: (transactionId: number) => void }) {
  const { value: rows = [] } = useChart(true);
  const accountOf = (id: number) => rows.find((row) => row.customerAccountID === id);
  const [only] = source.accountIds;
  if (only !== undefined && source.accountIds.length === 1) {
    return <EntryTable account={accountOf(only)} accountId={only} source={source} onOpen={onOpen} />;
  }
  return <Parts source={source} accountOf={accountOf} onOpen={onOpen} />;
}

interface PartsProps {
  source: Source;
  accountOf: (id: number) => ChartAccount | undefined;
  onOpen: (transactionId: number) => void;
}

function Parts({ source, accountOf, onOpen }: PartsProps) {
  const amounts = useAmounts(source);
  const ordered = amounts === undefined ? source.accountIds : [...amounts.keys()];
  const quiet = source.accountIds.filter((id) => !ordered.includes(id));
  return (
    <div className="rp-accounts">
      {[...ordered, ...quiet].map((id) => (
        <LazyAccount
          key={id}
          label={accountOf(id)?.displayAccountLabel ?? `Account ${id}`}
          amount={amounts?.get(id) ?? (amounts === undefined ? undefined : ZERO)}
        >
          {() => <EntryTable account={accountOf(id)} accountId={id} source={source} onOpen={onOpen} />}
        </LazyAccount>
      ))}
    </div>
  );
}

/**
 * Loads the amounts of the accounts in a total. They are the same as in the Profit & Loss Statement for the same dates.
 */
function useAmounts({ accountIds, from, to, basis, profitCenterId, locationId }: Source) {
  const dates = { from: from ?? FIRST_DAY, to: to ?? FIRST_DAY, period: CUSTOM };
  const filters = { profitCenterId: profitCenterId ?? 0, locationId: locationId ?? 0 };
  const { value: report } = useReport({
    reportId: reportKinds.profitAndLoss.id,
    ...dates,
    ...filters,
    basis: basis === 1 ? 1 : 0,
  });
  if (report === undefined) return undefined;
  const amounts = new Map<number, Cents>();
  for (const row of pageRows(report)) {
    const cell = row.cells[1];
    if (row.look !== 'line' || cell === undefined || !('amount' in cell) || cell.amount === null) continue;
    const [id] = cell.source?.accountIds ?? [];
    if (id !== undefined && accountIds.includes(id)) amounts.set(id, cell.amount);
  }
  return amounts;
}

interface LazyAccountProps {
  label: string;
  amount: Cents | undefined;
  children: () => ReactNode;
}

function LazyAccount({ label, amount, children }: LazyAccountProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <IconChevronRight {...ICON_SMALL} />
        <span className="ek-grow">{label}</span>
        <Amount value={amount} zero="dash" />
      </summary>
      {isOpen && children()}
    </details>
  );
}
