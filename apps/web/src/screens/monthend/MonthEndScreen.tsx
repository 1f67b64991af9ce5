import './monthend.css';
import { type ClosingChecklist, closingCalls, type ClosingDate } from '@evenkeel/contract/closing';
import {
  addDays,
  addMonths,
  endOfMonth,
  formatDate,
  type IsoDate,
  monthName,
  parseDate,
  startOfMonth,
} from '@evenkeel/core/dates';
import { reportCalls } from '@evenkeel/contract/reports';
import { negate } from '@evenkeel/core/money';
import { ActionIcon, Button } from '@mantine/core';
import {
  IconExclamationMark,
  IconCheck,
  IconChevronDown,
  IconChevronLeft,
  IconChevronRight,
  IconFileDownload,
  IconLock,
  IconLockOpen,
} from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { ask, messageOf, useRead, useWrite } from '../../client/api.ts';
import { useBooksSettings } from '../../parts/choices/booksSettings.ts';
import { usePapers } from '../../parts/documents/panel/usePdf.tsx';
import { usePlace } from '../../records/place.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { useToday } from '../../ui/hooks/today.tsx';
import { ActionMenu } from '../../ui/overlay/ActionMenu.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { Card } from '../../ui/show/Card.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { Totals } from '../../ui/show/Facts.tsx';
import { ICON, ICON_SMALL } from '../../ui/show/icons.ts';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { type Check, type CheckGroup, checksOf, closedWords, monthOnly } from './checklist.ts';
import { CloseDialog, ReopenDialog } from './ClosingDialog.tsx';

/**
 * The open work for a month, with links to it, and the button that closes the books through the last day of the month.
 */
export function MonthEndScreen() {
  const closing = useRead(ask(closingCalls.getClosingDate, {}), { alert: 'Error Loading Closing Date' });
  if (closing.value === undefined) {
    return (
      <Page title="Month End" scroll>
        {closing.error === undefined ? (
          <p className="ek-page-pad" role="status">
            Loading...
          </p>
        ) : (
          <ErrorState message={closing.error} onRetry={closing.retry} />
        )}
      </Page>
    );
  }
  return <Month closing={closing.value} />;
}

/**
 * Returns the first day of the month in the URL, and the closing date: the last day of the month, or an earlier day to
 * close through. The default is the next month to close, but never a month after the current one.
 */
function usePeriod(closedThrough: IsoDate | null): { month: IsoDate; date: IsoDate } {
  const { query } = usePlace();
  const next = useMonth(closedThrough, parseDate(`${query.get('month') ?? ''}-01`));
  const through = parseDate(query.get('through') ?? '');
  return through === undefined
    ? { month: next, date: endOfMonth(next) }
    : { month: startOfMonth(through), date: through };
}

function useMonth(closedThrough: IsoDate | null, asked: IsoDate | undefined): IsoDate {
  const today = useToday();
  if (asked !== undefined) return asked;
  const last = addMonths(startOfMonth(today), -1);
  const next = closedThrough === null ? last : startOfMonth(addDays(closedThrough, 1));
  return next < startOfMonth(today) ? next : startOfMonth(today);
}

/** The button's label and the title of the PDF with the month's reports. */
const PACKAGE = 'Month End Package';

function Month({ closing }: { closing: ClosingDate }) {
  const { month, date } = usePeriod(closing.closingDate);
  const { basis } = useBooksSettings();
  const read = useRead(ask(closingCalls.closingChecklist, { query: { date } }), {
    keep: true,
    isFresh: true,
    alert: 'Error Loading Checklist',
  });
  const papers = usePapers({ title: PACKAGE, fileName: `${PACKAGE} ${monthName(date)}.pdf` });
  const print = {
    label: PACKAGE,
    icon: <IconFileDownload {...ICON_SMALL} />,
    onClick: () => papers.show(ask(reportCalls.monthEndPackage, { query: { date } })),
  };
  const list = read.value === undefined || read.isStale ? undefined : read.value;
  const groups = list && checksOf(list, basis);
  return (
    <Page title="Month End" meta={<MonthPicker month={month} />} secondary={[print]} scroll>
      {read.error !== undefined && read.value === undefined && <ErrorState message={read.error} onRetry={read.retry} />}
      <div className="me-page">
        <div className="me-groups" aria-busy={groups === undefined}>
          {groups?.map((group) => group.checks.length > 0 && <Group key={group.title} group={group} date={date} />)}
        </div>
        <aside className="me-closing">
          <Closing date={date} groups={groups} closing={closing} />
          {list !== undefined && <MonthFigures month={month} figures={list.figures} />}
          <ClosedMonths months={closing.months} />
        </aside>
      </div>
      {papers.panel}
    </Page>
  );
}

