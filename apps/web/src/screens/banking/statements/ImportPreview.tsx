import type { StatementPreview } from '@evenkeel/contract/statements';
import { formatDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { type ReactNode, useState } from 'react';
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
  askedQuestion,
  columnsOf,
  figuresOf,
  shownMapping,
  statementFields,
  withColumns,
} from './importForm.ts';

const LINES = { one: 'line', many: 'lines' };

export interface ImportPreviewProps {
  preview: StatementPreview;
  said: Sayings;
  accountName: string;
}

/** The contents of the file: its columns, open questions, first rows, and totals. */
export function ImportPreview({ preview, said, accountName }: ImportPreviewProps) {
  return (
    <div className="im-body">
      <div className="im-main">
        {preview.columns !== undefined && <Columns preview={preview} said={said} />}
        <Questions preview={preview} said={said} accountName={accountName} />
        {preview.notes.map((note) => (
          <InlineAlert key={note} kind="Warning">
            {note}
          </InlineAlert>
        ))}
        <FirstLines preview={preview} />
      </div>
      <Figures preview={preview} accountName={accountName} />
    </div>
  );
}

function Columns({ preview, said }: Pick<ImportPreviewProps, 'preview' | 'said'>) {
  const mapping = { ...preview.mapping, ...said.mapping };
  const shown = shownMapping(mapping);
  return (
    <section aria-label="Columns">
      <h3>Columns</h3>
      <MappingTable
        label="File columns"
        columns={columnsOf(preview)}
        fields={statementFields(shown)}
        value={shown}
        onChange={(next) => said.setMapping(withColumns(mapping, next))}
      />
      <div className="im-checks">
        <CheckField
          label="The first row contains column names"
          value={mapping.header ?? false}
          onChange={(header) => said.setMapping({ ...mapping, header })}
        />
        <CheckField
          label="The file shows money out without a minus sign"
          value={mapping.turned ?? false}
          onChange={(turned) => said.setMapping({ ...mapping, turned })}
        />
      </div>
    </section>
  );
}

interface Answer {
  question: StatementPreview['questions'][number];
  value: string;
}

const BY_COLUMN = 'If a column shows the direction, choose “Debit or credit” for that column instead.';

/** The number of options above which a question uses a list. */
const MOST_SIDE_BY_SIDE = 3;

/** The file's open questions, one per row. Answers can be changed while the dialog is open. */
function Questions({ preview, said, accountName }: ImportPreviewProps) {
  const [answers, setAnswers] = useState<readonly Answer[]>([]);
  const open = preview.questions.filter(({ name }) => !answers.some(({ question }) => question.name === name));
  const all: readonly (Answer | { question: Answer['question']; value?: undefined })[] = [
    ...answers,
    ...open.map((question) => ({ question })),
  ];
  const say = (question: Answer['question'], value: string) => {
    const kept = answers.filter((one) => one.question.name !== question.name);
    setAnswers([...kept, { question, value }]);
    said.setMapping(answered({ ...preview.mapping, ...said.mapping }, question.name, value));
  };
  const isAsked = preview.asksAccountNumber || said.isConfirmed;
  if (all.length === 0 && !isAsked) return null;
  return (
    <div className="im-questions">
      {all.map(({ question, value }) => {
        const { title, reason, choices } = askedQuestion(question);
        return (
          <Question
            key={question.name}
            title={title}
            reason={question.name === 'turned' && preview.columns !== undefined ? `${reason} ${BY_COLUMN}` : reason}
          >
            {choices.length > MOST_SIDE_BY_SIDE ? (
              <Picker
                label={title}
                inRow
                options={choices.map(({ value: id, label }) => ({ id, label }))}
                value={value ?? null}
                onChange={(id) => id !== null && say(question, id)}
              />
            ) : (
              <Choice
                label={title}
                labelHidden
                options={choices}
                value={value ?? ''}
                onChange={(next) => say(question, next)}
              />
            )}
          </Question>
        );
      })}
      {isAsked && (
        <Question
          title={`Is account …${preview.accountNumber ?? ''} in the file the same as ${accountName}?`}
          reason="We ask only once for each account and remember your answer."
        >
          <Choice
            label="Account in the File"
            labelHidden
            options={[
              { value: 'yes', label: 'Yes, It Is' },
              { value: 'no', label: 'Another account' },
            ]}
            value={said.isConfirmed ? 'yes' : ''}
            onChange={(value) => (value === 'yes' ? said.setConfirmed(true) : said.setAccount(null))}
          />
        </Question>
      )}
    </div>
  );
}

function Question({ title, reason, children }: { title: string; reason: string; children: ReactNode }) {
  return (
    <div className="im-question">
      <div className="ek-grow">
        <div className="ek-medium">{title}</div>
        <div className="ek-muted ek-small">{reason}</div>
      </div>
      {children}
    </div>
  );
}

type Line = StatementPreview['lines'][number];

const STATES = { new: ['sent', 'New'], known: ['done', 'Known'], doubtful: ['low', 'Doubtful'] } as const;
const FIRST = 6;

/** The first imported rows, and every doubtful row. */
function FirstLines({ preview }: { preview: StatementPreview }) {
  const rows = preview.lines
    .map((line, at) => ({ ...line, at }))
    .filter(({ state }, at) => at < FIRST || state === 'doubtful');
  if (rows.length === 0) return null;
  return (
    <section aria-label="Transactions in the file">
      <h3>
        Lines <span className="ek-muted ek-small">{`${rows.length} of ${counted(preview.count, LINES)}`}</span>
      </h3>
      <MiniTable<Line & { at: number }>
        label="Transactions in the file"
        keyOf={({ at }) => at}
        rows={rows}
        columns={[
          { header: 'Date', render: ({ date }) => <DateText value={date} />, className: 'im-date' },
          { header: 'Text', render: ({ text }) => text },
          { header: 'Amount', right: true, render: ({ amount }) => <Amount value={amount} /> },
          {
            header: 'Account in Evenkeel',
            right: true,
            render: ({ state }) => <Status look={STATES[state][0]}>{STATES[state][1]}</Status>,
          },
        ]}
      />
    </section>
  );
}

function Figures({ preview, accountName }: Pick<ImportPreviewProps, 'preview' | 'accountName'>) {
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
      <p className="ek-muted ek-small">{`Balance of ${accountName} in your books`}</p>
      <p className="ek-small">
        <Amount value={preview.booksBalance} />, not changed by the import
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
