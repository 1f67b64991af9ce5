import { type GlEntry, ledgerCalls } from '@evenkeel/contract/ledger';
import { sum, ZERO } from '@evenkeel/core/money';
import type { Source } from '@evenkeel/core/side';
import { ask, useRead } from '../../client/api.ts';
import { Loaded } from '../../records/Loaded.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { MiniTable } from '../../ui/table/MiniTable.tsx';
import { useBasisView } from './useBasisView.tsx';

/** The entries that stand in the journal for a document; what an edit or deletion took back is left out. */
export function DocumentEntries({ source }: { source: Source }) {
  const params = { sourceType: source.type, sourceId: source.id };
  const read = useRead(ask(ledgerCalls.sourceEntries, { params }), { alert: 'Error Loading Account Entries' });
  return <Loaded read={read}>{(all) => <Standing all={all} />}</Loaded>;
}

function Standing({ all }: { all: readonly GlEntry[] }) {
  const standing = all.filter((entry) => entry.reverses === null && entry.reversedBy === null);
  const { lines, none, choice } = useBasisView(standing);
  if (standing.length === 0) return <p className="ek-muted">Nothing is posted for it.</p>;
  return (
    <div className="ek-stack">
      {choice}
      {lines.length === 0 ? <p className="ek-muted">{none}</p> : <Entries lines={lines} />}
    </div>
  );
}

function Entries({ lines }: { lines: readonly GlEntry[] }) {
  const total = (side: 'debitAmount' | 'creditAmount') => sum(lines.map((line) => line[side] ?? ZERO));
  const amountOf = (side: 'debitAmount' | 'creditAmount') => (line: GlEntry) => (
    <Amount value={line[side]} zero="blank" />
  );
  return (
    <MiniTable<GlEntry>
      label="Entries"
      columns={[
        { header: 'Account', render: accountText },
        { header: 'Debit', right: true, render: amountOf('debitAmount') },
        { header: 'Credit', right: true, render: amountOf('creditAmount') },
      ]}
      rows={lines}
      keyOf={(line) => line.glid}
      total={{
        label: 'Total',
        before: <Amount value={total('debitAmount')} />,
        value: <Amount value={total('creditAmount')} />,
      }}
    />
  );
}

const accountText = (line: GlEntry) => (
  <>
    {line.displayAccountLabel}
    <div className="ek-muted ek-small">
      <DateText value={line.postingDate} /> {line.description}
    </div>
  </>
);
