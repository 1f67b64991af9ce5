import { type ReactNode, Suspense, useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { identityOf, isAdministrator, useSession } from '../../client/session.ts';
import { startPage } from '../../client/startPage.ts';
import { lazyPart } from '../../ui/lazy/lazyPart.tsx';
import { EmptyState } from '../../ui/show/EmptyState.tsx';
import { mayOpen, type ScreenNeeds } from './access.ts';

/** The frame is fetched when somebody is signed in: the sign-in page does without it. */
const AppShell = lazyPart(async () => (await import('./AppShell.tsx')).default);

/**
 * A private route needs a session, else /login and back again; accepted terms, else /TOS; a factor, if required. An
 * administrator sets up a new company first.
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

/** The owner of the screens in this tab, also over a sign-out and a reload. */
const SHOWN_FOR = 'shownFor';

/**
 * Whether the address was reached by somebody else in this tab, whose place it is, or is the first that this person
 * sees in it: both begin with the start page.
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

/** A screen that the session does not permit says so, or shows `otherwise`, without sending a call. */
export function Guard({ needs, otherwise }: { needs: ScreenNeeds; otherwise?: ReactNode }) {
  return mayOpen(useSession(), needs) ? <Outlet /> : (otherwise ?? <NoAccess />);
}
