import './users.css';
import { RoleRecord } from '@evenkeel/contract/auth';
import { LoadedModal, RecordModal } from '../../records/RecordModal.tsx';
import { useOne, useRemove, useSave } from '../../records/records.ts';
import type { KeptModalProps } from '../../records/useKeptForm.ts';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import { counted } from '../../ui/show/words.ts';
import { AreaLevels } from './AreaLevels.tsx';
import { RoleForm, roleFaults, roleFormOf, roleInput } from './roleForm.ts';
import { type Role, roles, users } from './users.ts';

/** The Add Role or Edit Role dialog: the name, and an access level for each area. */
export function RoleModal(props: KeptModalProps) {
  const { id, onClose } = props;
  return (
    <LoadedModal id={id} read={useOne(roles, id)} title="Edit Role" size="lg" onClose={onClose}>
      {(saved) => <Loaded {...props} saved={saved} />}
    </LoadedModal>
  );
}

function Loaded({ id, saved, onClose }: KeptModalProps & { saved: Role | undefined }) {
  const save = useSave(roles);
  const form = useRecordForm<Role, RoleForm>({
    name: 'role',
    id,
    saved,
    formOf: roleFormOf,
    schema: RoleForm,
    check: roleFaults,
    reply: RoleRecord,
    send: (typed, { place }) => save(id, roleInput(typed), place),
    remove: useRemove(roles),
    words: { saved: (role) => `${role.roleName} saved` },
    onSaved: onClose,
    onRemoved: onClose,
    isReadOnly: saved?.systemRole === true,
  });
  const { bind, values, patch, isReadOnly } = form;
  return (
    <RecordModal
      form={form}
      title={saved === undefined ? 'Add Role' : isReadOnly ? 'Role' : 'Edit Role'}
      size="lg"
      onClose={onClose}
      question={saved && `Delete ${saved.roleName}?`}
    >
      <div className="ek-form">
        <TextField {...bind('roleName')} label="Role Name" span={6} maxLength={100} autoFocus={!isReadOnly} />
        <p className="us-note">{noteOf(saved)}</p>
      </div>
      <AreaLevels
        levels={values.levels}
        isReadOnly={isReadOnly}
        onChange={(levels) => patch({ levels })}
        none="Not in the menu."
      />
    </RecordModal>
  );
}

function noteOf(saved: Role | undefined): string {
  if (saved === undefined)
    return "Only administrators can use Users and Settings. You can't give a role access to them.";
  const { userCount } = saved;
  const used =
    userCount === 0
      ? 'No users have this role.'
      : `${counted(userCount, users.words)} ${userCount === 1 ? 'has' : 'have'} this role.`;
  return saved.systemRole
    ? `${used} You can't change a system role.`
    : `${used} Changes take effect with each user's next action.`;
}
