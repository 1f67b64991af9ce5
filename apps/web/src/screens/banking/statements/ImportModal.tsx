import './import.css';
import { type StatementMapping, type StatementPreview, statementCalls as calls } from '@evenkeel/contract/statements';
import { useEffect, useRef, useState } from 'react';
import { ask, messageOf, newKey, useRead, useSendOne, useStale } from '../../../client/api.ts';
import { uploadFile } from '../../../parts/attachments/uploadFile.ts';
import { useBanks } from '../../../parts/banking/moves.ts';
import { useAlerts } from '../../../ui/alerts/Alerts.tsx';
import { InlineAlert } from '../../../ui/alerts/InlineAlert.tsx';
import { FileDrop } from '../../../ui/fields/FileDrop.tsx';
import { Picker } from '../../../ui/fields/Picker.tsx';
import { useNarrow } from '../../../ui/hooks/media.ts';
import { AppModal } from '../../../ui/overlay/AppModal.tsx';
import { counted } from '../../../ui/show/words.ts';
import { ImportPreview } from './ImportPreview.tsx';
import { openPoint } from './importForm.ts';
import { useSayings } from './useSayings.ts';

export const LINES = { one: 'line', many: 'lines' };
const TRANSACTIONS = { one: 'transaction', many: 'transactions' };

export interface ImportModalProps {
  /** The account whose transactions are shown, or undefined if none is selected. */
  bankAccountId: number | undefined;
  onClose: () => void;
  onImported: (bankAccountId: number) => void;
}

interface Uploaded {
  id: number;
  name: string;
}

/** Uploads the selected file. Its contents are not known until the upload is complete. */
function useUpload() {
  const [file, setFile] = useState<Uploaded>();
  const [part, setPart] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const sending = useRef<AbortController>(undefined);
  useEffect(() => () => sending.current?.abort(), []);
  const take = async ([picked]: readonly File[]) => {
    if (picked === undefined) return;
    setProblem(undefined);
    setPart(0);
    sending.current = new AbortController();
    try {
      const { signal } = sending.current;
      const { documentId, documentName } = await uploadFile(picked, { key: newKey(), onProgress: setPart, signal });
      setFile({ id: documentId, name: documentName });
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setPart(undefined);
    }
  };
  return { file, part, problem, take: (files: readonly File[]) => void take(files), forget: () => setFile(undefined) };
}

/**
 * The Import Statement dialog: select a file, preview it before anything is saved, complete the settings, and import
 * it.
 */
