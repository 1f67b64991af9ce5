/** Medians and ratios of measured values, and their texts. */

/** The middle of the values; NaN of none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which the share (0 to 1) of all values lies, between neighbours in proportion. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (low === undefined || high === undefined) return Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

const threeDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });
const twoPlaces = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A figure with three significant digits. */
export const figure = (value: number): string => (Number.isFinite(value) ? threeDigits.format(value) : 'not measured');

/** A ratio with two decimals. */
export const ratio = (value: number): string => (Number.isFinite(value) ? twoPlaces.format(value) : 'not measured');

/** Milliseconds, or seconds from a thousand on. */
export function duration(milliseconds: number): string {
  return milliseconds >= 1000 ? `${figure(milliseconds / 1000)} s` : `${figure(milliseconds)} ms`;
}

/** A table as Markdown has it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** One aim of the plan: what was wanted, what was seen, whether that meets it. */
export interface Aim {
  wanted: string;
  seen: string;
  isMet: boolean;
  /** The reason for a missed aim, where the figures tell it. */
  why?: string;
}

/** The result of one part of the benchmark: its printed text, and its aims. */
export interface Chapter {
  title: string;
  text: string;
  aims: readonly Aim[];
  /** The part of the text that docs/performance.md shows; none by default. */
  summary?: string;
}
