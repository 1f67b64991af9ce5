import type { ReportData } from '@evenkeel/contract/reports';
import { reportCsv } from '@evenkeel/core/reports/csv';
import { saveFile } from '../../ui/hooks/saveFile.ts';

/** Saves a report as a CSV file with the report's title. */
export function saveReportCsv(report: ReportData): void {
  saveFile(`${report.title}.csv`, ['\ufeff', reportCsv(report)]);
}
