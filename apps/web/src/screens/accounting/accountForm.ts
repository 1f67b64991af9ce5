import { AccountSetup, type ChartAccount, ledgerCalls } from '@evenkeel/contract/ledger';
import type { FieldMessages } from '@evenkeel/core/failure';
import * as z from 'zod';
import { ask, send, useStale } from '../../client/api.ts';
import { useManages } from '../../records/active.tsx';
import { asForm, blankOf } from '../../records/formFields.ts';
import { restoreOf } from '../../records/useKeptForm.ts';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import type { SendPlace } from '../../ui/hooks/draft.ts';

/** The form fields of a GL account, with the same names as in its request. */
const AccountForm = z.object({
  /** Filters the base accounts that the user can choose. Not sent to the server. */
  type: z.string(),
  masterAccountID: z.number().nullable(),
  accountCategoryId: z.number().nullable(),
  accountNumberLabel: z.string(),
  accountNameLabel: z.string(),
  description: z.string(),
  rowVersion: z.number().nullable(),
});
export type AccountForm = z.output<typeof AccountForm>;
type Setup = z.output<typeof AccountSetup>;

/** Returns messages for missing fields, by field. */
export function accountFaults({ masterAccountID, accountNameLabel }: AccountForm): FieldMessages {
  return {
    ...(masterAccountID === null ? { masterAccountID: 'Please Select an Account' } : {}),
    ...(accountNameLabel.trim() === '' ? { accountNameLabel: 'Please enter a name' } : {}),
  };
}

const setupOf = (account: ChartAccount): Setup => ({
  ...account,
  accountNumberLabel: account.displayAccountNumber,
  accountNameLabel: account.displayAccountName,
  masterAccountNumberLabel: '',
  masterAccountNameLabel: '',
  selected: account.active,
});

/**
 * Manages the form for an account in the GL Account modal and in the Details panel. `account` is undefined for a new
 * account.
 */
export function useAccountForm(account: ChartAccount | undefined, onDone: (accountId: number) => void) {
  const id = account?.customerAccountID ?? 0;
  const type = account?.displayAccountType ?? '';
  const alerts = useAlerts();
  const stale = useStale();
  type Body = Parameters<typeof ask<typeof ledgerCalls.setupAccount>>[1]['body'];
  const sendSetup = async (body: Body, place?: SendPlace) => {
    const saved = await send(ask(ledgerCalls.setupAccount, { body }), place);
    stale();
    return saved;
  };
  return useRecordForm<Setup, AccountForm>({
    name: 'glaccount',
    id,
    saved: account && setupOf(account),
    formOf: (setup) => (setup === undefined ? blankOf(AccountForm) : asForm(AccountForm, { ...setup, type })),
    schema: AccountForm,
    check: accountFaults,
    // After a lost response, a new account is still created only once, even if the form has changed. An edit is
    // protected by its row version.
    send: ({ type: _, masterAccountID, rowVersion, ...typed }, { place }) =>
      id === 0
        ? sendSetup({ ...typed, customerAccountID: 0, masterAccountID }, place)
        : sendSetup({ ...typed, customerAccountID: id, rowVersion }),
    remove: () => sendSetup({ customerAccountID: id, selected: false, rowVersion: account?.rowVersion }),
    restore: restoreOf(account, {
      send: () => sendSetup({ customerAccountID: id, selected: true }),
      nameOf: (setup) => setup.accountNameLabel,
    }),
    reply: AccountSetup,
    words: { saved: () => 'Account saved' },
    onSaved: (setup) => onDone(setup.customerAccountID),
    onRemoved: () => {
      alerts.success('Account deleted');
      onDone(id);
    },
    isReadOnly: !useManages('Manage Accounting'),
  });
}
