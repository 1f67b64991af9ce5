import { BANK_KINDS, BankingAccount, type BankingAccountInput, bankingCalls } from '@evenkeel/contract/banking';
import { isRoutingNumber } from '@evenkeel/core/banking/banking';
import { cents, formatAmount } from '@evenkeel/core/money';
import { formatDate } from '@evenkeel/core/dates';
import { IconBuildingBank, IconCash, IconCreditCard, IconPigMoney } from '@tabler/icons-react';
import { ask, inAlert, useRead } from '../../client/api.ts';
import { useMay } from '../../client/session.ts';
import { AttachmentPane, AttachmentTabs } from '../../parts/attachments/AttachmentTabs.tsx';
import { isOurs, useAttachments } from '../../parts/attachments/useAttachments.ts';
import { keeping } from '../../parts/choices/choice.ts';
import { LoadedModal, recordFooter, RecordModal } from '../../records/RecordModal.tsx';
import { useOne } from '../../records/records.ts';
import { type KeptKind, type KeptModalProps, useKeptForm } from '../../records/useKeptForm.ts';
import { type RecordForm, telling } from '../../records/useRecordForm.ts';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Choice } from '../../ui/show/Choice.tsx';
import { ICON } from '../../ui/show/icons.ts';
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
    <LoadedModal
      id={props.id}
      read={useOne(bankAccounts, props.id)}
      title="Bank Account"
      size="narrow"
      onClose={props.onClose}
    >
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
  const adding = saved === undefined && !form.isReadOnly ? addingFooter(form, canCreate) : undefined;
  return (
    <RecordModal
      {...modal}
      form={telling(form, shown)}
      footer={adding}
      size="narrow"
      head={<AttachmentTabs main="Info" form={form} files={files} />}
    >
      <AttachmentPane form={form} files={files}>
        <Fields form={form} saved={saved} />
      </AttachmentPane>
    </RecordModal>
  );
}

/** The footer for a new account: Add Account, and the choice between a new and an existing GL account. */
function addingFooter(form: RecordForm<BankAccountForm>, canCreate: boolean) {
  const { primary, ...footer } = recordFooter(form);
  const isExisting = form.values.kind === null;
  const other = {
    label: isExisting ? 'Create a New GL Account' : 'Use an Existing GL Account',
    onClick: () => form.bind('kind').onChange(isExisting ? 'Checking' : null),
    quiet: true,
  };
  return { ...footer, primary: primary && { ...primary, label: 'Add Account' }, actions: canCreate ? [other] : [] };
}

interface FieldsProps {
  form: RecordForm<BankAccountForm>;
  saved: BankingAccount | undefined;
}

function Fields({ form, saved }: FieldsProps) {
  const { bind, isReadOnly, values } = form;
  const { routingNumber, kind } = values;
  const looksWrong = /^\d+$/.test(routingNumber) && !isRoutingNumber(routingNumber);
  return (
    <div className="ek-form">
      <TextField {...bind('name')} label="Name" maxLength={100} autoFocus={!isReadOnly} />
      {kind !== null && <KindChoice kind={kind} onChange={bind('kind').onChange} />}
      {kind === null && <GlAccountField form={form} saved={saved} />}
      <TextField
        {...bind('accountNumber')}
        label="Account Number"
        kind="digits"
        span={6}
        maxLength={34}
        hint={
          saved?.isNumberLost === true
            ? "The account number can't be decrypted. Enter it again."
            : saved === undefined
              ? 'The last digits are enough. Imported statements are matched to the account by this number.'
              : undefined
        }
      />
      <TextField
        {...bind('routingNumber')}
        label="Routing Number"
        kind="digits"
        span={6}
        maxLength={9}
        hint={
          looksWrong
            ? "This isn't a valid bank routing number. It must have nine digits, the last of which is a check digit."
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

const KIND_ICONS = {
  Checking: <IconBuildingBank {...ICON} />,
  Savings: <IconPigMoney {...ICON} />,
  'Credit Card': <IconCreditCard {...ICON} />,
  Cash: <IconCash {...ICON} />,
} as const;

interface KindChoiceProps {
  kind: NonNullable<BankAccountForm['kind']>;
  onChange: (kind: BankAccountForm['kind']) => void;
}

/** Chooses the type of GL account to create with the bank account. */
function KindChoice({ kind, onChange }: KindChoiceProps) {
  return (
    <div className="bk-kind">
      <Choice
        label="Kind"
        options={BANK_KINDS.map((each) => ({ value: each, label: each, icon: KIND_ICONS[each] }))}
        value={kind}
        onChange={onChange}
      />
    </div>
  );
}

/** The account's opening balance, and the entries that will be posted when the account is saved. */
function OpeningFields({ form }: Pick<FieldsProps, 'form'>) {
  const { kind, openingBalance, openingDate, name } = form.values;
  const isCard = kind === 'Credit Card';
  const hasPosting = openingBalance !== null && openingBalance !== 0 && openingDate !== null;
  return (
    <>
      <MoneyField
        {...form.bind('openingBalance')}
        label={isCard ? 'Amount Owed' : 'Opening Balance'}
        span={6}
        hint="Leave empty if the account is new"
      />
      <DateField {...form.bind('openingDate')} label="As Of" span={6} />
      <div className="bk-opening">
        <p>
          Creates the GL account <b>{name.trim() || 'with this name'}</b>
          {hasPosting && ` and posts on ${formatDate(openingDate)}:`}
        </p>
        {hasPosting && (
          <dl>
            <dt>{`Debit ${isCard === openingBalance > 0 ? EQUITY : name}`}</dt>
            <dd>{formatAmount(cents(Math.abs(openingBalance)))}</dd>
            <dt>{`Credit ${isCard === openingBalance > 0 ? name : EQUITY}`}</dt>
            <dd>{formatAmount(cents(Math.abs(openingBalance)))}</dd>
          </dl>
        )}
      </div>
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
      hint={
        saved?.hasEntries === true
          ? "This bank account has transactions, so you can't change its GL account."
          : undefined
      }
    />
  );
}
