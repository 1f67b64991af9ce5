import './health.css';
import { type CheckResult, type Health, healthCalls } from '@evenkeel/contract/health';
import { cents, formatAmount } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import { IconAlertTriangle, IconCheck, IconClock, IconRefresh } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { Link } from 'react-router';
import { ask, messageOf, useRead, useWrite } from '../../client/api.ts';
import { recordAddress } from '../../parts/ledger/places.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { Card } from '../../ui/show/Card.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { MailCard } from './MailCard.tsx';
import { bytesText, jobWord, offWords, recordWord } from './words.ts';

const LOOK_MS = 1000;

/** The results of the health checks and the status of background services. */
export function HealthScreen() {
  const { value, error, retry } = useRead(ask(healthCalls.getHealth, {}), {
    keep: true,
    alert: 'Error Loading Health',
  });
  const check = useCheck(value !== undefined && value.run !== null, retry);
  const meta = value === undefined ? undefined : `${inOrder(value)} · version ${value.version}`;
  return (
    <Page
      title="Health"
      meta={meta}
      primary={{
        label: 'Check Now',
        onClick: check,
        icon: <IconRefresh {...ICON_SMALL} />,
        disabled: value?.run !== null,
      }}
      scroll
    >
      <div className="ek-page-pad">
        {value === undefined && error !== undefined && <ErrorState message={error} onRetry={retry} />}
        {value === undefined && error === undefined && <p role="status">Loading...</p>}
        {value !== undefined && <Body health={value} />}
      </div>
    </Page>
  );
}

/** Starts a health check and polls its progress while it is running. */
function useCheck(isRunning: boolean, look: () => unknown): () => void {
  const alerts = useAlerts();
  const write = useWrite(healthCalls.checkHealth);
  const again = useEffectEvent(look);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => again(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return () => write.mutate({}, { onError: (error) => alerts.error(messageOf(error)) });
}

function inOrder({ checks, checkedAt }: Health): string {
  if (checkedAt === null) return 'not checked yet';
  return `${checks.filter(({ faultCount }) => faultCount === 0).length} of ${checks.length} passed`;
}

function Body({ health }: { health: Health }) {
  const { checks, run } = health;
  return (
    <div className="he-page">
      <div>
        {run !== null && <Progress {...run} />}
        {health.off > 0 && (
          <p className="he-off" role="status">
            <IconAlertTriangle {...ICON_SMALL} /> <b>{offWords(health.off)}</b> {health.first}. You can keep using your
            books.
          </p>
        )}
        <ul className="he-checks" aria-label="Checks">
          {checks.map((check) => (
            <Check key={check.name} check={check} />
          ))}
        </ul>
      </div>
      <div className="he-cards">
        <Jobs health={health} />
        <MailCard />
        <Backup health={health} />
        <Storage health={health} />
      </div>
    </div>
  );
}

function Progress({ done, total }: { done: number; total: number }) {
  const words = total === 0 ? 'Starting…' : `Checking: ${done} of ${total} complete`;
  return (
    <div className="he-progress">
      <progress aria-label="Check" value={done} max={Math.max(total, 1)} />
      <span role="status">{words}</span>
    </div>
  );
}

function Check({ check }: { check: CheckResult }) {
  const { title, says, figure, checkedAt, faultCount } = check;
  const isOff = faultCount > 0;
  return (
    <li data-off={isOff ? '' : undefined}>
      <Mark check={check} />
      <div className="he-what">
        <div>
          <b>{title}</b>
        </div>
        <div className="ek-second ek-small">{says}</div>
        {isOff && <Offending check={check} />}
      </div>
      <div className="he-figure">
        {figure !== null && (
          <>
            <div className="ek-num">
              {figure.kind === 'amount' ? formatAmount(cents(figure.value)) : figure.value.toLocaleString('en-US')}
            </div>
            <div className="ek-second ek-small">{figure.words}</div>
          </>
        )}
      </div>
      <div className="he-when ek-second ek-small">
        {checkedAt === null ? NOTHING : <MomentText value={checkedAt} />}
      </div>
    </li>
  );
}

function Mark({ check: { checkedAt, faultCount } }: { check: CheckResult }) {
  if (checkedAt === null) return <IconClock {...ICON_SMALL} aria-label="Not checked yet" />;
  if (faultCount > 0) return <IconAlertTriangle {...ICON_SMALL} className="he-bad" aria-label="Problem found" />;
  return <IconCheck {...ICON_SMALL} className="he-good" aria-label="No problems" />;
}

/** The first problem found, with links to its transaction and its record. At most 20 problems are counted. */
function Offending({ check: { message, transactionId, record, faultCount } }: { check: CheckResult }) {
  const more = faultCount === 1 ? '' : `, and ${faultCount - 1} more`;
  const to = record === null ? undefined : recordAddress(record.kind, record.id);
  return (
    <div className="he-first">
      {transactionId !== null && <Link to={`/accounting?entry=${transactionId}`}>Entry {transactionId}</Link>} {message}
      {more} {to !== undefined && <Link to={to}>Open {recordWord(record?.kind ?? '')}</Link>}
    </div>
  );
}

function Jobs({ health: { jobs } }: { health: Health }) {
  return (
    <Card title="Jobs" actions={<JobsStatus jobs={jobs} />}>
      <Facts
        facts={[
          { label: 'Waiting', value: jobs.waiting.toLocaleString('en-US') },
          ...jobs.retried.map(({ kind, at, attempts, error }) => ({
            label: jobWord(kind),
            value: (
              <>
                {`Failed ${attempts === 1 ? 'once' : `${attempts} times`}. Next attempt `}
                <MomentText value={at} />: {error}
              </>
            ),
          })),
          ...jobs.failed.map(({ kind, at, error }) => ({
            label: jobWord(kind),
            value: (
              <>
                <MomentText value={at} /> {error}
              </>
            ),
          })),
        ]}
      />
    </Card>
  );
}

function JobsStatus({ jobs: { failed, retried } }: Pick<Health, 'jobs'>) {
  if (failed.length > 0) return <Status look="late">{`${failed.length} failed`}</Status>;
  if (retried.length > 0) return <Status look="hold">{`${retried.length} retried`}</Status>;
  return <Status look="done">No failures</Status>;
}

function Backup({ health: { backup } }: { health: Health }) {
  const known = backup === null ? <Status look="hold">No backup found</Status> : <Status look="done">Known</Status>;
  return (
    <Card title="Backup" actions={known}>
      {backup === null ? (
        <p className="ek-second">The operator of this installation creates backups with the evenkeel backup command.</p>
      ) : (
        <Facts
          facts={[
            { label: 'Last backup', value: <MomentText value={backup.at} /> },
            { label: 'Size', value: bytesText(backup.bytes) },
          ]}
        />
      )}
    </Card>
  );
}

function Storage({ health: { storage } }: { health: Health }) {
  const { databaseBytes, fileBytes, freeBytes } = storage;
  return (
    <Card title="Storage">
      <Facts
        facts={[
          { label: 'Database', value: bytesText(databaseBytes) },
          { label: 'Documents', value: bytesText(fileBytes) },
          { label: 'Free disk space', value: freeBytes === null ? NOTHING : bytesText(freeBytes) },
        ]}
      />
    </Card>
  );
}
