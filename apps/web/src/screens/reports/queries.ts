import { reportCalls } from '@evenkeel/contract/reports';
import { messageOf, useRead } from '../../client/api.ts';
import { useLoadAlert } from '../../records/reads.ts';
import { type ReportAsk, requestOf } from './openReports.ts';

/** The report of an ask; other dates or another basis show the last answer until the new one is there. */
export function useReport(ask: ReportAsk) {
  const input = { params: { reportId: ask.reportId }, body: requestOf(ask) };
  const read = useRead(reportCalls.runReport, input, { keep: true });
  useLoadAlert(read.error, 'Error Loading Report Data');
  return {
    report: read.data,
    isBusy: read.isPlaceholderData,
    error: read.error !== null ? messageOf(read.error) : undefined,
    retry: () => void read.refetch(),
  };
}
