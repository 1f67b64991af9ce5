import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** ms that the typing rests before its owner hears of it: a list is filtered, or the server asked, for words. */
const TYPING_MS = 120;

interface TypedText {
  text: string;
  /** A key was typed: the owner hears of it when the typing rests. */
  type: (text: string) => void;
  /** The owner hears of this one, or of what was typed so far, at once. */
  tell: (text?: string) => void;
}

/**
 * The text of a box whose owner may hold it late, as the address does: the letters are the box's own, `value` follows
 * them, and another value than those told sets the box.
 */
export function useTypedText(value: string, onChange: (text: string) => void): TypedText {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Told to the owner, who does not hold them yet. */
  const told = useRef<string[]>([]);
  const held = useRef(value);
  useLayoutEffect(() => {
    held.current = value;
    const at = told.current.indexOf(value);
    told.current = at < 0 ? [] : told.current.slice(at + 1);
    if (at >= 0) return;
    clearTimeout(timer.current);
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const tell = (next = text) => {
    clearTimeout(timer.current);
    setText(next);
    if (next === (told.current.at(-1) ?? held.current)) return;
    told.current.push(next);
    onChange(next);
  };
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => tell(next), TYPING_MS);
  };
  return { text, type, tell };
}
