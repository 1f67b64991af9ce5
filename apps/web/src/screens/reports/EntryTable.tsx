import type { ChartAccount, GlEntry } from '@evenkeel/contract/ledger';
import { type AccountTypeInfo, naturalAmount } from '@evenkeel/core/accounts';
import { type Cents, cents, sum, ZERO } from '@evenkeel/core/money';
import { UNASSIGNED } from '@evenkeel/core/reports/compare';
import { Button } from '@mantine/core';
import { typeOf } from '../../parts/ledger/accountType.ts';
import { useRegister } from '../../parts/ledger/queries.ts';
import { registerRows } from '../../parts/ledger/registerRows.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import type { Source } from './reportRows.ts';

export interface EntryTableProps {
  accountId: number;
  /** Undefined while the chart is read. */
  account: ChartAccount | undefined;
  source: Source;
  onOpen: (transactionId: number) => void;
}

/** An account's lines for a report's dates, basis and filters, in the account's natural sign. */
export function EntryTable({ accountId, account, source, onOpen }: EntryTableProps) {
  const register = useRegister({
    accountId,
    from: source.from ?? undefined,
    to: source.to ?? undefined,
    basis: source.basis === 1 ? '1' : '0',
    profitcenterid: source.profitCenterId ?? undefined,
    locationid: source.locationId ?? undefined,
    unassigned:
      source.profitCenterId === UNASSIGNED ? 'profitcenter' : source.locationId === UNASSIGNED ? 'location' : undefined,
    entityid: source.entityId,
    ofassets: source.ofAssets,
    journals: source.journals,
  });
  const { entries, error, retry, total, isComplete, isReadingMore, more } = register;
  if (error !== undefined) return <ErrorState message={error} onRetry={retry} />;
  if (entries === undefined) return <p role="status">Loading...</p>;
  if (entries.length === 0) return <p className="ek-muted">No entries on these dates.</p>;
  const info = account === undefined ? undefined : typeOf(account);
  return (
    <div>
      <table className="rp-entries" aria-label={`Entries of ${account?.displayAccountLabel ?? accountId}`}>
        <thead>
          <tr>
            <th scope="col">Post Date</th>
            <th scope="col">Description</th>
            <th scope="col" data-right="">
              Amount
            </th>
            <th scope="col" data-right="">
              Balance
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <EntryRow key={entry.glid} entry={entry} info={info} onOpen={onOpen} />
          ))}
        </tbody>
        {isComplete && (
          <tfoot>
            <tr>
              <th scope="row" colSpan={2}>
                Total
              </th>
              <td data-right="">
                <Amount value={sum(entries.map((entry) => amountOf(entry, info)))} />
              </td>
              <td />
            </tr>
          </tfoot>
        )}
      </table>
      {!isComplete && (
        <Button variant="default" loading={isReadingMore} onClick={more}>
          Show more of {total.toLocaleString('en-US')} entries
        </Button>
      )}
    </div>
  );
}

/** In the account's natural sign; debit less credit while its type is not known yet. */
function amountOf({ debitAmount, creditAmount }: GlEntry, info: AccountTypeInfo | undefined): Cents {
  const debit = cents((debitAmount ?? ZERO) - (creditAmount ?? ZERO));
  return info === undefined ? debit : naturalAmount(info, debit);
}

interface EntryRowProps {
  entry: GlEntry;
  info: AccountTypeInfo | undefined;
  onOpen: (transactionId: number) => void;
}

function EntryRow({ entry, info, onOpen }: EntryRowProps) {
  const [row] = registerRows([entry], { from: undefined, opening: undefined });
  return (
    <tr onClick={() => onOpen(entry.transactionID)}>
      <td className="ek-num">
        <DateText value={entry.postingDate} />
      </td>
      <td>
        <button
          type="button"
          className="rp-entry"
          onClick={(event) => {
            event.stopPropagation();
            onOpen(entry.transactionID);
          }}
        >
          {row?.description === '' ? 'No description' : row?.description}
        </button>
      </td>
      <td data-right="">
        <Amount value={amountOf(entry, info)} />
      </td>
      <td data-right="" className="ek-second">
        <Amount value={entry.balance} />
      </td>
    </tr>
  );
}
