import { formatDate } from '@evenkeel/core/dates';
import { formatAmount } from '@evenkeel/core/money';
import { actWord, auditLabelOf } from '@evenkeel/core/words/audit';
import { closedChangesSql } from '../../features/audit/audit-log.sql.ts';
import { entryList, type Runs } from './list.ts';

/** The report on changes that administrators made on or before the closing date, and on changes to the closing date. */
export const closedReports = {
  closedChanges: entryList(
    ({ context: { from, asOf } }, limit) => closedChangesSql({ from: from ?? asOf, to: asOf }, limit),
    () => ({
      columns: [
        { title: 'Changed On', text: ({ dated }) => formatDate(dated) },
        { title: 'User', text: ({ person }) => person },
        { title: 'Change', text: ({ action }) => actWord(action) },
        { title: 'Record', text: ({ kind, title, amount }) => `${auditLabelOf({ kind, amount })} ${title}`.trim() },
        { title: 'Amount', text: ({ amount }) => (amount === null ? '' : formatAmount(amount)) },
        { title: 'Reason', text: ({ reason }) => reason },
      ],
      source: () => undefined,
    }),
  ),
} satisfies Runs;
