import './keys.css';
import { type ApiKeyRecord, keyCalls } from '@evenkeel/contract/keys';
import { daysBetween } from '@evenkeel/core/dates';
import { useState } from 'react';
import { ask, inAlert, messageOf, type Read, useRead, useWrite } from '../../client/api.ts';
import { ListScreen } from '../../records/ListScreen.tsx';
import { useOpenRecord } from '../../records/openRecord.ts';
import { RecordPanel } from '../../records/RecordPanel.tsx';
import { oneOf } from '../../records/records.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { useToday } from '../../ui/hooks/today.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { counted } from '../../ui/show/words.ts';
import type { Column } from '../../ui/table/columns.ts';
import type { PhoneRow } from '../../ui/table/RowList.tsx';
import { permissionWords, SOON_DAYS } from './keyForm.ts';
import { KeyModal, type MadeKey } from './KeyModal.tsx';
import { NewKey } from './NewKey.tsx';
import { PolicyModal } from './PolicyModal.tsx';

const KEYS = ask(keyCalls.listApiKeys, {});
const WORDS = { one: 'API key', many: 'API keys' };
const DAYS = { one: 'day', many: 'days' };

function KeyStatus({ row: { status, endsOn } }: { row: ApiKeyRecord }) {
  const today = useToday();
  if (status === 'revoked') return <Status look="void">Revoked</Status>;
  if (status === 'ended') return <Status look="void">Ended</Status>;
  const days = daysBetween(today, endsOn);
  if (days > SOON_DAYS) return <Status look="done">Active</Status>;
  return <Status look="hold">{days <= 0 ? 'Ends today' : `Expires in ${counted(days, DAYS)}`}</Status>;
}

const COLUMNS: readonly Column<ApiKeyRecord>[] = [
  {
    id: 'name',
    header: 'Name',
    value: (row) => row.name,
    render: (row) => <KeyLink row={row} />,
    rank: 0,
  },
  {
    id: 'prefix',
    header: 'Key',
    value: (row) => row.prefix,
    render: (row) => <span className="ky-code">{row.prefix}…</span>,
    width: '104px',
  },
  { id: 'userName', header: 'User', value: (row) => row.userName },
  { id: 'permissions', header: 'Permissions', value: permissionWords, quiet: true },
  {
    id: 'lastUsedAt',
    header: 'Last Used',
    value: (row) => row.lastUsedAt,
    render: (row) => (row.lastUsedAt === null ? 'Never' : <MomentText value={row.lastUsedAt} />),
    width: '180px',
  },
  {
    id: 'endsOn',
    header: 'Expiration Date',
    kind: 'date',
    value: (row) => row.endsOn,
    render: (row) => <DateText value={row.endsOn} />,
  },
  {
    id: 'status',
    header: 'Status',
    kind: 'status',
    value: (row) => row.status,
    width: '140px',
    render: (row) => <KeyStatus row={row} />,
    rank: 0,
  },
];

const statusOf = (row: ApiKeyRecord) => <KeyStatus row={row} />;

const phoneRow = (row: ApiKeyRecord): PhoneRow => ({
  title: row.name,
  amount: statusOf(row),
  detail: `${row.prefix}… · ${row.userName}`,
});

function KeyLink({ row: { id, name } }: { row: ApiKeyRecord }) {
  return <NameLink {...useOpenRecord('apikey').link(id)}>{name}</NameLink>;
}

interface KeyPanelProps {
  read: Read<ApiKeyRecord>;
  onClose: () => void;
  onPolicy: (id: number) => void;
}

/** A key with its user, permissions, and limits. Revoke asks for confirmation first. */
function KeyPanel({ read, onClose, onPolicy }: KeyPanelProps) {
  const alerts = useAlerts();
  const revoking = useWrite(keyCalls.revokeApiKey);
  const revoke = async ({ id, name }: ApiKeyRecord) => {
    try {
      await revoking.mutateAsync({ params: { id } });
      alerts.success(`${name} revoked. Requests with this key are rejected from now on.`);
    } catch (error) {
      alerts.error(messageOf(error));
    }
  };
  const { value: row } = read;
  const canRevoke = row !== undefined && row.status !== 'revoked';
  const question = `Revoke ${row?.name ?? ''}? Programs that use this key stop working immediately.`;
  return (
    <RecordPanel
      read={read}
      kind="API Key"
      title={({ name }) => name}
      beside={statusOf}
      onClose={onClose}
      footer={
        canRevoke
          ? {
              primary: { label: 'Agent Policy', onClick: () => onPolicy(row.id) },
              actions: [{ label: 'Revoke', question, busy: revoking.isPending, onClick: () => void revoke(row) }],
            }
          : undefined
      }
    >
      {(one) => (
        <Facts
          facts={[
            { label: 'Key', value: <span className="ky-code">{one.prefix}…</span> },
            { label: 'User', value: one.userName },
            { label: 'Permissions', value: permissionWords(one) },
            {
              label: 'Allowed Addresses',
              value: one.addresses.length === 0 ? 'Any address' : one.addresses.join(', '),
            },
            { label: 'Requests per Minute', value: String(one.requestsPerMinute) },
            { label: 'Expiration Date', value: <DateText value={one.endsOn} /> },
            { label: 'Created', value: <MomentText value={one.createdAt} /> },
            { label: 'Last Used', value: one.lastUsedAt === null ? 'Never' : <MomentText value={one.lastUsedAt} /> },
            ...(one.revokedAt === null ? [] : [{ label: 'Revoked', value: <MomentText value={one.revokedAt} /> }]),
          ]}
        />
      )}
    </RecordPanel>
  );
}

/** The company's API keys, for administrators. */
export function KeysScreen() {
  const open = useOpenRecord('apikey');
  const policy = useOpenRecord('policy', { hasNew: false });
  const [made, setMade] = useState<MadeKey>();
  const read = useRead(KEYS, { keep: true, ...inAlert('Error Loading API Keys') });
  const isOpen = open.id !== undefined && open.id > 0;
  return (
    <ListScreen<ApiKeyRecord>
      title="API Keys"
      read={read}
      words={WORDS}
      columns={COLUMNS}
      rowId={({ id }) => String(id)}
      sort="name"
      search="Search API Keys..."
      hint="With an API key, a program can use the API as one of your users."
      chips={
        <p className="ek-muted ky-note">
          A key acts as its user and can't do more than the user can. The audit log shows its changes as “user via key”.
        </p>
      }
      onOpen={({ id }) => open.open(id)}
      selectedId={isOpen ? String(open.id) : undefined}
      panel={
        isOpen && (
          <KeyPanel read={oneOf(read, ({ id }) => id === open.id)} onClose={open.close} onPolicy={policy.open} />
        )
      }
      add={{ label: 'Create API Key', onClick: () => open.open(0) }}
      phoneRow={phoneRow}
    >
      {open.id === 0 && made === undefined && (
        <KeyModal
          onClose={open.close}
          onMade={(one) => {
            setMade(one);
            open.close();
          }}
        />
      )}
      {policy.id !== undefined && <PolicyModal id={policy.id} onClose={policy.close} />}
      {made !== undefined && <NewKey made={made} onClose={() => setMade(undefined)} />}
    </ListScreen>
  );
}
