import { BANK_KINDS, BankingAccount, type BankingAccountInput, bankingCalls } from '@evenkeel/contract/banking';
import { isRoutingNumber } from '@evenkeel/core/banking/banking';
import { cents, formatAmount } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { ask, inAlert, useRead } from '../../client/api.ts';
import { useMay } from '../../client/session.ts';
import { AttachmentPane, AttachmentTabs } from '../../parts/attachments/AttachmentTabs.tsx';
import { isOurs, useAttachments } from '../../parts/attachments/useAttachments.ts';
import { keeping } from '../../parts/choices/choice.ts';
import { LoadedModal, RecordModal } from '../../records/RecordModal.tsx';
import { useOne } from '../../records/records.ts';
import { type KeptKind, type KeptModalProps, useKeptForm } from '../../records/useKeptForm.ts';
import { type RecordForm, telling } from '../../records/useRecordForm.ts';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Choice } from '../../ui/show/Choice.tsx';
import { BankAccountForm, bankAccountFaults, bankAccountFormOf, bankAccountInput } from './bankAccountForm.ts';
import { bankAccounts } from './banking.ts';

const BANK_ACCOUNT: Omit<KeptKind<BankingAccount, BankAccountForm, BankingAccountInput>, 'check' | 'formOf'> = {
  label: 'Account',
  draft: 'bankaccount',
  of: bankAccounts,
  manager: 'Manage Banking',
  nameOf: (one) => one.name,
  reply: BankingAccount,
  schema: BankAccountForm,
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

const SHOWN = ['name', 'accountNumber', 'routingNumber', 'glAccountID', 'openingBalance', 'openingDate'];

function Loaded(props: KeptModalProps & { saved: BankingAccount | undefined }) {
  const { saved } = props;
  const files = useAttachments();
  const canCreate = useMay()('Manage Accounting');
  const kind = {
    ...BANK_ACCOUNT,
    formOf: (account: BankingAccount | undefined) => bankAccountFormOf(account, canCreate),
    check: (typed: BankAccountForm) => bankAccountFaults(typed, saved),
  };
  const { form, modal } = useKeptForm(kind, props, { before: files.before, onFaults: files.onFaults });
  const shown = [...SHOWN, ...Object.keys(form.fields).filter(isOurs)];
  return (
    <RecordModal {...modal} form={telling(form, shown)} head={<AttachmentTabs main="Info" form={form} files={files} />}>
      <AttachmentPane form={form} files={files}>
        <Fields form={form} saved={saved} canCreate={canCreate} />
      </AttachmentPane>
    </RecordModal>
  );
}

interface FieldsProps {
  form: RecordForm<BankAccountForm>;
  saved: BankingAccount | undefined;
  /** Whether the user can create a GL account and post its opening balance. */
  canCreate: boolean;
}

function Fields({ form, saved, canCreate }: FieldsProps) {
  const { bind, isReadOnly, values } = form;
  const { routingNumber, kind } = values;
  const looksWrong = /^\d+$/.test(routingNumber) && !isRoutingNumber(routingNumber);
  return (
    <div className="ek-form">
      <TextField {...bind('name')} label="Name" maxLength={100} autoFocus={!isReadOnly} />
      {saved === undefined && canCreate && <KindChoice form={form} />}
      {kind === null && <GlAccountField form={form} saved={saved} />}
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
      {kind !== null && <OpeningFields form={form} />}
      <div className="bk-checks">
        <CheckField label="Use for payments" value={values.allowPayments} onChange={bind('allowPayments').onChange} />
        <CheckField label="Use for deposits" value={values.allowDeposits} onChange={bind('allowDeposits').onChange} />
      </div>
    </div>
  );
}

/** Chooses the type of GL account to create with the bank account, or switches to an existing account. */
function KindChoice({ form }: Pick<FieldsProps, 'form'>) {
  const { kind, name } = form.values;
  const { onChange } = form.bind('kind');
  const isExisting = kind === null;
  return (
    <div className="bk-kind">
      {!isExisting && (
        <Choice
          label="Kind"
          options={BANK_KINDS.map((each) => ({ value: each, label: each }))}
          value={kind}
          onChange={onChange}
        />
      )}
      {!isExisting && (
        <p className="ek-muted ek-small">{`Saving also creates the GL account ${name.trim() || 'with this name'}.`}</p>
      )}
      <Button variant="subtle" onClick={() => onChange(isExisting ? 'Checking' : null)}>
        {isExisting ? 'Create a New GL Account' : 'Use an Existing GL Account'}
      </Button>
    </div>
  );
}

/** The account's opening balance, and the entries that saving posts. */
function OpeningFields({ form }: Pick<FieldsProps, 'form'>) {
  const { kind, openingBalance, openingDate, name } = form.values;
  const isCard = kind === 'Credit Card';
  return (
    <>
      <MoneyField
        {...form.bind('openingBalance')}
        label={isCard ? 'Amount Owed' : 'Opening Balance'}
        span={6}
        hint="Leave empty if the account is new"
      />
      <DateField {...form.bind('openingDate')} label="As of" span={6} />
      {openingBalance !== null && openingBalance !== 0 && openingDate !== null && (
        <dl className="bk-opening">
          <dt>{`Debit ${isCard === openingBalance > 0 ? EQUITY : name}`}</dt>
          <dd>{formatAmount(cents(Math.abs(openingBalance)))}</dd>
          <dt>{`Credit ${isCard === openingBalance > 0 ? name : EQUITY}`}</dt>
          <dd>{formatAmount(cents(Math.abs(openingBalance)))}</dd>
        </dl>
      )}
    </>
  );
}

const EQUITY = 'Opening Balance Equity';

function GlAccountField({ form, saved }: Pick<FieldsProps, 'form' | 'saved'>) {
  const { bind, isReadOnly } = form;
  const inUse = saved?.glAccountID ?? 0;
  const read = useRead(
    ask(bankingCalls.availableGlAccounts, { params: { accountIdInUse: inUse } }),
    inAlert('Error Loading Accounts'),
  );
  const accounts = (read.value ?? []).map((one) => ({ id: one.customerAccountID, label: one.displayAccountLabel }));
  return (
    <Picker
      {...bind('glAccountID')}
      options={keeping(
        accounts,
        accounts.find(({ id }) => id === inUse),
      )}
      isLoading={read.isLoading}
      label="GL Account"
      readOnly={isReadOnly || saved?.hasEntries === true}
      hint={saved?.hasEntries === true ? "This account has transactions, so you can't change it." : undefined}
    />
  );
}
