import { useEffect, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { goToUnread } from '../fields/unread.ts';
import type { LineErrors, LineTableProps } from './lineColumns.ts';

export interface LineWork<Line> {
  /** The line in work and whether it is not among the lines yet. */
  work: { line: Line; isNew: boolean } | undefined;
  errors: LineErrors;
  open: (line: Line) => void;
  add: () => void;
  set: (patch: Partial<Line>) => void;
  /** Commits; with `next` a new line is then begun. False when the line has errors. */
  commit: (next?: boolean) => boolean;
  cancel: () => void;
  remove: () => void;
}

/** The state of a line table: which line is in work, what is wrong with it. */
export function useLineWork<Line>(props: LineTableProps<Line>): LineWork<Line> {
  const { lines, blank, validate, onCommit, onRemove, onWork } = props;
  const [work, setWork] = useState<{ line: Line; isNew: boolean } | undefined>(() =>
    props.startNew === true && props.readOnly !== true ? { line: blank(lines), isNew: true } : undefined,
  );
  const [errors, setErrors] = useState<LineErrors>({});
  const tell = useRef(onWork);
  tell.current = onWork;
  const line = work?.line;
  useEffect(() => tell.current?.(line), [line]);

  const start = (next: { line: Line; isNew: boolean } | undefined) => {
    setErrors({});
    setWork(next);
  };
  const commit = (next = false): boolean => {
    if (work === undefined) return true;
    if (goToUnread('.ek-line-work')) return false;
    const found = validate(work.line);
    setErrors(found);
    if (Object.keys(found).length > 0) return false;
    // At once, so that a Ctrl+Enter that commits the line also saves it.
    flushSync(() => {
      onCommit(work.line);
      start(next ? { line: blank([...lines, work.line]), isNew: true } : undefined);
    });
    return true;
  };
  const add = () => {
    if (commit()) start({ line: blank(lines), isNew: true });
  };
  const open = (next: Line) => {
    if (commit()) start({ line: next, isNew: false });
  };
  const remove = () => {
    if (work !== undefined && !work.isNew) onRemove?.(work.line);
    start(undefined);
  };
  const set = (patch: Partial<Line>) => {
    setWork((before) => (before === undefined ? before : { ...before, line: { ...before.line, ...patch } }));
    setErrors((before) => withoutKeys(before, Object.keys(patch)));
  };
  useImperativeHandle(props.ref, () => ({ settle: () => commit() }));
  return { work, errors, open, add, set, commit, cancel: () => start(undefined), remove };
}

function withoutKeys(errors: LineErrors, keys: readonly string[]): LineErrors {
  return Object.fromEntries(Object.entries(errors).filter(([key]) => !keys.includes(key)));
}
