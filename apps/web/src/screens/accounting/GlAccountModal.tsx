import { type ChartAccount, ledgerCalls } from '@evenkeel/contract/ledger';
import { ask, inAlert, useRead } from '../../client/api.ts';
import { LoadedModal, RecordModal } from '../../records/RecordModal.tsx';
import { oneOf } from '../../records/records.ts';
import type { RecordForm } from '../../records/useRecordForm.ts';
import { useChart } from '../../parts/ledger/queries.ts';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { type AccountForm, useAccountForm } from './accountForm.ts';
import { CategoryField } from './CategoryField.tsx';

export interface GlAccountModalProps {
  /** The ID of the account. 0 for a new one. */
  id: number;
  onClose: () => void;
  onSaved?: ((accountId: number) => void) | undefined;
}

/** The GL Account modal. The type and base master account can only be chosen for a new account. */
export function GlAccountModal(props: GlAccountModalProps) {
  const { id, onClose } = props;
  const read = oneOf(useChart(true), (row) => row.customerAccountID === id);
  return (
    <LoadedModal id={id} read={read} title="GL Account" onClose={onClose}>
      {(account) => <AccountModal {...props} account={account} />}
    </LoadedModal>
  );
}

function AccountModal({ account, onClose, onSaved }: GlAccountModalProps & { account: ChartAccount | undefined }) {
  const form = useAccountForm(account, (id) =>
    account === undefined && onSaved !== undefined ? onSaved(id) : onClose(),
  );
  const { bind } = form;
  const question = account?.system === false ? `Delete account ${account.displayAccountLabel}?` : undefined;
  return (
    <RecordModal
      form={form}
      title={account === undefined ? 'Add GL Account' : 'GL Account'}
      question={question}
      onClose={onClose}
    >
      <div className="ek-form">
        <BaseFields form={form} isNew={account === undefined} />
        <CategoryField form={form} span={8} />
        <TextField {...bind('accountNumberLabel')} label="Account Number" span={4} maxLength={20} />
        <TextField
          {...bind('accountNameLabel')}
          label="Account Name"
          maxLength={100}
          autoFocus={account !== undefined}
        />
        <TextField {...bind('description')} label="Description" kind="lines" maxLength={500} />
      </div>
    </RecordModal>
  );
}

function BaseFields({ form, isNew }: { form: RecordForm<AccountForm>; isNew: boolean }) {
  const { value: masters = [] } = useRead(ask(ledgerCalls.listMasterAccounts, {}), inAlert('Error Loading Accounts'));
  const { type } = form.values;
  const types = [...new Set(masters.map((master) => master.accountTypeLabel))];
  const bases = masters.filter((master) => type === '' || master.accountTypeLabel === type);
  // A new account starts in the category of its base account.
  const ofBase = (id: number | null) => {
    const base = masters.find((one) => one.id === id);
    return base === undefined ? {} : { type: base.accountTypeLabel, accountCategoryId: base.accountCategoryId || null };
  };
  return (
    <>
      <Picker
        label="Account Type"
        options={types.map((label) => ({ id: label, label }))}
        value={type === '' ? null : type}
        onChange={(next) => form.patch({ type: next ?? '', masterAccountID: null })}
        readOnly={!isNew}
        autoFocus={isNew}
        span={6}
      />
      <Picker
        {...form.bind('masterAccountID')}
        label="Base Account"
        options={bases.map((master) => ({ id: master.id, label: `${master.accountNumber} - ${master.accountName}` }))}
        onChange={(masterAccountID) => form.patch({ masterAccountID, ...ofBase(masterAccountID) })}
        readOnly={!isNew}
        span={6}
      />
    </>
  );
}
