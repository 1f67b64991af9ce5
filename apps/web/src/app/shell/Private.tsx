import { type ReactNode, Suspense, useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { identityOf, isAdministrator, useSession } from '../../client/session.ts';
import { startPage } from '../../client/startPage.ts';
import { lazyPart } from '../../ui/lazy/lazyPart.tsx';
import { EmptyState } from '../../ui/show/EmptyState.tsx';
import { mayOpen, type ScreenNeeds } from './access.ts';

/** The app frame loads after sign-in, because the sign-in page doesn't need it. */
const AppShell = lazyPart(async () => (await import('./AppShell.tsx')).default);

/**
 * Guards the private routes. They require a session (without one, /login opens and, after sign-in, returns to the URL),
 * accepted terms (/TOS), and two-step verification if the company requires it. In a new company, administrators first
 * complete the setup.
 */
export function Private() {
  const user = useSession();
  const location = useLocation();
  const { isOthersPlace, isFirst } = useFirstPlace(identityOf(user));
  if (user === null) return <Navigate to="/login" replace state={{ from: location.pathname + location.search }} />;
  if (!user.termsAccepted) return <Navigate to="/TOS" replace />;
  if (user.secondFactorMissing === true) {
    return <Navigate to="/second-factor" replace state={{ from: location.pathname + location.search }} />;
  }
  if (!user.setupCompleted && isAdministrator(user)) return <Navigate to="/first-time-setup" replace />;
  if (isOthersPlace || (isFirst && location.pathname + location.search === '/' && startPage() !== '/')) {
    return <Navigate to={startPage()} replace />;
  }
  return (
    <Suspense fallback={null}>
      <AppShell key={identityOf(user)} user={user} />
    </Suspense>
  );
}

/** The storage key for the user whose screens are open in this tab. The value survives a sign-out and a reload. */
const SHOWN_FOR = 'shownFor';

/**
 * Returns whether the URL was opened by another user of this tab, or is the first URL that this user opens in the tab.
 * In both cases, the start page opens instead.
 */
function useFirstPlace(identity: string | undefined): { isOthersPlace: boolean; isFirst: boolean } {
  const shownFor = sessionStorage.getItem(SHOWN_FOR);
  useEffect(() => {
    if (identity !== undefined) sessionStorage.setItem(SHOWN_FOR, identity);
  }, [identity]);
  const isFirst = identity !== undefined && shownFor !== identity;
  return { isOthersPlace: isFirst && shownFor !== null, isFirst };
}

export function NoAccess() {
  return <EmptyState isPage title="You don't have permission to view this page" />;
}

/** Shows a message, or `otherwise`, in place of a screen that the user can't open. No API call is sent. */
export function Guard({ needs, otherwise }: { needs: ScreenNeeds; otherwise?: ReactNode }) {
  return mayOpen(useSession(), needs) ? <Outlet /> : (otherwise ?? <NoAccess />);
}
