import { authCalls } from '@evenkeel/contract/auth';
import { Button } from '@mantine/core';
import { ask, useSendOne } from '../../client/api.ts';
import { enterCompany } from '../../client/companies.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import { SecretFields } from './SecretFields.tsx';
import { required, useSecretForm } from '../../records/secretForm.ts';

/** The URL fragment that opens the form on the account page. */
export const NEW_COMPANY = '#new-company';

/** Creates another company and opens its first-time setup. If a response is lost, the company isn't created twice. */
export function NewCompany({ onCancel }: { onCancel: () => void }) {
  const sendOne = useSendOne();
  const form = useSecretForm({
    blank: { companyName: '' },
    check: (values) => required(values, { companyName: 'Company Name' }),
    send: async ({ companyName }) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      const { companyId } = await sendOne(ask(authCalls.addCompany, { body: { companyName, timeZone } }));
      await enterCompany(companyId);
    },
  });
  return (
    <SecretFields form={form}>
      <TextField
        label="Company Name"
        autoComplete="organization"
        hint="The company has its own books, users, and settings. You become its administrator, and Evenkeel opens it."
        maxLength={200}
        autoFocus
        {...form.bind('companyName')}
      />
      <div className="ac-foot">
        <Button variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={form.isBusy}>
          Create Company
        </Button>
      </div>
    </SecretFields>
  );
}
