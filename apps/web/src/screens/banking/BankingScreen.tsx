import './banking.css';
import type { BankingAccount } from '@evenkeel/contract/banking';
import type { ReactElement } from 'react';
import { type KeptList, KeptListScreen } from '../../records/KeptList.tsx';
import { useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { useLocalChoice } from '../../ui/hooks/localState.ts';
import type { PageTabs } from '../../ui/page/Page.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { BankAccountModal } from './BankAccountModal.tsx';
import { bankAccounts } from './banking.ts';
import { Reconcile } from './Reconcile.tsx';
import { ReconciliationList } from './ReconciliationList.tsx';
import { ReconciliationReport, type ReportPart } from './ReconciliationReport.tsx';

const VALUES = ['accounts', 'reconciliations'] as const;
export type BankingTab = (typeof VALUES)[number];
const LABELS: Record<BankingTab, string> = { accounts: 'Accounts', reconciliations: 'Reconciliations' };
const TABS = VALUES.map((value) => ({ value, label: LABELS[value] }));

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
  hint: 'Add the accounts that you have with banks, and your credit cards.',
  Modal: BankAccountModal,
};

function AccountLink({ account }: { account: BankingAccount }) {
  return <NameLink {...useOpenRecord('bankaccount').link(account.bankingAccountID)}>{account.name}</NameLink>;
}

export interface BankingScreenProps {
  /** Draws a report: the viewer of the reports screen, composed by the routes. */
  Report: ReportPart;
}

/** Bank accounts and their reconciliations; the chosen tab is remembered, Reconciliations at first. */
export function BankingScreen({ Report }: BankingScreenProps): ReactElement {
  const { query, go } = usePlace();
  const [kept, keep] = useLocalChoice<BankingTab>('bankingTab', VALUES, 'reconciliations');
  const tab = VALUES.find((value) => value === query.get('tab')) ?? kept;
  const reconcile = useOpenRecord('reconcile', { hasNew: false });
  const report = useOpenRecord('reconciliation', { hasNew: false });
  const onChange = (next: BankingTab) => {
    keep(next);
    go({ tab: next, q: undefined, sort: undefined, show: undefined });
  };
  const tabs: PageTabs<BankingTab> = { tabs: TABS, value: tab, onChange };
  if (reconcile.id !== undefined) {
    return <Reconcile key={reconcile.id} bankAccountId={reconcile.id} onClose={reconcile.close} />;
  }
  if (report.id !== undefined) {
    return <ReconciliationReport key={report.id} id={report.id} Report={Report} onClose={report.close} />;
  }
  if (tab === 'reconciliations') return <ReconciliationList tabs={tabs} />;
  return (
    <KeptListScreen<BankingAccount, BankingTab> title="Banking" address="bankaccount" list={ACCOUNTS} tabs={tabs} />
  );
}
