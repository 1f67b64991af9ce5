import { type ChartAccount, ledgerCalls } from '@evenkeel/contract/ledger';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ApiError, messageOf, useWrite } from '../api.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { InlineAlert } from '../ui/alerts/InlineAlert.tsx';
import { TextField } from '../ui/fields/TextField.tsx';

export interface AccountDetailsProps {
  account: ChartAccount;
  /** False: only shown. */
  manages: boolean;
  /** Opens the GL Account modal on it. */
  onEdit: () => void;
}

/** The Details panel: account label and number can be changed in place, the type only read. */
export function AccountDetails({ account, manages, onEdit }: AccountDetailsProps) {
  const alerts = useAlerts();
  const write = useWrite(ledgerCalls.setupAccount);
  const [typed, setTyped] = useState<{ name?: string; number?: string }>({});
  const name = typed.name ?? account.displayAccountName;
  const number = typed.number ?? account.displayAccountNumber;
  const dirty = name !== account.displayAccountName || number !== account.displayAccountNumber;
  const fields = write.error instanceof ApiError ? write.error.fields : {};
  const save = () => {
    const body = {
      customerAccountID: account.customerAccountID,
      accountNameLabel: name,
      accountNumberLabel: number,
      rowVersion: account.rowVersion,
    };
    write.mutate(
      { body },
      {
        onSuccess: () => {
          setTyped({});
          alerts.success('Account saved');
        },
        onError: (error) => alerts.error(messageOf(error)),
      },
    );
  };
  const nameError = name.trim() === '' ? 'Please enter a name' : fields['accountNameLabel'];
  const isPlaced = Object.keys(fields).some((field) => field === 'accountNameLabel' || field === 'accountNumberLabel');
  return (
    <form
      className="ac-details"
      onSubmit={(event) => {
        event.preventDefault();
        if (dirty && name.trim() !== '') save();
      }}
    >
      <div className="ek-form">
        <div className="ek-c6">
          <TextField
            label="Account Label"
            value={name}
            readOnly={!manages}
            error={nameError}
            maxLength={100}
            onChange={(next) => setTyped({ ...typed, name: next })}
          />
        </div>
        <div className="ek-c3 ek-half">
          <TextField
            label="Account Number"
            value={number}
            readOnly={!manages}
            error={fields['accountNumberLabel']}
            maxLength={20}
            onChange={(next) => setTyped({ ...typed, number: next })}
          />
        </div>
        <div className="ek-c3 ek-half">
          <TextField label="Account Type" value={account.displayAccountType} readOnly onChange={() => undefined} />
        </div>
      </div>
      {write.error !== null && !isPlaced && <InlineAlert kind="Error">{messageOf(write.error)}</InlineAlert>}
      {manages && (
        <div className="ac-details-foot">
          <Button variant="subtle" className="ek-btn-link" onClick={onEdit}>
            Edit GL Account
          </Button>
          {dirty && (
            <>
              <Button variant="subtle" onClick={() => setTyped({})}>
                Cancel
              </Button>
              <Button type="submit" variant="default" loading={write.isPending} disabled={name.trim() === ''}>
                Save
              </Button>
            </>
          )}
        </div>
      )}
    </form>
  );
}
