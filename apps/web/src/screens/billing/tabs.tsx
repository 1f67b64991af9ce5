import { PaymentList } from '../../parts/documents/list/PaymentList.tsx';
import { useScheduled } from '../../parts/scheduled/useScheduled.tsx';
import { CREDIT_TAB } from './credits/creditTab.tsx';
import { ESTIMATE_TAB } from './estimates/estimateTab.tsx';
import { HISTORY_TAB, OPEN_TAB } from './invoices/InvoiceLists.tsx';
import { BILLING } from './records.ts';
import { SCHEDULED_INVOICES } from './scheduled/scheduledForm.ts';
import { ScheduledInvoice } from './scheduled/ScheduledInvoice.tsx';
import type { BillingTab } from './tab.ts';
import { ADD_WORK_ITEM, WORK_ITEM_TAB } from './workItems/WorkItemList.tsx';
import { WRITE_OFF_TAB } from './writeoffs/WriteOffList.tsx';

const hint =
  'Schedule the invoices that you send regularly. Evenkeel creates each one on its date, as a ' +
  'draft, posted, or sent.';
const useScheduledInvoices = () => useScheduled(SCHEDULED_INVOICES, { Entry: ScheduledInvoice, hint });

const SCHEDULED_TAB: BillingTab = {
  value: 'scheduled',
  label: 'Scheduled',
  search: 'Filter Scheduled...',
  primary: { label: 'Add Schedule', name: 'template' },
  List: ({ filter }) => useScheduledInvoices().list(filter),
  beside: { key: 'scheduled', Panel: () => useScheduledInvoices().panel, isOwn: true },
  Forms: () => useScheduledInvoices().form,
};

const PAYMENT_TAB: BillingTab = {
  value: 'payments',
  label: 'Payments',
  search: 'Search Payments...',
  primary: ADD_WORK_ITEM,
  List: ({ place, filter, onEscape }) => (
    <PaymentList side={BILLING} payment={place.payment} filter={filter} onEscape={onEscape} />
  ),
};

/** The Billing tabs, in display order. */
export const TABS: BillingTab[] = [
  OPEN_TAB,
  WORK_ITEM_TAB,
  ESTIMATE_TAB,
  SCHEDULED_TAB,
  HISTORY_TAB,
  PAYMENT_TAB,
  CREDIT_TAB,
  WRITE_OFF_TAB,
];