/** Returns the change to the URL that selects a whole month. */
const monthOf = (date: IsoDate) => ({ month: date.slice(0, 7), through: undefined });

/** The number of months in the menu. */
const MONTHS = 12;

function MonthPicker({ month }: { month: IsoDate }) {
  const { go } = usePlace();
  const today = useToday();
  // The last 12 months, and the selected month if it isn't one of them.
  const last = Array.from({ length: MONTHS }, (_, by) => addMonths(startOfMonth(today), -by));
  const months = [...new Set([...last, month])]
    .toSorted((a, b) => b.localeCompare(a))
    .map((one) => ({
      label: monthName(one),
      current: one === month,
      onClick: () => go(monthOf(one)),
    }));
  const step = (by: number) => go(monthOf(addMonths(month, by)));
  return (
    <span className="me-month" role="group" aria-label="Month">
      <ActionIcon aria-label="Previous month" onClick={() => step(-1)}>
        <IconChevronLeft {...ICON} />
      </ActionIcon>
      <ActionMenu
        actions={months}
        position="bottom"
        button={
          <Button
            variant="subtle"
            className="me-chosen"
            rightSection={<IconChevronDown {...ICON_SMALL} />}
            aria-label={`Month: ${monthName(month)}`}
          >
            {monthName(month)}
          </Button>
        }
      />
      <ActionIcon aria-label="Next month" onClick={() => step(1)}>
        <IconChevronRight {...ICON} />
      </ActionIcon>
    </span>
  );
}

function Group({ group: { title, checks }, date }: { group: CheckGroup; date: IsoDate }) {
  return (
    <section aria-label={title}>
      <h2 className="me-head">
        {title}
        <span className="ek-muted">{`${checks.filter(({ isDone }) => isDone).length} of ${checks.length} done`}</span>
      </h2>
      <ul className="me-checks">
        {checks.map((check) => (
          <Row key={check.key} check={check} date={date} />
        ))}
      </ul>
    </section>
  );
}

function Row({ check, date }: { check: Check; date: IsoDate }) {
  const { title, detail, amount, isDone, link, review } = check;
  // A report that was never signed off is the user's next step, not a problem.
  const isUnsigned = review !== undefined && review.signedBy === null;
  return (
    <li className="me-check" data-done={isDone ? '' : undefined}>
      <span
        className="me-mark"
        role="img"
        aria-label={isDone ? 'Done' : 'Open'}
        data-unsigned={isUnsigned ? '' : undefined}
      >
        {isDone ? <IconCheck {...ICON_SMALL} /> : !isUnsigned && <IconExclamationMark {...ICON_SMALL} />}
      </span>
      <span className="me-words">
        <span className="ek-semi">{title}</span>
        <span className="ek-muted ek-small">{detail}</span>
      </span>
      <span className="me-amount ek-num">{amount !== null && <Amount value={amount} />}</span>
      <span className="me-signer ek-muted ek-small">
        {isDone && review !== undefined && review.signedBy !== null && (
          <>
            <span>{review.signedBy}</span>
            <MomentText value={review.signedAt} isNarrow />
          </>
        )}
      </span>
      <span className="me-go">
        {link !== undefined && (
          <Button
            component={Link}
            to={link.to}
            variant={isDone || review !== undefined ? 'subtle' : 'default'}
            size="xs"
            aria-label={`${link.label}: ${title}`}
          >
            {link.label}
          </Button>
        )}
        {review !== undefined && <SignOff title={title} date={date} report={review.report} isSigned={isDone} />}
      </span>
    </li>
  );
}

interface SignOffProps {
  title: string;
  date: IsoDate;
  report: ClosingChecklist['reviews'][number]['report'];
  isSigned: boolean;
}

