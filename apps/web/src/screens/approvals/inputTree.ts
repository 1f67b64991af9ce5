import type { ApprovalForm, InputField } from '@evenkeel/contract/agents';
import { singular, wordsOf } from '@evenkeel/contract/sentences';
import type { FieldMessages } from '@evenkeel/core/failure';
import { type InputRow, inputRows } from './approvalWords.ts';

/** The input of an operation as a tree of values. A form shows and changes one value at a time. */

/** The names and list positions that lead to a value. */
export type Path = readonly (string | number)[];

type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether a value is shown: a value that the agent sent, other than null. */
export const isGiven = (value: unknown): boolean => value !== null && value !== undefined;

/** Returns the items of a list, or no items for any other value. */
const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the value at a path. */
function valueAt(tree: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof key === 'number') return itemsOf(value)[key];
    return isFields(value) ? value[key] : undefined;
  }, tree);
}

/** Returns the tree with another value at a path. */
export function withValue(tree: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof key === 'number')
    return itemsOf(tree).map((each, at) => (at === key ? withValue(each, rest, value) : each));
  return isFields(tree) ? { ...tree, [key]: withValue(tree[key], rest, value) } : tree;
}

/** Returns the tree without the item at a path, which ends with the item's position in its list. */
export function withoutItem(tree: unknown, path: Path): unknown {
  const list = path.slice(0, -1);
  return withValue(
    tree,
    list,
    itemsOf(valueAt(tree, list)).filter((_, at) => at !== path.at(-1)),
  );
}

const patternOf = (path: Path): string => path.map((key) => (typeof key === 'number' ? '#' : key)).join('.');

/** Returns the field for a value. */
export function fieldAt({ fields }: Pick<ApprovalForm, 'fields'>, path: Path): InputField | undefined {
  const pattern = patternOf(path);
  return fields.find((field) => field.path === pattern);
}

/** Returns the place of a value, or of its first field, in the contract's order. */
export function placeOf({ fields }: ApprovalForm, path: Path): number {
  const pattern = patternOf(path);
  return fields.findIndex((field) => field.path === pattern || field.path.startsWith(`${pattern}.`));
}

/** Returns the server's messages by the path of their field in the input. Other messages keep their path. */
export function placedIn(messages: FieldMessages, { input, fields }: ApprovalForm): FieldMessages {
  const placed = Object.entries(messages).map(([path, message]) => {
    const keys = ['body', ...path.split('.')].map((key) => (/^\d+$/.test(key) ? Number(key) : key));
    const isShown = fieldAt({ fields }, keys) !== undefined && isGiven(valueAt(input, keys));
    return [isShown ? keys.join('.') : path, message] as const;
  });
  return Object.fromEntries(placed);
}

/** Words that stay lowercase in a label. */
const SMALL = /^(and|for|from|in|of|on|or|the|to)$/;

const inTitleCase = (words: string): string =>
  words
    .split(' ')
    .map((word, at) => (at > 0 && SMALL.test(word) ? word : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join(' ');

/** Returns the label of a field: `glAccountId` → "GL Account", `postToVendorAccount` → "Post to Vendor Account". */
export const labelOf = (name: string): string =>
  /^entityid$/i.test(name) ? 'Customer or Vendor' : inTitleCase(wordsOf(name).replace(/(.) ID$/, '$1'));

/** Returns the name of an item in a list: `lineItems` → "Line Item". */
export const itemLabel = (name: string): string => (name === 'body' ? 'Record' : inTitleCase(singular(wordsOf(name))));

/** Returns the path of a field in words: `lineItems.0.accountId` → "Line Item 1, Account". */
export function nameWords(path: string): string {
  const keys = path.split('.').filter((key) => !/^(params|query|body)$/.test(key));
  const words = keys.flatMap((key, at) => {
    const place = keys[at + 1] ?? '';
    if (/^\d+$/.test(key)) return at === 0 ? [`Record ${Number(key) + 1}`] : [];
    return /^\d+$/.test(place) ? [`${itemLabel(key)} ${Number(place) + 1}`] : [labelOf(key)];
  });
  return words.join(', ');
}

/** Returns the input as it is sent: an empty date, amount, number, or choice is null. */
export function toSend(form: ApprovalForm, reason: string): Fields {
  const sent = (value: unknown, path: Path): unknown => {
    if (Array.isArray(value)) return value.map((each, at) => sent(each, [...path, at]));
    if (isFields(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, sent(each, [...path, key])]));
    }
    return value === '' && fieldAt(form, path)?.kind !== 'text' ? null : value;
  };
  const input = sent(form.input, []);
  // The reason of an administrator who changes closed books.
  const reasoned = reason === '' ? input : withValue(input, ['body', 'closingOverrideReason'], reason);
  return isFields(reasoned) ? reasoned : {};
}

/** A field of the input now and as the agent sent it. */
export interface ChangedRow extends InputRow {
  sent: string;
}

/** Returns the fields of an input next to those that the agent sent, which may be spelled in another way. */
export function changedRows(input: unknown, sent: unknown): ChangedRow[] {
  const [now, before] = [inputRows(input), inputRows(sent)];
  const textIn = (rows: readonly InputRow[], name: string) =>
    rows.find((row) => row.name.toLowerCase() === name.toLowerCase())?.text;
  const removed = before.filter(({ name }) => textIn(now, name) === undefined);
  return [
    ...now.map((row) => ({ ...row, sent: textIn(before, row.name) ?? '' })),
    ...removed.map(({ name, text }) => ({ name, text: '', sent: text })),
  ];
}
