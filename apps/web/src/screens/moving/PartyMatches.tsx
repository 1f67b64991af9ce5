import { type Move, type MoveInput, type MoveParty, movingCalls, type PartyQuestion } from '@evenkeel/contract/moving';
import { formatAmount } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { useMemo, useRef } from 'react';
import { ask, useRead } from '../../client/api.ts';
import { useAddressSort, useAddressText } from '../../records/openRecord.ts';
import { singly } from '../../ui/hooks/once.ts';
import { isKey } from '../../ui/keys/keys.ts';
import { KeyButton } from '../../ui/keys/KeyButton.tsx';
import { FilterBox } from '../../ui/page/FilterBox.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { counted } from '../../ui/show/words.ts';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import type { PhoneRow } from '../../ui/table/RowList.tsx';
import { useNarrow } from '../../ui/hooks/media.ts';
import { useKeysHere } from '../../ui/keys/useKeysHere.ts';

type Answer = PartyQuestion['answer'];

/** Returns the questions, including answers that are still being saved. */
export function answered(questions: readonly PartyQuestion[], waiting: MoveInput['parties']): PartyQuestion[] {
  const given = new Map((waiting ?? []).map(({ key, answer }) => [key, answer]));
  return questions.map((question) => ({ ...question, answer: given.get(question.key) ?? question.answer }));
}

export interface PartyMatchesProps {
  move: Move;
  questions: readonly PartyQuestion[];
  onAnswer: (key: string, answer: Answer) => void;
}

const NAMES = { one: 'name', many: 'names' };
const QUESTIONS = { one: 'question', many: 'questions' };

/** The source's customers and vendors. The user is asked only about pairs of records that could be the same. */
export function PartyMatches({ move, questions, onAnswer }: PartyMatchesProps) {
  const isNarrow = useNarrow();
  const box = useRef<HTMLDivElement>(null);
  const open = questions.filter(({ answer }) => answer === null);
  const done = questions.length - open.length;
  const [question] = open;
  const { customers, vendors, toCreate } = move.parties;
  const search = () => box.current?.querySelector('input')?.focus();
  useKeysHere((event) => {
    const isOnButton = event.target instanceof HTMLElement && event.target.closest('button, a') !== null;
    if (isKey(event, 'find')) search();
    else if (question === undefined || event.repeat) return false;
    else if (isKey(event, 'open') && !isOnButton) onAnswer(question.key, 'merge');
    else if (isKey(event, 'keep')) onAnswer(question.key, 'keep');
    else return false;
    return true;
  });
  return (
    <div className="mv-parties" ref={box}>
      <div className="mv-head mv-party-head">
        <h2>{counted(customers + vendors, { one: 'customer or vendor', many: 'customers and vendors' })}</h2>
        <span className="ek-muted ek-small" role="status">
          {`${toCreate.toLocaleString('en-US')} to create`}
          {open.length > 0 && `, ${counted(open.length, QUESTIONS)}`}
        </span>
        <PartyFilter />
      </div>
      {question !== undefined && (
        <Asked
          key={question.key}
          question={question}
          place={`Question ${done + 1} of ${questions.length}`}
          onAnswer={(answer) => onAnswer(question.key, answer)}
        />
      )}
      <PartyList move={move} />
      {!isNarrow && (
        <div className="mv-keys" role="toolbar" aria-label="Actions for the names">
          {question !== undefined && (
            <>
              <KeyButton keys={['Enter']} label="Merge" onClick={singly(() => onAnswer(question.key, 'merge'))} />
              <KeyButton keys={['k']} label="Keep Both" onClick={singly(() => onAnswer(question.key, 'keep'))} />
            </>
          )}
          <KeyButton keys={['/']} label="Search" onClick={search} />
          <span className="ek-muted ek-small mv-done">
            {open.length === 0 ? 'No remaining questions' : `${counted(open.length, QUESTIONS)} left`}
          </span>
        </div>
      )}
    </div>
  );
}

