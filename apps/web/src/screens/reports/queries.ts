import { reportCalls } from '@evenkeel/contract/reports';
import { ask as asked, useRead } from '../../client/api.ts';
import { type ReportAsk, requestOf } from './openReports.ts';

/** The report of an ask; other dates or another basis show the last answer until the new one is there. */
export function useReport(ask: ReportAsk) {
  const input = { params: { reportId: ask.reportId }, body: requestOf(ask) };
  return useRead(asked(reportCalls.runReport, input), { keep: true, alert: 'Error Loading Report Data' });
}
