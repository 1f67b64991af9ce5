// Rules for amounts and times: only one file converts money to other formats, and only one file reads the time.
import { child, children, lineOf, text, walk } from './source.ts';
import type { Code, Finding, Node } from './source.ts';

const moneyFile = 'packages/core/src/money.ts';
const clockFile = 'apps/server/src/platform/clock.ts';
const isHundred = (node: Node | undefined): boolean => node?.type === 'Literal' && node['value'] === 100;

function looseMoney(node: Node): string | undefined {
  const operator = text(node, 'operator');
  if (node.type === 'BinaryExpression' && (operator === '*' || operator === '/')) {
    const [left, right] = [child(node, 'left'), child(node, 'right')];
    // A product of two literals, such as 100 * 365 days, is not an amount.
    if (left?.type === 'Literal' && right?.type === 'Literal') return undefined;
    return isHundred(right) || (operator === '*' && isHundred(left)) ? `${operator} 100` : undefined;
  }
  if (node.type !== 'CallExpression') return undefined;
  const callee = child(node, 'callee');
  const name = text(callee, 'name') ?? text(child(callee, 'property'), 'name') ?? '';
  return ['toFixed', 'parseFloat'].includes(name) ? name : undefined;
}

/** `Date.now()` is allowed, because it only measures durations. Code that needs a business date uses `new Date()`. */
function readsClock(node: Node): boolean {
  const isDate = text(child(node, 'callee'), 'name') === 'Date';
  return isDate && (node.type === 'CallExpression' || children(node, 'arguments').length === 0);
}

const nothingFile = 'packages/core/src/nothing.ts';

/** Returns whether text consists only of a dash, which would represent an empty value. */
function isDash(node: Node): boolean {
  return /^(Literal|JSXText)$/.test(node.type) && /^(\n\s*)?[–—](\n\s*)?$/.test(text(node, 'value') ?? '');
}

/**
 * Finds floating-point amounts of money outside core/money, direct use of the system clock on the server outside
 * clock.ts, and dashes for empty values outside core.
 */
export function checkFigures(code: Code): Finding[] {
  const { path } = code;
  const findings: Finding[] = [];
  if (code.isTest || !/^(apps|packages)\//.test(path)) return findings;
  walk(code.program, (node) => {
    const line = lineOf(code, node.start);
    const loose = path === moneyFile ? undefined : looseMoney(node);
    if (loose) findings.push({ path, line, rule: 'money', message: `${loose}: convert money only in core/money` });
    if (path !== nothingFile && isDash(node)) {
      findings.push({ path, line, rule: 'dash', message: 'for an empty value, use NOTHING from core/nothing' });
    }
    if (path.startsWith('apps/server/src/') && path !== clockFile && readsClock(node)) {
      findings.push({ path, line, rule: 'clock', message: 'read the time only in clock.ts' });
    }
  });
  return findings;
}
