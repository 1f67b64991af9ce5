import type { Cents } from '@evenkeel/core/money';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** The record beside the list. */
export type BillingPanel = { kind: 'invoice' | 'payment'; id: number };

/** What is open over the page. */
export type BillingModal =
  | { kind: 'entry'; invoiceId: number }
  | {
      kind: 'payment';
      paymentId?: number;
      customerId?: number;
      invoice?: { id: number; openAmount: Cents };
    };

function idIn(state: unknown, name: string): number | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const entry: unknown = Object.entries(state).find(([key]) => key === name)?.[1];
  const id = Number(entry);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/**
 * What of billing is open. Navigation state itemId opens that invoice (paymentId that payment, payCustomerId a new
 * payment of that customer), then the state is cleared (Specification part 1 §2).
 */
export function useBillingPlace() {
  const [panel, setPanel] = useState<BillingPanel>();
  const [modal, setModal] = useState<BillingModal>();
  const location = useLocation();
  const navigate = useNavigate();
  const here = location.pathname + location.search;
  const itemId = idIn(location.state, 'itemId');
  const paymentId = idIn(location.state, 'paymentId');
  const payCustomerId = idIn(location.state, 'payCustomerId');
  useEffect(() => {
    if (itemId === undefined && paymentId === undefined && payCustomerId === undefined) return;
    if (itemId !== undefined) setPanel({ kind: 'invoice', id: itemId });
    else if (paymentId !== undefined) setPanel({ kind: 'payment', id: paymentId });
    else if (payCustomerId !== undefined) setModal({ kind: 'payment', customerId: payCustomerId });
    void navigate(here, { replace: true, state: null });
  }, [itemId, paymentId, payCustomerId, navigate, here]);
  return { panel, setPanel, modal, setModal };
}
export type BillingPlace = ReturnType<typeof useBillingPlace>;