/** The button that signs a report off, or removes the sign-off. */
function SignOff({ title, date, report, isSigned }: SignOffProps) {
  const alerts = useAlerts();
  const write = useWrite(closingCalls.signOff);
  const label = isSigned ? 'Undo' : 'Sign Off';
  return (
    <Button
      variant={isSigned ? 'subtle' : 'default'}
      size="xs"
      aria-label={`${label}: ${title}`}
      loading={write.isPending}
      onClick={() =>
        write.mutate(
          { body: { date, report, signed: !isSigned } },
          { onError: (error) => alerts.error(messageOf(error)) },
        )
      }
    >
      {label}
    </Button>
  );
}

interface ClosingProps {
  date: IsoDate;
  /** Undefined while the checks load. */
  groups: readonly CheckGroup[] | undefined;
  closing: ClosingDate;
}

/** The state of the month, and the action that closes or reopens it. */
function Closing({ date, groups, closing }: ClosingProps) {
  const [asks, setAsks] = useState(false);
  const { closingDate: closedThrough } = closing;
  const checks = groups?.flatMap((group) => group.checks);
  const open = checks?.filter(({ isDone }) => !isDone) ?? [];
  const count = checks?.length ?? 0;
  const isClosed = closedThrough !== null && closedThrough >= date;
  const dialog = { date, closing, onClose: () => setAsks(false) };
  return (
    <Card
      title={monthName(date)}
      actions={<Status look={isClosed ? 'done' : 'pending'}>{isClosed ? 'Closed' : 'Open'}</Status>}
    >
      {!isClosed && (
        <>
          <progress
            className="me-progress"
            max={Math.max(1, count)}
            value={count - open.length}
            aria-label="Checks done"
          />
          <p>
            <span className="ek-semi">{`${count - open.length} of ${count}`}</span>
            {` done. Closing blocks changes dated on or before ${formatDate(date)}. `}
            An administrator can still make a change by entering a reason.
          </p>
        </>
      )}
      <p>
        {closedThrough === null ? 'No month is closed.' : `The books are closed through ${formatDate(closedThrough)}.`}
      </p>
      <Button
        fullWidth
        variant={isClosed ? 'default' : 'filled'}
        leftSection={isClosed ? <IconLockOpen {...ICON_SMALL} /> : <IconLock {...ICON_SMALL} />}
        disabled={checks === undefined}
        onClick={() => setAsks(true)}
      >
        {isClosed ? `Reopen ${monthOnly(date)}` : `Close ${closedWords(date)}`}
      </Button>
      {!isClosed && open.length > 0 && (
        <p className="ek-muted ek-small">
          {open.length === 1 ? '1 item is open. ' : `${open.length} items are open. `}
          You can close anyway with a note.
        </p>
      )}
      {asks &&
        (isClosed ? (
          <ReopenDialog {...dialog} closed={closing.months.find((month) => month.date === date)} />
        ) : (
          <CloseDialog {...dialog} open={open} />
        ))}
    </Card>
  );
}

/** The income, costs, and net income of the month. */
function MonthFigures({ month, figures }: { month: IsoDate; figures: ClosingChecklist['figures'] }) {
  const { income, costOfGoodsSold, expenses, netIncome } = figures;
  return (
    <section className="me-part" aria-labelledby="me-figures">
      <h2 id="me-figures">{`${monthOnly(month)} totals`}</h2>
      <Totals
        lines={[
          { label: 'Income', value: <Amount value={income} /> },
          { label: 'Cost of goods sold', value: <Amount value={negate(costOfGoodsSold)} /> },
          { label: 'Expenses', value: <Amount value={negate(expenses)} /> },
          { label: 'Net income', value: <Amount value={netIncome} />, sum: true },
        ]}
      />
    </section>
  );
}

/** The closed months, with their notes and the administrator who closed each month. */
function ClosedMonths({ months }: Pick<ClosingDate, 'months'>) {
  if (months.length === 0) return null;
  return (
    <section className="me-part" aria-labelledby="me-closed">
      <h2 id="me-closed">Closed months</h2>
      <ul className="me-closed">
        {months.map(({ date, closedBy, closedAt, notes }) => (
          <li key={date}>
            <Link to={`/monthend?month=${date.slice(0, 7)}`}>{monthName(date)}</Link>
            <span className="ek-muted ek-small">
              <MomentText value={closedAt} isNarrow />
              {`, ${closedBy}`}
            </span>
            {notes.map(({ person, at, note, reopening }) => (
              <p key={at} className="ek-muted ek-small">
                {`${reopening ? 'Reopened' : 'Closed'} by ${person}: ${note}`}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
