import type { ChartAccount, GlEntry } from '@evenkeel/contract/ledger';
import { type AccountTypeInfo, naturalAmount } from '@evenkeel/core/books/accounts';
import { type Cents, cents, sum, ZERO } from '@evenkeel/core/money';
import { UNASSIGNED } from '@evenkeel/core/reports/compare';
import { Button } from '@mantine/core';
import { typeOf } from '../../parts/ledger/accountType.ts';
import { type Register, useRegister } from '../../parts/ledger/queries.ts';
import { entryWords } from '../../parts/ledger/registerRows.ts';
import { Loaded } from '../../records/Loaded.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { MiniTable } from '../../ui/table/MiniTable.tsx';
import type { Source } from './reportRows.ts';

export interface EntryTableProps {
  accountId: number;
  /** Undefined until the chart of accounts has loaded. */
  account: ChartAccount | undefined;
  source: Source;
  onOpen: (transactionId: number) => void;
}

/** An account's lines for a report's dates, basis, and filters, in the account's natural sign. */
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
  return (
    <Loaded read={register}>{(entries) => <Lines {...{ register, entries, account, accountId, onOpen }} />}</Loaded>
  );
}

interface LinesProps extends Pick<EntryTableProps, 'account' | 'accountId' | 'onOpen'> {
  register: Register;
  entries: readonly GlEntry[];
}

function Lines({ register, entries, account, accountId, onOpen }: LinesProps) {
  const { total, isComplete, isReadingMore, readMore } = register;
  if (entries.length === 0) return <p className="ek-muted">No entries on these dates.</p>;
  const info = account === undefined ? undefined : typeOf(account);
  const open = ({ transactionID }: GlEntry) => onOpen(transactionID);
  return (
    <div>
      <MiniTable<GlEntry>
        label={`Entries in ${account?.displayAccountLabel ?? accountId}`}
        className="rp-entries"
        columns={[
          { header: 'Post Date', className: 'ek-num', render: (entry) => <DateText value={entry.postingDate} /> },
          { header: 'Description', render: (entry) => <EntryName entry={entry} onOpen={open} /> },
          { header: 'Amount', right: true, render: (entry) => <Amount value={amountOf(entry, info)} /> },
          {
            header: 'Balance',
            right: true,
            className: 'ek-second',
            render: (entry) => <Amount value={entry.balance} />,
          },
        ]}
        rows={entries}
        keyOf={(entry) => entry.glid}
        onOpen={open}
        total={
          isComplete
            ? {
                label: 'Total',
                before: <Amount value={sum(entries.map((entry) => amountOf(entry, info)))} />,
                value: null,
              }
            : undefined
        }
      />
      {!isComplete && (
        <Button variant="default" loading={isReadingMore} onClick={readMore}>
          Show more of {total.toLocaleString('en-US')} entries
        </Button>
      )}
    </div>
  );
}

/** Returns the amount in the account's natural sign, or debit less credit while the account type is unknown. */
function amountOf({ debitAmount, creditAmount }: GlEntry, info: AccountTypeInfo | undefined): Cents {
  const debit = cents((debitAmount ?? ZERO) - (creditAmount ?? ZERO));
  return info === undefined ? debit : naturalAmount(info, debit);
}

/** Opens the entry's source document. */
function EntryName({ entry, onOpen }: { entry: GlEntry; onOpen: (entry: GlEntry) => void }) {
  const words = entryWords(entry);
  return (
    <button
      type="button"
      className="ek-text-btn"
      onClick={(event) => {
        event.stopPropagation();
        onOpen(entry);
      }}
    >
      {words === '' ? 'No description' : words}
    </button>
  );
}
