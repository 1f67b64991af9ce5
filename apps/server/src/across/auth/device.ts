/** Names a device from the browser's User-Agent header, such as "Firefox on Mac", so that its owner recognizes it. */

/** The order matters, because some browsers include the names of other browsers. */
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

/** The display name for a device without a name, which is stored as an empty string. */
export const UNKNOWN_DEVICE = 'Unknown device';

const MOST_LETTERS = 40;

/**
 * Returns the device name for a `User-Agent` header. For other programs, returns the header's first word, or an empty
 * string.
 */
export function deviceOf(agent: string | undefined): string {
  const text = (agent ?? '').slice(0, 500);
  const find = (list: readonly [RegExp, string][]) => list.find(([pattern]) => pattern.test(text))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`;
  const [word = ''] = /^[\w.-]+/.exec(text) ?? [];
  return (browser ?? system ?? word).slice(0, MOST_LETTERS);
}
