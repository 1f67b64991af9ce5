import './keys.css';
import { type ApiKeyRecord, keyCalls } from '@evenkeel/contract/keys';
import { daysBetween, type IsoDate } from '@evenkeel/core/dates';
import { useState } from 'react';
import { ask, inAlert, messageOf, useRead, useWrite } from '../../client/api.ts';
import { ListScreen } from '../../records/ListScreen.tsx';
import { useOpenRecord } from '../../records/openRecord.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { useToday } from '../../ui/hooks/today.tsx';
import { ConfirmButton } from '../../ui/overlay/ConfirmButton.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { counted } from '../../ui/show/words.ts';
import type { Column } from '../../ui/table/columns.ts';
import { permissionWords, SOON_DAYS } from './keyForm.ts';
import { KeyModal, type MadeKey } from './KeyModal.tsx';
import { NewKey } from './NewKey.tsx';

const KEYS = ask(keyCalls.listApiKeys, {});
const WORDS = { one: 'API key', many: 'API keys' };
const DAYS = { one: 'day', many: 'days' };

function KeyStatus({ row: { status, endsOn }, today }: { row: ApiKeyRecord; today: IsoDate }) {
  if (status === 'revoked') return <Status look="void">Revoked</Status>;
  if (status === 'ended') return <Status look="void">Ended</Status>;
  const days = daysBetween(today, endsOn);
  if (days > SOON_DAYS) return <Status look="done">Active</Status>;
  return <Status look="hold">{days <= 0 ? 'Ends today' : `Ends in ${counted(days, DAYS)}`}</Status>;
}

const columnsFor = (today: IsoDate, revoke: (row: ApiKeyRecord) => void): readonly Column<ApiKeyRecord>[] => [
  { id: 'name', header: 'Name', value: (row) => row.name, least: 160, rank: 0 },
  {
    id: 'prefix',
    header: 'Key',
    value: (row) => row.prefix,
    render: (row) => <span className="ky-code">{row.prefix}…</span>,
    width: '112px',
  },
  { id: 'userName', header: 'User', value: (row) => row.userName, least: 140 },
  { id: 'permissions', header: 'Permissions', value: permissionWords, quiet: true, least: 180 },
  {
    id: 'lastUsedAt',
    header: 'Last Used',
    value: (row) => row.lastUsedAt,
    render: (row) => (row.lastUsedAt === null ? 'Never' : <MomentText value={row.lastUsedAt} />),
    width: '204px',
  },
  {
    id: 'endsOn',
    header: 'Last Day',
    kind: 'date',
    value: (row) => row.endsOn,
    render: (row) => <DateText value={row.endsOn} />,
  },
  {
    id: 'status',
    header: 'Status',
    kind: 'status',
    value: (row) => row.status,
    render: (row) => <KeyStatus row={row} today={today} />,
    rank: 0,
  },
  {
    id: 'revoke',
    header: 'Revoke',
    kind: 'action',
    width: '240px',
    render: (row) =>
      row.status === 'revoked' ? null : (
        <ConfirmButton
          label="Revoke"
          name={`Revoke ${row.name}`}
          question="Revoke this key?"
          onConfirm={() => revoke(row)}
        />
      ),
    rank: 0,
  },
];

/** The company's API keys, for administrators. */
export function KeysScreen() {
  const open = useOpenRecord('apikey');
  const [made, setMade] = useState<MadeKey>();
  const alerts = useAlerts();
  const today = useToday();
  const revoking = useWrite(keyCalls.revokeApiKey);
  const revoke = async ({ id, name }: ApiKeyRecord) => {
    try {
      await revoking.mutateAsync({ params: { id } });
      alerts.success(`${name} revoked. Requests with it are rejected from now on.`);
    } catch (error) {
      alerts.error(messageOf(error));
    }
  };
  return (
    <ListScreen<ApiKeyRecord>
      title="API Keys"
      read={useRead(KEYS, { keep: true, ...inAlert('Error Loading API Keys') })}
      words={WORDS}
      columns={columnsFor(today, (row) => void revoke(row))}
      rowId={({ id }) => String(id)}
      sort="name"
      search="Search API Keys..."
      hint="With a key, a program can use the API for one of your users."
      chips={
        <p className="ek-muted ky-note">
          A key acts as its user and can't do more than that user. The audit log shows its changes as “user via key”.
        </p>
      }
      add={{ label: 'Create API Key', onClick: () => open.open(0) }}
      phoneRow={(row) => ({
        title: row.name,
        amount: <KeyStatus row={row} today={today} />,
        detail: `${row.prefix}… · ${row.userName}`,
      })}
    >
      {open.id !== undefined && made === undefined && (
        <KeyModal
          onClose={open.close}
          onMade={(one) => {
            setMade(one);
            open.close();
          }}
        />
      )}
      {made !== undefined && <NewKey made={made} onClose={() => setMade(undefined)} />}
    </ListScreen>
  );
}
