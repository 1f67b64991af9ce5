import type { Steps } from '@evenkeel/core/steps';
import { inTurns } from './turns.ts';

/**
 * The depth of a report's lines: report, sections, section, blocks, block, lines. Deeper data is converted in a single
 * part.
 */
const DEPTH = 6;

/** The number of lines in one part. Converting each line separately would cost more than creating its text. */
const TOGETHER = 16;

function* pieces(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    yield JSON.stringify(value) ?? 'null';
  } else if (Array.isArray(value) && depth === 1) {
    yield '[';
    for (let at = 0; at < value.length; at += TOGETHER) {
      yield `${at === 0 ? '' : ','}${JSON.stringify(value.slice(at, at + TOGETHER)).slice(1, -1)}`;
    }
    yield ']';
  } else if (Array.isArray(value)) {
    let before = '[';
    for (const each of value) {
      yield before;
      yield* pieces(each, depth - 1);
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  } else {
    let before = '{';
    for (const [name, each] of Object.entries(value)) {
      if (each === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* pieces(each, depth - 1);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  }
}

/**
 * The number of characters in a part of the text. Joining megabytes of text in one step would block other requests
 * again.
 */
const PART = 65_536;

function* written(value: unknown): Steps<string[]> {
  const parts: string[] = [];
  let part = '';
  for (const piece of pieces(value, DEPTH)) {
    part += piece;
    if (part.length >= PART) {
      parts.push(part);
      part = '';
    }
    yield;
  }
  return [...parts, part];
}

/**
 * Converts plain data to JSON in parts. The result is the same as with JSON.stringify. Every few milliseconds, other
 * requests can run between the parts.
 */
export function longJson(value: unknown): Promise<string[]> {
  return inTurns(written(value));
}
