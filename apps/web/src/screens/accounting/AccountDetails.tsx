import type { ChartAccount } from '@evenkeel/contract/ledger';
import { Button } from '@mantine/core';
import { StaleChoice } from '../../records/StaleChoice.tsx';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useAccountForm } from './accountForm.ts';
import { CategoryField } from './CategoryField.tsx';

export interface AccountDetailsProps {
  account: ChartAccount;
  /** Opens the account in the GL Account modal. */
  onEdit: () => void;
}

/** The Details panel. The account label, number, and category can be edited in place. The type is read-only. */
export function AccountDetails({ account, onEdit }: AccountDetailsProps) {
  const form = useAccountForm(account, () => undefined);
  const { bind, busy, dirty, isReadOnly, stale } = form;
  return (
    <form
      className="ac-details"
      onSubmit={(event) => {
        event.preventDefault();
        if (dirty) form.save();
      }}
    >
      <div className="ek-form">
        <TextField {...bind('accountNameLabel')} label="Account Label" span={8} maxLength={100} />
        <TextField {...bind('accountNumberLabel')} label="Account Number" span={4} maxLength={20} />
        <TextField
          label="Account Type"
          value={account.displayAccountType}
          span={6}
          readOnly
          onChange={() => undefined}
        />
        <CategoryField form={form} span={6} />
      </div>
      {form.problems.map((message) => (
        <InlineAlert key={message} kind="Error">
          {message}
        </InlineAlert>
      ))}
      {stale !== undefined && <StaleChoice onTheirs={stale.theirs} onMine={stale.mine} />}
      {!isReadOnly && (
        <div className="ac-details-foot">
          <Button variant="subtle" className="ek-btn-link" onClick={onEdit}>
            Edit GL Account
          </Button>
          {dirty && (
            <>
              <Button variant="subtle" onClick={form.reset}>
                Cancel
              </Button>
              <Button type="submit" variant="default" loading={busy}>
                Save
              </Button>
            </>
          )}
        </div>
      )}
    </form>
  );
}
