import './accounting.css';
import { addDays, fiscalYearStart } from '@evenkeel/core/dates';
import { Button } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { DepositModal } from '../../parts/banking/DepositModal.tsx';
import { TransferModal } from '../../parts/banking/TransferModal.tsx';
import { useBooksSettings } from '../../parts/choices/booksSettings.ts';
import { useTransaction } from '../../parts/ledger/queries.ts';
import { useScheduled } from '../../parts/scheduled/useScheduled.tsx';
import { useAddressText } from '../../records/openRecord.ts';
import { useOpenSubPage, usePlace } from '../../records/place.ts';
import { LoadedModal } from '../../records/RecordModal.tsx';
import { oneOf } from '../../records/records.ts';
import type { Read } from '../../client/api.ts';
import { useMay } from '../../client/session.ts';
import { useNarrow, useWide } from '../../ui/hooks/media.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import { ActionMenu } from '../../ui/overlay/ActionMenu.tsx';
import { FilterBox } from '../../ui/page/FilterBox.tsx';
import { Page, type PageAction } from '../../ui/page/Page.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { AccountView } from './AccountView.tsx';
import { ChartTable } from './ChartTable.tsx';
import { DraftList, useDrafts } from './DraftList.tsx';
import { EntryModal } from './EntryModal.tsx';
import { GlAccountModal } from './GlAccountModal.tsx';
import { formOfDraft, formOfTransaction, startForm, startOpening } from './journalForm.ts';
import { JournalTemplate } from './JournalTemplate.tsx';
import { JournalModal } from './JournalModal.tsx';
import { SignOffModal } from './SignOffModal.tsx';
import { SCHEDULED_JOURNALS } from './scheduledJournals.ts';
import { type AccountingPlace, type JournalFrom, openedOn, useAccountingPlace } from './useAccountingPlace.ts';
import type { JournalStart } from './useJournal.ts';

/** /accounting: the chart of accounts next to an account's register. */
export function AccountingScreen() {
  const place = useAccountingPlace();
  const { ask, closeAccount } = place;
  const [filter, setFilter] = useAddressText('q');
  const wide = useWide();
  const narrow = useNarrow();
  const manages = useMay()('Manage Accounting');
  const books = { today: useToday(), fyStartMonth: useBooksSettings().fyStartMonth };
  const more = useMoreActions(place, manages);
  const alone = !wide && ask !== undefined;
  const [tab, setTab] = useTab();
  const isChart = tab === 'chart';
  const scheduled = useScheduled(SCHEDULED_JOURNALS, { Entry: Template, hint: SCHEDULED_HINT, adds: false });
  const add = { label: 'Add Journal Entry', onClick: () => place.openJournal({ kind: 'new', id: 0 }) };
  const view = ask !== undefined && (
    <AccountView
      ask={ask}
      onAsk={place.patch}
      onClose={closeAccount}
      opens={place.opens}
      onEditAccount={place.edit.open}
      onSignOffs={place.signOff.open}
    />
  );
  return (
    <>
      <div className="ac-screen" hidden={alone} data-chart={isChart ? '' : undefined}>
        <Page
          title="Accounting"
          aside={narrow ? undefined : <MoreButton actions={more} />}
          primary={manages ? add : undefined}
          fabMenu={more}
          tabs={{ tabs: TABS, value: tab, onChange: setTab }}
          filter={<FilterBox placeholder={SEARCH[tab]} value={filter} onChange={setFilter} />}
          panel={isChart ? wide && view : scheduled.panel}
        >
          {isChart ? (
            <ChartTable
              filter={filter}
              selectedId={ask?.accountId}
              onOpen={(accountId) =>
                place.open(ask === undefined ? openedOn(accountId, books) : { ...ask, accountId, find: '' })
              }
              onClose={closeAccount}
            />
          ) : (
            scheduled.list(filter)
          )}
        </Page>
      </div>
      {scheduled.form}
      {alone && <div className="ac-alone">{view}</div>}
      <Over place={place} onAdded={(accountId) => place.added(openedOn(accountId, books))} />
    </>
  );
}

type Tab = 'chart' | 'scheduled';

/** Returns the tab in the URL. A schedule's panel belongs to the Scheduled tab. */
function useTab(): [Tab, (tab: Tab) => void] {
  const { query, go } = usePlace();
  const isScheduled = query.get('tab') === 'scheduled' || query.has('scheduled') || query.has('template');
  const tab = isScheduled ? 'scheduled' : 'chart';
  const choose = (next: Tab) =>
    go({ tab: next === 'chart' ? undefined : next, scheduled: undefined, q: undefined, sort: undefined });
  return [tab, choose];
}

const TABS = [
  { value: 'chart', label: 'Chart of Accounts' },
  { value: 'scheduled', label: 'Scheduled' },
] as const;
const SEARCH = { chart: 'Search Accounts...', scheduled: 'Search Scheduled...' } as const;
const SCHEDULED_HINT =
  'To schedule a journal entry, open it and select Repeat. Evenkeel creates a draft or posts ' +
  'the entry on each date.';

