import type { BankingAccount } from '@evenkeel/contract/banking';
import type { ReconciliationRow } from '@evenkeel/contract/reconciliation';
import { formatDate } from '@evenkeel/core/dates';
import { Button } from '@mantine/core';
import { inAlert, useRead } from '../../client/api.ts';
import { useManages } from '../../records/active.tsx';
import { type OpenRecord, useAddressSort, useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { Page, type PageMenu, type PageTabs } from '../../ui/page/Page.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { counted } from '../../ui/show/words.ts';
import type { Column } from '../../ui/table/columns.ts';
import type { PhoneRow } from '../../ui/table/RowList.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { type BankingTab, progressOf, reconciledAccounts, reconciliationsOf } from './banking.ts';

const WORDS = { one: 'reconciliation', many: 'reconciliations' };
const TOLD = { keep: true, alert: 'Error Loading Accounts' };

interface ReconciliationListProps {
  tabs: PageTabs<BankingTab>;
  secondary: readonly PageMenu[];
}

/** The past reconciliations of a bank account, and a button that starts the next one. */
export function ReconciliationList({ tabs, secondary }: ReconciliationListProps) {
  const { query, go } = usePlace();
  const read = useRead(reconciledAccounts, TOLD);
  const manages = useManages('Manage Banking');
  const reconcile = useOpenRecord('reconcile', { hasNew: false });
  const accounts = read.value ?? [];
  const asked = Number(query.get('of') ?? 0);
  const account = accounts.find(({ bankingAccountID }) => bankingAccountID === asked) ?? accounts[0];
  const begin = account && (() => reconcile.open(account.bankingAccountID));
  const options = accounts.map(({ bankingAccountID: id, name: label }) => ({ id, label }));
  return (
    <Page<BankingTab>
      title="Banking"
      tabs={tabs}
      secondary={secondary}
      primary={manages && begin !== undefined ? { label: 'Add Reconciliation', onClick: begin } : undefined}
      filter={
        <div className="bk-of">
          <Picker
            label="Bank Account"
            options={options}
            isLoading={read.isLoading}
            value={account?.bankingAccountID ?? null}
            onChange={(id) => go({ of: id ?? undefined })}
          />
          <span className="ek-muted bk-last">{account !== undefined && <LastReconciled account={account} />}</span>
        </div>
      }
    >
      {read.error !== undefined && <ErrorState message={read.error} onRetry={read.retry} />}
      {account !== undefined && (
        <Past key={account.bankingAccountID} account={account} begin={manages ? begin : undefined} />
      )}
    </Page>
  );
}

function LastReconciled({ account }: { account: BankingAccount }) {
  const { lastReconciledDate, lastReconciledBalance } = account;
  if (lastReconciledDate === null) return 'Never reconciled';
  return (
    <>
      Last reconciled {formatDate(lastReconciledDate)}, <Amount value={lastReconciledBalance} />
    </>
  );
}

interface PastProps {
  account: BankingAccount;
  /** Starts a reconciliation. Undefined for users with only view permission. */
  begin: (() => void) | undefined;
}

function Past({ account, begin }: PastProps) {
  const { bankingAccountID: id, name } = account;
  const { value: rows, error, retry } = useRead(reconciliationsOf(id), TOLD);
  const open = useOpenRecord('reconciliation', { hasNew: false });
  const order = useAddressSort({ id: 'reconciliationDate', desc: true });
  return (
    <>
      {begin !== undefined && <InProgress id={id} onContinue={begin} />}
      <DataTable<ReconciliationRow>
        label={`Reconciliations for ${name}`}
        columns={columnsOf(open)}
        rows={rows}
        rowId={(row) => String(row.reconciliationID)}
        {...order}
        error={error}
        onRetry={retry}
        onOpen={(row) => open.open(row.reconciliationID)}
        phoneRow={phoneRow}
        empty={{
          title: 'No reconciliations',
          hint:
            'Compare your books with the bank statement. Select the entries that appear on both until ' +
            'the difference is zero.',
          action: begin && <Button onClick={begin}>Add Reconciliation</Button>,
        }}
        count={(count) => counted(count, WORDS)}
      />
    </>
  );
}

const ENTRIES = { one: 'entry', many: 'entries' };

const phoneRow = (row: ReconciliationRow): PhoneRow => ({
  title: formatDate(row.reconciliationDate),
  amount: <Amount value={row.statementBalance} />,
  detail: `${counted(row.entryCount, ENTRIES)} · ${row.savedBy}`,
});

const columnsOf = (open: OpenRecord): readonly Column<ReconciliationRow>[] => [
  {
    id: 'reconciliationDate',
    header: 'Reconciliation Date',
    kind: 'date',
    value: (row) => row.reconciliationDate,
    width: '190px',
    render: (row) => <DateText value={row.reconciliationDate} />,
  },
  {
    id: 'report',
    header: 'Reconciliation Report',
    render: (row) => <NameLink {...open.link(row.reconciliationID)}>View Report</NameLink>,
  },
  { id: 'savedBy', header: 'Saved by', value: (row) => row.savedBy, quiet: true },
  { id: 'entryCount', header: 'Entries', kind: 'number', value: (row) => row.entryCount },
  {
    id: 'statementBalance',
    header: 'Statement Balance',
    kind: 'amount',
    value: (row) => row.statementBalance,
    total: null,
  },
];

/** Shows the reconciliation in progress and who saved it. */
function InProgress({ id, onContinue }: { id: number; onContinue: () => void }) {
  const { value: progress } = useRead(progressOf(id), { keep: true, ...inAlert('Error Loading Account Entries') });
  if (progress === undefined || progress.rowVersion === 0) return null;
  const date = progress.statementDate === null ? '' : ` for the statement dated ${formatDate(progress.statementDate)}`;
  const by = progress.isOwn ? 'you' : progress.openedBy;
  return (
    <div className="bk-progress">
      <InlineAlert kind="Info">
        {`A reconciliation${date} is in progress, saved by ${by}. `}
        <button type="button" className="ek-link" onClick={onContinue}>
          Continue
        </button>
      </InlineAlert>
    </div>
  );
}
