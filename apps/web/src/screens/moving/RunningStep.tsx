import type { Move, MoveProgress } from '@evenkeel/contract/moving';
import { addDays, endOfMonth, formatDate, type IsoDate, startOfMonth } from '@evenkeel/core/dates';
import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { serverNow } from '../../client/transport.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { StepFoot } from '../../ui/overlay/StepFoot.tsx';
import { Bar } from '../../ui/show/Bar.tsx';
import { counted } from '../../ui/show/words.ts';
import { Heads } from '../../ui/table/Heads.tsx';
import { MoveFrame } from './MoveFrame.tsx';
import type { StepProps } from './steps.ts';
import { useMoveActions } from './moves.ts';
import { AmountCell } from './ProofTables.tsx';

type Phase = MoveProgress['phase'];

const PHASES: readonly { id: Phase; label: string; detail?: string }[] = [
  { id: 'records', label: 'Accounts, customers, vendors, and products' },
  { id: 'transactions', label: 'Transactions' },
  { id: 'documents', label: 'Open invoices and unpaid bills' },
  { id: 'proof', label: 'Proof' },
  { id: 'saving', label: 'Save everything', detail: "you can't cancel after this step starts" },
];

/** The time in ms before the remaining time appears. */
const REMAINING_AFTER_MS = 3000;

const PERCENT = 100;

const number = (count: number): string => count.toLocaleString('en-US');

/** Returns the remaining time as text, or undefined until it can be estimated. */
export function remainingOf({ phase, done, total, startedAt }: MoveProgress, now: number): string | undefined {
  const elapsed = now - Date.parse(startedAt);
  if (phase !== 'transactions' || done === 0 || elapsed < REMAINING_AFTER_MS) return undefined;
  const seconds = ((elapsed / done) * (total - done)) / 1000;
  if (seconds < 60)
    return `About ${counted(Math.max(1, Math.round(seconds)), { one: 'second', many: 'seconds' })} left`;
  return `About ${counted(Math.round(seconds / 60), { one: 'minute', many: 'minutes' })} left`;
}

const STARTED = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', second: '2-digit' });

/** A running preview or import: a bar, the phases, and Cancel until everything is saved. */
export function RunningStep({ move, isLost }: StepProps) {
  const actions = useMoveActions(move.id);
  const isImport = move.status === 'importing';
  const { progress } = move;
  const word = isImport ? 'Import' : 'Preview';
  return (
    <MoveFrame
      step={isImport ? 'import' : 'preview'}
      system={move.system}
      files={move.files.length}
      canGo={false}
      foot={
        <StepFoot note={isImport ? 'If you cancel, nothing is saved' : 'A preview saves nothing'}>
          <Button
            className="ek-btn-delete mv-cancel"
            variant="subtle"
            disabled={progress?.cancelable === false}
            loading={actions.busy === 'cancel'}
            onClick={() => void actions.cancel()}
          >
            {`Cancel ${word}`}
          </Button>
        </StepFoot>
      }
    >
      <div className="mv-scroll" role="region" aria-label={word} tabIndex={0}>
        <div className="mv-running">
          <Progress move={move} progress={progress} isLost={isLost} />
          <InlineAlert kind="Info">
            {isImport
              ? 'You can leave this page. The import continues, and an alert shows the result.'
              : 'You can leave this page. The preview continues, and the page shows the result when you return.'}
          </InlineAlert>
          {!isImport && <WaitingMonths move={move} />}
        </div>
      </div>
    </MoveFrame>
  );
}

const SHOWN_MONTHS = 6;

/** Returns the files' most recent month ends, newest first. */
function lastMonthEnds({ from, to }: Move): IsoDate[] {
  const found: IsoDate[] = [];
  if (from === null || to === null) return found;
  for (let end = endOfMonth(to); found.length < SHOWN_MONTHS && end >= from;) {
    found.push(end);
    end = addDays(startOfMonth(end), -1);
  }
  return found;
}

/** The month ends whose trial balances are not compared yet. */
function WaitingMonths({ move }: { move: Move }) {
  const months = lastMonthEnds(move);
  if (months.length === 0) return null;
  return (
    <div className="mv-box" aria-busy="true">
      <table className="ek-t ek-heads mv-table" data-density="compact" aria-label="Trial balance by month end">
        <Heads texts={['Month End']} numbers={['Evenkeel Debits', 'Difference']} />
        <tbody>
          {months.map((monthEnd) => (
            <tr key={monthEnd}>
              <td data-kind="number">{formatDate(monthEnd)}</td>
              <AmountCell>
                <span className="ek-sk" aria-hidden="true" />
              </AmountCell>
              <AmountCell>
                <span className="ek-sk" aria-hidden="true" />
              </AmountCell>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ProgressProps {
  move: Move;
  progress: MoveProgress | null;
  isLost: boolean;
}

function Progress({ move, progress, isLost }: ProgressProps) {
  const at = progress === null ? -1 : PHASES.findIndex(({ id }) => id === progress.phase);
  const isPast = at > 1;
  const total = progress?.phase === 'transactions' ? progress.total : move.transactions;
  const done = progress?.phase === 'transactions' ? progress.done : isPast ? total : 0;
  const percent = total === 0 ? 0 : Math.floor(PERCENT * (done / total));
  const remaining = progress === null ? undefined : remainingOf(progress, serverNow());
  return (
    <>
      <p className="mv-figure ek-num">
        {number(done)} <span className="ek-muted">{`of ${number(total)} transactions`}</span>
      </p>
      <p className="ek-second mv-remaining">{isLost ? 'Reconnecting…' : (remaining ?? waitWords(progress))}</p>
      <Bar label="Transactions" value={done} max={Math.max(1, total)} />
      <div className="mv-started ek-muted ek-small ek-num">
        <span>{`${percent}%`}</span>
        {progress !== null && <span>{`Started ${STARTED.format(Date.parse(progress.startedAt))}`}</span>}
      </div>
      <span className="ek-vh" role="status">{`${Math.floor(percent / 10) * 10}% done`}</span>
      <ol className="mv-phases">
        {PHASES.map((phase, index) => (
          <li
            key={phase.id}
            data-state={index < at ? 'done' : index === at ? 'current' : 'next'}
            aria-current={index === at ? 'step' : undefined}
          >
            <span className="mv-tick" aria-hidden="true">
              {index < at && <IconCheck size={13} stroke={2.4} />}
            </span>
            <span>
              <span className="ek-medium">{phase.label}</span>
              {detailOf(phase, index === at ? progress : null)}
            </span>
            <span className="ek-num">{index === at && progress !== null ? amountWords(progress) : ''}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

const waitWords = (progress: MoveProgress | null): string => {
  if (progress === null) return 'Waiting for another import to finish';
  return progress.phase === 'reading' ? 'Reading the files' : ' ';
};

function detailOf({ detail }: { detail?: string }, progress: MoveProgress | null) {
  const date = progress?.date ?? undefined;
  const text = date === undefined ? detail : `now at ${formatDate(date)}`;
  return text === undefined ? null : <span className="ek-second ek-small">{` · ${text}`}</span>;
}

const amountWords = ({ done, total }: MoveProgress): string =>
  total === 0 ? '' : `${number(done)} of ${number(total)}`;
