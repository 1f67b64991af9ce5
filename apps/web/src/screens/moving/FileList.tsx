import type { Move, MoveFile } from '@evenkeel/contract/moving';
import { formatDate } from '@evenkeel/core/dates';
import { NOTHING } from '@evenkeel/core/nothing';
import { moveSource } from '@evenkeel/core/moving/sources';
import { ActionIcon, Button } from '@mantine/core';
import { IconFile, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode } from 'react';
import { sizeWords } from '../../parts/attachments/attachmentForm.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { FilePicker } from '../../ui/fields/FileDrop.tsx';
import { useHomeRoom, useNarrow, useWide } from '../../ui/hooks/media.ts';
import { isKey } from '../../ui/keys/keys.ts';
import { Bar } from '../../ui/show/Bar.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { Status, type StatusLook } from '../../ui/show/Status.tsx';
import { counted, type Words } from '../../ui/show/words.ts';
import type { Upload } from './moves.ts';

type DateOrder = MoveFile['questions'][number]['choices'][number]['value'];

export interface FileListProps {
  move: Move;
  uploads: readonly Upload[];
  onRemove: (file: MoveFile) => void;
  onReplace: (file: MoveFile, files: readonly File[]) => void;
  onOrder: (file: MoveFile, order: DateOrder) => void;
  /** Opens the columns of a spreadsheet. */
  onColumns: (file: MoveFile) => void;
}

/** The files with their contents and states. Rejected files come first, with the reason in the row. */
export function FileList(props: FileListProps) {
  const files = props.move.files.toSorted((a, b) => rankOf(a) - rankOf(b));
  return useNarrow() ? <Cards {...props} files={files} /> : <Table {...props} files={files} />;
}

const rankOf = ({ state }: MoveFile): number => (state === 'rejected' ? 0 : state === 'question' ? 1 : 2);

type Listed = FileListProps & { files: readonly MoveFile[] };

const CUSTOMERS = { one: 'customer', many: 'customers' };
const WORDS: readonly [keyof MoveFile['counts'], Words][] = [
  ['transactions', { one: 'transaction', many: 'transactions' }],
  ['documents', { one: 'open document', many: 'open documents' }],
  ['items', { one: 'product', many: 'products' }],
  ['parties', { one: 'name', many: 'names' }],
  ['accounts', { one: 'account', many: 'accounts' }],
];
/** The nouns for files whose format is more specific than the kind of records in them. */
const OF_FORMAT: Readonly<Record<string, Words>> = {
  'qbo-customers': CUSTOMERS,
  'qbo-vendors': { one: 'vendor', many: 'vendors' },
  'open-invoices': { one: 'invoice', many: 'invoices' },
  'unpaid-bills': { one: 'bill', many: 'bills' },
};

/** Returns a summary of a file's contents, such as "14,372 transactions". */
export function contentsOf({ counts, format }: Pick<MoveFile, 'counts' | 'format'>): string {
  const found = WORDS.find(([name]) => counts[name] > 0);
  return found === undefined ? NOTHING : counted(counts[found[0]], OF_FORMAT[format] ?? found[1]);
}

/** Returns the file's kind without the program's name, which the page already shows. */
function kindOf({ label }: MoveFile, { system }: Move): string {
  const { label: program } = moveSource(system);
  return label.startsWith(`${program} `) ? label.slice(program.length + 1) : label;
}

function periodOf({ from, to }: MoveFile): string {
  if (to === null) return from === null ? NOTHING : `From ${formatDate(from)}`;
  return from === null || from === to ? `As of ${formatDate(to)}` : `${formatDate(from)} – ${formatDate(to)}`;
}

const LOOKS: Readonly<Record<MoveFile['state'], { look: StatusLook; word: string }>> = {
  reading: { look: 'draft', word: 'Reading' },
  recognized: { look: 'done', word: 'Recognized' },
  question: { look: 'low', word: '1 question' },
  rejected: { look: 'wrong', word: 'Rejected' },
  unused: { look: 'plain', word: 'Not needed' },
};

