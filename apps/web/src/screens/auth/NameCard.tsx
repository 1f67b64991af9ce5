import { authCalls, type UserRecord } from '@evenkeel/contract/auth';
import { Button } from '@mantine/core';
import type * as z from 'zod';
import { ask, inAlert, useRead } from '../../client/api.ts';
import { updateSession, useSession } from '../../client/session.ts';
import { call } from '../../client/transport.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Card } from '../../ui/show/Card.tsx';
import { SecretFields } from './SecretFields.tsx';
import { useSecretForm } from '../../records/secretForm.ts';

type User = z.output<typeof UserRecord>;

/** Loads the user's own record in the company. */
export function useOwnUser() {
  const id = useSession()?.id ?? 0;
  return useRead(ask(authCalls.getOwnUser, { params: { id } }), inAlert('Error Loading User'));
}

/** The user's name as it appears to colleagues and in the audit log. */
export function NameCard() {
  const { value } = useOwnUser();
  return value === undefined ? null : <Name key={value.rowVersion} user={value} />;
}

function Name({ user: { id, firstName, lastName } }: { user: User }) {
  const alerts = useAlerts();
  const form = useSecretForm({
    blank: { firstName, lastName },
    check: (values) => ({
      ...(values.firstName.trim() === '' && { firstName: 'Please enter a first name' }),
      ...(values.lastName.trim() === '' && { lastName: 'Please enter a last name' }),
    }),
    send: async (values) => {
      const saved = await call(authCalls.updateOwnUser, { params: { id }, body: values });
      updateSession({
        firstName: saved.firstName,
        lastName: saved.lastName,
        displayName: saved.displayName,
        initials: initialsOf(saved),
      });
      alerts.success('Name changed');
    },
    keeps: true,
  });
  return (
    <Card title="Name">
      <SecretFields form={form}>
        <div className="ac-two">
          <TextField label="First Name" autoComplete="given-name" maxLength={100} {...form.bind('firstName')} />
          <TextField label="Last Name" autoComplete="family-name" maxLength={100} {...form.bind('lastName')} />
        </div>
        <div className="ac-acts">
          <Button type="submit" variant="default" loading={form.isBusy}>
            Change Name
          </Button>
        </div>
      </SecretFields>
    </Card>
  );
}

const initialsOf = (user: Pick<User, 'firstName' | 'lastName'>): string =>
  [user.firstName, user.lastName]
    .map((name) => [...name][0] ?? '')
    .join('')
    .toUpperCase();
