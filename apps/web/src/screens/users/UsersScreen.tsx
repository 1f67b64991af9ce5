import './users.css';
import { formatDate } from '@evenkeel/core/dates';
import { IconShield } from '@tabler/icons-react';
import { ListScreen } from '../../records/ListScreen.tsx';
import { useAddressChoice, useOpenRecord } from '../../records/openRecord.ts';
import { useList } from '../../records/records.ts';
import type { PageTabs } from '../../ui/page/Page.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { counted } from '../../ui/show/words.ts';
import type { Column } from '../../ui/table/columns.ts';
import type { PhoneRow } from '../../ui/table/RowList.tsx';
import { RoleModal } from './RoleModal.tsx';
import { UserModal } from './UserModal.tsx';
import { type Role, roles, type User, users } from './users.ts';

const VALUES = ['users', 'roles'] as const;
type TabValue = (typeof VALUES)[number];
const TABS = [
  { value: 'users', label: 'Users' },
  { value: 'roles', label: 'Roles' },
] as const;

/** The company's users and roles, for administrators. */
export function UsersScreen() {
  const [tab, onChange] = useAddressChoice<TabValue>('tab', VALUES);
  const tabs: PageTabs<TabValue> = { tabs: TABS, value: tab, onChange };
  return tab === 'users' ? <UserList tabs={tabs} /> : <RoleList tabs={tabs} />;
}

function RecordLink({ kind, id, name }: { kind: string; id: number; name: string }) {
  return <NameLink {...useOpenRecord(kind).link(id)}>{name}</NameLink>;
}

function UserStatus({ user }: { user: User }) {
  if (user.status === 'ended') return <Status look="void">Ended</Status>;
  if (user.status === 'invited') return <Status look="sent">Invited</Status>;
  if (user.status === 'locked') return <Status look="late">Locked</Status>;
  return user.endsOn === null ? null : <Status look="hold">{`Until ${formatDate(user.endsOn)}`}</Status>;
}

const USER_COLUMNS: readonly Column<User>[] = [
  {
    id: 'displayName',
    header: 'User',
    value: (user) => user.displayName,
    render: (user) => <RecordLink kind="user" id={user.id} name={user.displayName} />,
    width: '26%',
  },
  { id: 'email', header: 'Email', value: (user) => user.email, width: '30%' },
  {
    id: 'userRole',
    header: 'Role',
    value: (user) => user.userRole,
    render: (user) => (
      <span className="us-role">
        {user.userRole} <UserStatus user={user} />
      </span>
    ),
  },
  {
    id: 'lastSignInAt',
    header: 'Last sign-in',
    value: (user) => user.lastSignInAt,
    render: (user) => <MomentText value={user.lastSignInAt} />,
    width: '204px',
  },
  {
    id: 'secondFactor',
    header: 'Two-step',
    value: (user) => (user.secondFactor ? 'On' : 'Off'),
    render: ({ secondFactor }) => <FactorText isOn={secondFactor} />,
    width: '136px',
    sortable: false,
  },
];

function FactorText({ isOn }: { isOn: boolean }) {
  if (!isOn) return <span className="ek-muted">Off</span>;
  return (
    <span className="us-role">
      <IconShield {...ICON_SMALL} />
      On
    </span>
  );
}

const userRow = (user: User): PhoneRow => ({
  title: user.displayName,
  amount: <UserStatus user={user} />,
  detail: `${user.userRole} · ${user.email}`,
});

/** Returns a note that counts the displayed users by state: with two-step verification, invited, locked, or ended. */
function statusNote(shown: readonly User[]): string | undefined {
  const words = (['invited', 'locked', 'ended'] as const).flatMap((status) => {
    const count = shown.filter((user) => user.status === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  const factors = shown.filter(({ secondFactor }) => secondFactor).length;
  if (factors > 0) words.unshift(`${factors} with two-step verification`);
  return words.length === 0 ? undefined : words.join(' · ');
}

interface ListProps {
  tabs: PageTabs<TabValue>;
}

function UserList({ tabs }: ListProps) {
  const open = useOpenRecord('user');
  return (
    <ListScreen<User, TabValue>
      title="Users"
      tabs={tabs}
      read={useList(users)}
      words={users.words}
      columns={USER_COLUMNS}
      rowId={(user) => String(user.id)}
      sort="displayName"
      search="Search Users..."
      hint="Invite the people you work with. Each person gets a role."
      add={{ label: 'Add User', onClick: () => open.open(0) }}
      onOpen={(user) => open.open(user.id)}
      selectedId={open.id === undefined ? undefined : String(open.id)}
      phoneRow={userRow}
      note={statusNote}
    >
      {open.id !== undefined && <UserModal key={open.id} id={open.id} onClose={open.close} />}
    </ListScreen>
  );
}

const ROLE_COLUMNS: readonly Column<Role>[] = [
  {
    id: 'roleName',
    header: 'Role',
    value: (role) => role.roleName,
    render: (role) => <RecordLink kind="role" id={role.id} name={role.roleName} />,
    width: '40%',
  },
  { id: 'systemRole', header: 'Kind', value: (role) => (role.systemRole ? 'System role' : ''), quiet: true },
  { id: 'userCount', header: 'Users', kind: 'number', value: (role) => role.userCount },
];

const roleRow = (role: Role): PhoneRow => ({
  title: role.roleName,
  detail: [counted(role.userCount, users.words), role.systemRole ? 'system role' : ''].filter(Boolean).join(' · '),
});

function RoleList({ tabs }: ListProps) {
  const open = useOpenRecord('role');
  return (
    <ListScreen<Role, TabValue>
      title="Users"
      label="Roles"
      tabs={tabs}
      read={useList(roles)}
      words={roles.words}
      columns={ROLE_COLUMNS}
      rowId={(role) => String(role.id)}
      sort="roleName"
      search="Search Roles..."
      hint="Add a role to control who can view and manage each area."
      add={{ label: 'Add Role', onClick: () => open.open(0) }}
      onOpen={(role) => open.open(role.id)}
      selectedId={open.id === undefined ? undefined : String(open.id)}
      phoneRow={roleRow}
    >
      {open.id !== undefined && <RoleModal key={open.id} id={open.id} onClose={open.close} />}
    </ListScreen>
  );
}
