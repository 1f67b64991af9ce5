import './billing.css';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../session.ts';
import { useLocalChoice } from '../ui/hooks/localState.ts';
import { useToday } from '../ui/hooks/today.tsx';
import { FilterBox } from '../ui/page/FilterBox.tsx';
import { Page } from '../ui/page/Page.tsx';
import { BillingEntry } from './BillingEntry.tsx';
import { BillingPaymentDialog, type BillingPaymentDialogProps } from './BillingPaymentDialog.tsx';
import { HistoryWindow, InvoiceHistory } from './InvoiceHistory.tsx';
import type { RowActions } from './invoiceColumns.tsx';
import { InvoicePanel } from './InvoicePanel.tsx';
import { OpenInvoices } from './OpenInvoices.tsx';
import { PaymentPanel } from './PaymentPanel.tsx';
import { type BillingPanel, type BillingPlace, useBillingPlace } from './useBillingPlace.ts';

type BillingTab = 'open' | 'history';
const TABS: readonly { value: BillingTab; label: string }[] = [
  { value: 'open', label: 'Open Invoices' },
  { value: 'history', label: 'Invoice History' },
];

/** /billing: open invoices and the invoice history, each beside the panel of its record (Specification part 1 §2). */
export function BillingScreen() {
  const manages = useMay()('Manage Billing');
  const [tab, setTab] = useLocalChoice<BillingTab>('billingTab', ['open', 'history'], 'open');
  const [filter, setFilter] = useState('');
  const [to, setTo] = useState(useToday());
  const place = useBillingPlace();
  const actions = useRowActions(place, manages);
  const add = () => place.setModal({ kind: 'entry', invoiceId: 0 });
  const panel = place.panel;
  const list = {
    actions,
    selectedId: panel?.kind === 'invoice' ? String(panel.id) : undefined,
    onEscape: () => place.setPanel(undefined),
  };
  return (
    <>
      <Page<BillingTab>
        title="Billing"
        primary={manages ? { label: 'Add Billing', onClick: add } : undefined}
        tabs={{ tabs: TABS, value: tab, onChange: setTab }}
        filter={
          tab === 'open' ? (
            <FilterBox placeholder="Filter Open Invoices..." value={filter} onChange={setFilter} />
          ) : (
            <HistoryWindow to={to} onMove={setTo} />
          )
        }
        panel={panel === undefined ? undefined : <OpenPanel place={place} panel={panel} />}
      >
        {tab === 'open' ? (
          <OpenInvoices key="open" {...list} filter={filter} onAdd={manages ? add : undefined} />
        ) : (
          <InvoiceHistory key="history" {...list} to={to} />
        )}
      </Page>
      <OpenModal place={place} />
    </>
  );
}

/** Where a customer's name leads: the Customers screen with that customer. */
function useCustomerLink(): ((customerId: number) => void) | undefined {
  const mayView = useMay()('View Customers');
  const navigate = useNavigate();
  return useMemo(
    () =>
      mayView
        ? (customerId: number) => void navigate(`/customers/${customerId}`, { state: { customerId } })
        : undefined,
    [mayView, navigate],
  );
}

function useRowActions({ setPanel, setModal }: BillingPlace, manages: boolean): RowActions {
  const onCustomer = useCustomerLink();
  return useMemo(
    () => ({
      onOpen: ({ id }) => setPanel({ kind: 'invoice', id }),
      onPay: manages
        ? ({ id, customerId, openAmount }) => setModal({ kind: 'payment', customerId, invoice: { id, openAmount } })
        : undefined,
      onCustomer,
    }),
    [manages, onCustomer, setModal, setPanel],
  );
}

/** The side panel of the open record. */
function OpenPanel({ place, panel }: { place: BillingPlace; panel: BillingPanel }) {
  const { setPanel, setModal } = place;
  const onCustomer = useCustomerLink();
  const close = () => setPanel(undefined);
  const shared = { onClose: close, onCustomer };
  if (panel.kind === 'payment') {
    return (
      <PaymentPanel
        {...shared}
        paymentId={panel.id}
        onOpen={(paymentId) => setModal({ kind: 'payment', paymentId })}
        onInvoice={(id) => setPanel({ kind: 'invoice', id })}
      />
    );
  }
  return (
    <InvoicePanel
      {...shared}
      invoiceId={panel.id}
      onOpen={(invoiceId) => setModal({ kind: 'entry', invoiceId })}
      onPayment={(id) => setPanel({ kind: 'payment', id })}
    />
  );
}

/** Billing Entry or Add Billing Payment; each leads to the other. */
function OpenModal({ place }: { place: BillingPlace }) {
  const { modal, setModal, setPanel, panel } = place;
  const close = () => setModal(undefined);
  if (modal === undefined) return null;
  if (modal.kind === 'entry') {
    return (
      <BillingEntry
        key={`entry ${modal.invoiceId}`}
        invoiceId={modal.invoiceId}
        onClose={close}
        onSaved={({ id }) => setPanel({ kind: 'invoice', id })}
        onDeleted={() => setPanel(undefined)}
        onPay={({ id, customerId, openAmount }) =>
          setModal({ kind: 'payment', customerId, invoice: { id, openAmount } })
        }
      />
    );
  }
  const { invoice } = modal;
  const back: Pick<BillingPaymentDialogProps, 'onBackToInvoice'> =
    invoice === undefined ? {} : { onBackToInvoice: () => setModal({ kind: 'entry', invoiceId: invoice.id }) };
  return (
    <BillingPaymentDialog
      key={`payment ${modal.paymentId ?? 0} ${invoice?.id ?? 0} ${modal.customerId ?? 0}`}
      paymentId={modal.paymentId}
      customerId={modal.customerId}
      invoice={invoice}
      onClose={close}
      onPosted={({ id }) => {
        if (panel?.kind === 'payment') setPanel({ kind: 'payment', id });
      }}
      {...back}
    />
  );
}
