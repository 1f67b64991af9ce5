import { createBrowserRouter, Link, Outlet, type RouteObject } from 'react-router';
import { Alerts } from './ui/alerts/Alerts.tsx';
import { EmptyState } from './ui/show/EmptyState.tsx';

/** What every screen shares: the reserved place of the alerts. */
function Root() {
  return (
    <>
      <Outlet />
      <Alerts />
    </>
  );
}

/** Nothing for the moment it takes to fetch the first screen. */
function Blank() {
  return null;
}

function NotFound() {
  return <EmptyState title="This page does not exist" action={<Link to="/">Go to the dashboard</Link>} />;
}

/** The shared parts in their states: in development, and in a build with `--mode gallery`. */
const gallery: RouteObject[] =
  import.meta.env.DEV || import.meta.env.MODE === 'gallery'
    ? [
        { path: '/ui', lazy: async () => ({ Component: (await import('./ui/gallery/Gallery.tsx')).Gallery }) },
        { path: '/ui/*', lazy: async () => ({ Component: (await import('./ui/gallery/Frame.tsx')).GalleryFrame }) },
      ]
    : [];

export const router = createBrowserRouter([
  { path: '/', Component: Root, HydrateFallback: Blank, children: [...gallery, { path: '*', Component: NotFound }] },
]);
