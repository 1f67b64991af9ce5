import { type ChartAccount, ledgerCalls } from '@evenkeel/contract/ledger';
import { ask } from '../../client/api.ts';
import type { KeptList } from '../../records/KeptList.tsx';
import { inactiveQuery } from '../../records/reads.ts';
import { GlAccountModal } from './GlAccountModal.tsx';
import { SubPage } from './SubPage.tsx';

const LOADING = 'Error Loading Accounts';

const LIST: KeptList<ChartAccount> = {
  title: 'GL Accounts',
  of: {
    words: { one: 'GL account', many: 'GL accounts', loadAll: LOADING, loadOne: LOADING },
    idOf: (row) => row.customerAccountID,
    list: (inactive) => ask(ledgerCalls.chartOfAccounts, { query: inactiveQuery(inactive) }),
  },
  manager: 'Manage Accounting',
  columns: [
    { id: 'displayAccountLabel', header: 'GL Account', value: (row) => row.displayAccountLabel },
    { id: 'displayAccountType', header: 'Account Type', value: (row) => row.displayAccountType, quiet: true },
  ],
  phoneRow: (row) => ({ title: row.displayAccountLabel, detail: row.displayAccountType }),
  search: 'Search Accounts...',
  add: 'Add GL Account',
  hint: 'Add a GL account to start your chart of accounts.',
  Modal: GlAccountModal,
};

/** The list of GL accounts. Its close button returns to the previous page. */
export function GlAccountsScreen() {
  return <SubPage list={LIST} />;
}
