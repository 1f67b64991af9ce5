import { healthLineCalls } from '@evenkeel/contract/healthline';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ask, inAlert, useRead } from '../../client/api.ts';
import { isAdministrator, useSession } from '../../client/session.ts';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { MomentText } from '../../ui/show/MomentText.tsx';

/** A line for administrators with the result of the last health check and a link to all checks. */
export function HealthLine() {
  return isAdministrator(useSession()) ? <Line /> : null;
}

function Line() {
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
