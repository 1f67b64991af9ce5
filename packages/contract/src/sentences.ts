import { Failure, type FieldMessages } from '@evenkeel/core/failure';
import type * as z from 'zod';

/**
 * The messages for invalid requests. A schema's own message is either a whole sentence ("Please Select a Customer") or
 * the predicate for its field ("must be a whole number"), which starts with a lowercase letter.
 */

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

/** Higher maximums only keep numbers exact, so messages don't mention these maximums. */
const MEANINGFUL = 1e12;

/** Returns the predicate for an invalid field without a message in its schema. */
export function predicateOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null) return 'is missing';
      return TYPES[issue.expected] ?? 'has the wrong type';
    case 'too_big':
      return sizeOf(issue.origin, issue.maximum, 'at most');
    case 'too_small':
      return sizeOf(issue.origin, issue.minimum, 'at least');
    case 'invalid_value':
      if (issue.input === undefined || issue.input === null) return 'is missing';
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return `has the unknown field ${issue.keys.join(', ').slice(0, 100)}`;
    case 'invalid_union':
      return issue.input === undefined || issue.input === null ? 'is missing' : 'has the wrong type';
    default:
      return 'is not valid';
  }
}

function sizeOf(origin: string, bound: number | bigint, limit: 'at most' | 'at least'): string {
  const size = bound.toLocaleString('en-US');
  const isOne = Number(bound) === 1;
  if (origin === 'string') return `must have ${limit} ${size} ${isOne ? 'character' : 'characters'}`;
  if (origin === 'array') return `must have ${limit} ${size} ${isOne ? 'item' : 'items'}`;
  if (Math.abs(Number(bound)) > MEANINGFUL) return limit === 'at most' ? 'is too large' : 'is too small';
  return `must be ${limit} ${size}`;
}

/** Field names that the specification writes as one word. */
const PARTS: Readonly<Record<string, string>> = {
  profitcenterid: 'profitCenterId',
  profitcentername: 'profitCenterName',
  locationid: 'locationId',
  entityid: 'entityId',
  firstname: 'firstName',
  lastname: 'lastName',
  paramvalue: 'paramValue',
};

/** Returns a field name in words: `glAccountID` → "GL account ID". */
export function wordsOf(key: string): string {
  return (PARTS[key] ?? key)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\b(id|gl|ar|ap|url)(s?)\b/g, (_, letters: string, plural: string) => letters.toUpperCase() + plural);
}

/** Returns the singular form: "addresses" → "address", "entries" → "entry", "lines" → "line". */
export function singular(words: string): string {
  return words
    .replace(/ies$/, 'y')
    .replace(/(ss|x)es$/, '$1')
    .replace(/([^s])s$/, '$1');
}

/**
 * Returns the name of the field at a path: "quantity" → "The quantity", `lineItems.1.quantity` → "The quantity in line
 * item 2".
 */
function subjectOf(path: string): string {
  const keys = path.split('.').filter((key) => key !== '');
  const at = keys.findLastIndex((key) => /^\d+$/.test(key));
  const list = keys.slice(0, at).findLast((key) => !/^\d+$/.test(key));
  const item = `${list === undefined ? 'item' : singular(wordsOf(list))} ${Number(keys[at]) + 1}`;
  const field = keys.slice(at + 1).at(-1);
  if (field === undefined) return at < 0 ? 'The request' : capitalized(item);
  return `The ${wordsOf(field)}${at < 0 ? '' : ` in ${item}`}`;
}

function capitalized(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** Returns the message for the field at `path`: `message` itself, or the field followed by the predicate. */
export function fieldSentence(path: string, message: string): string {
  return /^[a-z]/.test(message) ? `${subjectOf(path)} ${message}` : message;
}

/** Returns the error (400) for invalid fields. The first field's message is also the message for the whole request. */
export function malformed(said: FieldMessages): Failure {
  const fields: FieldMessages = {};
  for (const [path, message] of Object.entries(said)) fields[path] = fieldSentence(path, message);
  return new Failure('malformed', Object.values(fields)[0] ?? 'The request is malformed', fields);
}
