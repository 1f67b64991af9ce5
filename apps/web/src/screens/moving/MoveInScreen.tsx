import './moving.css';
import type { MoveItem } from '@evenkeel/contract/moving';
import { useState } from 'react';
import { Navigate } from 'react-router';
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
import { resumeStep, shownStep, type StepId, type StepProps } from './steps.ts';

/** Imports the books from another program. If the URL has no ID, the import in progress is resumed. */
export function MoveInScreen() {
  const { id } = useOpenRecord('move', { hasNew: false });
  return id === undefined ? <Resumed /> : <OneMove id={id} />;
}

function Resumed() {
  const { value, error, retry } = useRead(MOVES);
  return value === undefined ? <Waiting error={error} retry={retry} /> : <First moves={value} />;
}

/**
 * Looks for the import in progress only once, because the import that the first step creates must not trigger a second
 * navigation.
 */
function First({ moves }: { moves: readonly MoveItem[] }) {
  const place = usePlace();
  const [open] = useState(() => moves.find((move) => !isEnded(move)));
  // The ID stays in the URL, so that the page shows the report when the import ends.
  return open === undefined ? <SourceStep move={undefined} /> : <Navigate to={place.to({ move: open.id })} replace />;
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

function OneMove({ id }: { id: number }) {
  const { value: move, error, retry, isLost } = useMove(id);
  if (move === undefined) return <Waiting error={error} retry={retry} />;
  return isEnded(move) ? <ResultPage move={move} /> : <Steps move={move} isLost={isLost} />;
}

/**
 * Shows the step in the URL. If the URL has none, shows the step at which the import was resumed until the user
 * continues.
 */
function Steps(props: StepProps) {
  const { query } = usePlace();
  const [resumed] = useState(() => resumeStep(props.move));
  const Body = BODIES[shownStep(props.move, query.get('step') ?? resumed)];
  return <Body {...props} />;
}
