import { AccountSetup, type ChartAccount, ledgerCalls } from '@evenkeel/contract/ledger';
import type { FieldMessages } from '@evenkeel/core/failure';
import * as z from 'zod';
import { ask, send, useStale } from '../../client/api.ts';
import { asForm, useRecordForm } from '../../records/useRecordForm.ts';
import { useMay } from '../../client/session.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import type { SendPlace } from '../../ui/hooks/draft.ts';

/** The GL account being typed, by the names of its request. */
const AccountForm = z.object({
  /** Narrows the base accounts that are offered; not sent. */
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

const BLANK: AccountForm = {
  type: '',
  masterAccountID: null,
  accountCategoryId: null,
  accountNumberLabel: '',
  accountNameLabel: '',
  description: '',
  rowVersion: null,
};

/** Messages for missing fields. */
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
 * The form of an account, in the GL Account modal and in the Details beside its ledger; undefined: a new one. One that
 * was removed is only read until `restore` brings it back.
 */
export function useAccountForm(account: ChartAccount | undefined, onDone: (accountId: number) => void) {
  const id = account?.customerAccountID ?? 0;
  const type = account?.displayAccountType ?? '';
  const alerts = useAlerts();
  const stale = useStale();
  const manages = useMay()('Manage Accounting');
  type Body = Parameters<typeof ask<typeof ledgerCalls.setupAccount>>[1]['body'];
  const sendSetup = async (body: Body, place?: SendPlace) => {
    const saved = await send(ask(ledgerCalls.setupAccount, { body }), place);
    stale();
    return saved;
  };
  const form = useRecordForm<Setup, AccountForm>({
    name: 'glaccount',
    id,
    saved: account && setupOf(account),
    formOf: (setup) => (setup === undefined ? BLANK : asForm(AccountForm, { ...setup, type })),
    schema: AccountForm,
    check: accountFaults,
    // A new one is made once, whatever is changed after a lost answer; of an edit the version tells.
    send: ({ type: _, masterAccountID, rowVersion, ...typed }, { place }) =>
      id === 0
        ? sendSetup({ ...typed, customerAccountID: 0, masterAccountID }, place)
        : sendSetup({ ...typed, customerAccountID: id, rowVersion }),
    remove: () => sendSetup({ customerAccountID: id, selected: false, rowVersion: account?.rowVersion }),
    reply: AccountSetup,
    words: { saved: () => 'Account saved' },
    onSaved: (setup) => onDone(setup.customerAccountID),
    onRemoved: () => {
      alerts.success('Account deleted');
      onDone(id);
    },
    isReadOnly: !manages || account?.active === false,
  });
  const restore = async () => {
    const body = { customerAccountID: id, selected: true, rowVersion: account?.rowVersion };
    const back = await form.attempt(() => sendSetup(body));
    if (back === undefined) return;
    alerts.success('Account restored');
    onDone(id);
  };
  const isRemoved = manages && account?.active === false;
  return { ...form, restore: isRemoved ? () => void restore() : undefined };
}
