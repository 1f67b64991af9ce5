import { csvText, harmless } from '../csv.ts';
import { toPlain } from '../money.ts';
import { type PageCell, pageRows } from './page.ts';
import type { Report } from './report.ts';

/** Returns a report's rows as comma-separated values, with amounts in dollars. */
export function reportCsv(report: Report): string {
  const words = (cell: PageCell): string =>
    'text' in cell ? plainWords(cell) : cell.amount === null ? '' : toPlain(cell.amount);
  return csvText(pageRows(report).map(({ cells }) => cells.map(words)));
}

/** Numbers in a file use plain notation: "(12.5%)" becomes -12.5%. */
function plainWords({ text, isRight }: Extract<PageCell, { text: string }>): string {
  const less = isRight === true ? /^\(([\d.]+%)\)$/.exec(text)?.[1] : undefined;
  return less === undefined ? harmless(text) : `-${less}`;
}
