import type { IsoDate } from '@evenkeel/core/dates';
import { parseDate } from '@evenkeel/core/dates';
import { fromPlain } from '@evenkeel/core/money';
import { fold, mistyped, readSearch, type Term } from '@evenkeel/core/words/search';

/** A piece of text, which is highlighted if it matches the search. */
export interface Piece {
  text: string;
  isMarked: boolean;
  /** The position of the piece in the text. */
  at: number;
}

/** Highlights the parts of a result that match the search. With `isClosest`, highlights approximate matches. */
export type Marker = (text: string, isClosest?: boolean) => readonly Piece[];

/** Returns a function that highlights the matches of a search. */
export function markerOf(search: string, today: IsoDate): Marker {
  const read = readSearch(search, today);
  const { terms } = read.ofAnyKind ?? read;
  const texts = terms.flatMap((term) => term.texts.map((text) => text.trimStart())).filter((text) => text !== '');
  const meant = texts.flatMap((text) => mistyped(text)?.meant ?? []);
  const near = meant.length === 0 ? undefined : new RegExp(`(?<![^ ])(?:${meant.join('|')})`, 'gu');
  return (text, isClosest = false) => {
    if (terms.some((term) => isWholly(text, term))) return [{ text, isMarked: true, at: 0 }];
    const { folded, starts } = foldedWithPlaces(text);
    const spans = texts.flatMap((wanted) => placesOf(folded, wanted));
    if (isClosest && near !== undefined) {
      spans.push(...[...folded.matchAll(near)].map(({ index, 0: all }): Span => [index, index + all.length]));
    }
    return piecesOf(
      text,
      spans.map(([from, to]): Span => [starts[from] ?? 0, starts[to] ?? text.length]),
    );
  };
}

type Span = readonly [from: number, to: number];

/** Returns whether a text is only an amount or a date, and is within the term's range of amounts or dates. */
function isWholly(text: string, { amount, days }: Term): boolean {
  const [, figure] = /^[(−-]?\$?([\d,]+\.\d\d)\)?$/.exec(text) ?? [];
  if (amount !== undefined && figure !== undefined) {
    const value = fromPlain(figure.replaceAll(',', ''));
    return value >= (amount.from ?? value) && value <= (amount.to ?? value);
  }
  const day = days === undefined || !text.includes('/') ? undefined : parseDate(text);
  return days !== undefined && day !== undefined && day >= days.from && day <= days.to;
}

/**
 * Returns the text normalized for searching, with the original position of each letter. Positions can differ, because
 * `ß` becomes two letters.
 */
function foldedWithPlaces(text: string): { folded: string; starts: number[] } {
  let folded = '';
  const starts: number[] = [];
  let at = 0;
  for (const letter of text) {
    const letters = fold(letter);
    for (let each = 0; each < letters.length; each += 1) starts.push(at);
    folded += letters;
    at += letter.length;
  }
  return { folded, starts };
}

function placesOf(folded: string, wanted: string): Span[] {
  const found: Span[] = [];
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    found.push([at, at + wanted.length]);
  }
  return found;
}

/** Splits text at spans, which may overlap. */
function piecesOf(text: string, spans: readonly Span[]): Piece[] {
  const pieces: Piece[] = [];
  const add = (from: number, to: number, isMarked: boolean) => {
    if (to > from) pieces.push({ text: text.slice(from, to), isMarked, at: from });
  };
  let at = 0;
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    if (to <= at) continue;
    add(at, from, false);
    add(Math.max(at, from), to, true);
    at = to;
  }
  add(at, text.length, false);
  return pieces;
}
