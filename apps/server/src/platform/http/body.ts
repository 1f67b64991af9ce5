import type { Endpoint } from '@evenkeel/contract/endpoint';
import { decode as decodePart } from '@evenkeel/contract/wire';
import { Failure } from '@evenkeel/core/failure';
import type * as z from 'zod';
import type { Input } from './route.ts';

/** The limits on a request body. */
export const BODY_BYTES = 1_048_576;
const MOST_DEPTH = 32;
const MOST_ITEMS = 10_000;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a JSON body. Throws 400 if the bytes are not UTF-8, if there are more than 32 levels, or if the body contains
 * an array with more than 10,000 items, a number with an exponent, or a string or key with a NUL character or a lone
 * surrogate. Throws 415 for another charset in the content type. Returns undefined for an empty body.
 */
export function readJson(bytes: Buffer, contentType = 'application/json'): unknown {
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType)?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset)) {
    throw new Failure('unsupported_type', `JSON must be encoded in UTF-8. This request uses ${charset.slice(0, 40)}`);
  }
  if (bytes.length === 0) return undefined;
  const text = decode(bytes);
  const hasEscapes = scan(text);
  const value = parse(text);
  if (hasEscapes) checkTexts(value);
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Failure('malformed', "The request body isn't valid UTF-8");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('malformed', "The request body isn't valid JSON");
  }
}

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Scans text a single time before it is parsed, so that the time for checking malicious text is proportional to its
 * length. Returns whether the text has \u escapes.
 */
function scan(text: string): boolean {
  const items: number[] = [];
  let hasEscapes = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfText(text, at);
      hasEscapes ||= end.hasEscapes;
      at = end.at;
    } else if (code === 91 || code === 123) open(items);
    else if (code === 93 || code === 125) items.pop();
    else if (code === 44) countItem(items);
    else if ((code === 101 || code === 69) && isDigit(text.charCodeAt(at - 1))) {
      throw new Failure('malformed', "Numbers can't have an exponent");
    }
  }
  return hasEscapes;
}

function open(items: number[]): void {
  if (items.push(1) > MOST_DEPTH)
    throw new Failure('malformed', `The request is nested more than ${MOST_DEPTH} levels deep`);
}

function countItem(items: number[]): void {
  const level = items.length - 1;
  const count = (items[level] ?? 0) + 1;
  if (count > MOST_ITEMS) throw new Failure('malformed', `A list has more than ${MOST_ITEMS} items`);
  items[level] = count;
}

const isDigit = (code: number): boolean => (code >= 48 && code <= 57) || code === 46;

function endOfText(text: string, start: number): { at: number; hasEscapes: boolean } {
  let hasEscapes = false;
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return { at, hasEscapes };
    if (code === BACKSLASH) {
      hasEscapes ||= text[at + 1] === 'u';
      at += 1;
    }
  }
  return { at: text.length, hasEscapes };
}

/** Escapes can contain characters that UTF-8 text can't contain. */
function checkTexts(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\u0000') || !value.isWellFormed()) {
      throw new Failure('malformed', 'The request contains invalid characters');
    }
  } else if (Array.isArray(value)) {
    for (const inner of value) checkTexts(inner);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      checkTexts(key);
      checkTexts(inner);
    }
  }
}

/** Decodes the parts of a call from the API format. Throws 400 for a part that its schema rejects. */
export function decodeInput(
  { params, body }: Endpoint,
  query: z.ZodObject | undefined,
  given: { params: unknown; query: unknown; body: unknown },
): Input<Endpoint> {
  const input = {
    params: params === undefined ? undefined : decodePart(params, given.params),
    query: query === undefined ? undefined : decodePart(query, given.query),
    body: body === undefined ? undefined : decodePart(body, given.body),
  };
  return input as Input<Endpoint>;
}
