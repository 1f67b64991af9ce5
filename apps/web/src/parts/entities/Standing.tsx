import type { EntityStanding } from '@evenkeel/contract/subledger';
import type { ReactNode } from 'react';
import type { Read } from '../../client/api.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { counted } from '../../ui/show/words.ts';
import type { DocumentSide } from '../documents/side.ts';
import { ExplainButton } from '../ledger/ExplainButton.tsx';
import { balanceFigure } from './balanceFigure.ts';

export interface StandingProps {
  side: DocumentSide;
  entityId: number;
  read: Read<EntityStanding>;
  /** Shows the statement. Undefined if there is none. */
  onStatement?: (() => void) | undefined;
}

/** The balance, the overdue amount, and the remaining credit. */
export function Standing({ side, entityId, read: { value, error, retry }, onStatement }: StandingProps) {
  if (error !== undefined) return <ErrorState message={error} onRetry={retry} />;
  const { document } = side.core.words;
  const words = { one: document, many: `${document}s` };
  const open = { one: `open ${document}`, many: `open ${document}s` };
  return (
    <div className="en-standing" aria-busy={value === undefined ? true : undefined}>
      <Part
        label="Balance"
        note={
          value && (
            <>
              {value.openCount === 0 ? 'Nothing open' : counted(value.openCount, open)}
              {onStatement !== undefined && (
                <button type="button" className="ek-link en-statement" onClick={onStatement}>
                  Statement
                </button>
              )}
            </>
          )
        }
      >
        {value !== undefined && (
          <ExplainButton name={balanceFigure(entityId)}>
            <Amount value={value.balance} sign zero="dash" />
          </ExplainButton>
        )}
      </Part>
      <Part
        label="Overdue"
        note={
          value && value.overdueCount > 0 ? (
            <Status look="late">
              {`${counted(value.overdueCount, words)}, ${value.overdueCount === 1 ? '' : 'up to '}`}
              {counted(value.daysOverdue, DAYS)}
            </Status>
          ) : (
            value && 'Nothing overdue'
          )
        }
      >
        <Amount value={value?.overdueAmount} sign zero="dash" />
      </Part>
      <Part label="Credit" note={value && (value.creditAmount === 0 ? 'Nothing unapplied' : 'Unapplied')}>
        <Amount value={value?.creditAmount} sign zero="dash" />
      </Part>
    </div>
  );
}

const DAYS = { one: 'day', many: 'days' };

/** An amount with its label, which takes up the same space while the amount loads. */
function Part({ label, note, children }: { label: string; note: ReactNode; children: ReactNode }) {
  return (
    <div className="en-standing-part" role="group" aria-label={label}>
      <div className="ek-muted ek-small">{label}</div>
      <div className="ek-figure-value">{children}</div>
      <div className="en-standing-note ek-second ek-small">{note}</div>
    </div>
  );
}
