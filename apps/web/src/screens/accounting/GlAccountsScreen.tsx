import type { ChartAccount } from '@evenkeel/contract/ledger';
import { useChart } from '../../parts/ledger/queries.ts';
import { ListScreen } from '../../records/ListScreen.tsx';
import { useAddressChoice, useOpenRecord } from '../../records/openRecord.ts';
import { useCloseSubPage } from '../../records/place.ts';
import { useMay } from '../../client/session.ts';
import type { Column } from '../../ui/table/columns.ts';
import { activeColumn, activeWord } from './active.tsx';
import { GlAccountModal } from './GlAccountModal.tsx';

const COLUMNS: readonly Column<ChartAccount>[] = [
  { id: 'displayAccountLabel', header: 'GL Account', value: (row) => row.displayAccountLabel },
  { id: 'displayAccountType', header: 'Account Type', value: (row) => row.displayAccountType, quiet: true },
];
const WORDS = { one: 'GL account', many: 'GL accounts' };
const phoneRow = (row: ChartAccount) => ({
  title: row.displayAccountLabel,
  detail: row.active ? row.displayAccountType : activeWord(row),
});

/** GL accounts as a list; its close button goes back. */
export function GlAccountsScreen() {
  const manages = useMay()('Manage Accounting');
  const close = useCloseSubPage('/accounting');
  const edit = useOpenRecord('edit');
  const [show, setShow] = useAddressChoice('show', ['active', 'all']);
  const isAll = show === 'all';
  return (
    <ListScreen<ChartAccount>
      title="GL Accounts"
      read={useChart(isAll)}
      words={WORDS}
      columns={isAll ? [...COLUMNS, activeColumn()] : COLUMNS}
      rowId={(row) => String(row.customerAccountID)}
      sort="displayAccountLabel"
      search="Search Accounts..."
      hint="Add a GL account to begin the chart."
      add={manages ? { label: 'Add GL Account', onClick: () => edit.open(0) } : undefined}
      inactive={{ isShown: isAll, onChange: (all) => setShow(all ? 'all' : 'active') }}
      onOpen={(row) => edit.open(row.customerAccountID)}
      onClose={close}
      phoneRow={phoneRow}
    >
      {edit.id !== undefined && <GlAccountModal key={edit.id} id={edit.id} onClose={edit.close} />}
    </ListScreen>
  );
}
