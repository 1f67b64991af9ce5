import './banking.css';
import { IconArrowsExchange, IconBuildingBank, IconPigMoney, IconUpload } from '@tabler/icons-react';
import { type ReactElement, useState } from 'react';
import { DepositModal } from '../../parts/banking/DepositModal.tsx';
import { TransferModal } from '../../parts/banking/TransferModal.tsx';
import { inAlert, useRead } from '../../client/api.ts';
import { useManages } from '../../records/active.tsx';
import { useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { useLocalChoice } from '../../ui/hooks/localState.ts';
import type { MenuAction } from '../../ui/overlay/MenuBox.tsx';
import type { PageAction, PageMenu, PageTabs } from '../../ui/page/Page.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { AccountList } from './AccountList.tsx';
import { BANKING_TABS, type BankingTab } from './banking.ts';
import { Reconcile } from './Reconcile.tsx';
import { ReconciliationList } from './ReconciliationList.tsx';
import { ReconciliationReport, type ReportPart } from './ReconciliationReport.tsx';
import { type Imported, ReviewTab } from './review/ReviewTab.tsx';
import { RulesPage } from './rules/RulesPage.tsx';
import { ImportModal } from './statements/ImportModal.tsx';
import { reviewAccounts } from './statements/statements.ts';
import { StatementsPage } from './statements/StatementsPage.tsx';

const LABELS: Record<BankingTab, string> = {
  accounts: 'Accounts',
  reconciliations: 'Reconciliations',
  review: 'Review',
};

export interface BankingScreenProps {
  /** Renders a report. The routes pass in the component that shows reports. */
  Report: ReportPart;
}

/** The pages and dialogs that the Review tab opens, by URL parameter. */
const PARTS = ['statements', 'rules', 'import'] as const;
type Part = (typeof PARTS)[number];

function useParts() {
  const { query, go } = usePlace();
  return {
    isOpen: (part: Part) => query.has(part),
    open: (part: Part) => go({ [part]: 1 }, { step: [part] }),
    close: (part: Part) => go({ [part]: undefined }),
    /** Opens the imported bank transactions for review. */
    review: (bankAccountId: number) =>
      go({ import: undefined, statements: undefined, part: undefined, q: undefined, tab: 'review', of: bankAccountId }),
  };
}

/** Returns the tabs. The selected tab is remembered, and Reconciliations is the default. */
function useTabs(): PageTabs<BankingTab> {
  const { query, go } = usePlace();
  const [kept, keep] = useLocalChoice<BankingTab>('bankingTab', BANKING_TABS, 'reconciliations');
  const accounts = useRead(reviewAccounts, { keep: true, ...inAlert('Error Loading Accounts') });
  const count = accounts.value?.reduce((all, { reviewCount }) => all + reviewCount, 0);
  const onChange = (next: BankingTab) => {
    keep(next);
    go({ tab: next, q: undefined, sort: undefined, show: undefined, part: undefined, line: undefined });
  };
  return {
    tabs: BANKING_TABS.map((value) => ({ value, label: LABELS[value], ...(value === 'review' ? { count } : {}) })),
    value: BANKING_TABS.find((value) => value === query.get('tab')) ?? kept,
    onChange,
  };
}

/** The banking screen: bank accounts, reconciliations, and bank transactions for review. */
export function BankingScreen({ Report }: BankingScreenProps): ReactElement {
  const { query } = usePlace();
  const tabs = useTabs();
  const parts = useParts();
  const manages = useManages('Manage Banking');
  const reconcile = useOpenRecord('reconcile', { hasNew: false });
  const report = useOpenRecord('reconciliation', { hasNew: false });
  const onImport = manages ? () => parts.open('import') : undefined;
  const [isImported, setImported] = useState(false);
  if (reconcile.id !== undefined) {
    return <Reconcile key={reconcile.id} bankAccountId={reconcile.id} onClose={reconcile.close} />;
  }
  if (report.id !== undefined) {
    return <ReconciliationReport key={report.id} id={report.id} Report={Report} onClose={report.close} />;
  }
  if (parts.isOpen('rules')) return <RulesPage onClose={() => parts.close('rules')} />;
  return (
    <>
      {parts.isOpen('statements') ? (
        <StatementsPage onClose={() => parts.close('statements')} onImport={onImport} />
      ) : (
        <Tabbed
          tabs={tabs}
          onOpen={parts.open}
          onImport={onImport}
          imported={{ isNow: isImported && !parts.isOpen('import'), onFocused: () => setImported(false) }}
        />
      )}
      {manages && parts.isOpen('import') && (
        <ImportModal
          bankAccountId={Number(query.get('of')) || undefined}
          onClose={() => parts.close('import')}
          onImported={(bankAccountId) => {
            setImported(true);
            parts.review(bankAccountId);
          }}
        />
      )}
    </>
  );
}

interface TabbedProps {
  tabs: PageTabs<BankingTab>;
  onOpen: (part: Part) => void;
  onImport: (() => void) | undefined;
  imported: Imported;
}

function Tabbed({ tabs, onOpen, onImport, imported }: TabbedProps): ReactElement {
  const { menu, modal } = useNew(onImport);
  if (tabs.value === 'reconciliations') {
    return (
      <>
        <ReconciliationList tabs={tabs} secondary={menu === undefined ? [] : [menu]} />
        {modal}
      </>
    );
  }
  const pages: PageAction[] = [
    { label: 'Rules', onClick: () => onOpen('rules'), icon: null, quiet: true },
    { label: 'Statements', onClick: () => onOpen('statements'), icon: null, quiet: true },
  ];
  return (
    <>
      {tabs.value === 'accounts' ? (
        <AccountList tabs={tabs} secondary={pages} primary={menu} />
      ) : (
        <ReviewTab
          tabs={tabs}
          actions={menu === undefined ? pages : [...pages, menu]}
          onImport={onImport}
          imported={imported}
        />
      )}
      {modal}
    </>
  );
}

/** The New menu on every tab, and the transfer or deposit that is open on top of the screen. */
function useNew(onImport: (() => void) | undefined): { menu?: PageMenu; modal?: ReactElement | undefined } {
  const transfer = useOpenRecord('transfer');
  const deposit = useOpenRecord('deposit');
  const { go } = usePlace();
  if (onImport === undefined) return {};
  const account = () => go({ tab: 'accounts', bankaccount: 0 }, { step: ['bankaccount'] });
  const menu: MenuAction[] = [
    { label: 'Import Statement', letter: 'i', onClick: onImport, icon: <IconUpload {...ICON_SMALL} /> },
    { label: 'Transfer', letter: 't', onClick: () => transfer.open(0), icon: <IconArrowsExchange {...ICON_SMALL} /> },
    { label: 'Deposit', letter: 'd', onClick: () => deposit.open(0), icon: <IconPigMoney {...ICON_SMALL} /> },
    { label: 'Account', onClick: account, icon: <IconBuildingBank {...ICON_SMALL} />, divided: true },
  ];
  const modal =
    transfer.id !== undefined ? (
      <TransferModal key={`transfer ${transfer.id}`} id={transfer.id} onClose={transfer.close} />
    ) : deposit.id !== undefined ? (
      <DepositModal key={`deposit ${deposit.id}`} id={deposit.id} onClose={deposit.close} />
    ) : undefined;
  return { menu: { label: 'New', menu }, modal };
}
