import {
  type Cents,
  type Decimal,
  decimal,
  parseUsd,
  round,
  toCents,
  toDecimal,
  TYPED_FIGURE,
  typedFigure,
} from '@evenkeel/core/money';

/** The maximum amount in dollars that API calls accept. */
const MOST = decimal('100000000000');

/** Returns the visible part of the input, without the invisible characters that other programs add to copied text. */
export function visible(text: string): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}/gu, '').trim();
}

/**
 * Reads a typed amount as cents. Returns null for empty input, and undefined if the input isn't clearly an amount.
 * Accepts `1,234.5`, `$12`, `(12.50)`, and calculations such as `12*3.5` or `$100/3 + 2`, rounded once, half away from
 * zero.
 */
export function readMoney(text: string): Cents | null | undefined {
  const trimmed = visible(text);
  if (trimmed === '') return null;
  const plain = parseUsd(trimmed);
  const dollars = plain === undefined ? workedOut(trimmed) : toDecimal(plain);
  return dollars === undefined || round(dollars, 2).abs().gt(MOST) ? undefined : toCents(dollars);
}

function workedOut(text: string): Decimal | undefined {
  // Two signs in a row, or a minus sign in parentheses, would be a double negative.
  if (/[-−]{2}|^\(\s*[-−][^-−+*×/()]*\)$/.test(text)) return undefined;
  return calculate(text.replaceAll('−', '-').replaceAll('×', '*'));
}

/** Returns whether the input is a calculation whose result should be shown. */
export function isSum(text: string): boolean {
  return /[\d.)]\s*[-−+*×/]/.test(text);
}

const TOKEN = new RegExp(`\\s*(?:\\$?(${TYPED_FIGURE.source})|([-+*/()]))`, 'gy');
const MAX_TOKENS = 60;

function calculate(text: string): Decimal | undefined {
  const found = [...text.matchAll(TOKEN)];
  if (found.map(([all]) => all).join('') !== text || found.length > MAX_TOKENS) return undefined;
  const left = found.map(([, figure, mark = '']) => figure ?? mark);
  const result = readSum(left);
  return left.length === 0 ? result : undefined;
}

function readSum(tokens: string[]): Decimal | undefined {
  let total = readProduct(tokens);
  while (total !== undefined && (tokens[0] === '+' || tokens[0] === '-')) {
    const minus = tokens.shift() === '-';
    const next = readProduct(tokens);
    if (next === undefined) return undefined;
    total = minus ? total.minus(next) : total.plus(next);
  }
  return total;
}

function readProduct(tokens: string[]): Decimal | undefined {
  let total = readFactor(tokens);
  while (total !== undefined && (tokens[0] === '*' || tokens[0] === '/')) {
    const divide = tokens.shift() === '/';
    const next = readFactor(tokens);
    if (next === undefined || (divide && next.eq(0))) return undefined;
    total = divide ? total.div(next) : total.times(next);
  }
  return total;
}

function readFactor(tokens: string[]): Decimal | undefined {
  const token = tokens.shift();
  if (token === '-') return readFactor(tokens)?.times(-1);
  if (token === '(') {
    const inner = readSum(tokens);
    return tokens.shift() === ')' ? inner : undefined;
  }
  return token !== undefined && /\d/.test(token) ? typedFigure(token) : undefined;
}
