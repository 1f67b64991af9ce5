import type { StatementPreview } from '@evenkeel/contract/statements';
import { formatDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { InlineAlert } from '../../../ui/alerts/InlineAlert.tsx';
import { CheckField } from '../../../ui/fields/CheckField.tsx';
import { Picker } from '../../../ui/fields/Picker.tsx';
import { Amount } from '../../../ui/show/Amount.tsx';
import { Choice } from '../../../ui/show/Choice.tsx';
import { DateText } from '../../../ui/show/DateText.tsx';
import { Status } from '../../../ui/show/Status.tsx';
import { counted } from '../../../ui/show/words.ts';
import { MappingTable } from '../../../ui/table/MappingTable.tsx';
import { MiniTable } from '../../../ui/table/MiniTable.tsx';
import type { Sayings } from './useSayings.ts';
import {
  answered,
  columnsOf,
  figuresOf,
  FIRST,
  firstRows,
  otherDoubtful,
  type PreviewLine,
  type QuestionRow,
  questionRows,
  REMEMBERED,
  shownMapping,
  statementFields,
  withColumns,
} from './importForm.ts';

const LINES = { one: 'line', many: 'lines' };

export interface ImportPreviewProps {
  preview: StatementPreview;
  /** False if the file can't be read with the selected columns, so that the preview's results are outdated. */
  isRead: boolean;
  said: Sayings;
  account: {
    name: string;
    /** Whether this is the company's only bank account. */
    isOnly: boolean;
    /** Called if the file belongs to another account. */
    onOther: () => void;
  };
}

/** The contents of the file: its columns, open questions, first rows, and totals. */
export function ImportPreview({ preview, isRead, said, account }: ImportPreviewProps) {
  return (
    <div className="im-body">
      <div className="im-main">
        {preview.columns !== undefined && <Columns preview={preview} isRead={isRead} said={said} />}
        <Questions preview={preview} said={said} account={account} />
        {preview.notes.map((note) => (
          <InlineAlert key={note} kind="Warning">
            {note}
          </InlineAlert>
        ))}
        {isRead && <FirstLines preview={preview} />}
      </div>
      {isRead && <Figures preview={preview} accountName={account.name} />}
    </div>
  );
}

function Columns({ preview, isRead, said }: Pick<ImportPreviewProps, 'preview' | 'isRead' | 'said'>) {
  const mapping = { ...preview.mapping, ...said.mapping };
  const shown = shownMapping(mapping);
  const rows = firstRows(preview);
  const isKnown = isRead && (preview.count > 0 || preview.questions.length === 0);
  return (
    <section aria-label="Columns">
      <div className="im-head">
        <h3>Columns</h3>
        <CheckField
          label={`Line ${preview.headerRow ?? (mapping.skip ?? 0) + 1} contains column names`}
          value={mapping.header ?? false}
          onChange={(header) => said.setMapping({ ...mapping, header })}
        />
        <span className="ek-muted ek-small">{firstOf(rows.length, preview.count)}</span>
      </div>
      <MappingTable
        label="File columns"
        columns={columnsOf(preview)}
        fields={statementFields(shown)}
        value={shown}
        onChange={(next) => said.setMapping(withColumns(mapping, next))}
        result={{
          header: 'In Evenkeel',
          cells: isKnown ? rows.map(resultOf) : rows.map(() => null),
        }}
      />
    </section>
  );
}

/** Returns a row's amount in Evenkeel and its state. */
function resultOf(line: PreviewLine | undefined): ReactNode {
  if (line === undefined) return <span className="ek-muted">Not imported</span>;
  return (
    <span className="im-result">
      <Amount value={line.amount} />
      <State state={line.state} />
    </span>
  );
}

/** The shown rows include rows that are not imported, so there may be more rows than bank transactions. */
const firstOf = (shown: number, count: number): string =>
  shown <= count ? `First ${shown} of ${counted(count, LINES)}` : `First ${counted(shown, LINES)}`;

const State = ({ state }: Pick<PreviewLine, 'state'>) => <Status look={STATES[state][0]}>{STATES[state][1]}</Status>;

/** The number of options above which a question shows a list. */
const MOST_SIDE_BY_SIDE = 3;

type QuestionsProps = Omit<ImportPreviewProps, 'isRead'>;

/** The questions about the file, one per row. Answers can be changed while the dialog is open. */
function Questions({ preview, said, account }: QuestionsProps) {
  const rows = questionRows(preview, said.answers);
  const say = (row: QuestionRow, value: string) => {
    const mapping = answered({ ...preview.mapping, ...said.mapping }, row.name, value);
    said.answer({ ...row, value, reason: REMEMBERED }, mapping);
  };
  return (
    <div className="im-questions">
      {rows.map((row) => (
        <Question key={row.name} {...row} isAnswered={row.value !== undefined}>
          {row.choices.length > MOST_SIDE_BY_SIDE ? (
            <Picker
              label={row.title}
              inRow
              options={row.choices.map(({ value: id, label }) => ({ id, label }))}
              value={row.value ?? null}
              onChange={(id) => id !== null && say(row, id)}
            />
          ) : (
            <Choice
              label={row.title}
              labelHidden
              options={row.choices}
              value={row.value ?? ''}
              onChange={(next) => say(row, next)}
            />
          )}
        </Question>
      ))}
      <AccountQuestion preview={preview} said={said} account={account} />
    </div>
  );
}

/**
 * Asks whether the file belongs to the account. Shown if the file has an account number or the company has several bank
 * accounts.
 */
function AccountQuestion({ preview, said, account }: QuestionsProps) {
  const { accountNumber, asksAccountNumber } = preview;
  if (accountNumber === undefined && account.isOnly) return null;
  const isAnswered = !asksAccountNumber || said.isConfirmed;
  const [subject, reason] =
    accountNumber === undefined
      ? ['the file', 'The file has no account number.']
      : [
          `account …${accountNumber} in the file`,
          asksAccountNumber || said.isConfirmed
            ? 'We ask only once for each account and remember your answer.'
            : 'The number matches the account.',
        ];
  return (
    <Question title={`Does ${subject} belong to ${account.name}?`} reason={reason} isAnswered={isAnswered}>
      <Choice
        label="Account in the File"
        labelHidden
        options={[
          { value: 'yes', label: 'Yes' },
          { value: 'no', label: account.isOnly ? 'Choose Another File' : 'Choose Another Account' },
        ]}
        value={isAnswered ? 'yes' : ''}
        onChange={(value) => (value === 'yes' ? said.setConfirmed(true) : account.onOther())}
      />
    </Question>
  );
}

interface QuestionProps {
  title: string;
  reason: string;
  isAnswered: boolean;
  children: ReactNode;
}

function Question({ title, reason, isAnswered, children }: QuestionProps) {
  return (
    <div className="im-question">
      <span className="im-mark" data-answered={isAnswered ? '' : undefined} aria-hidden>
        {isAnswered ? <IconCheck size={13} stroke={2.4} /> : '?'}
      </span>
      <div className="ek-grow">
        <div className="ek-medium">{title}</div>
        <div className="ek-muted ek-small">{reason}</div>
      </div>
      {children}
    </div>
  );
}

const STATES = { new: ['sent', 'New'], known: ['done', 'Known'], doubtful: ['low', 'Doubtful'] } as const;
/**
 * The first bank transactions in a file without columns, and every doubtful transaction that is not among the sample
 * rows.
 */
function FirstLines({ preview }: { preview: StatementPreview }) {
  const first = preview.columns === undefined ? preview.lines.slice(0, FIRST) : [];
  const rows = [...first, ...otherDoubtful(preview).filter((line) => !first.includes(line))];
  if (rows.length === 0) return null;
  return (
    <section aria-label="Transactions in the file">
      <h3>
        Lines <span className="ek-muted ek-small">{`${rows.length} of ${counted(preview.count, LINES)}`}</span>
      </h3>
      <MiniTable<PreviewLine>
        label="Transactions in the file"
        keyOf={(line) => preview.lines.indexOf(line)}
        rows={rows}
        columns={[
          { header: 'Date', render: ({ date }) => <DateText value={date} />, className: 'im-date' },
          { header: 'Description', render: ({ text }) => text },
          { header: 'Amount', right: true, render: ({ amount }) => <Amount value={amount} /> },
          { header: 'In Evenkeel', right: true, render: ({ state }) => <State state={state} /> },
        ]}
      />
    </section>
  );
}

function Figures({ preview, accountName }: { preview: StatementPreview; accountName: string }) {
  const figures = figuresOf(preview);
  const { from, to } = preview;
  const range = from === null || to === null ? '' : `, ${formatDate(from)} – ${formatDate(to)}`;
  const isHeld = figures.reached !== undefined && figures.closing !== undefined;
  return (
    <aside className="im-sums" aria-label="File summary">
      <div className="im-counts">
        {(['new', 'known', 'doubtful'] as const).map((state) => (
          <div key={state}>
            <span className="im-count">{preview[`${state}Count`].toLocaleString('en-US')}</span>
            <span className="ek-muted ek-small">{state}</span>
          </div>
        ))}
      </div>
      <p className="ek-muted ek-small">
        {`${counted(preview.count, LINES)}${range}.`}
        {preview.knownCount > 0 && ' Transactions that have already been imported are skipped.'}
      </p>
      <dl className="bk-sum">
        {figures.opening !== undefined && <Sum label="Opening balance" amount={figures.opening} />}
        {figures.in !== undefined && (
          <Sum label={`Money in, ${counted(figures.in.count, LINES)}`} amount={figures.in.amount} />
        )}
        {figures.out !== undefined && (
          <Sum label={`Money out, ${counted(figures.out.count, LINES)}`} amount={figures.out.amount} />
        )}
        {figures.in === undefined && <Sum label="Money in minus money out" amount={figures.total} />}
        {figures.reached !== undefined && <Sum label="Closing balance" amount={figures.reached} isSum />}
        {figures.closing !== undefined && <Sum label="Closing balance in the file" amount={figures.closing} />}
        {figures.difference !== 0 && <Sum label="Difference" amount={figures.difference} isWrong />}
      </dl>
      {isHeld && figures.difference === 0 && (
        <p className="im-held">
          <Status look="done">In balance</Status>{' '}
          <span className="ek-muted ek-small">All transactions are included</span>
        </p>
      )}
      <p className="ek-muted ek-small">
        {`Balance of ${accountName} in your books on ${formatDate(preview.booksDate)}. `}
        The import doesn't change this balance.
      </p>
      <p className="ek-small">
        <Amount value={preview.booksBalance} />
      </p>
    </aside>
  );
}

interface SumProps {
  label: string;
  amount: Cents;
  isSum?: boolean;
  isWrong?: boolean;
}

function Sum({ label, amount, isSum, isWrong }: SumProps) {
  return (
    <div data-sum={isSum === true ? '' : undefined} data-wrong={isWrong === true ? '' : undefined}>
      <dt>{label}</dt>
      <dd>
        <Amount value={amount} />
      </dd>
    </div>
  );
}
