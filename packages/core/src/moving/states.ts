/** The states of an import of books from another program. */
export const MOVE_STATES = [
  /** Files and choices can be changed. */
  'draft',
  /** Files are being read in the background. Choices can be changed after all files have been read. */
  'reading',
  /** The files have been read. The result is in `files`, `accounts`, and `parties`. */
  'ready',
  'previewing',
  'previewed',
  'importing',
  'imported',
  'undoing',
  'undone',
] as const;
export type MoveState = (typeof MOVE_STATES)[number];
