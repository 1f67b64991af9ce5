import { BankingAccount, type BankingAccountInput, bankingCalls } from '@evenkeel/contract/banking';
import { isRoutingNumber } from '@evenkeel/core/banking/banking';
import { ask, inAlert, useRead } from '../../client/api.ts';
import { AttachmentPane, AttachmentTabs } from '../../parts/attachments/AttachmentTabs.tsx';
import { isOurs, useAttachments } from '../../parts/attachments/useAttachments.ts';
import { keeping } from '../../parts/choices/choice.ts';
import { LoadedModal, RecordModal } from '../../records/RecordModal.tsx';
import { useOne } from '../../records/records.ts';
import { type KeptKind, type KeptModalProps, useKeptForm } from '../../records/useKeptForm.ts';
import { type RecordForm, telling } from '../../records/useRecordForm.ts';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { BankAccountForm, bankAccountFaults, bankAccountFormOf, bankAccountInput } from './bankAccountForm.ts';
import { bankAccounts } from './banking.ts';

const BANK_ACCOUNT: Omit<KeptKind<BankingAccount, BankAccountForm, BankingAccountInput>, 'check'> = {
  label: 'Account',
  draft: 'bankaccount',
  of: bankAccounts,
  manager: 'Manage Banking',
  nameOf: (one) => one.name,
  reply: BankingAccount,
  schema: BankAccountForm,
  formOf: bankAccountFormOf,
  bodyOf: bankAccountInput,
  restoring: { active: true, documentLinks: [] },
};

/** The Bank Account modal. */
export function BankAccountModal(props: KeptModalProps) {
  return (
    <LoadedModal id={props.id} read={useOne(bankAccounts, props.id)} title="Bank Account" onClose={props.onClose}>
      {(saved) => <Loaded {...props} saved={saved} />}
    </LoadedModal>
  );
}

const SHOWN = ['name', 'accountNumber', 'routingNumber', 'glAccountID'];

function Loaded(props: KeptModalProps & { saved: BankingAccount | undefined }) {
  const { saved } = props;
  const files = useAttachments();
  const kind = { ...BANK_ACCOUNT, check: (typed: BankAccountForm) => bankAccountFaults(typed, saved) };
  const { form, modal } = useKeptForm(kind, props, { before: files.before, onFaults: files.onFaults });
  const shown = [...SHOWN, ...Object.keys(form.fields).filter(isOurs)];
  return (
    <RecordModal {...modal} form={telling(form, shown)} head={<AttachmentTabs main="Info" form={form} files={files} />}>
      <AttachmentPane form={form} files={files}>
        <Fields form={form} saved={saved} />
      </AttachmentPane>
    </RecordModal>
  );
}

interface FieldsProps {
  form: RecordForm<BankAccountForm>;
  saved: BankingAccount | undefined;
}

function Fields({ form, saved }: FieldsProps) {
  const { bind, isReadOnly, values } = form;
  const { routingNumber } = values;
  const inUse = saved?.glAccountID ?? 0;
  const read = useRead(
    ask(bankingCalls.availableGlAccounts, { params: { accountIdInUse: inUse } }),
    inAlert('Error Loading Accounts'),
  );
  const accounts = (read.value ?? []).map((one) => ({ id: one.customerAccountID, label: one.displayAccountLabel }));
  const looksWrong = /^\d+$/.test(routingNumber) && !isRoutingNumber(routingNumber);
  return (
    <div className="ek-form">
      <TextField {...bind('name')} label="Name" span={6} maxLength={100} autoFocus={!isReadOnly} />
      <Picker
        {...bind('glAccountID')}
        options={keeping(
          accounts,
          accounts.find(({ id }) => id === inUse),
        )}
        isLoading={read.isLoading}
        label="GL Account"
        span={6}
        readOnly={isReadOnly || saved?.hasEntries === true}
        hint={saved?.hasEntries === true ? "This account has transactions, so you can't change it." : undefined}
      />
      <TextField
        {...bind('accountNumber')}
        label="Account Number"
        kind="digits"
        span={6}
        maxLength={34}
        hint={saved?.isNumberLost === true ? "The account number can't be decrypted. Enter it again." : undefined}
      />
      <TextField
        {...bind('routingNumber')}
        label="Routing Number"
        kind="digits"
        span={6}
        maxLength={9}
        hint={
          looksWrong
            ? "This isn't a valid bank routing number. It must have nine digits, including a check digit."
            : undefined
        }
      />
      <div className="bk-checks">
        <CheckField label="Use for payments" value={values.allowPayments} onChange={bind('allowPayments').onChange} />
        <CheckField label="Use for deposits" value={values.allowDeposits} onChange={bind('allowDeposits').onChange} />
      </div>
    </div>
  );
}