/** The form for a journal entry template. The tab passes in the template's ID. */
function Template({ invoiceId, onClose }: { invoiceId: number; onClose: () => void }) {
  return <JournalTemplate id={invoiceId} repeats={0} onClose={onClose} />;
}

/** The subpages of accounting. */
const SUB_PAGES = [
  ['Budgets', '/budgets'],
  ['Profit Centers', '/profitcenters'],
  ['Locations', '/locations'],
  ['GL Accounts', '/glaccounts'],
  ['Account Categories', '/accountcategories'],
] as const;

function useMoreActions({ openSaved, edit }: AccountingPlace, manages: boolean): PageAction[] {
  const { value: drafts = [] } = useDrafts();
  const openSubPage = useOpenSubPage();
  const saved = drafts.length === 0 ? 'Saved Transactions' : `Saved Transactions (${drafts.length})`;
  return [
    ...(manages ? [{ label: 'Add GL Account', onClick: () => edit.open(0) }] : []),
    { label: saved, onClick: openSaved },
    ...SUB_PAGES.map(([label, to]) => ({ label, onClick: () => openSubPage(to) })),
  ];
}

/** The dialogs on top of the screen. */
function Over({ place, onAdded }: { place: AccountingPlace; onAdded: (accountId: number) => void }) {
  const manages = useMay()('Manage Accounting');
  const { edit, isSavedOpen, journal, openJournal, close } = place;
  const { entry, transfer, deposit } = place.opens;
  if (transfer.id !== undefined) return <TransferModal key={transfer.id} id={transfer.id} onClose={transfer.close} />;
  if (deposit.id !== undefined) return <DepositModal key={deposit.id} id={deposit.id} onClose={deposit.close} />;
  if (edit.id !== undefined)
    return <GlAccountModal key={edit.id} id={edit.id} onClose={edit.close} onSaved={onAdded} />;
  if (place.signOff.id !== undefined && entry.id === undefined) {
    const { id, close: onClose } = place.signOff;
    return <SignOffModal key={id} accountId={id} through={place.ask?.to} onClose={onClose} onEntry={entry.open} />;
  }
  if (place.repeat.id !== undefined && manages)
    return <JournalTemplate key={place.repeat.id} id={0} repeats={place.repeat.id} onClose={place.repeat.close} />;
  if (journal !== undefined && manages)
    return <Journal key={`${journal.kind} ${journal.id}`} from={journal} place={place} />;
  if (isSavedOpen) {
    const open = (id: number) => openJournal({ kind: 'draft', id });
    return <DraftList manages={manages} onClose={close} onOpen={(draft) => open(draft.transactionID)} />;
  }
  if (entry.id === undefined) return null;
  const copy = (id: number) => openJournal({ kind: 'copy', id });
  return (
    <EntryModal
      key={entry.id}
      transactionId={entry.id}
      onClose={entry.close}
      onRepeat={place.openRepeat}
      onCopy={(transaction) => copy(transaction.transactionID)}
      onShow={entry.open}
    />
  );
}

/** The Journal Entry modal. It keeps its initial data even if the source is loaded again. */
function Journal({ from, place }: { from: JournalFrom; place: AccountingPlace }) {
  const latest = useStart(from);
  const [start, setStart] = useState(latest.value);
  if (start === undefined && latest.value !== undefined) setStart(latest.value);
  return (
    <LoadedModal read={{ ...latest, value: start }} title="Journal Entry" size="xl" onClose={place.close}>
      {(read) => read !== undefined && <JournalModal start={read} onClose={place.close} />}
    </LoadedModal>
  );
}

/** Returns the initial data of an entry. */
function useStart({ kind, id }: JournalFrom): Read<JournalStart> {
  const today = useToday();
  const books = useBooksSettings();
  const draft = oneOf(useDrafts(), (one) => one.transactionID === id);
  const copied = useTransaction(kind === 'copy' ? id : 0);
  if (kind === 'new') {
    return { ...copied, value: { form: startForm(today), draftName: 'journal', transactionID: 0 } };
  }
  if (kind === 'opening') {
    const dayBefore = addDays(fiscalYearStart(today, books.fyStartMonth), -1);
    const start = { form: startOpening(dayBefore), draftName: 'journal opening', transactionID: 0 };
    const { error, retry } = books;
    return { ...copied, error, retry, value: books.isLoaded ? start : undefined };
  }
  if (kind === 'copy') {
    const form = copied.value && formOfTransaction(copied.value, today);
    return { ...copied, value: form && { form, draftName: `journal copy ${id}`, transactionID: 0 } };
  }
  const form = draft.value && formOfDraft(draft.value, today);
  return { ...draft, value: form && { form, draftName: 'journal', transactionID: id } };
}

function MoreButton({ actions }: { actions: readonly PageAction[] }) {
  return (
    <ActionMenu
      position="bottom-end"
      actions={actions}
      button={
        <Button variant="default" leftSection={<IconChevronDown {...ICON_SMALL} />}>
          More
        </Button>
      }
    />
  );
}
