import type { Move, MoveFile, MoveInput } from '@evenkeel/contract/moving';
import { moveSource } from '@evenkeel/core/moving/sources';
import { addDays, formatDate, type IsoDate, MONTHS } from '@evenkeel/core/dates';
import { Button } from '@mantine/core';
import { IconLock, IconUpload } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { usePlace } from '../../records/place.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { DropArea, FilePicker } from '../../ui/fields/FileDrop.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { isKey } from '../../ui/keys/keys.ts';
import { StepFoot } from '../../ui/overlay/StepFoot.tsx';
import { ICON, ICON_SMALL } from '../../ui/show/icons.ts';
import { Status } from '../../ui/show/Status.tsx';
import { counted } from '../../ui/show/words.ts';
import { FileList } from './FileList.tsx';
import { FILES, MoveFrame } from './MoveFrame.tsx';
import { SheetDialog } from './SheetDialog.tsx';
import type { StepProps } from './steps.ts';
import { useMoveActions, useUploads } from './moves.ts';
import { useKeysHere } from '../../ui/keys/useKeysHere.ts';

/** The files of an import with their contents, and the choice of how much history to import. */
export function FilesStep({ move }: StepProps) {
  const { go } = usePlace();
  const actions = useMoveActions(move.id);
  const { uploads, add, replace } = useUploads(move, actions);
  const update = (change: Omit<MoveInput, 'rowVersion'>) =>
    void actions.update({ rowVersion: move.rowVersion, ...change });
  const [mapped, setMapped] = useState<MoveFile>();
  const point = blockedBy(move, uploads.length);
  const next = () => go({ step: 'match' }, { step: [] });
  useKeysHere((event) => {
    if (!isKey(event, 'save') || point !== '') return false;
    next();
    return true;
  });
  const isEmpty = move.files.length === 0 && uploads.length === 0;
  return (
    <MoveFrame
      step="files"
      system={move.system}
      foot={
        <StepFoot back={{ label: 'Back', onClick: () => go({ step: 'source' }, { step: [] }) }} note={point}>
          <Button disabled={point !== ''} onClick={next}>
            Next: Match
          </Button>
        </StepFoot>
      }
    >
      <DropArea fills onFiles={add}>
        <div
          className="mv-scroll mv-pad"
          role="region"
          aria-label="Files"
          tabIndex={0}
          data-empty={isEmpty ? '' : undefined}
        >
          <div className="mv-drop">
            <IconUpload {...ICON} />
            <span className="ek-grow">
              <span className="ek-medium">Drop all files here</span>
              <span className="ek-second mv-wide"> Evenkeel recognizes each file by its content.</span>
            </span>
            <FilePicker buttonLabel="Choose Files" icon={null} onFiles={add} />
          </div>
          <Notices move={move} />
          {move.error !== null && <InlineAlert kind="Error">{move.error}</InlineAlert>}
          {isEmpty ? (
            <Expected move={move} />
          ) : (
            <>
              <div className="mv-head">
                <h2>{counted(move.files.length + uploads.length, FILES)}</h2>
                <span className="ek-muted ek-small" role="status">
                  {statesOf(move.files)}
                </span>
              </div>
              <FileList
                move={move}
                uploads={uploads}
                onRemove={(file) => void actions.removeFile(file.id)}
                onReplace={(file, files) => void replace(file.id, files)}
                onOrder={(file, order) => update({ dateOrders: [{ file: file.name, order }] })}
                onColumns={setMapped}
              />
              {move.transactions > 0 && <History key={move.rowVersion} move={move} onChange={update} />}
            </>
          )}
        </div>
      </DropArea>
      {mapped !== undefined && mapped.sheet !== null && (
        <SheetDialog
          name={mapped.name}
          sheet={mapped.sheet}
          onClose={() => setMapped(undefined)}
          onSave={(sheet) => {
            update({ sheets: [sheet] });
            setMapped(undefined);
          }}
        />
      )}
    </MoveFrame>
  );
}

/** The messages about several files. Messages about a single file are shown in the file's row. */
function Notices({ move: { refusals, warnings, files } }: { move: Move }) {
  const inRows = new Set(files.flatMap((file) => [file.refusal, ...file.warnings]).map((one) => one?.text));
  const shown = [
    ...refusals.map(({ text }) => ({ text, kind: 'Error' as const })),
    ...warnings.map(({ text }) => ({ text, kind: 'Warning' as const })),
  ].filter(({ text }) => !inRows.has(text));
  return shown.map(({ text, kind }) => (
    <InlineAlert key={text} kind={kind}>
      {text}
    </InlineAlert>
  ));
}

/** Returns the reason why Next is disabled, or an empty string. */
function blockedBy(move: Move, uploading: number): string {
  if (uploading > 0 || move.status === 'reading') return 'The files are being read';
  if (move.blocked.files !== '') return move.blocked.files;
  if (move.files.length === 0) return 'Add the files to continue';
  return move.history === null && move.transactions > 0 ? 'Choose how much history to import' : '';
}

