import { Navigate } from 'react-router';
import { useSession } from '../../client/session.ts';
import { menuFor } from './menu.ts';
import { NoAccess } from './Private.tsx';

/** The first screen in the menu, for users who can't open the dashboard. */
export function FirstScreen() {
  const first = menuFor(useSession())[0]?.items[0];
  return first === undefined ? <NoAccess /> : <Navigate to={first.to} replace />;
}
