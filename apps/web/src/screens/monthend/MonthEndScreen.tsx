import './monthend.css';
import { closingCalls } from '@evenkeel/contract/closing';
import { settingsCalls } from '@evenkeel/contract/settings';
import {
  addDays,
  addMonths,
  endOfMonth,
  formatDate,
  MONTHS,
  partsOf,
  type IsoDate,
  parseDate,
  startOfMonth,
} from '@evenkeel/core/dates';
import { ActionIcon, Button } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconChevronLeft, IconChevronRight, IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { ask, useRead } from '../../client/api.ts';
import { usePlace } from '../../records/place.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { Card } from '../../ui/show/Card.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { ICON, ICON_SMALL } from '../../ui/show/icons.ts';
import { Status } from '../../ui/show/Status.tsx';
import { type Check, type CheckGroup, checksOf } from './checklist.ts';
import { CloseDialog } from './CloseDialog.tsx';

/**
 * The open work for a month, with links to it, and the button that closes the books through the last day of the month.
 */
export function MonthEndScreen() {
  const settings = useRead(ask(settingsCalls.getSettings, {}), { alert: 'Error Loading Settings' });
  const closing = settings.value?.customerSettingItems.find(({ settingName }) => settingName === 'closingDate');
  if (settings.value === undefined) {
    return (
      <Page title="Month End" scroll>
        {settings.error === undefined ? (
          <p className="ek-page-pad" role="status">
            Loading...
          </p>
        ) : (
          <ErrorState message={settings.error} onRetry={settings.retry} />
        )}
      </Page>
    );
  }
  return <Month closedThrough={parseDate(closing?.settingValue ?? '')} />;
}

/** Returns the month in the URL. The default is the next month to close, but never a month after the current one. */
function useMonth(closedThrough: IsoDate | undefined): IsoDate {
  const { query } = usePlace();
  const today = useToday();
  const asked = parseDate(`${query.get('month') ?? ''}-01`);
  if (asked !== undefined) return asked;
  const last = addMonths(startOfMonth(today), -1);
  const next = closedThrough === undefined ? last : startOfMonth(addDays(closedThrough, 1));
  return next < startOfMonth(today) ? next : startOfMonth(today);
}

function Month({ closedThrough }: { closedThrough: IsoDate | undefined }) {
  const month = useMonth(closedThrough);
  const date = endOfMonth(month);
  const read = useRead(ask(closingCalls.closingChecklist, { query: { date } }), {
    keep: true,
    isFresh: true,
    alert: 'Error Loading Checklist',
  });
  const groups = read.value === undefined || read.isStale ? undefined : checksOf(read.value);
  return (
    <Page title="Month End" aside={<MonthPicker month={month} />} scroll>
      {read.error !== undefined && read.value === undefined && <ErrorState message={read.error} onRetry={read.retry} />}
      <div className="ek-page-pad me-page">
        <div className="me-groups" aria-busy={groups === undefined}>
          {groups?.map((group) => group.checks.length > 0 && <Group key={group.title} group={group} />)}
        </div>
        <Closing month={month} date={date} groups={groups} closedThrough={closedThrough} />
      </div>
    </Page>
  );
}

function MonthPicker({ month }: { month: IsoDate }) {
  const { go } = usePlace();
  const step = (by: number) => go({ month: addMonths(month, by).slice(0, 7) });
  return (
    <span className="me-month" role="group" aria-label="Month">
      <ActionIcon aria-label="Previous month" onClick={() => step(-1)}>
        <IconChevronLeft {...ICON} />
      </ActionIcon>
      <span className="ek-semi" aria-live="polite">
        {monthName(month)}
      </span>
      <ActionIcon aria-label="Next month" onClick={() => step(1)}>
        <IconChevronRight {...ICON} />
      </ActionIcon>
    </span>
  );
}

/** Returns the name of the month and the year, for example "October 2026". */
function monthName(month: IsoDate): string {
  const { year, month: number } = partsOf(month);
  return `${MONTHS[number - 1] ?? ''} ${year}`;
}

const isDone = ({ open }: Check): boolean => open === undefined;

function Group({ group: { title, checks } }: { group: CheckGroup }) {
  return (
    <section aria-label={title}>
      <h2 className="me-head">
        {title}
        <span className="ek-muted">{`${checks.filter(isDone).length} of ${checks.length} done`}</span>
      </h2>
      <ul className="me-checks">
        {checks.map((check) => (
          <Row key={check.key} check={check} />
        ))}
      </ul>
    </section>
  );
}

function Row({ check }: { check: Check }) {
  const { title, detail, amount, open } = check;
  return (
    <li className="me-check" data-done={isDone(check) ? '' : undefined}>
      <span className="me-mark" role="img" aria-label={isDone(check) ? 'Done' : 'Open'}>
        {isDone(check) ? <IconCheck {...ICON_SMALL} /> : <IconAlertTriangle {...ICON_SMALL} />}
      </span>
      <span className="me-words">
        <span className="ek-semi">{title}</span>
        <span className="ek-muted ek-small">{detail}</span>
      </span>
      <span className="ek-num">
        <Amount value={amount} />
      </span>
      <span className="me-go">
        {open !== undefined && (
          <Button component={Link} to={open.to} variant="default" size="xs" aria-label={`${open.label}: ${title}`}>
            {open.label}
          </Button>
        )}
      </span>
    </li>
  );
}

interface ClosingProps {
  month: IsoDate;
  date: IsoDate;
  /** Undefined while the checks load. */
  groups: readonly CheckGroup[] | undefined;
  closedThrough: IsoDate | undefined;
}

/** The state of the month, and the action that closes or reopens it. */
function Closing({ month, date, groups, closedThrough }: ClosingProps) {
  const [asks, setAsks] = useState(false);
  const checks = groups?.flatMap((group) => group.checks);
  const done = checks?.filter(isDone).length ?? 0;
  const count = checks?.length ?? 0;
  const isClosed = closedThrough !== undefined && closedThrough >= date;
  const open = checks?.filter((check) => !isDone(check)) ?? [];
  return (
    <aside className="me-closing">
      <Card
        title={monthName(month)}
        actions={<Status look={isClosed ? 'done' : 'open'}>{isClosed ? 'Closed' : 'Open'}</Status>}
      >
        {!isClosed && (
          <>
            <progress className="me-progress" max={Math.max(1, count)} value={done} aria-label="Checks done" />
            <p>
              <span className="ek-semi">{`${done} of ${count}`}</span>
              {` done. Closing blocks changes dated on or before ${formatDate(date)}. `}
              An administrator can still make a change by entering a reason.
            </p>
          </>
        )}
        <p>
          {closedThrough === undefined
            ? 'No month is closed.'
            : `The books are closed through ${formatDate(closedThrough)}.`}
        </p>
        <Button
          fullWidth
          variant={isClosed ? 'default' : 'filled'}
          leftSection={<IconLock {...ICON_SMALL} />}
          disabled={checks === undefined}
          onClick={() => setAsks(true)}
        >
          {isClosed ? 'Change Closing Date' : `Close ${monthName(month)}`}
        </Button>
      </Card>
      {asks && (
        <CloseDialog
          date={isClosed ? closedThrough : date}
          open={open}
          closedThrough={closedThrough}
          onClose={() => setAsks(false)}
        />
      )}
    </aside>
  );
}
