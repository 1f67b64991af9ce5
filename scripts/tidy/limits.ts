// Sizes and names: file, function, component, line, parameters, file names.
import { child, children, lineOf, text, walk } from './source.ts';
import type { Code, Finding, Node, Source } from './source.ts';
import { emptyNames, generated, isDataTable, limits } from './rooms.ts';
import { isCode, isTest } from './source.ts';

/** Rules that need no syntax tree: length of file and line, and file and folder names. */
export function checkText(source: Source): Finding[] {
  const { path } = source;
  if (!/\.(ts|tsx|mjs|css|sql)$/.test(path) || generated.includes(path)) return [];
  return [...fileLength(source), ...lineLengths(source), ...emptyName(path)];
}

function fileLength({ path, text: content }: Source): Finding[] {
  const most = isTest(path) ? limits.testFileLines : limits.fileLines;
  const lines = content.replace(/\n$/, '').split('\n').length;
  if (lines <= most || isDataTable(path) || path.endsWith('.sql')) return [];
  return [{ path, line: most + 1, rule: 'file-length', message: `${lines} lines, at most ${most}` }];
}

function lineLengths({ path, text: content }: Source): Finding[] {
  if (isDataTable(path)) return [];
  const long = (line: string): boolean => line.length > limits.columns;
  return content.split('\n').flatMap((line, index) => {
    const message = `${line.length} columns, at most ${limits.columns}`;
    return long(line) ? [{ path, line: index + 1, rule: 'columns', message }] : [];
  });
}

function emptyName(path: string): Finding[] {
  if (!isCode(path)) return [];
  const names = path.split('/').map((part) => part.replace(/(\.test)?\.[a-z]+$/, ''));
  const found = names.find((name) => emptyNames.includes(name.toLowerCase()));
  if (!found) return [];
  return [{ path, line: 1, rule: 'empty-name', message: `'${found}' says nothing: name the noun it is about` }];
}

const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** Length and parameters of each function; a React component may be longer. Tests' bodies are limited by their file. */
export function checkFunctions(code: Code): Finding[] {
  const findings: Finding[] = [];
  walk(code.program, (node, above) => {
    if (!functions.includes(node.type)) return;
    const name = nameOf(node, above);
    const line = lineOf(code, node.start);
    const lines = lineOf(code, node.end) - line + 1;
    const component = code.path.endsWith('.tsx') && /^[A-Z]/.test(name);
    const most = component ? limits.componentLines : limits.functionLines;
    const add = (rule: string, message: string): number =>
      findings.push({ path: code.path, line, rule, message: `${name || 'a function'} ${message}` });
    if (lines > most && !code.isTest) add('function-length', `has ${lines} lines, at most ${most}`);
    const parameters = children(node, 'params').filter((one) => text(one, 'name') !== 'this').length;
    // A row of a test's table has as many columns as it needs.
    if (parameters > limits.parameters && !code.isTest) {
      add('parameters', `takes ${parameters} parameters, at most ${limits.parameters}: pass one object`);
    }
  });
  return findings;
}

/** A function's own name, or that of what it is assigned to, also through a wrapper such as memo(…). */
function nameOf(node: Node, above: readonly Node[]): string {
  const own = text(child(node, 'id'), 'name');
  if (own) return own;
  for (const parent of above.toReversed()) {
    if (parent.type === 'VariableDeclarator') return text(child(parent, 'id'), 'name') ?? '';
    if (['Property', 'MethodDefinition'].includes(parent.type)) return text(child(parent, 'key'), 'name') ?? '';
    if (parent.type !== 'CallExpression') return '';
  }
  return '';
}
