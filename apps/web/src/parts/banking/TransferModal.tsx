import { Transfer } from '@evenkeel/contract/transfers';
import { LoadedModal, recordFooter, RecordModal } from '../../records/RecordModal.tsx';
import { useOne } from '../../records/records.ts';
import { DateField } from '../../ui/fields/DateField.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useToday } from '../../ui/hooks/today.tsx';
import { AttachmentPane, AttachmentTabs } from '../attachments/AttachmentTabs.tsx';
import { bankOptions, transfers, useBanks } from './moves.ts';
import { TransferForm, transferFaults, transferFormOf, transferInput } from './transferForm.ts';
import { type MoveModalProps, useMoveForm } from './useMoveForm.ts';

export type TransferModalProps = MoveModalProps<TransferForm>;

/** The Transfer modal, which moves money from one bank account to another. */
export function TransferModal(props: TransferModalProps) {
  return (
    <LoadedModal id={props.id} read={useOne(transfers, props.id)} title="Transfer" onClose={props.onClose}>
      {(saved) => <LoadedTransfer {...props} saved={saved} />}
    </LoadedModal>
  );
}

function LoadedTransfer(props: TransferModalProps & { saved: Transfer | undefined }) {
  const { saved, starts, onClose } = props;
  const today = useToday();
  const kind = {
    of: transfers,
    label: 'Transfer',
    numberOf: (one: Transfer) => one.transferNumber,
    reply: Transfer,
    schema: TransferForm,
    formOf: (one: Transfer | undefined) => transferFormOf(one, today, starts),
    check: transferFaults,
    input: transferInput,
  };
  const { form, files, name } = useMoveForm(kind, props);
  const { bind } = form;
  const banks = useBanks();
  const named = (id: number | undefined, label: string | undefined) =>
    id === undefined ? undefined : { id, label: label ?? '' };
  const every = () => true;
  const from = bankOptions(banks, every, named(saved?.fromBankAccountId, saved?.fromBankAccountName));
  const to = bankOptions(banks, every, named(saved?.toBankAccountId, saved?.toBankAccountName));
  const { isLoading } = banks;
  return (
    <RecordModal
      form={form}
      title={name}
      onClose={onClose}
      footer={form.isReadOnly ? null : recordFooter(form, `Delete ${name}?`)}
      head={<AttachmentTabs main="Transfer" form={form} files={files} />}
    >
      <AttachmentPane form={form} files={files}>
        <div className="ek-form">
          <Picker {...bind('fromBankAccountId')} {...{ isLoading }} label="From" options={from} autoFocus span={6} />
          <Picker {...bind('toBankAccountId')} {...{ isLoading }} label="To" options={to} span={6} />
          <DateField {...bind('transferDate')} label="Transfer Date" span={4} />
          <MoneyField {...bind('amount')} label="Amount" span={4} />
          <TextField {...bind('referenceNumber')} label="Ref Number" maxLength={100} span={4} />
          <TextField {...bind('memo')} label="Memo" maxLength={500} />
        </div>
      </AttachmentPane>
    </RecordModal>
  );
}
