import { earlierOf, parseDate } from '@evenkeel/core/dates';
import { useMemo } from 'react';
import { DocumentForms, panelOf } from '../../parts/documents/OpenDocument.tsx';
import { OutstandingDrawer } from '../../parts/documents/Outstanding.tsx';
import { useDocumentPlace } from '../../parts/documents/useDocumentPlace.ts';
import { useAddressText } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { useMay } from '../../client/session.ts';
import { useLocalChoice } from '../../ui/hooks/localState.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import { FilterBox } from '../../ui/page/FilterBox.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { BillingEntry } from './BillingEntry.tsx';
import type { InvoiceLinks } from './invoiceColumns.tsx';
import { HistoryWindow, InvoiceHistory, OpenInvoices } from './InvoiceLists.tsx';
import { InvoicePanel } from './InvoicePanel.tsx';
import { BILLING } from './records.ts';

type BillingTab = 'open' | 'history';
const TABS: readonly { value: BillingTab; label: string }[] = [
  { value: 'open', label: 'Open Invoices' },
  { value: 'history', label: 'Invoice History' },
];

/** The tab in the address, else the one that was chosen last on this device. */
function useTab(): [BillingTab, (tab: BillingTab) => void] {
  const { query, go } = usePlace();
  const [kept, keep] = useLocalChoice<BillingTab>('billingTab', ['open', 'history'], 'open');
  const asked = TABS.find(({ value }) => value === query.get('tab'))?.value;
  const choose = (tab: BillingTab) => {
    keep(tab);
    go({ tab, q: undefined, to: undefined, sort: undefined });
  };
  return [asked ?? kept, choose];
}

/** /billing: open invoices and the invoice history, each beside the panel of its record. */
export function BillingScreen() {
  const may = useMay();
  const manages = may('Manage Billing');
  const [tab, setTab] = useTab();
  const [filter, setFilter] = useAddressText('q');
  const [day, setDay] = useAddressText('to');
  const today = useToday();
  const to = earlierOf(parseDate(day) ?? today, today);
  const place = useDocumentPlace();
  const { invoice, openPay } = place;
  const links: InvoiceLinks = useMemo(
    () => ({
      invoice,
      onPay: manages ? ({ id }) => openPay({ kind: 'invoice', id }) : undefined,
    }),
    [invoice, manages, openPay],
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
            <HistoryWindow {...{ to, today }} onMove={(next) => setDay(next === today ? '' : next)} />
          )
        }
        panel={panelOf(place, BILLING, InvoicePanel)}
      >
        {tab === 'open' ? (
          <OpenInvoices key="open" {...list} filter={filter} onAdd={add} />
        ) : (
          <InvoiceHistory key="history" {...list} to={to} />
        )}
      </Page>
      <DocumentForms side={BILLING} place={place} Entry={BillingEntry} />
      {tab === 'open' && <OutstandingDrawer side={BILLING} />}
    </>
  );
}