export function ImportModal({ bankAccountId, onClose, onImported }: ImportModalProps) {
  const banks = useBanks();
  const [only, ...others] = banks.value ?? [];
  const said = useSayings();
  const upload = useUpload();
  const isOnly = only !== undefined && others.length === 0;
  // The account number in the file determines the account, unless the user selects one. A file that can't be read is
  // reported below.
  const recognizes = upload.file !== undefined && said.account === undefined && !isOnly;
  const asked = ask(calls.recognizeAccount, { body: { documentId: upload.file?.id ?? 0 } });
  const recognized = useRead(asked, { enabled: recognizes });
  const isRecognizing = recognizes && !recognized.isAnswered;
  const shown = isOnly ? only?.bankingAccountID : (recognized.value?.bankAccountId ?? bankAccountId);
  const account = (said.account === undefined ? (isRecognizing ? 0 : shown) : said.account) ?? 0;
  const body = {
    documentId: upload.file?.id ?? 0,
    bankAccountId: account,
    ...(said.mapping && { mapping: said.mapping }),
    ...(said.isConfirmed && { accountNumberConfirmed: true }),
  };
  const isReady = upload.file !== undefined && account > 0;
  const read = useRead(ask(calls.previewStatement, { body }), { enabled: isReady, keep: true });
  const current = isReady && !read.isStale ? read.value : undefined;
  const last = useLastPreview(current, upload.file?.id);
  const preview = isReady ? last : undefined;
  const saving = useSaving(onImported);
  const point = preview && openPoint(preview, said.isConfirmed);
  const added = (preview?.newCount ?? 0) + (preview?.doubtfulCount ?? 0);
  const another = () => {
    upload.forget();
    said.forget();
  };
  const primary = {
    label: preview === undefined ? 'Import' : `Import ${counted(added, { one: 'Transaction', many: 'Transactions' })}`,
    onClick: () => void saving.save(body),
    busy: saving.isBusy,
    disabled: preview === undefined || point !== undefined || read.isStale || read.error !== undefined,
  };
  const name = banks.value?.find((bank) => bank.bankingAccountID === account)?.name ?? '';
  const isNarrow = useNarrow();
  return (
    <AppModal
      opened
      title="Import Statement"
      size="xl"
      grows
      dirty={upload.file !== undefined}
      onClose={onClose}
      beside={
        upload.file &&
        !isNarrow && <span className="ek-muted ek-small im-file">{`${name}, from ${upload.file.name}`}</span>
      }
      footer={{
        primary,
        actions: [
          // If the wrong column is selected, the file may become unreadable. Reset restores the columns that were
          // detected.
          ...(read.error === undefined || said.mapping === undefined
            ? []
            : [{ label: 'Reset Columns', onClick: said.forget, quiet: true }]),
          ...(upload.file === undefined ? [] : [{ label: 'Choose Another File', onClick: another, quiet: true }]),
        ],
        ...(point === undefined ? {} : { total: <span className="ek-second ek-small">{point}</span> }),
        ...(saving.error === undefined ? {} : { error: saving.error }),
      }}
    >
      {(upload.file === undefined || (account === 0 && !isRecognizing)) && (
        <div className="im-account">
          <Picker
            label="Bank Account"
            options={(banks.value ?? []).map((bank) => ({ id: bank.bankingAccountID, label: bank.name }))}
            isLoading={banks.isLoading}
            autoFocus={upload.file !== undefined}
            value={account > 0 ? account : null}
            onChange={said.setAccount}
          />
        </div>
      )}
      {upload.file === undefined ? (
        <PickFile upload={upload} />
      ) : (
        <>
          {read.error !== undefined && (
            <InlineAlert kind="Error" action={{ label: 'Retry', run: () => void read.retry() }}>
              {read.error}
            </InlineAlert>
          )}
          {preview === undefined ? (
            <p className="ek-modal-wait" role="status">
              {read.error === undefined &&
                (account > 0 || isRecognizing ? 'Reading the file...' : 'Please select the bank account.')}
            </p>
          ) : (
            <ImportPreview
              key={upload.file.id}
              preview={preview}
              isRead={read.error === undefined}
              said={said}
              account={{ name, isOnly, onOther: isOnly ? another : () => said.setAccount(null) }}
            />
          )}
        </>
      )}
    </AppModal>
  );
}

/**
 * Returns the last preview of a file, so that its columns can still be changed if the file can't be read with the
 * selected columns.
 */
function useLastPreview(current: StatementPreview | undefined, fileId: number | undefined) {
  const [last, setLast] = useState<{ fileId: number | undefined; preview: StatementPreview }>();
  if (current !== undefined && last?.preview !== current) setLast({ fileId, preview: current });
  return current ?? (last?.fileId === fileId ? last?.preview : undefined);
}

function PickFile({ upload }: { upload: ReturnType<typeof useUpload> }) {
  return (
    <>
      {upload.problem !== undefined && <InlineAlert kind="Error">{upload.problem}</InlineAlert>}
      <FileDrop single autoFocus buttonLabel="Choose File" disabled={upload.part !== undefined} onFiles={upload.take}>
        <div className="im-pick">
          {upload.part === undefined ? (
            <>
              <h3>Drop your bank statement here</h3>
              <p className="ek-second">OFX, QFX, QIF, CSV, CAMT.053, MT940, or BAI2, whichever your bank offers.</p>
            </>
          ) : (
            <progress max={1} value={upload.part} aria-label="Uploading the file" />
          )}
        </div>
      </FileDrop>
    </>
  );
}

/** Imports the file only once, no matter how often the request is repeated. */
function useSaving(onImported: (bankAccountId: number) => void) {
  const alerts = useAlerts();
  const stale = useStale();
  const sendOne = useSendOne();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const save = async (body: Parameters<typeof importOf>[0]) => {
    setBusy(true);
    setError(undefined);
    try {
      const { count, knownCount, bankAccountId } = await sendOne(importOf(body));
      const known = knownCount === 0 ? '' : `, ${counted(knownCount, TRANSACTIONS)} already imported`;
      alerts.success(`${counted(count, TRANSACTIONS)} imported${known}`);
      stale();
      onImported(bankAccountId);
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return { save, isBusy, error };
}

const importOf = (body: {
  documentId: number;
  bankAccountId: number;
  mapping?: StatementMapping;
  accountNumberConfirmed?: boolean;
}) => ask(calls.saveStatement, { body });
