import './accounting.css';
import type { ChartAccount, PostedTransaction } from '@evenkeel/contract/ledger';
import type { IsoDate } from '@evenkeel/core/dates';
import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useBooksSettings } from '../choices/booksSettings.ts';
import { useMay } from '../session.ts';
import { useNarrow, useWide } from '../ui/hooks/media.ts';
import { useToday } from '../ui/hooks/today.tsx';
import { FilterBox } from '../ui/page/FilterBox.tsx';
import { Page, type PageAction } from '../ui/page/Page.tsx';
import { ICON_SMALL } from '../ui/show/icons.ts';
import { type AccountAsk, AccountView } from './AccountView.tsx';
import { openedOn, readAccountAsk, writeAccountAsk } from './accountingUrl.ts';
import { ChartTable } from './ChartTable.tsx';
import { DraftList, useDrafts } from './DraftList.tsx';
import { EntryModal } from './EntryModal.tsx';
import { GlAccountModal } from './GlAccountModal.tsx';
import { formOfTransaction, startForm } from './journalForm.ts';
import { JournalModal } from './JournalModal.tsx';
import type { JournalStart } from './useJournal.ts';

/** What stands over the screen. */
type Over =
  | { kind: 'journal'; start: JournalStart }
  | { kind: 'drafts' }
  | { kind: 'account'; account: ChartAccount | undefined }
  | { kind: 'entry'; transactionId: number };

/** /accounting: the chart of accounts beside an account's ledger (Specification part 2 §2). */
export function AccountingScreen() {
  const [ask, setAsk] = useAccountAsk();
  const [filter, setFilter] = useState('');
  const [over, setOver] = useState<Over>();
  const wide = useWide();
  const narrow = useNarrow();
  const manages = useMay()('Manage Accounting');
  const today = useToday();
  const books = { today, fyStartMonth: useBooksSettings().fyStartMonth };
  const addEntry = () => setOver({ kind: 'journal', start: freshStart(startForm(today), 'journal:0') });
  const more = useMoreActions(manages, setOver);
  const alone = !wide && ask !== undefined;
  const view = ask !== undefined && (
    <AccountView
      ask={ask}
      onAsk={(patch) => setAsk({ ...ask, ...patch })}
      onClose={() => setAsk(undefined)}
      onOpenTransaction={(transactionId) => setOver({ kind: 'entry', transactionId })}
      onEditAccount={(account) => setOver({ kind: 'account', account })}
    />
  );
  return (
    <>
      <div className="ac-screen" hidden={alone}>
        <Page
          title="Accounting"
          aside={narrow ? undefined : <MoreButton actions={more} />}
          primary={manages ? { label: 'Add Journal Entry', onClick: addEntry } : undefined}
          fabMenu={more}
          filter={<FilterBox placeholder="Search Accounts..." value={filter} onChange={setFilter} />}
          panel={wide && view}
        >
          <ChartTable
            filter={filter}
            selectedId={ask?.accountId}
            onOpen={(accountId) => setAsk(ask === undefined ? openedOn(accountId, books) : { ...ask, accountId })}
            onClose={() => setAsk(undefined)}
          />
        </Page>
      </div>
      {alone && <div className="ac-alone">{view}</div>}
      <OverScreen over={over} setOver={setOver} openAccount={(accountId) => setAsk(openedOn(accountId, books))} />
    </>
  );
}

function freshStart(form: JournalStart['form'], draftName: string): JournalStart {
  return { form, draftName, kept: { transactionID: 0, rowVersion: undefined } };
}

function draftStart(draft: PostedTransaction, today: IsoDate): JournalStart {
  const { transactionID, rowVersion } = draft;
  const date = draft.postingDate ?? today;
  const form = { ...formOfTransaction(draft, date), postingDate: date };
  return { form, draftName: `journal:${transactionID}:${rowVersion}`, kept: { transactionID, rowVersion } };
}

/** The open account is in the address; going from one to the next adds no steps for the Back button. */
function useAccountAsk(): [AccountAsk | undefined, (ask: AccountAsk | undefined) => void] {
  const [query, setQuery] = useSearchParams();
  const ask = readAccountAsk(query);
  const open = useRef(ask !== undefined);
  open.current = ask !== undefined;
  return [ask, (next) => setQuery(writeAccountAsk(next), { replace: open.current || next === undefined })];
}

function useMoreActions(manages: boolean, setOver: (over: Over) => void): PageAction[] {
  const { drafts } = useDrafts();
  const count = drafts?.length ?? 0;
  const saved = {
    label: count === 0 ? 'Saved Transactions' : `Saved Transactions (${count})`,
    onClick: () => setOver({ kind: 'drafts' }),
  };
  if (!manages) return [saved];
  return [{ label: 'Add GL Account', onClick: () => setOver({ kind: 'account', account: undefined }) }, saved];
}

function MoreButton({ actions }: { actions: readonly PageAction[] }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconChevronDown {...ICON_SMALL} />}>
          More
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item key={action.label} onClick={action.onClick}>
            {action.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface OverScreenProps {
  over: Over | undefined;
  setOver: (over: Over | undefined) => void;
  openAccount: (accountId: number) => void;
}

function OverScreen({ over, setOver, openAccount }: OverScreenProps) {
  const today = useToday();
  const manages = useMay()('Manage Accounting');
  const close = () => setOver(undefined);
  const { drafts } = useDrafts();
  if (over === undefined) return null;
  if (over.kind === 'drafts') {
    const open = (draft: PostedTransaction) => setOver({ kind: 'journal', start: draftStart(draft, today) });
    return <DraftList manages={manages} onClose={close} onOpen={open} />;
  }
  if (over.kind === 'account') {
    const saved = (id: number) => (over.account === undefined ? openAccount(id) : undefined);
    return <GlAccountModal account={over.account} onClose={close} onSaved={saved} />;
  }
  if (over.kind === 'entry') {
    const copy = (from: PostedTransaction) => {
      const key = `journal:copy:${from.transactionID}`;
      setOver({ kind: 'journal', start: freshStart(formOfTransaction(from, today), key) });
    };
    const show = (transactionId: number) => setOver({ kind: 'entry', transactionId });
    return (
      <EntryModal
        key={over.transactionId}
        transactionId={over.transactionId}
        onClose={close}
        onCopy={copy}
        onShow={show}
      />
    );
  }
  const theirs = drafts?.find((draft) => draft.transactionID === over.start.kept.transactionID);
  const reload = () =>
    setOver(theirs === undefined ? { kind: 'drafts' } : { kind: 'journal', start: draftStart(theirs, today) });
  return <JournalModal key={over.start.draftName} start={over.start} onClose={close} onReload={reload} />;
}
