import './figures.css';
import type { PostedItem } from '@evenkeel/contract/explain';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { type Cents, negate } from '@evenkeel/core/money';
import type { ReportSource } from '@evenkeel/core/reports/report';
import { ask, useRead } from '../../client/api.ts';
import { Loaded } from '../../records/Loaded.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { sourceLabel } from './sources.ts';

interface PostedProps {
  source: ReportSource;
  /** The amount in the report. Income and liabilities are positive there, but their entries are credits. */
  shown: Cents | undefined;
  onOpen: (transactionId: number) => void;
}

/** The transactions that made up an amount at a past time, or that have changed the amount since then, newest first. */
export function Posted({ source, shown, onOpen }: PostedProps) {
  const { transactionId: _, detail: __, ...body } = source;
  const read = useRead(ask(ledgerCalls.postedItems, { body }), { alert: 'Error Loading Transactions' });
  return (
    <Loaded read={read}>
      {({ items, count, amount }) => (
        <>
          {count === 0 && <p className="ek-muted">No transactions make up this amount.</p>}
          <ul className="ld-posted">
            {items.map((item) => (
              <li key={item.transactionId}>
                <Item item={item} onOpen={onOpen} />
                <Amount value={amount === shown ? item.amount : negate(item.amount)} />
              </li>
            ))}
          </ul>
          {count > items.length && (
            <p className="ek-muted">
              The newest {items.length} of {count.toLocaleString('en-US')} transactions
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}

/** A transaction with its document, customer or vendor, user, and time. */
function Item({ item, onOpen }: { item: PostedItem } & Pick<PostedProps, 'onOpen'>) {
  const { transactionId, sourceType, number, entityName, postingDate, at, person } = item;
  return (
    <div>
      <button type="button" className="ek-link" onClick={() => onOpen(transactionId)}>
        {sourceLabel(sourceType)} {number}
      </button>
      {entityName !== '' && <div>{entityName}</div>}
      <div>
        Dated <DateText value={postingDate} />
      </div>
      <div>
        <MomentText value={at} /> · {person}
      </div>
    </div>
  );
}
