import { Navigate } from 'react-router';
import { useSession } from '../../client/session.ts';
import { menuFor } from './menu.ts';
import { NoAccess } from './Private.tsx';

/** Instead of a dashboard that the session does not permit: the first screen of its menu. */
export function FirstScreen() {
  const first = menuFor(useSession())[0]?.items[0];
  return first === undefined ? <NoAccess /> : <Navigate to={first.to} replace />;
}
