import './banking.css';
import type { BankingAccount } from '@evenkeel/contract/banking';
import { IconAdjustmentsHorizontal, IconFiles, IconUpload } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { inAlert, useRead } from '../../client/api.ts';
import { useManages } from '../../records/active.tsx';
import { type KeptList, KeptListScreen } from '../../records/KeptList.tsx';
import { useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { useLocalChoice } from '../../ui/hooks/localState.ts';
import type { PageAction, PageTabs } from '../../ui/page/Page.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { BankAccountModal } from './BankAccountModal.tsx';
import { BANKING_TABS, type BankingTab, bankAccounts } from './banking.ts';
import { Reconcile } from './Reconcile.tsx';
import { ReconciliationList } from './ReconciliationList.tsx';
import { ReconciliationReport, type ReportPart } from './ReconciliationReport.tsx';
import { ReviewTab } from './review/ReviewTab.tsx';
import { RulesPage } from './rules/RulesPage.tsx';
import { ImportModal } from './statements/ImportModal.tsx';
import { reviewAccounts } from './statements/statements.ts';
import { StatementsPage } from './statements/StatementsPage.tsx';

const LABELS: Record<BankingTab, string> = {
  accounts: 'Accounts',
  reconciliations: 'Reconciliations',
  review: 'Review',
};

const ACCOUNTS: KeptList<BankingAccount> = {
  title: 'Accounts',
  of: bankAccounts,
  manager: 'Manage Banking',
  columns: [
    {
      id: 'name',
      header: 'Name',
      value: (one) => one.name,
      render: (one) => <AccountLink account={one} />,
      width: '34%',
    },
    { id: 'currentBalance', header: 'Current Balance', kind: 'amount', value: (one) => one.currentBalance },
    {
      id: 'lastReconciledDate',
      header: 'Last Reconciled Date',
      kind: 'date',
      value: (one) => one.lastReconciledDate,
      width: '190px',
    },
    {
      id: 'lastReconciledBalance',
      header: 'Last Reconciled Balance',
      kind: 'amount',
      value: (one) => (one.lastReconciledDate === null ? null : one.lastReconciledBalance),
      width: '210px',
    },
  ],
  phoneRow: (one) => ({
    title: one.name,
    amount: <Amount value={one.currentBalance} />,
    detail: one.lastReconciledDate === null ? 'Never reconciled' : undefined,
  }),
  add: 'Add Account',
  hint: 'Add your bank accounts and credit cards.',
  Modal: BankAccountModal,
};

function AccountLink({ account }: { account: BankingAccount }) {
  return <NameLink {...useOpenRecord('bankaccount').link(account.bankingAccountID)}>{account.name}</NameLink>;
}

export interface BankingScreenProps {
  /** Draws a report: the viewer of the reports screen, composed by the routes. */
  Report: ReportPart;
}

/** Pages and a dialog that the Review tab opens, each by a name of the address. */
const PARTS = ['statements', 'rules', 'import'] as const;
type Part = (typeof PARTS)[number];

function useParts() {
  const { query, go } = usePlace();
  return {
    isOpen: (part: Part) => query.has(part),
    open: (part: Part) => go({ [part]: 1 }, { step: [part] }),
    close: (part: Part) => go({ [part]: undefined }),
    /** From the file to its lines. */
    review: (bankAccountId: number) =>
      go({ import: undefined, statements: undefined, part: undefined, q: undefined, tab: 'review', of: bankAccountId }),
  };
}

/** The tabs, of which the chosen one is remembered: Reconciliations at first. */
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

/** Bank accounts, their reconciliations, and the bank's lines for review. */
export function BankingScreen({ Report }: BankingScreenProps): ReactElement {
  const { query } = usePlace();
  const tabs = useTabs();
  const parts = useParts();
  const manages = useManages('Manage Banking');
  const reconcile = useOpenRecord('reconcile', { hasNew: false });
  const report = useOpenRecord('reconciliation', { hasNew: false });
  const onImport = manages ? () => parts.open('import') : undefined;
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
        <Tabbed tabs={tabs} onOpen={parts.open} onImport={onImport} />
      )}
      {manages && parts.isOpen('import') && (
        <ImportModal
          bankAccountId={Number(query.get('of')) || undefined}
          onClose={() => parts.close('import')}
          onImported={parts.review}
        />
      )}
    </>
  );
}

interface TabbedProps {
  tabs: PageTabs<BankingTab>;
  onOpen: (part: Part) => void;
  onImport: (() => void) | undefined;
}

function Tabbed({ tabs, onOpen, onImport }: TabbedProps): ReactElement {
  if (tabs.value === 'reconciliations') return <ReconciliationList tabs={tabs} />;
  if (tabs.value === 'accounts') {
    return (
      <KeptListScreen<BankingAccount, BankingTab> title="Banking" address="bankaccount" list={ACCOUNTS} tabs={tabs} />
    );
  }
  const actions: PageAction[] = [
    { label: 'Rules', onClick: () => onOpen('rules'), icon: <IconAdjustmentsHorizontal {...ICON_SMALL} /> },
    { label: 'Statements', onClick: () => onOpen('statements'), icon: <IconFiles {...ICON_SMALL} /> },
    ...(onImport === undefined
      ? []
      : [{ label: 'Import Statement', onClick: onImport, icon: <IconUpload {...ICON_SMALL} /> }]),
  ];
  return <ReviewTab tabs={tabs} actions={actions} onImport={onImport} />;
}
