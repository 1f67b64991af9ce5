import { reportCalls } from '@evenkeel/contract/reports';
import { ask as asked, useRead } from '../../client/api.ts';
import { type ReportAsk, requestOf } from './openReports.ts';

/** Loads a report. If the dates or basis change, the last response stays visible until the new one arrives. */
export function useReport(ask: ReportAsk) {
  const input = { params: { reportId: ask.reportId }, body: requestOf(ask) };
  return useRead(asked(reportCalls.runReport, input), { keep: true, alert: 'Error Loading Report Data' });
}
