import { useScheduled } from '../../parts/scheduled/useScheduled.tsx';
import { CREDITS_TAB } from './credits/creditsTab.tsx';
import { ESTIMATE_TAB } from './estimates/estimateTab.tsx';
import { HISTORY_TAB, OPEN_TAB } from './invoices/InvoiceLists.tsx';
import { PAYMENT_TAB } from './payments/paymentTab.tsx';
import { SCHEDULED_INVOICES } from './scheduled/scheduledForm.ts';
import { ScheduledInvoice } from './scheduled/ScheduledInvoice.tsx';
import type { BillingPart, BillingTab } from './tab.ts';
import { WORK_ITEM_TAB } from './workItems/WorkItemList.tsx';
import { WRITE_OFFS } from './writeoffs/WriteOffTab.tsx';

const hint =
  'Schedule the invoices that you send regularly. Evenkeel creates each invoice on its date and can ' +
  'post and send it.';
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

/** The Billing tabs, in display order. */
export const TABS: BillingTab[] = [
  OPEN_TAB,
  HISTORY_TAB,
  ESTIMATE_TAB,
  PAYMENT_TAB,
  CREDITS_TAB,
  WORK_ITEM_TAB,
  SCHEDULED_TAB,
];

/** Everything that opens panels and forms: the tabs, and the kinds of records that share a tab. */
export const PARTS = (): BillingPart[] => [...TABS, WRITE_OFFS];
