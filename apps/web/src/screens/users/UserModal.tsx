import { accountCalls } from '@evenkeel/contract/account';
import { authCalls, UserRecord } from '@evenkeel/contract/auth';
import { ask, inAlert, messageOf, useRead, useWrite } from '../../client/api.ts';
import { ACCOUNT_DELETED } from '../../client/transport.ts';
import { signOut, useSession } from '../../client/session.ts';
import { LoadedModal, RecordModal, recordFooter } from '../../records/RecordModal.tsx';
import { wholeList } from '../../records/reads.ts';
import { useOne, useRemove, useSave } from '../../records/records.ts';
import type { KeptModalProps } from '../../records/useKeptForm.ts';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';
import type { FooterAction } from '../../ui/overlay/FooterBar.tsx';
import { UserForm, userFaults, userFormOf, userInput } from './userForm.ts';
import { roles, type User, users } from './users.ts';

/** The Add User or Edit User dialog: name, email, and role. Administrators have more actions next to Save. */
export function UserModal(props: KeptModalProps) {
  const { id, onClose } = props;
  return (
    <LoadedModal id={id} read={useOne(users, id)} title="Edit User" onClose={onClose}>
      {(saved) => <Loaded {...props} saved={saved} />}
    </LoadedModal>
  );
}

interface LoadedProps extends KeptModalProps {
  saved: User | undefined;
}

function Loaded({ id, saved, onClose }: LoadedProps) {
  const save = useSave(users);
  const own = useSession()?.id === id;
  // The server has ended the sessions of the deleted account.
  const removed = () => (own ? signOut(ACCOUNT_DELETED) : onClose());
  const read = useRead(ask(authCalls.listRoles, { query: {} }), inAlert(roles.words.loadAll));
  const offered = (wholeList(read.value) ?? []).map((role) => ({ id: role.id, label: role.roleName }));
  const form = useRecordForm<User, UserForm>({
    name: 'user',
    id,
    saved,
    formOf: userFormOf,
    schema: UserForm,
    check: userFaults,
    reply: UserRecord,
    send: (typed, { place }) => save(id, userInput(typed), place),
    remove: useRemove(users),
    words: {
      saved: (user) => (id === 0 ? `${user.displayName} invited` : `${user.displayName} saved`),
    },
    staysTold: id === 0,
    onSaved: onClose,
    onRemoved: removed,
  });
  const actions = useActs(saved, own);
  const { bind } = form;
  const footer = recordFooter(form, saved && (own ? OWN_QUESTION : questionOf(saved)));
  const remove = footer.remove && {
    ...footer.remove,
    ...(saved?.status === 'invited' && { label: 'Revoke Invitation' }),
  };
  return (
    <RecordModal
      form={form}
      title={saved === undefined ? 'Add User' : 'Edit User'}
      onClose={onClose}
      footer={{ ...footer, remove, actions }}
    >
      {saved !== undefined && <Standing user={saved} />}
      <div className="ek-form">
        <TextField {...bind('firstName')} label="First Name" span={6} maxLength={100} autoFocus />
        <TextField {...bind('lastName')} label="Last Name" span={6} maxLength={100} />
        <TextField
          {...bind('email')}
          label="Email"
          kind="email"
          span={6}
          maxLength={254}
          readOnly={saved !== undefined}
          hint={saved === undefined ? "We'll send an invitation to this address." : undefined}
        />
        <Picker
          {...bind('roleId')}
          options={offered}
          isLoading={read.isLoading}
          label="Role"
          span={6}
          readOnly={own}
          hint={own ? "You can't change your own role." : undefined}
        />
        <DateField
          {...bind('endsOn')}
          label="Access Until"
          span={6}
          readOnly={own}
          hint={
            own
              ? undefined
              : 'The last date of access for a guest, such as an accountant. Leave empty for permanent users.'
          }
        />
      </div>
    </RecordModal>
  );
}

const OWN_QUESTION = 'Delete your own account in this company? You will be signed out.';

const questionOf = ({ status, displayName }: User): string =>
  status === 'invited' ? `Revoke the invitation for ${displayName}?` : `Delete ${displayName}?`;

/** The date of the invitation or of the last sign-in, and the reason why the user can't sign in, if there is one. */
function Standing({ user: { status, invitedAt, lastSignInAt, secondFactor } }: { user: User }) {
  if (status === 'invited') {
    return (
      <p className="us-standing">
        Invited <MomentText value={invitedAt} />, but hasn't registered yet. Invite Again sends a new link.
      </p>
    );
  }
  return (
    <p className="us-standing">
      {lastSignInAt === null ? 'Has not signed in yet' : 'Last signed in '}
      {lastSignInAt !== null && <MomentText value={lastSignInAt} />}
      {` · two-step verification ${secondFactor ? 'on' : 'off'}`}
      {status === 'locked' && <b>{LOCKED}</b>}
    </p>
  );
}

const LOCKED =
  ' · too many failed sign-in attempts: for up to one hour, this user can sign in only from a ' +
  'known device and network, or after resetting the password';

/**
 * Returns Invite Again for an invited user. For other users, returns Sign Out Everywhere and the removal of two-step
 * verification.
 */
function useActs(saved: User | undefined, own: boolean): FooterAction[] {
  const alerts = useAlerts();
  const invite = useWrite(authCalls.inviteAgain);
  const signOut = useWrite(authCalls.signOutEverywhere);
  const lift = useWrite(accountCalls.liftFactor);
  if (saved === undefined || own) return [];
  const params = { id: saved.id };
  const run = async (call: Promise<unknown>, done: string) => {
    try {
      await call;
      alerts.success(done);
    } catch (error) {
      alerts.error(messageOf(error));
    }
  };
  const { displayName, email } = saved;
  if (saved.status === 'invited') {
    const onClick = () => void run(invite.mutateAsync({ params }), `Invitation sent to ${email}`);
    return [{ label: 'Invite Again', onClick }];
  }
  const onClick = () => void run(signOut.mutateAsync({ params }), `${displayName} was signed out everywhere`);
  const out = { label: 'Sign Out Everywhere', onClick };
  if (!saved.secondFactor) return [out];
  const remove = () => void run(lift.mutateAsync({ params }), `${displayName} now signs in with only a password`);
  const question = `Remove two-step verification for ${displayName}?`;
  return [{ label: 'Remove Two-Step Verification', question, onClick: remove }, out];
}
