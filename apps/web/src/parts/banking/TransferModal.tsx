import { Transfer } from '@evenkeel/contract/transfers';
import { useMay } from '../../client/session.ts';
import { LoadedModal, recordFooter, RecordModal } from '../../records/RecordModal.tsx';
import { useOne, useRemove, useSave } from '../../records/records.ts';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useToday } from '../../ui/hooks/today.tsx';
import { AttachmentPane, AttachmentTabs } from '../attachments/AttachmentTabs.tsx';
import { useAttachments } from '../attachments/useAttachments.ts';
import { bankOptions, transfers, useBanks } from './moves.ts';
import { TransferForm, transferFaults, transferFormOf, transferInput } from './transferForm.ts';

export interface TransferModalProps {
  /** 0 is a new one. */
  id: number;
  onClose: () => void;
  /** After it was saved or deleted; it closes by itself. */
  onDone?: (() => void) | undefined;
  /** Values of a new one, e.g. the account that it was opened from. */
  starts?: Partial<TransferForm> | undefined;
}

/** The Transfer modal: money from one banking account to another. */
export function TransferModal(props: TransferModalProps) {
  return (
    <LoadedModal id={props.id} read={useOne(transfers, props.id)} title="Transfer" onClose={props.onClose}>
      {(saved) => <LoadedTransfer {...props} saved={saved} />}
    </LoadedModal>
  );
}

function useTransferForm({ id, saved, starts, onClose, onDone }: TransferModalProps & { saved: Transfer | undefined }) {
  const today = useToday();
  const alerts = useAlerts();
  const save = useSave<Transfer, ReturnType<typeof transferInput>>(transfers);
  const files = useAttachments();
  const done = () => {
    onClose();
    onDone?.();
  };
  const form = useRecordForm<Transfer, TransferForm>({
    name: 'transfer',
    id,
    saved,
    formOf: (one) => transferFormOf(one, today, starts),
    schema: TransferForm,
    check: transferFaults,
    send: (typed, { place, reason }) => save(id, transferInput(typed, reason), place),
    before: files.before,
    onFaults: files.onFaults,
    remove: useRemove(transfers),
    reply: Transfer,
    words: {
      saved: (one) => `Transfer ${one.transferNumber} saved`,
      create: transfers.words.create,
      update: transfers.words.update,
    },
    onSaved: done,
    onRemoved: () => {
      alerts.success(`Transfer ${saved?.transferNumber ?? ''} deleted`);
      done();
    },
    isReadOnly: !useMay()('Manage Banking'),
  });
  return { form, files };
}

function LoadedTransfer(props: TransferModalProps & { saved: Transfer | undefined }) {
  const { saved, onClose } = props;
  const { form, files } = useTransferForm(props);
  const { bind } = form;
  const banks = useBanks();
  const named = (id: number | undefined, label: string | undefined) =>
    id === undefined ? undefined : { id, label: label ?? '' };
  const every = () => true;
  const from = bankOptions(banks, every, named(saved?.fromBankAccountId, saved?.fromBankAccountName));
  const to = bankOptions(banks, every, named(saved?.toBankAccountId, saved?.toBankAccountName));
  const { isLoading } = banks;
  const name = saved === undefined ? 'New Transfer' : `Transfer ${saved.transferNumber}`;
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