function State({ file: { state, questions } }: { file: MoveFile }) {
  const { look, word } = LOOKS[state];
  return (
    <Status look={look}>{state === 'question' && questions.length > 1 ? `${questions.length} questions` : word}</Status>
  );
}

/** The progress of an upload, shown in place of the file's status. */
const Reading = ({ upload }: { upload: Upload }) => (
  <span className="mv-reading ek-small">
    {`Reading ${upload.part.toLocaleString('en-US', { style: 'percent' })}`}
    <Bar label={`Uploading ${upload.name}`} value={upload.part} max={1} />
  </span>
);

function Remove({ file, onRemove }: { file: MoveFile } & Pick<FileListProps, 'onRemove'>) {
  return (
    <ActionIcon aria-label={`Remove ${file.name}`} onClick={() => onRemove(file)}>
      <IconX {...ICON_SMALL} />
    </ActionIcon>
  );
}

/** The open question about a file, the reason why the file is rejected, or its warnings. */
function noteOf(file: MoveFile, { onReplace, onOrder, onColumns }: FileListProps): ReactNode {
  if (file.refusal !== null) {
    return (
      <>
        <span className="ek-grow">{withoutName(file.refusal.text, file.name)}</span>
        <Columns file={file} onColumns={onColumns} />
        <FilePicker single icon={null} size="xs" buttonLabel="Replace" onFiles={(files) => onReplace(file, files)} />
      </>
    );
  }
  const [question] = file.questions;
  if (question !== undefined) {
    return (
      <>
        <span className="ek-grow">How are the dates written? All dates in the file are ambiguous.</span>
        <span className="mv-answers" role="group" aria-label={`Dates in ${file.name}`}>
          {question.choices.map(({ value, label }) => (
            <Button key={value} size="xs" variant="default" onClick={() => onOrder(file, value)}>
              {label}
            </Button>
          ))}
        </span>
      </>
    );
  }
  const [warning] = file.warnings;
  if (warning === undefined && file.sheet === null) return undefined;
  return (
    <>
      <span className="ek-grow">
        {warning === undefined ? `${file.sheet?.kind ?? ''}, one per row` : withoutName(warning.text, file.name)}
      </span>
      <Columns file={file} onColumns={onColumns} />
    </>
  );
}

/** The columns of a spreadsheet can be chosen even if the file is rejected. */
function Columns({ file, onColumns }: { file: MoveFile } & Pick<FileListProps, 'onColumns'>) {
  if (file.sheet === null) return null;
  return (
    <Button variant="default" size="xs" aria-label={`Columns in ${file.name}`} onClick={() => onColumns(file)}>
      {file.sheet.kind === '' ? 'Choose Columns' : 'Columns'}
    </Button>
  );
}

/** Returns a message without the file's name, because the message is shown in the file's row. */
const withoutName = (text: string, name: string): string =>
  text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text;

