import './keys.css';
import { authCalls } from '@evenkeel/contract/auth';
import { type ApiKeyRecord, keyCalls, REQUESTS_PER_MINUTE } from '@evenkeel/contract/keys';
import { ask, inAlert, useRead, useWrite } from '../../client/api.ts';
import { useSession } from '../../client/session.ts';
import { RecordModal } from '../../records/RecordModal.tsx';
import { wholeList } from '../../records/reads.ts';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { DateField } from '../../ui/fields/DateField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useToday } from '../../ui/hooks/today.tsx';
import { AreaLevels } from './AreaLevels.tsx';
import { levelsOf } from './roleForm.ts';
import { roles, users } from './users.ts';
import { keyFaults, KeyForm, keyFormFor, keyInput, levelsWithin } from './keyForm.ts';

/** A new key with its record. No other response contains the key. */
export interface MadeKey {
  key: string;
  record: ApiKeyRecord;
}

const ADDRESSES =
  'Addresses such as 203.0.113.24 or networks such as 198.51.100.0/28, separated by commas. ' +
  'Leave empty to allow every address.';

/** The Create API Key dialog: the user, expiration date, limits, and permissions of a new key. */
export function KeyModal({ onClose, onMade }: { onClose: () => void; onMade: (made: MadeKey) => void }) {
  const own = useSession()?.id ?? 0;
  const today = useToday();
  const create = useWrite(keyCalls.createApiKey);
  const people = useRead(ask(authCalls.listUsers, { query: {} }), inAlert(users.words.loadAll));
  const allRoles = useRead(ask(authCalls.listRoles, { query: {} }), inAlert(roles.words.loadAll));
  const offered = (wholeList(people.value) ?? []).filter(({ status }) => status === 'active' || status === 'locked');
  const levelsFor = (userId: number | null) => {
    const person = offered.find(({ id }) => id === userId);
    return levelsOf((wholeList(allRoles.value) ?? []).find(({ id }) => id === person?.roleId));
  };
  const form = useRecordForm<MadeKey, KeyForm>({
    name: 'apikey',
    id: 0,
    saved: undefined,
    formOf: () => keyFormFor(own, today),
    schema: KeyForm,
    check: (typed) => keyFaults(typed, today),
    placed: ({ requestsPerMinute, ...fields }) =>
      requestsPerMinute === undefined ? fields : { ...fields, requests: requestsPerMinute },
    send: (typed) => create.mutateAsync({ body: keyInput(typed) }),
    words: { saved: ({ record }) => `${record.name} created`, create: 'Error Creating API Key' },
    onSaved: onMade,
  });
  const { bind, values, patch, errorOf, busy } = form;
  const displayName = offered.find(({ id }) => id === values.userId)?.displayName;
  const mostLevels = levelsFor(values.userId);
  const chooseUser = (userId: number | null) =>
    patch({ userId, levels: levelsWithin(values.levels, levelsFor(userId)) });
  const permissionsError = errorOf('permissions');
  return (
    <RecordModal
      form={form}
      title="Create API Key"
      size="lg"
      onClose={onClose}
      footer={{
        primary: { label: 'Create API Key', onClick: form.save, busy },
        total: 'The key is shown once, after you create it.',
      }}
    >
      <div className="ky-form">
        <div className="ek-form">
          <TextField
            {...bind('name')}
            label="Name"
            maxLength={100}
            autoFocus
            hint={`Shown in the audit log as “${displayName ?? 'the user'} via ${values.name.trim() || 'this name'}”.`}
          />
          <Picker
            {...bind('userId')}
            onChange={chooseUser}
            options={offered.map(({ id, displayName }) => ({ id, label: displayName }))}
            isLoading={people.isLoading}
            label="User"
            hint="The key can't do more than this user can."
          />
          <DateField {...bind('endsOn')} label="Expiration Date" span={6} hint="At most one year from today" />
          <TextField
            {...bind('requests')}
            label="Requests per Minute"
            span={6}
            maxLength={3}
            hint={`At most ${REQUESTS_PER_MINUTE.most}.`}
          />
          <TextField {...bind('addresses')} label="Allowed Addresses" maxLength={2000} hint={ADDRESSES} />
        </div>
        <div className="ek-stack">
          <AreaLevels
            levels={values.levels}
            isReadOnly={busy}
            onChange={(levels) => patch({ levels })}
            none="No access."
            most={{
              levelOf: (area) => mostLevels[area] ?? 'No Access',
              why: `${displayName ?? 'The user'} doesn't have this permission`,
            }}
          />
          {permissionsError !== undefined && (
            <p className="ek-bad" role="alert">
              {permissionsError}
            </p>
          )}
          <p className="ek-muted">A key can never manage keys, users, roles, or closing dates.</p>
        </div>
      </div>
    </RecordModal>
  );
}
