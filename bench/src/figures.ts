/** Returns the median of the values, or NaN if there are none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/**
 * Returns the value below which the given share (0 to 1) of all values lies, interpolated between neighboring values.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (low === undefined || high === undefined) return Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

const threeDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });
const twoPlaces = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Formats a number with three significant digits. */
export const figure = (value: number): string => (Number.isFinite(value) ? threeDigits.format(value) : 'not measured');

/** Formats a ratio with two decimal places. */
export const ratio = (value: number): string => (Number.isFinite(value) ? twoPlaces.format(value) : 'not measured');

/** Formats a duration in milliseconds, or in seconds if it is at least 1,000 ms. */
export function duration(milliseconds: number): string {
  return milliseconds >= 1000 ? `${figure(milliseconds / 1000)} s` : `${figure(milliseconds)} ms`;
}

/** Formats a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A target: the goal, the measured value, and whether the value meets the goal. */
export interface Aim {
  wanted: string;
  seen: string;
  isMet: boolean;
  /** The reason for a missed target, if the measurements reveal it. */
  why?: string;
}

/** Formats targets as a Markdown table. */
export const targets = (aims: readonly Aim[]): string =>
  table(
    ['target', 'measured', ''],
    aims.map(({ wanted, seen, isMet }) => [wanted, seen, isMet ? 'met' : '**missed**']),
  );

/** The result of one part of the benchmark: its printed text and its targets. */
export interface Chapter {
  title: string;
  text: string;
  aims: readonly Aim[];
  /** The part of the text for docs/performance.md. Empty by default. */
  summary?: string;
}
