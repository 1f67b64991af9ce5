import { type ReportStar, reportCalls } from '@evenkeel/contract/reports';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ask, asKey, inAlert, messageOf, send, useRead } from '../../client/api.ts';
import { alerts } from '../../ui/alerts/store.ts';

const STARS = ask(reportCalls.listReportStars, {});
const queryKey = asKey(STARS);
/** Stars are sent one by one. */
const SENDING = { mutationKey: ['starReport'], scope: { id: 'starReport' } };

/**
 * The reports that the user starred. A star appears immediately and is reverted if it can't be saved. When no other
 * star is being sent, the stars are reloaded to include changes from other tabs.
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
      send(ask(reportCalls.starReport, { params: { reportId }, body: { starred } })),
    onMutate: async (star) => {
      // A read in progress would not include this star yet.
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
