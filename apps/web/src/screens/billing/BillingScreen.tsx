import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { DocumentForms, panelOf } from '../../parts/documents/panel/OpenDocument.tsx';
import { OutstandingDrawer } from '../../parts/documents/list/Outstanding.tsx';
import { PaymentList } from '../../parts/documents/list/PaymentList.tsx';
import { useDocumentPlace } from '../../parts/documents/useDocumentPlace.ts';
import { type ListPart, PartChips } from '../../parts/documents/list/listParts.tsx';
import { useAddressText, useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { useMay } from '../../client/session.ts';
import { useLocalChoice } from '../../ui/hooks/localState.ts';
import { FilterBox } from '../../ui/page/FilterBox.tsx';
import { useScheduled } from '../../parts/scheduled/useScheduled.tsx';
import { Page, type PageAction } from '../../ui/page/Page.tsx';
import { BillingEntry } from './invoices/BillingEntry.tsx';
import { FinanceCharges } from './charges/FinanceCharges.tsx';
import { CreditList } from './credits/CreditList.tsx';
import { EstimateChips, EstimateList } from './estimates/EstimateList.tsx';
import { useEstimatePlace } from './estimates/useEstimatePlace.tsx';
import { useCreditPlace } from './credits/useCreditPlace.tsx';
import type { InvoiceLinks } from './invoices/invoiceColumns.tsx';
import { HistoryWindow, InvoiceHistory, OpenInvoices } from './invoices/InvoiceLists.tsx';
import { usePeriod } from './usePeriod.ts';
import { InvoicePanel } from './invoices/InvoicePanel.tsx';
import { PasteWorkItems } from './workItems/PasteWorkItems.tsx';
import { ProcessWorkItems, useDialogPlace } from './workItems/ProcessWorkItems.tsx';
import { BILLING, INVOICES } from './records.ts';
import { RefusedMails } from './sending/RefusedMail.tsx';
import { SCHEDULED_INVOICES } from './scheduled/scheduledForm.ts';
import { ScheduledInvoice } from './scheduled/ScheduledInvoice.tsx';
import { WriteOffList } from './writeoffs/WriteOffList.tsx';
import { useWriteOffs } from './writeoffs/WriteOffs.tsx';
import { WorkItemList } from './workItems/WorkItemList.tsx';
import { WorkItemModal } from './workItems/WorkItemModal.tsx';
import { useWorkItemCount } from './workItems/workItems.ts';

type BillingTab = 'open' | 'work' | 'estimates' | 'scheduled' | 'history' | 'payments' | 'credits' | 'writeoffs';
const TABS: readonly { value: BillingTab; label: string }[] = [
  { value: 'open', label: 'Open Invoices' },
  { value: 'work', label: 'Work Items' },
  { value: 'estimates', label: 'Estimates' },
  { value: 'scheduled', label: 'Scheduled' },
  { value: 'history', label: 'Invoice History' },
  { value: 'payments', label: 'Payments' },
  { value: 'credits', label: 'Credit Memos' },
  { value: 'writeoffs', label: 'Write-Offs' },
];

const SEARCH: Record<BillingTab, string> = {
  open: 'Filter Open Invoices...',
  work: 'Filter Work Items...',
  estimates: 'Search Estimates...',
  scheduled: 'Filter Scheduled...',
  history: 'Search all years...',
  payments: 'Search Payments...',
  credits: 'Search Credit Memos...',
  writeoffs: 'Search Write-Offs...',
};
const PARTS: readonly ListPart[] = ['overdue', 'draft', 'hold'];

const SCHEDULED_HINT =
  'Schedule the invoices that you send regularly. Evenkeel creates each one on its date, as a ' +
  'draft, posted, or sent.';

type Adds = Record<'add' | 'addCredit' | 'addEstimate' | 'addItem' | 'writeOff', (() => void) | undefined>;

/** Returns a tab's main button, for example Add Work Item. Returns nothing if the user lacks permission. */
function primaryOf(
  tab: BillingTab,
  { add, addCredit, addEstimate, addItem, writeOff }: Adds,
  scheduled: PageAction | undefined,
) {
  if (tab === 'scheduled') return scheduled;
  if (tab === 'open') return add && { label: 'Add Billing', onClick: add };
  if (tab === 'estimates') return addEstimate && { label: 'Add Estimate', onClick: addEstimate };
  if (tab === 'credits') return addCredit && { label: 'Add Credit Memo', onClick: addCredit };
  if (tab === 'writeoffs') return writeOff && { label: 'Write Off', onClick: writeOff };
  return addItem && { label: 'Add Work Item', onClick: addItem };
}

/** Returns the tab in the URL, or the tab that was last selected on this device. */
function useTab(): [BillingTab, (tab: BillingTab) => void] {
  const { query, go } = usePlace();
  const [kept, keep] = useLocalChoice<BillingTab>(
    'billingTab',
    TABS.map(({ value }) => value),
    'open',
  );
  const named = TABS.find(({ value }) => value === query.get('tab'))?.value;
  // A schedule's panel belongs to the Scheduled tab.
  const asked = named ?? (query.has('scheduled') || query.has('template') ? 'scheduled' : undefined);
  const choose = (tab: BillingTab) => {
    keep(tab);
    go({ tab, scheduled: undefined, q: undefined, from: undefined, to: undefined, part: undefined, sort: undefined });
  };
  return [asked ?? kept, choose];
}

/** Returns the tabs, with the number of unbilled work items. */
function useTabs() {
  const count = useWorkItemCount();
  return TABS.map((one) => (one.value === 'work' ? { ...one, count } : one));
}

/** /billing: open invoices, work items, and the invoice history, each next to the panel of the selected record. */
export function BillingScreen() {
  const may = useMay();
  const manages = may('Manage Billing');
  const [tab, setTab] = useTab();
  const [filter, setFilter] = useAddressText('q');
  const period = usePeriod();
  const place = useDocumentPlace();
  const { invoice, openPay, closePanel } = place;
  const links: InvoiceLinks = useMemo(
    () => ({
      invoice,
      onPay: manages ? ({ id }) => openPay({ kind: 'invoice', id }) : undefined,
    }),
    [invoice, manages, openPay],
  );
  const item = useOpenRecord('workitem');
  const process = useDialogPlace('process');
  const paste = useDialogPlace('paste');
  const charges = useDialogPlace('charges');
  const add = manages ? () => place.edit.open(0) : undefined;
  const credits = useCreditPlace(place);
  const writeOffs = useWriteOffs(invoice);
  const writeOff = manages ? writeOffs.openSeveral : undefined;
  const estimates = useEstimatePlace(place);
  const addCredit = manages ? () => credits.edit.open(0) : undefined;
  const addEstimate = manages ? () => estimates.edit.open(0) : undefined;
  const addItem = manages ? () => item.open(0) : undefined;
  const scheduled = useScheduled(SCHEDULED_INVOICES, { Entry: ScheduledInvoice, hint: SCHEDULED_HINT });
  const list = { links, onEscape: closePanel };
  return (
    <>
      <Page<BillingTab>
        title="Billing"
        primary={primaryOf(tab, { add, addCredit, addEstimate, addItem, writeOff }, scheduled.add)}
        secondary={
          manages && tab === 'open'
            ? [
                { label: 'Write Off', onClick: writeOffs.openSeveral },
                { label: 'Finance Charges', onClick: charges.open },
              ]
            : []
        }
        aside={
          manages && (
            <>
              {tab === 'work' && (
                <Button variant="default" onClick={paste.open}>
                  Paste
                </Button>
              )}
              <Button variant="default" onClick={process.open}>
                Process Work Items
              </Button>
            </>
          )
        }
        tabs={{ tabs: useTabs(), value: tab, onChange: setTab }}
        filter={
          <>
            <FilterBox placeholder={SEARCH[tab]} value={filter} onChange={setFilter} />
            {tab === 'open' && <PartChips kind={INVOICES} parts={PARTS} />}
            {tab === 'estimates' && <EstimateChips />}
            {tab === 'history' && filter === '' && <HistoryWindow {...period} />}
            <RefusedMails place={{ ...place, estimate: estimates.estimate, credit: credits.credit }} />
          </>
        }
        panel={
          tab === 'scheduled'
            ? scheduled.panel
            : (writeOffs.panel ??
              estimates.panel ??
              credits.panel ??
              panelOf(place, BILLING, InvoicePanel, credits.credit))
        }
      >
        {tab === 'open' && (
          <OpenInvoices {...list} parts={PARTS} filter={filter} onAdd={add} openPay={manages ? openPay : undefined} />
        )}
        {tab === 'work' && <WorkItemList item={item} filter={filter} onAdd={addItem} onEscape={closePanel} />}
        {tab === 'estimates' && (
          <EstimateList
            manages={manages}
            estimate={estimates.estimate}
            filter={filter}
            onAdd={addEstimate}
            onEscape={closePanel}
          />
        )}
        {tab === 'scheduled' && scheduled.list(filter)}
        {tab === 'history' && <InvoiceHistory {...list} {...period} filter={filter} />}
        {tab === 'payments' && (
          <PaymentList side={BILLING} payment={place.payment} filter={filter} onEscape={closePanel} />
        )}
        {tab === 'credits' && (
          <CreditList
            manages={manages}
            credit={credits.credit}
            filter={filter}
            onAdd={addCredit}
            onEscape={closePanel}
          />
        )}
        {tab === 'writeoffs' && (
          <WriteOffList invoice={invoice} filter={filter} onAdd={writeOff} onEscape={closePanel} />
        )}
      </Page>
      <DocumentForms side={BILLING} place={place} Entry={BillingEntry} sends />
      {manages && credits.forms}
      {writeOffs.form}
      {manages && estimates.forms}
      {item.id !== undefined && <WorkItemModal key={item.id} id={item.id} onClose={item.close} />}
      {process.isOpen && manages && <ProcessWorkItems onClose={process.close} />}
      {charges.isOpen && manages && <FinanceCharges onClose={charges.close} />}
      {scheduled.form}
      {paste.isOpen && manages && <PasteWorkItems onClose={paste.close} />}
      {tab === 'open' && <OutstandingDrawer side={BILLING} />}
    </>
  );
}
