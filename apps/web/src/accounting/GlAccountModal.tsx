import { type AccountSetupInput, type ChartAccount, ledgerCalls } from '@evenkeel/contract/ledger';
import { useState } from 'react';
import { ApiError, messageOf, useRead, useWrite } from '../api.ts';
import { useBooksChanged } from '../ledger/queries.ts';
import { useLoadAlert } from '../records/reads.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { InlineAlert } from '../ui/alerts/InlineAlert.tsx';
import { Picker } from '../ui/fields/Picker.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { useDraft } from '../ui/hooks/draft.ts';
import { AppModal } from '../ui/overlay/AppModal.tsx';
import { type AccountForm, formOfAccount, problemsOf, readAccountForm } from './accountForm.ts';

export interface GlAccountModalProps {
  /** Absent: a new account. */
  account: ChartAccount | undefined;
  onClose: () => void;
  onSaved: (accountId: number) => void;
}

/** The GL Account modal: type and base master account are chosen when adding only (Specification part 2 §2). */
export function GlAccountModal({ account, onClose, onSaved }: GlAccountModalProps) {
  const state = useAccountForm(account, (id) => {
    onSaved(id);
    onClose();
  });
  const isNew = account === undefined;
  return (
    <AppModal
      opened
      onClose={onClose}
      title={isNew ? 'Add GL Account' : 'GL Account'}
      dirty={state.dirty}
      onDiscard={state.forget}
      footer={{
        primary: { label: 'Save', onClick: state.save, busy: state.busy },
        remove:
          isNew || account.system
            ? undefined
            : { question: `Delete account ${account.displayAccountLabel}?`, onConfirm: state.remove, busy: state.busy },
        error: state.message === undefined ? undefined : <InlineAlert kind="Error">{state.message}</InlineAlert>,
      }}
    >
      <div className="ek-form">
        <BaseFields state={state} account={account} />
        <div className="ek-c3">
          <TextField
            label="Account Number"
            value={state.form.number}
            onChange={(number) => state.patch({ number })}
            error={state.problems.number}
            maxLength={20}
          />
        </div>
        <div className="ac-grow">
          <TextField
            label="Account Name"
            value={state.form.name}
            onChange={(name) => state.patch({ name })}
            error={state.problems.name}
            maxLength={100}
            autoFocus={!isNew}
          />
        </div>
        <div>
          <TextField
            label="Description"
            kind="lines"
            value={state.form.description}
            onChange={(description) => state.patch({ description })}
            maxLength={500}
          />
        </div>
      </div>
    </AppModal>
  );
}

interface BaseFieldsProps {
  state: AccountFormState;
  account: ChartAccount | undefined;
}

function BaseFields({ state, account }: BaseFieldsProps) {
  const read = useRead(ledgerCalls.listMasterAccounts, {});
  useLoadAlert(read.error, 'Error Loading Accounts');
  const masters = read.data ?? [];
  const types = [...new Set(masters.map((master) => master.accountTypeLabel))];
  const { form, patch, problems } = state;
  const type = account?.displayAccountType ?? form.type;
  const bases = masters.filter((master) => type === '' || master.accountTypeLabel === type);
  return (
    <>
      <div className="ek-c6">
        <Picker
          label="Account Type"
          options={types.map((label) => ({ id: label, label }))}
          value={type === '' ? null : type}
          onChange={(next) => patch({ type: next ?? '', baseId: null })}
          readOnly={account !== undefined}
          autoFocus={account === undefined}
        />
      </div>
      <div className="ek-c6">
        <Picker
          label="Base Account"
          options={bases.map((master) => ({ id: master.id, label: `${master.accountNumber} - ${master.accountName}` }))}
          value={form.baseId}
          onChange={(baseId) => {
            const master = masters.find((one) => one.id === baseId);
            patch({ baseId, type: master?.accountTypeLabel ?? form.type });
          }}
          readOnly={account !== undefined}
          error={problems.baseId}
        />
      </div>
    </>
  );
}

type AccountFormState = ReturnType<typeof useAccountForm>;

function useAccountForm(account: ChartAccount | undefined, onSaved: (id: number) => void) {
  const alerts = useAlerts();
  const booksChanged = useBooksChanged();
  const write = useWrite(ledgerCalls.setupAccount);
  const id = account?.customerAccountID ?? 0;
  const draft = useDraft({
    name: `glaccount:${id}`,
    initial: formOfAccount(account),
    read: readAccountForm,
  });
  const [tried, setTried] = useState(false);
  const fields = write.error instanceof ApiError ? write.error.fields : {};
  const send = (body: AccountSetupInput) =>
    write.mutate(
      { body },
      {
        onSuccess: (saved) => {
          draft.clear();
          alerts.success(saved.selected ? 'Account saved' : 'Account deleted');
          void booksChanged();
          onSaved(saved.customerAccountID);
        },
        onError: (error) => alerts.error(messageOf(error)),
      },
    );
  const { form, problems } = { form: draft.value, problems: problemsOf(draft.value, fields, tried) };
  const placed = ['accountNameLabel', 'accountNumberLabel', 'masterAccountID'];
  return {
    form,
    problems,
    message:
      write.error === null || Object.keys(fields).some((field) => placed.includes(field))
        ? undefined
        : messageOf(write.error),
    dirty: draft.dirty,
    busy: write.isPending,
    forget: () => draft.clear(),
    patch: (patch: Partial<AccountForm>) => {
      write.reset();
      draft.set((before) => ({ ...before, ...patch }));
    },
    save: () => {
      setTried(true);
      if (Object.keys(problemsOf(form, {}, true)).length > 0) return;
      send({
        customerAccountID: id,
        accountNameLabel: form.name,
        accountNumberLabel: form.number,
        description: form.description,
        ...(account === undefined ? { masterAccountID: form.baseId } : { rowVersion: account.rowVersion }),
      });
    },
    remove: () => send({ customerAccountID: id, selected: false, rowVersion: account?.rowVersion }),
  };
}
