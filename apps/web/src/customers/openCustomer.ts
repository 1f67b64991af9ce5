import { useCallback } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';

export interface OpenCustomer {
  /** The customer whose record is open. */
  id: number | undefined;
  open: (id: number) => void;
  close: () => void;
  /** To where the person came from; undefined when the record was opened here or from the search. */
  back: (() => void) | undefined;
}

function idOf(given: unknown): number | undefined {
  const text = typeof given === 'number' ? String(given) : given;
  return typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

interface Asked {
  id: number | undefined;
  isFromSearch: boolean;
  isFromHere: boolean;
}

/** What the address and the navigation state ask for (Specification part 1 §2 "Navigation state"). */
export function askedCustomer(params: { customerId?: string; fromsearch?: string }, state: unknown): Asked {
  const given = typeof state === 'object' && state !== null ? state : {};
  const fromState = 'customerId' in given ? idOf(given.customerId) : undefined;
  const flag = 'fromsearch' in given ? given.fromsearch : params.fromsearch;
  return {
    id: idOf(params.customerId) ?? fromState,
    isFromSearch: flag !== undefined && flag !== false && flag !== 'false',
    isFromHere: 'fromList' in given,
  };
}

/** Which record is open lives in the address, so that a reload and the browser's Back keep it. */
export function useOpenCustomer(): OpenCustomer {
  const navigate = useNavigate();
  const location = useLocation();
  const asked = askedCustomer(useParams(), location.state);
  const open = useCallback(
    (id: number) => void navigate(`/customers/${id}`, { replace: true, state: { fromList: true } }),
    [navigate],
  );
  const close = useCallback(() => void navigate('/customers', { replace: true }), [navigate]);
  const isFirst = location.key === 'default';
  const hasBack = asked.id !== undefined && !asked.isFromSearch && !asked.isFromHere;
  return {
    id: asked.id,
    open,
    close,
    back: hasBack ? () => (isFirst ? close() : void navigate(-1)) : undefined,
  };
}
