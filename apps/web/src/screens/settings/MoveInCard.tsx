import { type MoveItem, movingCalls } from '@evenkeel/contract/moving';
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { ask, useRead } from '../../client/api.ts';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { counted } from '../../ui/show/words.ts';
import { type MiniColumn, MiniTable } from '../../ui/table/MiniTable.tsx';
import { Section } from './Section.tsx';

const MOVES = ask(movingCalls.listMoves, {});
const HINT =
  'Import your books from QuickBooks, Xero, Wave, GnuCash, hledger, beancount, spreadsheets, or another Evenkeel. ' +
  'An import is saved only if the trial balances agree at every month end.';
const TRANSACTIONS = { one: 'transaction', many: 'transactions' };

function State({ move: { status } }: { move: MoveItem }) {
  if (status === 'imported') return <Status look="done">Completed</Status>;
  if (status === 'undone') return <Status look="void">Undone</Status>;
  return <Status look="partial">{status === 'undoing' ? 'Being undone' : 'In progress'}</Status>;
}

const COLUMNS: readonly MiniColumn<MoveItem>[] = [
  {
    header: 'Import',
    render: (move) => (
      <>
        <NameLink to={`/movein?move=${move.id}`}>{move.system}</NameLink>
        <span className="ek-second ek-small st-sub">
          {[move.company, move.createdBy.name].filter(Boolean).join(' · ')}
        </span>
      </>
    ),
  },
  { header: 'Date', render: (move) => <MomentText value={move.importedAt ?? move.createdAt} isNarrow /> },
  {
    header: 'Contents',
    render: (move) =>
      move.transactions > 0
        ? counted(move.transactions, TRANSACTIONS)
        : counted(move.files, { one: 'file', many: 'files' }),
    right: true,
  },
  { header: 'Status', render: (move) => <State move={move} />, right: true },
];

/** Imports the books from another program, and lists the imports with their reports. */
export function MoveInCard() {
  const { value: moves, error, retry } = useRead(MOVES);
  const isOpen = moves?.some(({ importedAt }) => importedAt === null) === true;
  return (
    <Section
      title="Move In From Another Program"
      hint={HINT}
      actions={
        moves !== undefined && (
          <Button component={Link} to="/movein" size="xs" variant={isOpen ? 'filled' : 'default'}>
            {isOpen ? 'Continue' : 'Start'}
          </Button>
        )
      }
    >
      {error !== undefined && <ErrorState message={error} onRetry={() => void retry()} />}
      {moves?.length === 0 && <p className="ek-muted">No imports yet.</p>}
      {moves !== undefined && moves.length > 0 && (
        <MiniTable label="Imports" columns={COLUMNS} rows={moves} keyOf={({ id }) => id} />
      )}
    </Section>
  );
}
