import { closingLineCalls } from '@evenkeel/contract/closingline';
import { healthLineCalls } from '@evenkeel/contract/healthline';
import { formatDate } from '@evenkeel/core/dates';
import { IconAlertTriangle, IconCalendarCheck, IconCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ask, inAlert, useRead } from '../../client/api.ts';
import { isAdministrator, useSession } from '../../client/session.ts';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { MomentText } from '../../ui/show/MomentText.tsx';

/** The lines for administrators: the last health check and the open work before closing, each with a link. */
export function AdministratorLines() {
  if (!isAdministrator(useSession())) return null;
  return (
    <>
      <HealthLine />
      <ClosingLine />
    </>
  );
}

function ClosingLine() {
  const { value, error } = useRead(ask(closingLineCalls.getClosingLine, {}), inAlert('Error Loading Closing Date'));
  // An empty line keeps the cards below from moving when the text arrives.
  if (value === undefined) return error === undefined ? <p className="db-health" aria-hidden="true" /> : null;
  const { closingDate, through, openCount } = value;
  const isOpen = openCount > 0;
  const closed = closingDate === null ? 'No month is closed' : `Closed through ${formatDate(closingDate)}`;
  const things = isOpen ? `${openCount} ${openCount === 1 ? 'thing' : 'things'}` : 'nothing';
  const isLeft = closingDate === null || closingDate < through;
  return (
    <p className="db-health">
      {isOpen ? <IconCalendarCheck {...ICON_SMALL} /> : <IconCheck {...ICON_SMALL} />}
      <Link to={isLeft ? `/monthend?through=${through}` : '/monthend'}>
        {isLeft ? `${closed}; ${things} to do before closing through today` : closed}
      </Link>
    </p>
  );
}

function HealthLine() {
  const { value } = useRead(ask(healthLineCalls.getHealthLine, {}), inAlert('Error Loading Health'));
  if (value === undefined || (value.checkedAt === null && value.failedJobs === 0)) return null;
  const { off, first, failedJobs, checkedAt } = value;
  const troubles = [
    off === 0 ? '' : `${off === 1 ? 'One health check' : `${off} health checks`} failed: ${first}`,
    failedJobs === 0 ? '' : `${failedJobs} ${failedJobs === 1 ? 'job' : 'jobs'} failed`,
  ].filter(Boolean);
  if (troubles.length > 0) {
    return (
      <p className="db-health" data-off="">
        <IconAlertTriangle {...ICON_SMALL} /> <Link to="/health">{troubles.join('. ')}</Link>
      </p>
    );
  }
  return (
    <p className="db-health">
      <IconCheck {...ICON_SMALL} />
      <span>
        <Link to="/health">No problems found in your books</Link>, checked <MomentText value={checkedAt} />
      </span>
    </p>
  );
}
