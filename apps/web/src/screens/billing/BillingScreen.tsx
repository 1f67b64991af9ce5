import { documentKinds } from '@evenkeel/core/documents/side';
import { useBeside } from '../../parts/documents/beside.ts';
import { DocumentForms, panelOf } from '../../parts/documents/panel/OpenDocument.tsx';
import { useDocumentPlace } from '../../parts/documents/useDocumentPlace.ts';
import { useAddressText } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { useMay } from '../../client/session.ts';
import { useLocalChoice } from '../../ui/hooks/localState.ts';
import { FilterBox } from '../../ui/page/FilterBox.tsx';
import { Page, type PageAction } from '../../ui/page/Page.tsx';
import { BillingEntry } from './invoices/BillingEntry.tsx';
import { OPEN_TAB } from './invoices/InvoiceLists.tsx';
import { InvoicePanel } from './invoices/InvoicePanel.tsx';
import { BILLING } from './records.ts';
import { RefusedMails } from './sending/RefusedMail.tsx';
import type { BillingTab, Opens } from './tab.ts';
import { PARTS, TABS } from './tabs.tsx';
import { CREDITS_TAB } from './credits/creditsTab.tsx';
import { WRITE_OFFS } from './writeoffs/WriteOffTab.tsx';
import { WORK_ITEM_TAB } from './workItems/WorkItemList.tsx';
import { useWorkItemCount } from './workItems/workItems.ts';

/** Returns the tab in the URL or, without one, the tab that was last selected on this device. */
function useTab(): [BillingTab, (tab: string) => void] {
  const { query, go } = usePlace();
  const [kept, keep] = useLocalChoice(
    'billingTab',
    TABS.map(({ value }) => value),
    OPEN_TAB.value,
  );
  // Write-offs and refunds are on the Credits tab.
  const tabOf = (name: string | undefined | null) =>
    TABS.find(({ value }) => value === (name === WRITE_OFFS.value ? CREDITS_TAB.value : name));
  // A schedule's panel belongs to the Scheduled tab.
  const comesAgain = query.has('scheduled') || query.has('template') ? 'scheduled' : undefined;
  const choose = (tab: string) => {
    keep(tab);
    go({
      tab,
      scheduled: undefined,
      q: undefined,
      from: undefined,
      to: undefined,
      part: undefined,
      kind: undefined,
      sort: undefined,
    });
  };
  return [tabOf(query.get('tab')) ?? tabOf(comesAgain ?? kept) ?? OPEN_TAB, choose];
}

/** Returns the tabs, with the number of unbilled work items. */
function useTabs() {
  const count = useWorkItemCount();
  return TABS.map(({ value, label }) => ({ value, label, ...(value === WORK_ITEM_TAB.value && { count }) }));
}

/** Returns the panel of the record in the URL. */
function useTabPanel(tab: BillingTab) {
  const { query } = usePlace();
  const isOwn = tab.beside?.isOwn === true;
  const shown = isOwn ? [tab] : PARTS().filter(({ beside }) => beside?.isOwn !== true);
  const open = shown.flatMap(({ beside }) => (beside !== undefined && query.get(beside.key) ? [beside] : []))[0];
  const { id, close } = useBeside(open?.key ?? documentKinds.invoice.screen.key);
  return { isOwn, panel: open && id !== undefined && <open.Panel key={open.key} id={id} onClose={close} /> };
}

/** Returns the actions for the buttons that the user has permission to use. */
function useActions() {
  const may = useMay();
  const { go } = usePlace();
  const actionOf = ({ label, name, value = 0, icon }: Opens): PageAction => {
    return { label, ...(icon !== undefined && { icon }), onClick: () => go({ [name]: value }, { step: [name] }) };
  };
  return (opens: readonly (Opens | undefined)[]) =>
    opens.flatMap((one) => (one !== undefined && may(one.needs ?? 'Manage Billing') ? [actionOf(one)] : []));
}

/** /billing: the lists of its tabs, each with the panel of the open record. */
export function BillingScreen() {
  const manages = useMay()('Manage Billing');
  const [tab, setTab] = useTab();
  const [filter, setFilter] = useAddressText('q');
  const place = useDocumentPlace();
  const { isOwn, panel = isOwn ? undefined : panelOf(place, BILLING, InvoicePanel) } = useTabPanel(tab);
  const actionsOf = useActions();
  const [primary] = actionsOf([tab.primary]);
  const { Filter } = tab;
  return (
    <>
      <Page
        title="Billing"
        primary={primary}
        secondary={actionsOf([tab.second])}
        more={actionsOf(tab.more ?? [])}
        tabs={{ tabs: useTabs(), value: tab.value, onChange: setTab }}
        filter={
          <>
            <FilterBox placeholder={tab.search} value={filter} onChange={setFilter} />
            {Filter && <Filter filter={filter} />}
            <RefusedMails />
          </>
        }
        panel={panel}
      >
        <tab.List
          key={tab.value}
          {...{ place, filter, manages }}
          onAdd={primary?.onClick}
          onEscape={place.closePanel}
        />
      </Page>
      <DocumentForms side={BILLING} place={place} Entry={BillingEntry} sends />
      {PARTS().map(({ value, Forms }) => Forms && <Forms key={value} manages={manages} />)}
    </>
  );
}
