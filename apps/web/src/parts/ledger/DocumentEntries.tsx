import { type GlEntry, ledgerCalls } from '@evenkeel/contract/ledger';
import type { Source } from '@evenkeel/core/documents/side';
import { ask, useRead } from '../../client/api.ts';
import { Loaded } from '../../records/Loaded.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { DebitCredit } from './DebitCredit.tsx';
import { useBasisView } from './useBasisView.tsx';

/** The current ledger entries of a document, without entries that an edit or deletion reversed. */
export function DocumentEntries({ source }: { source: Source }) {
  const params = { sourceType: source.type, sourceId: source.id };
  const read = useRead(ask(ledgerCalls.sourceEntries, { params }), { alert: 'Error Loading Account Entries' });
  return <Loaded read={read}>{(all) => <Standing all={all} />}</Loaded>;
}

function Standing({ all }: { all: readonly GlEntry[] }) {
  const standing = all.filter((entry) => entry.reverses === null && entry.reversedBy === null);
  const { lines, none, choice } = useBasisView(standing);
  if (standing.length === 0) return <p className="ek-muted">No entries have been posted for this document.</p>;
  return (
    <div className="ek-stack">
      {choice}
      {lines.length === 0 ? (
        <p className="ek-muted">{none}</p>
      ) : (
        <DebitCredit label="Entries" lines={lines} columns={ACCOUNT} />
      )}
    </div>
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

const ACCOUNT = [{ header: 'Account', render: accountText }];
