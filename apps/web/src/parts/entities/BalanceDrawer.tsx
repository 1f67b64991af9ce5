import { FigureDrawer } from '../ledger/FigureDrawer.tsx';
import { inAlert, useRead } from '../../client/api.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import { formatDate } from '@evenkeel/core/dates';
import { type ListedKind, sideOf } from './kind.ts';

export interface BalanceDrawerProps {
  kind: ListedKind;
  id: number;
  onClose: () => void;
}

/** The details of a customer's or vendor's balance: open invoices or bills, less unapplied payments. */
export function BalanceDrawer({ kind, id, onClose }: BalanceDrawerProps) {
  const { value } = useRead(kind.records.get(id), inAlert(kind.records.words.loadOne));
  const side = sideOf(kind);
  return (
    <FigureDrawer
      title={value === undefined ? 'Balance' : `Balance of ${value.displayname}`}
      note="open now"
      what={{ kind: 'open', ask: { side, entityId: id }, of: 'openAmount' }}
      onClose={onClose}
    />
  );
}

export interface BalancesDrawerProps extends Pick<BalanceDrawerProps, 'kind' | 'onClose'> {
  /** Opens the balance of one customer or vendor. */
  onEntity: (id: number) => void;
}

/** The details of the total balance: each customer or vendor, with the balance and its aging. */
export function BalancesDrawer({ kind, onEntity, onClose }: BalancesDrawerProps) {
  const today = useToday();
  const side = sideOf(kind);
  return (
    <FigureDrawer
      title={`Balance of all ${side === 'receivable' ? 'customers' : 'vendors'}`}
      note={`as of ${formatDate(today)}, including inactive records and journal entries`}
      what={{ kind: 'owing', ask: { side, date: today } }}
      onEntity={onEntity}
      onClose={onClose}
    />
  );
}
