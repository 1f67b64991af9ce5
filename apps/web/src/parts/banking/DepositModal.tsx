import './banking.css';
import { Deposit, type Receipt } from '@evenkeel/contract/transfers';
import { useMemo, useRef } from 'react';
import { LoadedModal, recordFooter, RecordModal, Waiting } from '../../records/RecordModal.tsx';
import { useOne } from '../../records/records.ts';
import { telling } from '../../records/useRecordForm.ts';
import { DateField } from '../../ui/fields/DateField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useToday } from '../../ui/hooks/today.tsx';
import type { LineTableHandle } from '../../ui/lines/lineColumns.ts';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { AttachmentPane, AttachmentTabs } from '../attachments/AttachmentTabs.tsx';
import { depositFaults, DepositForm, depositFormOf, depositInput, totalOfDeposit } from './depositForm.ts';
import { DepositLines } from './DepositLines.tsx';
import { type Banks, bankOptions, deposits, receiptKey, useBanks, useUndeposited } from './moves.ts';
import { Receipts } from './Receipts.tsx';
import { type MoveModalProps, useMoveForm } from './useMoveForm.ts';

export type DepositModalProps = MoveModalProps<DepositForm>;

/** The Deposit modal, which combines receipts from Undeposited Funds and other money into one bank deposit. */
export function DepositModal(props: DepositModalProps) {
  const { id, onClose } = props;
  return (
    <LoadedModal id={id} read={useOne(deposits, id)} title="Deposit" size="xl" onClose={onClose}>
      {(saved) => <AwaitedDeposit {...props} saved={saved} />}
    </LoadedModal>
  );
}

type Undeposited = ReturnType<typeof useUndeposited>;

interface Loaded extends DepositModalProps {
  saved: Deposit | undefined;
  banks: Banks;
  undeposited: Undeposited;
}

/**
 * Waits for the receipts, because the fields below the list would move if the list loaded later. Also waits for the
 * bank accounts, because a company's only bank account is selected by default.
 */
function AwaitedDeposit(props: Omit<Loaded, 'banks' | 'undeposited'>) {
  const banks = useBanks();
  const undeposited = useUndeposited();
  if (banks.isAnswered && undeposited.isAnswered) return <LoadedDeposit {...props} {...{ banks, undeposited }} />;
  return (
    <AppModal opened title="Deposit" size="xl" onClose={props.onClose}>
      <Waiting />
    </AppModal>
  );
}

/** Returns the deposit's receipts followed by undeposited receipts, each sorted by date. */
function useReceipts(saved: Deposit | undefined, { value }: Undeposited): readonly Receipt[] {
  return useMemo(() => {
    const own = saved?.receipts ?? [];
    const known = new Set(own.map(receiptKey));
    return [...own, ...(value ?? []).filter((receipt) => !known.has(receiptKey(receipt)))];
  }, [saved, value]);
}

/** Returns the ID of the only bank account that accepts deposits, or null if there are several or none. */
function onlyBank({ value = [] }: Banks): number | null {
  const [only, ...others] = value.filter((bank) => bank.allowDeposits && !bank.creditCards);
  return only === undefined || others.length > 0 ? null : only.bankingAccountID;
}

function useDepositForm(props: Loaded) {
  const { saved, starts, banks, undeposited } = props;
  const today = useToday();
  const receipts = useReceipts(saved, undeposited);
  const lines = useRef<LineTableHandle>(null);
  const kind = {
    of: deposits,
    label: 'Deposit',
    numberOf: (one: Deposit) => one.depositNumber,
    reply: Deposit,
    schema: DepositForm,
    formOf: (one: Deposit | undefined) => depositFormOf(one, today, { bankAccountId: onlyBank(banks), ...starts }),
    check: (typed: DepositForm) => depositFaults(typed, receipts),
    input: (typed: DepositForm, reason: string) => depositInput(typed, receipts, reason),
    // The list is reloaded because another deposit may have used a receipt.
    onRefused: () => void undeposited.retry(),
  };
  const { form, ...move } = useMoveForm(kind, props);
  const save = () => {
    if (form.values.working !== null && lines.current?.settle() === false) return;
    form.save();
  };
  return { ...move, form: { ...form, save }, receipts, lines };
}

const HEAD = ['depositDate', 'bankAccountId', 'referenceNumber', 'memo'];

/** Adds the line number before a message. For `lineItems.1.accountId`, for example, adds "Line 2: ". */
function worded(path: string, text: string): string {
  const [, index] = /^lineItems\.(\d+)\./.exec(path) ?? [];
  return index === undefined ? text : `Line ${Number(index) + 1}: ${text}`;
}

function LoadedDeposit(props: Loaded) {
  const { saved, banks, undeposited, onClose } = props;
  const { form, files, name, receipts, lines } = useDepositForm(props);
  const { bind, values } = form;
  const known = saved && { id: saved.bankAccountId, label: saved.bankAccountName };
  const options = bankOptions(banks, (bank) => bank.allowDeposits, known);
  const bank = banks.value?.find(({ bankingAccountID }) => bankingAccountID === values.bankAccountId);
  const total = <ToTheBank form={values} receipts={receipts} />;
  const count = receipts.filter((receipt) => values.receipts.includes(receiptKey(receipt))).length;
  // The button for a new deposit shows the number of receipts, like the button in the list of payments.
  const named =
    saved === undefined && count > 0
      ? { primary: { label: `Deposit ${count}`, onClick: form.save, busy: form.busy } }
      : {};
  return (
    <RecordModal
      form={telling(form, HEAD, worded)}
      title={name}
      size="xl"
      onClose={onClose}
      footer={form.isReadOnly ? { total } : { ...recordFooter(form, `Delete ${name}?`), ...named, total }}
      head={<AttachmentTabs main="Deposit" form={form} files={files} />}
    >
      <AttachmentPane form={form} files={files}>
        <div className="ek-form">
          <Picker {...bind('bankAccountId')} label="Bank Account" options={options} autoFocus span={4} />
          <DateField {...bind('depositDate')} label="Deposit Date" span="half" />
          <TextField {...bind('referenceNumber')} label="Ref Number" maxLength={100} span="half" />
          <TextField {...bind('memo')} label="Memo" maxLength={500} span={4} />
        </div>
        <Receipts form={form} receipts={receipts} read={undeposited} />
        <DepositLines form={form} bankGlAccountId={bank?.glAccountID ?? 0} ref={lines} onSave={form.save} />
      </AttachmentPane>
    </RecordModal>
  );
}

function ToTheBank({ form, receipts }: { form: DepositForm; receipts: readonly Receipt[] }) {
  return (
    <>
      <span className="ek-second">Deposit Total</span>
      <span className="ek-semi" data-total="">
        <Amount value={totalOfDeposit(form, receipts)} sign />
      </span>
    </>
  );
}
