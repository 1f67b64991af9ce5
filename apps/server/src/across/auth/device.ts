/** A device in the words of its owner, from the header that browsers send: "Firefox on Mac". */

/** In this order, as browsers carry the names of others. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A device that says nothing of itself, as its owner reads it; kept as an empty name. */
export const UNKNOWN_DEVICE = 'Unknown device';

const MOST_LETTERS = 40;

/** The device of a `User-Agent`; of a program its own first word, nothing where there is none. */
export function deviceOf(agent: string | undefined): string {
  const text = (agent ?? '').slice(0, 500);
  const find = (list: readonly [RegExp, string][]) => list.find(([pattern]) => pattern.test(text))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`;
  const [word = ''] = /^[\w.-]+/.exec(text) ?? [];
  return (browser ?? system ?? word).slice(0, MOST_LETTERS);
}
