import './billing.css';
import { parseDate } from '@evenkeel/core/dates';
import { useMemo } from 'react';
import { useAddressText, usePlace } from '../records/openRecord.ts';
import { useMay } from '../session.ts';
import { useLocalChoice } from '../ui/hooks/localState.ts';
import { useToday } from '../ui/hooks/today.tsx';
import { FilterBox } from '../ui/page/FilterBox.tsx';
import { Page } from '../ui/page/Page.tsx';
import { BillingEntry } from './BillingEntry.tsx';
import { BillingPaymentDialog } from './BillingPaymentDialog.tsx';
import type { RowLinks } from './invoiceColumns.tsx';
import { HistoryWindow, InvoiceHistory, OpenInvoices } from './InvoiceLists.tsx';
import { InvoicePanel } from './InvoicePanel.tsx';
import { PaymentPanel } from './PaymentPanel.tsx';
import { type BillingPlace, useBillingPlace } from './useBillingPlace.ts';

type BillingTab = 'open' | 'history';
const TABS: readonly { value: BillingTab; label: string }[] = [
  { value: 'open', label: 'Open Invoices' },
  { value: 'history', label: 'Invoice History' },
];

/** The tab in the address, else the one that was chosen last on this device (Specification part 1 §2). */
function useTab(): [BillingTab, (tab: BillingTab) => void] {
  const { query, go } = usePlace();
  const [kept, keep] = useLocalChoice<BillingTab>('billingTab', ['open', 'history'], 'open');
  const asked = TABS.find(({ value }) => value === query.get('tab'))?.value;
  const choose = (tab: BillingTab) => {
    keep(tab);
    go({ tab, q: undefined, to: undefined });
  };
  return [asked ?? kept, choose];
}

/** /billing: open invoices and the invoice history, each beside the panel of its record (Specification part 1 §2). */
export function BillingScreen() {
  const may = useMay();
  const manages = may('Manage Billing');
  const mayViewCustomers = may('View Customers');
  const [tab, setTab] = useTab();
  const [filter, setFilter] = useAddressText('q');
  const [day, setDay] = useAddressText('to');
  const today = useToday();
  const to = parseDate(day) ?? today;
  const place = useBillingPlace();
  const { invoice, openPay } = place;
  const links: RowLinks = useMemo(
    () => ({
      invoice,
      mayViewCustomers,
      onPay: manages ? ({ id }) => openPay({ kind: 'invoice', id }) : undefined,
    }),
    [invoice, manages, mayViewCustomers, openPay],
  );
  const add = manages ? () => place.edit.open(0) : undefined;
  const list = { links, onEscape: place.closePanel };
  return (
    <>
      <Page<BillingTab>
        title="Billing"
        primary={add === undefined ? undefined : { label: 'Add Billing', onClick: add }}
        tabs={{ tabs: TABS, value: tab, onChange: setTab }}
        filter={
          tab === 'open' ? (
            <FilterBox placeholder="Filter Open Invoices..." value={filter} onChange={setFilter} />
          ) : (
            <HistoryWindow to={to} onMove={(next) => setDay(next === today ? '' : next)} />
          )
        }
        panel={panelOf(place)}
      >
        {tab === 'open' ? (
          <OpenInvoices key="open" {...list} filter={filter} onAdd={add} />
        ) : (
          <InvoiceHistory key="history" {...list} to={to} />
        )}
      </Page>
      {manages && <OpenModal place={place} />}
    </>
  );
}

/** The side panel of the open record. */
function panelOf({ invoice, payment, edit, openPay }: BillingPlace) {
  if (payment.id !== undefined) {
    return (
      <PaymentPanel
        id={payment.id}
        onClose={payment.close}
        onOpen={(id) => openPay({ kind: 'payment', id })}
        invoice={invoice}
      />
    );
  }
  if (invoice.id === undefined) return undefined;
  return <InvoicePanel id={invoice.id} onClose={invoice.close} onOpen={edit.open} payment={payment} />;
}

/** Billing Entry or Add Billing Payment; each leads to the other. */
function OpenModal({ place }: { place: BillingPlace }) {
  const { edit, pay, openPay, closePay, backToInvoice } = place;
  if (edit.id !== undefined) {
    return (
      <BillingEntry
        key={edit.id}
        invoiceId={edit.id}
        onClose={edit.close}
        onSaved={({ id }) => place.saved(id)}
        onDeleted={place.deleted}
        onPay={({ id }) => openPay({ kind: 'invoice', id })}
      />
    );
  }
  if (pay === undefined) return null;
  return (
    <BillingPaymentDialog
      key={`${pay.kind} ${pay.id}`}
      pay={pay}
      onClose={closePay}
      onPosted={({ id }) => place.posted(id)}
      onOther={(id) => openPay({ kind: 'payment', id })}
      onBackToInvoice={pay.kind === 'invoice' ? () => backToInvoice(pay.id) : undefined}
    />
  );
}
