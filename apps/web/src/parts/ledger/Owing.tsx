import type { OwingAsk, Owing as OwingItem } from '@evenkeel/contract/explain';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ask as asked } from '../../client/api.ts';
import { usePages } from '../../client/pages.ts';
import { StatementButton } from '../documents/panel/StatementButton.tsx';
import { useMay } from '../../client/session.ts';
import { useNarrow } from '../../ui/hooks/media.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { counted } from '../../ui/show/words.ts';
import { Found, nextOf } from './FigureRows.tsx';
import { ENTITY_SCREENS } from './sources.ts';

export interface OwingProps {
  ask: OwingAsk;
  note: ReactNode;
  /** Opens the open items of one customer or vendor. */
  onEntity: ((entityId: number) => void) | undefined;
}

const DAYS = { one: 'day', many: 'days' };
const AGES = [
  ['Current', 'currentAmount'],
  ['30', 'thirtyAmount'],
  ['60', 'sixtyAmount'],
  ['90+', 'ninetyAmount'],
] as const;

/**
 * Customers or vendors with their balances and aging. The longest overdue come first. Each row offers a statement for a
 * customer, or a payment for a vendor.
 */
export function Owing({ ask, note, onEntity }: OwingProps) {
  const found = usePages((after) => asked(ledgerCalls.owing, { body: { ...ask, after: Number(after) } }), nextOf);
  const rows = found.value?.flatMap((page) => page.items) ?? [];
  return (
    <Found found={found} note={note} amount={found.value?.[0]?.openAmount}>
      {rows.length === 0 ? (
        <p className="ek-muted">No open balances.</p>
      ) : (
        <div
          className="lg-owing"
          role="table"
          aria-label={ask.side === 'receivable' ? 'Customers with an open balance' : 'Vendors with an open balance'}
        >
          <div role="row" className="lg-owing-head">
            <span role="columnheader" className="ek-vh">
              Name
            </span>
            <span role="columnheader" className="ek-vh">
              Total
            </span>
            {AGES.map(([label]) => (
              <span key={label} role="columnheader">
                {label}
              </span>
            ))}
            <span role="columnheader" className="ek-vh">
              Next
            </span>
          </div>
          {rows.map((item) => (
            <Row key={item.entityId} item={item} side={ask.side} onEntity={onEntity} />
          ))}
        </div>
      )}
    </Found>
  );
}

interface RowProps extends Pick<OwingProps, 'onEntity'> {
  item: OwingItem;
  side: OwingAsk['side'];
}

function Row({ item, side, onEntity }: RowProps) {
  const { entityId, daysPastDue, openAmount } = item;
  const narrow = useNarrow();
  const amount = <Amount value={openAmount} />;
  return (
    <div role="row" className="lg-owing-row">
      <span role="cell" className="lg-owing-name">
        <Name item={item} side={side} />
        <span className="ek-muted ek-small ek-num">
          {daysPastDue === null ? 'not overdue' : `${counted(daysPastDue, DAYS)} overdue`}
        </span>
      </span>
      <span role="cell" className="ek-medium">
        {entityId === null || onEntity === undefined ? (
          amount
        ) : (
          <button
            type="button"
            className="ek-explain"
            title="Show open items"
            onClick={() => {
              onEntity(entityId);
            }}
          >
            {amount}
          </button>
        )}
      </span>
      {AGES.map(([label, name]) => (
        <span key={label} role="cell" className="lg-owing-age ek-second ek-small">
          {narrow && <span className="ek-muted">{label} </span>}
          <Amount value={item[name]} zero="dash" />
        </span>
      ))}
      <span role="cell" className="lg-owing-next ek-small">
        {entityId !== null && (side === 'receivable' || openAmount > 0) && (
          <Next side={side} id={entityId} name={item.entityName} />
        )}
      </span>
    </div>
  );
}

function Name({ item: { entityId, entityName }, side }: Pick<RowProps, 'item' | 'side'>) {
  const { view, path } = ENTITY_SCREENS[side];
  if (!useMay()(view) || entityId === null) return <span className="ek-medium">{entityName}</span>;
  return (
    <Link className="ek-link ek-medium" to={`${path}/${entityId}`}>
      {entityName}
    </Link>
  );
}

/** The next step: a statement for a customer, or a payment for a vendor. */
function Next({ side, id, name }: { side: OwingAsk['side']; id: number; name: string }) {
  const may = useMay();
  if (side === 'receivable') return <StatementButton id={id} name={name} />;
  if (!may('Manage Expenses')) return null;
  return (
    <Link className="ek-link" to="/expenses" state={{ payVendorId: id }} aria-label={`Add Payment for ${name}`}>
      Pay
    </Link>
  );
}