const STATE_WORDS: readonly [MoveFile['state'], string][] = [
  ['recognized', 'recognized'],
  ['question', 'with a question'],
  ['rejected', 'rejected'],
  ['unused', 'not needed'],
];

/** Returns text such as "7 recognized, 1 rejected". */
function statesOf(files: readonly MoveFile[]): string {
  return STATE_WORDS.map(([state, word]) => ({ word, count: files.filter((file) => file.state === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${count.toLocaleString('en-US')} ${word}`)
    .join(', ');
}

/** The files that the program exports, before any file is added. */
function Expected({ move }: { move: Move }) {
  return (
    <ul className="mv-expected" aria-label="Expected files">
      {moveSource(move.system).files.map(({ name, path, isRequired }) => (
        <li key={name}>
          <span className="mv-circle" aria-hidden="true" />
          <span className="ek-medium">{name}</span>
          {isRequired && <Status look="plain">Required</Status>}
          <span className="ek-muted ek-small ek-ellipsis">{path.join(' › ')}</span>
        </li>
      ))}
    </ul>
  );
}

interface HistoryProps {
  move: Move;
  onChange: (change: Omit<MoveInput, 'rowVersion'>) => void;
}

const TRANSACTIONS = { one: 'transaction', many: 'transactions' };

/** All transactions, or a start date with opening balances. */
function History({ move, onChange }: HistoryProps) {
  const { history, suggestedFrom, from, to, fyStartMonth, basis } = move;
  const [start, setStart] = useState<IsoDate | null>(history?.from ?? suggestedFrom);
  const isFrom = history !== null && history.from !== null;
  const setDate = (date: IsoDate | null) => {
    setStart(date);
    if (date !== null && date !== history?.from) onChange({ history: { from: date } });
  };
  const range = from === null || to === null ? '' : `${formatDate(from)} – ${formatDate(to)}, `;
  return (
    <>
      <h2 id="mv-history">How much history do you want to import?</h2>
      <div className="mv-history" role="radiogroup" aria-labelledby="mv-history">
        <Option
          title="All transactions"
          isOn={history !== null && history.from === null}
          onPick={() => onChange({ history: { from: null } })}
        >
          {`${range}${counted(move.transactions, TRANSACTIONS)}. Reports go back to the earliest date in the files.`}
        </Option>
        <Option
          title="From a start date, with opening balances"
          beside={<Status look="note">Recommended</Status>}
          isOn={isFrom}
          onPick={() => onChange({ history: { from: start ?? suggestedFrom } })}
          field={isFrom && <DateField label="Start Date" value={start} onChange={setDate} />}
        >
          {sinceWords(move, isFrom ? start : suggestedFrom)}
        </Option>
      </div>
      <div className="mv-pair">
        <div>
          <span>
            Fiscal year starts in <span className="ek-muted ek-small">from the files</span>
          </span>
          <Picker
            label="Fiscal year starts in"
            inRow
            options={MONTHS.map((label, at) => ({ id: at + 1, label }))}
            value={fyStartMonth}
            onChange={(month) => month !== null && onChange({ fyStartMonth: month })}
          />
        </div>
        <div>
          <span>
            Accounting basis <span className="ek-muted ek-small">from the files</span>
          </span>
          <span className="mv-locked">
            <TextField
              label="Accounting basis"
              inRow
              readOnly
              value={basis === 'cash' ? 'Cash' : 'Accrual'}
              onChange={() => undefined}
            />
            <IconLock {...ICON_SMALL} />
          </span>
        </div>
      </div>
    </>
  );
}

/** Returns the effect of a start date. The number of transactions is known only for the suggested date. */
function sinceWords({ suggestedFrom, transactionsSince }: Move, start: IsoDate | null): string {
  if (start === null) return 'The transactions on or after a date, and the balances as of the day before.';
  const balances = `the balances as of ${formatDate(addDays(start, -1))}`;
  if (start !== suggestedFrom) return `The transactions on or after ${formatDate(start)}, and ${balances}.`;
  const count = counted(transactionsSince, TRANSACTIONS);
  return `${formatDate(start)}, the start of this fiscal year: ${count} and ${balances}.`;
}

interface OptionProps {
  title: string;
  beside?: ReactNode;
  isOn: boolean;
  onPick: () => void;
  field?: ReactNode;
  children: ReactNode;
}

function Option({ title, beside, isOn, onPick, field, children }: OptionProps) {
  return (
    <div className="mv-option" data-on={isOn ? '' : undefined}>
      <label aria-label={title}>
        <input type="radio" name="history" checked={isOn} onChange={onPick} />
        <span>
          <span className="mv-title">
            <span className="ek-medium">{title}</span>
            {beside}
          </span>
          <span className="ek-second ek-small mv-line">{children}</span>
        </span>
      </label>
      {field}
    </div>
  );
}
