import './moving.css';
import type { Move } from '@evenkeel/contract/moving';
import { useRead } from '../../client/api.ts';
import { useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { Page } from '../../ui/page/Page.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { FilesStep } from './FilesStep.tsx';
import { MatchStep } from './MatchStep.tsx';
import { SETTINGS } from './MoveFrame.tsx';
import { isEnded, MOVES, useMove } from './moves.ts';
import { PreviewStep } from './PreviewStep.tsx';
import { ResultPage } from './ResultPage.tsx';
import { RunningStep } from './RunningStep.tsx';
import { SourceStep } from './SourceStep.tsx';
import { shownStep, type StepId } from './steps.ts';

/** Moves the books in from another program. Without an ID in the URL, the import in progress is resumed. */
export function MoveInScreen() {
  const { id } = useOpenRecord('move', { hasNew: false });
  return id === undefined ? <Resumed /> : <OneMove id={id} />;
}

function Resumed() {
  const { value, error, retry } = useRead(MOVES);
  if (value === undefined) return <Waiting error={error} retry={retry} />;
  const open = value.find((move) => !isEnded(move));
  return open === undefined ? <SourceStep move={undefined} /> : <OneMove id={open.id} />;
}

function Waiting({ error, retry }: { error: string | undefined; retry: () => Promise<void> }) {
  return (
    <Page title="Move In" back={SETTINGS}>
      {error === undefined ? (
        <p className="ek-page-pad ek-muted" role="status">
          Loading...
        </p>
      ) : (
        <ErrorState message={error} onRetry={() => void retry()} />
      )}
    </Page>
  );
}

const BODIES: Readonly<Record<StepId, (props: StepProps) => React.ReactNode>> = {
  source: SourceStep,
  files: FilesStep,
  match: MatchStep,
  preview: PreviewStep,
  import: RunningStep,
};

export interface StepProps {
  move: Move;
  /** Whether the last look at the progress had no response. */
  isLost: boolean;
}

function OneMove({ id }: { id: number }) {
  const { value: move, error, retry, isLost } = useMove(id);
  const { query } = usePlace();
  if (move === undefined) return <Waiting error={error} retry={retry} />;
  if (isEnded(move)) return <ResultPage move={move} />;
  const Body = BODIES[shownStep(move, query.get('step'))];
  return <Body move={move} isLost={isLost} />;
}
