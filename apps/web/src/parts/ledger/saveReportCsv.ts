import type { ReportData } from '@evenkeel/contract/reports';
import { csvText, harmless } from '@evenkeel/core/csv';
import { toPlain } from '@evenkeel/core/money';
import { type PageCell, pageRows } from '@evenkeel/core/reports/page';
import { saveFile } from '../../ui/hooks/saveFile.ts';

/** Saves a report as a CSV file with the report's title. */
export function saveReportCsv(report: ReportData): void {
  const rows = pageRows(report).map(({ cells }) =>
    cells.map((cell) => ('text' in cell ? plainWords(cell) : cell.amount === null ? '' : toPlain(cell.amount))),
  );
  saveFile(`${report.title}.csv`, ['\ufeff', csvText(rows)]);
}

/** Numbers in a file use plain notation: "(12.5%)" becomes -12.5%. */
function plainWords({ text, isRight }: Extract<PageCell, { text: string }>): string {
  const less = isRight === true ? /^\(([\d.]+%)\)$/.exec(text)?.[1] : undefined;
  return less === undefined ? harmless(text) : `-${less}`;
}
