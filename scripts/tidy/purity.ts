// Checks that core and the readers of statements and books use no clock, process, network, or async code, and that
// every exported function has a doc comment.
import { child, children, lineOf, text, walk } from './source.ts';
import type { Code, Finding, Node } from './source.ts';

const inCore = (code: Code): boolean => /^packages\/(core|imports|statements)\/src\//.test(code.path) && !code.isTest;
const outside = [
  'process',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'globalThis',
  'Promise',
];
const hidden = ['Date.now', 'Math.random', 'performance.now', 'crypto.randomUUID'];

function impurity(node: Node): string | undefined {
  if (node.type === 'AwaitExpression' || node['async'] === true) return 'async';
  if (node.type === 'ImportExpression') return 'import(…)';
  if (node.type === 'NewExpression' && text(child(node, 'callee'), 'name') === 'Date') {
    return children(node, 'arguments').length === 0 ? 'new Date()' : undefined;
  }
  if (node.type === 'MemberExpression') {
    const name = `${text(child(node, 'object'), 'name')}.${text(child(node, 'property'), 'name')}`;
    return hidden.includes(name) ? name : undefined;
  }
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined;
  const callee = text(child(node, 'callee'), 'name') ?? text(child(child(node, 'callee'), 'object'), 'name') ?? '';
  return outside.includes(callee) ? callee : undefined;
}

/**
 * Core depends only on its input. Given the same rows, it creates the same report today and tomorrow, on the server and
 * in a browser.
 */
export function checkCorePure(code: Code): Finding[] {
  const findings: Finding[] = [];
  if (!inCore(code)) return findings;
  walk(code.program, (node, above) => {
    const found = impurity(node) ?? (isProcessField(node, above) ? 'process' : undefined);
    if (!found) return;
    const message = `core can't use the clock, process, network, or async code: ${found}`;
    findings.push({ path: code.path, line: lineOf(code, node.start), rule: 'core-pure', message });
  });
  return findings;
}

/** Returns whether the node reads a field of the process without calling it, such as `process.env`. */
function isProcessField(node: Node, above: readonly Node[]): boolean {
  const isField = node.type === 'MemberExpression' && text(child(node, 'object'), 'name') === 'process';
  return isField && above.at(-1)?.type !== 'CallExpression';
}

const functions = ['FunctionDeclaration', 'TSDeclareFunction', 'FunctionExpression', 'ArrowFunctionExpression'];

/** Returns the names of the functions that an export statement declares. */
function exportedFunctions(statement: Node): string[] {
  const declared = child(statement, 'declaration');
  if (!declared) return [];
  if (functions.includes(declared.type)) return [text(child(declared, 'id'), 'name') ?? 'the default export'];
  return children(declared, 'declarations')
    .filter((one) => functions.includes(child(one, 'init')?.type ?? ''))
    .map((one) => text(child(one, 'id'), 'name') ?? '');
}

/** Returns whether a doc comment ends directly before this node. */
function hasDoc(code: Code, node: Node): boolean {
  return code.comments.some(
    ({ type, value, end }) =>
      type === 'Block' && value.startsWith('*') && end <= node.start && code.text.slice(end, node.start).trim() === '',
  );
}

/** Checks that each exported function in core, and each endpoint without a `summary`, has a doc comment. */
export function checkDocs(code: Code): Finding[] {
  const findings: Finding[] = [];
  const add = (node: Node, message: string): number =>
    findings.push({ path: code.path, line: lineOf(code, node.start), rule: 'doc', message });
  const previous = new Set<string>();
  for (const statement of inCore(code) ? children(code.program, 'body') : []) {
    if (!statement.type.startsWith('Export')) continue;
    for (const name of exportedFunctions(statement)) {
      // The doc comment of the first overload also describes the others.
      if (!previous.has(name) && !hasDoc(code, statement)) add(statement, `${name} has no doc comment`);
      previous.add(name);
    }
  }
  if (code.path.startsWith('packages/contract/src/') && !code.isTest) endpointsWithoutWords(code, add);
  return findings;
}

function endpointsWithoutWords(code: Code, add: (node: Node, message: string) => number): void {
  walk(code.program, (node, above) => {
    if (node.type !== 'CallExpression' || text(child(node, 'callee'), 'name') !== 'endpoint') return;
    const fields = children(children(node, 'arguments')[0], 'properties');
    const summary = fields.find((field) => text(child(field, 'key'), 'name') === 'summary');
    const value = child(summary, 'value');
    const isEmpty = value === undefined || text(value, 'value')?.trim() === '';
    if (isEmpty && ![...above, node].some((each) => hasDoc(code, each))) {
      add(node, 'this endpoint has neither a summary nor a doc comment');
    }
  });
}
