import './users.css';
import { ALLOWS, type Area, AREAS } from '@evenkeel/contract/areas';
import { authCalls, RoleRecord } from '@evenkeel/contract/auth';
import { Radio } from '@mantine/core';
import type { ReactNode } from 'react';
import { ask, useRead } from '../../client/api.ts';
import { LoadedModal, RecordModal } from '../../records/RecordModal.tsx';
import { useOne, useRemove, useSave } from '../../records/records.ts';
import type { KeptModalProps } from '../../records/useKeptForm.ts';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { counted } from '../../ui/show/words.ts';
import { type Level, LEVELS, RoleForm, roleFaults, roleFormOf, roleInput } from './roleForm.ts';
import { type Role, roles, users } from './users.ts';

/** Add Role or Edit Role: the name, and an access level for each area. */
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
  const setLevel = (area: Area, level: Level) => patch({ levels: { ...values.levels, [area]: level } });
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
      <Levels>
        {(area) => (
          <AreaLevel
            key={area}
            area={area}
            level={values.levels[area] ?? 'No Access'}
            isReadOnly={isReadOnly}
            onChange={(level) => setLevel(area, level)}
          />
        )}
      </Levels>
    </RecordModal>
  );
}

/** The areas for which the server has permissions. If the list can't be loaded, the role's levels stay unchanged. */
function Levels({ children }: { children: (area: Area) => ReactNode }) {
  const { value, error, retry } = useRead(ask(authCalls.listAreas, {}), { alert: 'Error Loading RoleProperties' });
  if (value === undefined && error !== undefined) return <ErrorState message={error} onRetry={retry} />;
  // Until the list loads, the built-in areas take up its space, so that the dialog doesn't resize.
  const areas = value ?? AREAS;
  return (
    <div className="us-levels" role="group" aria-label="Permissions by area">
      <LevelHead />
      {AREAS.filter((area) => areas.includes(area)).map(children)}
    </div>
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

function LevelHead() {
  return (
    <div className="us-level us-level-head" aria-hidden="true">
      <span>Area</span>
      {LEVELS.map((level) => (
        <span key={level}>{level}</span>
      ))}
    </div>
  );
}

interface AreaLevelProps {
  area: Area;
  level: Level;
  isReadOnly: boolean;
  onChange: (level: Level) => void;
}

const NO_ACCESS = 'Not in the menu.';

/**
 * An area with a description of the selected level, and tooltips for the other levels. Arrow keys move within the row,
 * and Tab moves to the next row.
 */
function AreaLevel({ area, level, isReadOnly, onChange }: AreaLevelProps) {
  const says = level === 'No Access' ? NO_ACCESS : ALLOWS[area][level];
  return (
    <fieldset className="us-level" disabled={isReadOnly}>
      <legend className="ek-vh">{area}</legend>
      <div className="us-level-words">
        <span className="ek-medium">{area}</span>
        <span className="us-level-says">{says}</span>
      </div>
      {LEVELS.map((each) => (
        <Radio
          key={each}
          className="us-level-choice"
          name={`level-${area}`}
          label={each}
          value={each}
          checked={level === each}
          onChange={() => onChange(each)}
          disabled={isReadOnly}
          title={each === 'No Access' ? NO_ACCESS : ALLOWS[area][each]}
        />
      ))}
    </fieldset>
  );
}
