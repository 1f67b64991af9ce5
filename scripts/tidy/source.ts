// The input of every style rule: a file's text and, for code, its syntax tree.
import { parseSync } from 'rolldown/utils';

/** A file in the checkout: its path from the root (always with `/`) and its text. */
export type Source = { path: string; text: string };

/** A place in a file where a rule is broken. */
export type Finding = { path: string; line: number; rule: string; message: string };

/** A node of the syntax tree (ESTree with TypeScript). Other fields are read with `child`, `children`, and `text`. */
export type Node = { type: string; start: number; end: number; [field: string]: unknown };

/** A comment without its delimiters. */
export type Comment = { type: 'Block' | 'Line'; value: string; start: number; end: number };

/** A code file with its syntax tree. */
export type Code = Source & { program: Node; comments: Comment[]; isTest: boolean };

/** Returns whether a value is a node of the tree. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Returns the node in a field, if there is one. */
export function child(node: Node | undefined, field: string): Node | undefined {
  const value = node?.[field];
  return isNode(value) ? value : undefined;
}

/** Returns the nodes in a field that contains a list. */
export function children(node: Node | undefined, field: string): Node[] {
  const value = node?.[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Returns the text in a field (a name, an operator, a literal's value), or undefined. */
export function text(node: Node | undefined, field: string): string | undefined {
  const value = node?.[field];
  return typeof value === 'string' ? value : undefined;
}

/**
 * Calls `visit` for `node` and for each node below it. `above` contains the node's ancestors, with the nearest ancestor
 * last.
 */
export function walk(
  node: Node,
  visit: (node: Node, above: readonly Node[]) => void,
  above: readonly Node[] = [],
): void {
  visit(node, above);
  const inner = [...above, node];
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) walk(each, visit, inner);
  }
}

/** Returns the line number (from 1) of an offset in the text. */
export function lineOf(source: Source, offset: number): number {
  let line = 1;
  for (let at = source.text.indexOf('\n'); at !== -1 && at < offset; at = source.text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** Returns whether the file is a test or is used only by tests. */
export function isTest(path: string): boolean {
  const isNamed = /\.(test|e2e|torture|cluster)\.tsx?$/.test(path);
  return isNamed || path.includes('/testing/') || /^(e2e|scenarios)\//.test(path);
}

/** Returns whether the file is TypeScript or JavaScript. */
export const isCode = (path: string): boolean => /\.(ts|tsx|mjs)$/.test(path);

/** Parses a file. Returns undefined for text that is not code. Syntax errors are left to the type check. */
export function parse(source: Source): Code | undefined {
  if (!isCode(source.path)) return undefined;
  const { program, comments } = parseSync(source.path, source.text);
  if (!isNode(program)) return undefined;
  const read = comments.map(({ type, value, start, end }) => ({ type, value, start, end }));
  return { ...source, program, comments: read, isTest: isTest(source.path) };
}
