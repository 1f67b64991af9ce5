import type { Move } from '@evenkeel/contract/moving';

/** The steps of an import, and the text that each one shows. */

export const STEPS = ['source', 'files', 'match', 'preview', 'import'] as const;
export type StepId = (typeof STEPS)[number];

export const STEP_LABELS: Readonly<Record<StepId, string>> = {
  source: 'Source',
  files: 'Files',
  match: 'Match',
  preview: 'Preview',
  import: 'Import',
};

export interface StepProps {
  move: Move;
  /** Whether the last request for the progress got no response. */
  isLost: boolean;
}

type Facts = Pick<Move, 'status' | 'history' | 'blocked' | 'preview'>;

/** Returns whether the files are read and the history is chosen, so that accounts can be matched. */
const canMatch = ({ status, history, blocked }: Facts): boolean =>
  status !== 'draft' && status !== 'reading' && history !== null && blocked.files === '';

/** Returns the last step that can be opened. The Import step can be opened when the import starts. */
export function lastStep(move: Facts): StepId {
  if (move.status === 'importing') return 'import';
  if (!canMatch(move)) return 'files';
  return move.blocked.match === '' || move.status === 'previewing' ? 'preview' : 'match';
}

/** Returns the step at which an import is resumed. */
export function resumeStep(move: Facts): StepId {
  const last = lastStep(move);
  return last === 'preview' && move.preview === null && move.status !== 'previewing' ? 'match' : last;
}

/** Returns the step to show for the step in the URL, which may be too far ahead. */
export function shownStep(move: Facts, asked: string | null): StepId {
  if (move.status === 'importing') return 'import';
  if (move.status === 'previewing') return 'preview';
  const wanted = STEPS.find((step) => step === asked);
  if (wanted === undefined || wanted === 'import') return resumeStep(move);
  return STEPS.indexOf(wanted) <= STEPS.indexOf(lastStep(move)) ? wanted : resumeStep(move);
}