function Table(props: Listed) {
  const { move, files, uploads, onRemove } = props;
  // Amounts and buttons are never truncated, so these columns are hidden first.
  const [hasSize, hasPeriod] = [useHomeRoom(), useWide()];
  const onKeyDown = (event: KeyboardEvent) => {
    const row = event.target instanceof HTMLElement ? event.target.closest('[data-file]') : null;
    const file = files.find(({ id }) => String(id) === row?.getAttribute('data-file'));
    if (file === undefined || !isKey(event, 'remove')) return;
    event.preventDefault();
    onRemove(file);
  };
  return (
    <div className="mv-box">
      <table className="ek-t ek-heads mv-table mv-file-table" aria-label="Files" onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Recognized As</th>
            {hasPeriod && <th scope="col">Period</th>}
            <th scope="col" data-right="" className="mv-contents">
              Contents
            </th>
            {hasSize && (
              <th scope="col" data-right="" className="mv-size">
                Size
              </th>
            )}
            <th scope="col" className="mv-state">
              Status
            </th>
            <th scope="col" className="mv-x">
              <span className="ek-vh">Remove</span>
            </th>
          </tr>
        </thead>
        {uploads.map((upload) => (
          <tbody key={upload.key}>
            <tr>
              <FileName name={upload.name} />
              <td colSpan={hasPeriod ? 3 : 2} />
              {hasSize && (
                <td data-right="" data-kind="number" data-quiet="">
                  {sizeWords(upload.size)}
                </td>
              )}
              <td>
                <Reading upload={upload} />
              </td>
              <td />
            </tr>
          </tbody>
        ))}
        {files.map((file) => {
          const note = noteOf(file, props);
          return (
            <tbody key={file.id} data-file={file.id} data-state={file.state}>
              <tr data-noted={note === undefined ? undefined : ''}>
                <FileName name={file.name} />
                <td data-kind="text">{kindOf(file, move) || NOTHING}</td>
                {hasPeriod && <td data-kind="number">{periodOf(file)}</td>}
                <td data-kind="number" data-right="">
                  {contentsOf(file)}
                </td>
                {hasSize && (
                  <td data-kind="number" data-right="" data-quiet="">
                    {sizeWords(file.size)}
                  </td>
                )}
                <td>
                  <State file={file} />
                </td>
                <td data-right="">
                  <Remove file={file} onRemove={onRemove} />
                </td>
              </tr>
              {note !== undefined && (
                <tr>
                  <td colSpan={5 + Number(hasSize) + Number(hasPeriod)} className="mv-note">
                    <span className="ek-row">{note}</span>
                  </td>
                </tr>
              )}
            </tbody>
          );
        })}
      </table>
    </div>
  );
}

export function FileName({ name }: { name: string }) {
  return (
    <td data-kind="text" title={name}>
      <span className="mv-name">
        <IconFile {...ICON_SMALL} />
        <span className="ek-ellipsis">{name}</span>
      </span>
    </td>
  );
}

/** On a phone, rejected files appear as alerts above the list. */
function Cards(props: Listed) {
  const { move, files, uploads, onRemove } = props;
  return (
    <>
      {files
        .filter(({ refusal }) => refusal !== null)
        .map((file) => (
          <InlineAlert key={file.id} kind="Error">
            <div className="mv-rejected">
              <p>
                <span className="ek-medium">{`${file.name} was rejected. `}</span>
                {withoutName(file.refusal?.text ?? '', file.name)}
              </p>
              <div className="ek-row">
                <Columns file={file} onColumns={props.onColumns} />
                <FilePicker
                  single
                  icon={null}
                  buttonLabel="Replace"
                  onFiles={(picked) => props.onReplace(file, picked)}
                />
                <Remove file={file} onRemove={onRemove} />
              </div>
            </div>
          </InlineAlert>
        ))}
      <ul className="mv-cards" aria-label="Files">
        {uploads.map((upload) => (
          <li key={upload.key}>
            <span className="ek-medium mv-wrap">{upload.name}</span>
            <Reading upload={upload} />
          </li>
        ))}
        {files
          .filter(({ refusal }) => refusal === null)
          .map((file) => {
            const note = noteOf(file, props);
            return (
              <li key={file.id}>
                <span>
                  <span className="ek-medium mv-line">{kindOf(file, move) || file.name}</span>
                  <span className="ek-muted ek-small mv-wrap">{`${file.name} · ${contentsOf(file)}`}</span>
                </span>
                <span className="ek-row">
                  <State file={file} />
                  <Remove file={file} onRemove={onRemove} />
                </span>
                {note !== undefined && <span className="mv-card-note ek-small">{note}</span>}
              </li>
            );
          })}
      </ul>
    </>
  );
}
