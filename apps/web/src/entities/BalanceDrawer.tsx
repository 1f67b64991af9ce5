import { CUSTOMER } from '@evenkeel/core/entities';
import { FigureDrawer } from '../ledger/FigureDrawer.tsx';
import { useOne } from '../records/records.ts';
import type { ListedKind } from './kind.ts';

export interface BalanceDrawerProps {
  kind: ListedKind;
  id: number;
  onClose: () => void;
}

/** What a customer's or vendor's balance is made of: open invoices or bills, less what is left on payments. */
export function BalanceDrawer({ kind, id, onClose }: BalanceDrawerProps) {
  const { value } = useOne(kind.records, id);
  const side = kind.kind === CUSTOMER ? 'receivable' : 'payable';
  return (
    <FigureDrawer
      title={value === undefined ? 'Balance' : `Balance of ${value.displayname}`}
      note="open now"
      what={{ kind: 'open', ask: { side, entityId: id }, of: 'openAmount' }}
      onClose={onClose}
    />
  );
}
