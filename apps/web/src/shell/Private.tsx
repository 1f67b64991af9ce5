import { lazy, type ReactNode, Suspense } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { useSession } from '../session.ts';
import { EmptyState } from '../ui/show/EmptyState.tsx';
import { mayOpen, type ScreenNeeds } from './access.ts';

/** The frame is fetched when somebody is signed in: the sign-in page does without it. */
const AppShell = lazy(() => import('./AppShell.tsx'));

/**
 * What a private route asks for first (Specification part 1 §4 "Access flow"): a session, else /login and back again;
 * accepted terms, else /TOS.
 */
export function Private() {
  const user = useSession();
  const location = useLocation();
  if (user === null) return <Navigate to="/login" replace state={{ from: location.pathname + location.search }} />;
  if (!user.termsAccepted) return <Navigate to="/TOS" replace />;
  return (
    <Suspense fallback={null}>
      <AppShell user={user} />
    </Suspense>
  );
}

export function NoAccess() {
  return <EmptyState isPage title="You do not have access to this" />;
}

/** A screen that the session does not permit says so, or shows `otherwise`, without sending a call. */
export function Guard({ needs, otherwise }: { needs: ScreenNeeds; otherwise?: ReactNode }) {
  return mayOpen(useSession(), needs) ? <Outlet /> : (otherwise ?? <NoAccess />);
}