function PartyFilter() {
  const [text, setText] = useAddressText('q');
  return <FilterBox placeholder="Search names..." value={text} onChange={setText} />;
}

interface AskedProps {
  question: PartyQuestion;
  place: string;
  onAnswer: (answer: Answer) => void;
}

/** Two records that could be the same. The labels of the buttons describe the result. */
function Asked({ question: { kind, reason, source, other }, place, onAnswer }: AskedProps) {
  return (
    <section className="mv-question" aria-label={place}>
      <div className="mv-question-head">
        <p>
          <span className="ek-medium">{`Are these the same ${kind}?`}</span>{' '}
          <span className="ek-second ek-small">{reason}</span>
        </p>
        <span className="ek-second ek-small">{place}</span>
      </div>
      <div className="mv-sides">
        <Side side={source} />
        <Side side={other} />
      </div>
      <div className="mv-answers">
        <Button size="xs" onClick={singly(() => onAnswer('merge'))}>
          {`Merge Into ${other.name}`}
        </Button>
        <Button size="xs" variant="default" onClick={singly(() => onAnswer('keep'))}>
          Keep Both
        </Button>
      </div>
    </section>
  );
}

function Side({
  side: { name, file, row, entityId, email, phone, transactions, balance },
}: {
  side: PartyQuestion['source'];
}) {
  const place = row === null ? (entityId > 0 ? 'In Evenkeel' : file || 'Only in transactions') : `Row ${row}`;
  return (
    <div>
      <span className="ek-medium">{name}</span>
      <span className="ek-second ek-small mv-wrap">{[place, email || phone].filter(Boolean).join(' · ')}</span>
      <span className="ek-second ek-small ek-num">
        {`${counted(transactions, { one: 'transaction', many: 'transactions' })} · Unpaid ${formatAmount(balance)}`}
      </span>
    </div>
  );
}

const ACTIONS: Readonly<Record<MoveParty['action'], string>> = { create: 'Create', match: 'Matched', merge: 'Merge' };

const actionOf = ({ action, into }: MoveParty): string =>
  action === 'create' ? ACTIONS.create : `${action === 'match' ? 'Use' : 'Merge into'} ${into}`;

const COLUMNS: readonly Column<MoveParty>[] = [
  { id: 'name', header: 'Name', value: ({ name }) => name },
  {
    id: 'kind',
    header: 'Kind',
    value: ({ kind }) => (kind === 'customer' ? 'Customer' : 'Vendor'),
    quiet: true,
    width: '120px',
  },
  {
    id: 'balance',
    header: 'Open Balance',
    kind: 'amount',
    value: ({ balance }) => balance,
    render: ({ balance }) => <Amount value={balance} zero="dash" />,
  },
  {
    id: 'action',
    header: 'In Evenkeel',
    value: actionOf,
    render: (party) => <span className="mv-create">{actionOf(party)}</span>,
    width: '280px',
  },
];

const phoneRow = (party: MoveParty): PhoneRow => ({
  title: party.name,
  amount: <Amount value={party.balance} zero="dash" />,
  detail: party.kind === 'customer' ? 'Customer' : 'Vendor',
  aside: actionOf(party),
});

const rowId = ({ key }: MoveParty): string => key;

function PartyList({ move }: { move: Move }) {
  const [text] = useAddressText('q');
  const sort = useAddressSort({ id: 'name' });
  const list = useRead(ask(movingCalls.listMoveParties, { params: { id: move.id } }));
  const columns = useMemo(
    () => COLUMNS.map((column) => (column.id === 'balance' ? { ...column, total: move.parties.balance } : column)),
    [move.parties.balance],
  );
  return (
    <DataTable
      label="Customers and vendors"
      columns={columns}
      rows={list.value}
      rowId={rowId}
      {...sort}
      filter={text}
      error={list.error}
      onRetry={() => void list.retry()}
      empty={{ title: 'No customers or vendors', hint: 'The files contain no customers or vendors.' }}
      count={(rows) => counted(rows, NAMES)}
      note="Receivables less payables"
      phoneRow={phoneRow}
    />
  );
}
