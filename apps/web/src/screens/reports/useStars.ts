import { type ReportStar, reportCalls } from '@evenkeel/contract/reports';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ask, asKey, inAlert, messageOf, useRead } from '../../client/api.ts';
import { call } from '../../client/transport.ts';
import { alerts } from '../../ui/alerts/store.ts';

const STARS = ask(reportCalls.listReportStars, {});
const queryKey = asKey(STARS);
/** Stars are sent one after the other. */
const SENDING = { mutationKey: ['starReport'], scope: { id: 'starReport' } };

/**
 * The reports that the person has starred. A star stands at once, and is taken back where it could not be saved; the
 * server is asked again once no other is on its way, so that a tab learns of the stars of another.
 */
export function useStars() {
  const client = useQueryClient();
  const { value } = useRead(STARS, inAlert('Error Loading Favorites'));
  const put = ({ reportId, starred }: ReportStar) =>
    client.setQueryData<ReportStar[]>(queryKey, (before = []) => [
      ...before.filter((each) => each.reportId !== reportId),
      ...(starred ? [{ reportId, starred }] : []),
    ]);
  const { mutate } = useMutation({
    ...SENDING,
    mutationFn: ({ reportId, starred }: ReportStar) =>
      call(reportCalls.starReport, { params: { reportId }, body: { starred } }),
    onMutate: async (star) => {
      // A reading under way would not know of it yet.
      await client.cancelQueries({ queryKey });
      put(star);
    },
    onError: (error, { reportId, starred }) => {
      put({ reportId, starred: !starred });
      alerts.error(`Your favorite could not be saved: ${messageOf(error)}`);
    },
    onSettled: () => {
      if (client.isMutating(SENDING) === 1) void client.invalidateQueries({ queryKey });
    },
  });
  return {
    starred: useMemo(() => new Set(value?.map(({ reportId }) => reportId)), [value]),
    star: (reportId: number, starred: boolean) => mutate({ reportId, starred }),
  };
}
