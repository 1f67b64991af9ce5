import type { ActivityRow } from '@evenkeel/contract/subledger';
import { Button } from '@mantine/core';
import { IconCashBanknote, IconReceipt, IconScale } from '@tabler/icons-react';
import { usePages } from '../../client/pages.ts';
import { useMay } from '../../client/session.ts';
import { wholeList } from '../../records/reads.ts';
import { useNarrow } from '../../ui/hooks/media.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { EmptyState, ErrorState } from '../../ui/show/EmptyState.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { type MiniColumn, MiniTable } from '../../ui/table/MiniTable.tsx';
import { InvoiceBadge } from '../badges.tsx';
import type { ActivityPage, DocumentSide } from '../documents/side.ts';
import { activityAddress, activityDetail, activityName, detailWords, isJournal, isPayment } from './activity.ts';

export interface ActivityProps {
  side: DocumentSide;
  entityId: number;
}

const nextOf = (page: ActivityPage) => ('items' in page ? (page.next ?? undefined) : undefined);
const keyOf = ({ kind, id }: ActivityRow) => `${kind} ${id}`;

/**
 * The activity of a customer or vendor, newest first. Each row links to its record and shows the balance after the
 * transaction.
 */
export function Activity({ side, entityId }: ActivityProps) {
  const { documents } = side;
  const found = usePages((after) => side.activity(entityId, after), nextOf, { alert: documents.words.loadAll });
  const isNarrow = useNarrow();
  if (found.error !== undefined) return <ErrorState message={found.error} onRetry={found.retry} />;
  if (found.value === undefined) return <p role="status">Loading...</p>;
  const rows = found.value.flatMap((page) => wholeList(page) ?? []);
  if (rows.length === 0) {
    return <EmptyState title="No activity yet" hint="All activity appears here, newest first." />;
  }
  const { document } = side.core.words;
  return (
    <div className="en-acts">
      {isNarrow ? (
        <ActivityList rows={rows} document={document} />
      ) : (
        <MiniTable label="Activity" className="en-act-table" columns={columnsOf(document)} rows={rows} keyOf={keyOf} />
      )}
      {found.hasMore && (
        <Button variant="default" loading={found.isReadingMore} onClick={found.readMore}>
          Show more
        </Button>
      )}
    </div>
  );
}

const columnsOf = (document: string): readonly MiniColumn<ActivityRow>[] => [
  { header: 'Date', className: 'en-act-quiet', render: (row) => <DateText value={row.date} /> },
  { header: 'Activity', render: (row) => <What row={row} document={document} /> },
  { header: 'Amount', right: true, render: (row) => <RowAmount row={row} /> },
  { header: 'Balance', right: true, className: 'en-act-quiet', render: (row) => <Amount value={row.balance} /> },
];

/** The balance, which is muted if the row doesn't change the balance. */
function RowAmount({ row: { amount, balance } }: { row: ActivityRow }) {
  return (
    <span className={balance === null ? 'ek-muted' : undefined}>
      <Amount value={amount} />
    </span>
  );
}

interface RowProps {
  row: ActivityRow;
  document: string;
}

function What({ row, document }: RowProps) {
  return (
    <div className="en-act">
      <KindIcon row={row} />
      <div>
        <div className="en-act-name">
          <RowName row={row} /> {row.badge !== '' && <InvoiceBadge invoice={row} isSplit />}
        </div>
        <Detail row={row} document={document} />
      </div>
    </div>
  );
}

/** The description wraps to the next line if its beginning doesn't fit. */
function Detail({ row, document }: RowProps) {
  const { facts, description } = activityDetail(row, document);
  return (
    <div className="en-act-detail ek-second ek-small">
      {facts !== '' && <span>{facts}</span>}{' '}
      {description !== '' && (
        <span className="ek-ellipsis" title={description}>
          {facts === '' ? description : `· ${description}`}
        </span>
      )}
    </div>
  );
}

function KindIcon({ row }: { row: ActivityRow }) {
  const Icon = isPayment(row) ? IconCashBanknote : isJournal(row) ? IconScale : IconReceipt;
  return <Icon {...ICON_SMALL} className="en-act-icon" />;
}

/** The name of the row, which is a link if the user can open the record. */
function RowName({ row }: { row: ActivityRow }) {
  const may = useMay();
  const address = activityAddress(row);
  const name = activityName(row);
  if (address === undefined || !may(address.needs)) {
    return (
      <span className="ek-name ek-num" title={name}>
        {name}
      </span>
    );
  }
  return (
    <NameLink to={address.to} title={name}>
      {name}
    </NameLink>
  );
}

/** The phone layout: name and amount, and below them the date, details, and badge. */
function ActivityList({ rows, document }: { rows: readonly ActivityRow[]; document: string }) {
  return (
    <ul className="en-act-list" aria-label="Activity">
      {rows.map((row) => (
        <li key={keyOf(row)}>
          <KindIcon row={row} />
          <RowName row={row} />
          <RowAmount row={row} />
          <div className="en-act-words ek-second ek-small">
            <DateText value={row.date} /> · {detailWords(activityDetail(row, document))}
          </div>
          <span>{row.badge !== '' && <InvoiceBadge invoice={row} />}</span>
        </li>
      ))}
    </ul>
  );
}
