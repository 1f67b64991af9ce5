import type { BankStatement } from '@evenkeel/contract/statements';
import { Button } from '@mantine/core';
import { useRead } from '../../../client/api.ts';
import { useBanks } from '../../../parts/banking/moves.ts';
import { useAddressSort, useOpenRecord } from '../../../records/openRecord.ts';
import { Page } from '../../../ui/page/Page.tsx';
import { Amount } from '../../../ui/show/Amount.tsx';
import { MomentText } from '../../../ui/show/MomentText.tsx';
import { NameLink } from '../../../ui/show/NameLink.tsx';
import { counted } from '../../../ui/show/words.ts';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import type { PhoneRow } from '../../../ui/table/RowList.tsx';
import { LINES } from './ImportModal.tsx';
import { StatementModal } from './StatementModal.tsx';
import { allStatements } from './statements.ts';

const WORDS = { one: 'statement', many: 'statements' };

export interface StatementsPageProps {
  onClose: () => void;
  /** Opens the import. Undefined for users with only view permission. */
  onImport: (() => void) | undefined;
}

/** The imported statements, newest first. Each import can be undone. */
export function StatementsPage({ onClose, onImport }: StatementsPageProps) {
  const { value: rows, error, retry } = useRead(allStatements, { keep: true, alert: 'Error Loading Statements' });
  const banks = useBanks();
  const open = useOpenRecord('statement', { hasNew: false });
  const order = useAddressSort({ id: 'importedAt', desc: true });
  const accountOf = ({ bankAccountId }: BankStatement) =>
    banks.value?.find((bank) => bank.bankingAccountID === bankAccountId)?.name ?? '';
  const columns: readonly Column<BankStatement>[] = [
    {
      id: 'fileName',
      header: 'File',
      value: (one) => one.fileName,
      render: (one) => <NameLink {...open.link(one.id)}>{one.fileName}</NameLink>,
    },
    { id: 'account', header: 'Bank Account', value: accountOf, width: '184px' },
    { id: 'from', header: 'From', kind: 'date', value: (one) => one.from },
    { id: 'to', header: 'To', kind: 'date', value: (one) => one.to },
    { id: 'count', header: 'Lines', kind: 'number', value: (one) => one.count },
    { id: 'reviewCount', header: 'For review', kind: 'number', value: (one) => one.reviewCount },
    { id: 'sum', header: 'Sum', kind: 'amount', value: (one) => one.sum, total: null },
    {
      id: 'importedAt',
      header: 'Imported',
      value: (one) => one.importedAt,
      render: (one) => <MomentText value={one.importedAt} isNarrow />,
      width: '116px',
    },
    { id: 'importedBy', header: 'By', value: (one) => one.importedBy, quiet: true },
  ];
  return (
    <Page
      title="Statements"
      onClose={onClose}
      primary={onImport === undefined ? undefined : { label: 'Import Statement', onClick: onImport }}
    >
      <DataTable<BankStatement>
        label="Imported statements"
        columns={columns}
        rows={rows}
        rowId={(one) => String(one.id)}
        {...order}
        error={error}
        onRetry={retry}
        onOpen={(one) => open.open(one.id)}
        phoneRow={(one) => phoneRow(one, accountOf(one))}
        empty={{
          title: 'No statements',
          hint: 'Download a statement from your bank, then import it here.',
          action: onImport && <Button onClick={onImport}>Import Statement</Button>,
        }}
        count={(count) => counted(count, WORDS)}
      />
      {open.id !== undefined && <StatementModal key={open.id} id={open.id} onClose={open.close} />}
    </Page>
  );
}

const phoneRow = ({ fileName, sum, count, reviewCount }: BankStatement, account: string): PhoneRow => ({
  title: fileName,
  amount: <Amount value={sum} />,
  detail: `${account} · ${counted(count, LINES)}, ${reviewCount} for review`,
});
