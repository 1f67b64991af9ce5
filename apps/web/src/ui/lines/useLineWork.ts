import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { goToUnread } from '../fields/unread.ts';
import { useStable } from '../hooks/stable.ts';
import type { LineErrors, LineTableProps } from './lineColumns.ts';
import { focusLine, focusWrong, isFocusInWork, WORK } from './lineFocus.ts';

interface InWork<Line> {
  line: Line;
  isNew: boolean;
  /** Whether the user has changed the line. */
  isTouched: boolean;
}

export interface LineWork<Line> {
  /** The edited line, and whether it is new. */
  work: InWork<Line> | undefined;
  errors: LineErrors;
  /** Opens a line. The function is stable between renders. */
  open: (line: Line) => void;
  add: () => void;
  set: (patch: Partial<Line>) => void;
  /** Commits the line. With `next`, also starts a new line. Returns false if the line has errors. */
  commit: (next?: boolean) => boolean;
  cancel: () => void;
  remove: () => void;
}

/** The props of each view of the lines. */
export interface LineViewProps<Line> extends LineTableProps<Line> {
  work: LineWork<Line>;
}

/**
 * Manages a line table: the edited line and its errors. Moves the focus inside `place`: from a closed line to its row,
 * and from a rejected line to its first invalid field.
 */
export function useLineWork<Line>(props: LineTableProps<Line>, place: RefObject<Element | null>): LineWork<Line> {
  const { lines, lineId, blank, validate, onCommit, onRemove, onWork } = props;
  const begun = (line: Line, isNew: boolean): InWork<Line> => ({ line, isNew, isTouched: false });
  const [held, setWork] = useState<InWork<Line> | undefined>(() =>
    props.startNew === true && props.readOnly !== true ? begun(blank(lines), true) : undefined,
  );
  const isUntouched = held?.isNew === true && !held.isTouched;
  const work = isUntouched && props.starts !== undefined ? { ...held, line: { ...held.line, ...props.starts } } : held;
  const [errors, setErrors] = useState<LineErrors>({});
  const latest = useRef(work);
  latest.current = work;
  const tell = useRef(onWork);
  tell.current = onWork;
  // A new line counts as unsaved work only after the user edits it.
  const line = isUntouched ? undefined : held?.line;
  useEffect(() => tell.current?.(line), [line]);

  const start = (next: InWork<Line> | undefined) => {
    setErrors({});
    setWork(next);
  };
  /**
   * Closes the edited line by calling `change`, and renders the result immediately. If the focus is in that line, moves
   * the focus to another line.
   */
  const leave = (change: () => void, toLine: string | undefined) => {
    const isTaken = isFocusInWork(place.current);
    flushSync(change);
    if (isTaken && place.current?.querySelector(WORK) === null) focusLine(place.current, toLine);
  };
  const commit = (next = false): boolean => {
    if (work === undefined) return true;
    if (goToUnread(WORK)) return false;
    const found = validate(work.line);
    if (Object.keys(found).length > 0) {
      flushSync(() => setErrors(found));
      focusWrong();
      return false;
    }
    // Synchronous, so that a Ctrl+Enter that commits the line also saves the form.
    leave(() => {
      onCommit(work.line);
      start(next ? begun(blank([...lines, work.line]), true) : undefined);
    }, lineId(work.line));
    return true;
  };
  const add = () => {
    if (commit()) start(begun(blank(lines), true));
  };
  const open = useStable((next: Line) => {
    if (commit()) start(begun(next, false));
  });
  const cancel = () => leave(() => start(undefined), work?.isNew === false ? lineId(work.line) : undefined);
  const remove = () => {
    if (work === undefined) return;
    const at = lines.findIndex((one) => lineId(one) === lineId(work.line));
    const beside = lines[at + 1] ?? lines[at - 1];
    leave(
      () => {
        if (!work.isNew) onRemove?.(work.line);
        start(undefined);
      },
      beside === undefined ? undefined : lineId(beside),
    );
  };
  const set = (patch: Partial<Line>) => {
    const before = latest.current;
    if (before === undefined) return;
    const next = { ...before, line: { ...before.line, ...patch }, isTouched: true };
    latest.current = next;
    setWork(next);
    // Runs in the same update, so that the form renders only once per key press.
    tell.current?.(next.line);
    setErrors((before) => withoutKeys(before, Object.keys(patch)));
  };
  useImperativeHandle(props.ref, () => ({ settle: () => commit() }));
  return { work, errors, open, add, set, commit, cancel, remove };
}

function withoutKeys(errors: LineErrors, keys: readonly string[]): LineErrors {
  if (!keys.some((key) => key in errors)) return errors;
  return Object.fromEntries(Object.entries(errors).filter(([key]) => !keys.includes(key)));
}
