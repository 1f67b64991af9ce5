import { privateRoutes } from '../app/routes.tsx';
import { catalogue, filled, LOOKS, type ScreenPlaces } from './catalogue.ts';

/** The screen catalog combined with the route table and a server that returns samples, in which every ID is 1. */

/** The path of each private screen. */
export const screenPaths: readonly string[] = privateRoutes.flatMap(({ children = [] }) =>
  children.map(({ path = '/' }) => path.replace(/\/:.*/, '')),
);

const DATES: Readonly<Record<string, string>> = { from: '2026-01-01', to: '2026-12-31' };

function placesOf(path: string): ScreenPlaces {
  const found = catalogue.find((one) => one.path === path);
  if (found === undefined) throw new Error(`the catalog has no screen ${path}`);
  return found;
}

/** Returns all URLs of a screen, starting with its own. */
export function addressesOf(path: string): string[] {
  const { makes, edits, shows } = placesOf(path);
  const queries = [...makes, ...edits, ...shows];
  return [path, ...queries.map((query) => filled(path, query, (subject) => DATES[subject] ?? 1))];
}

const entriesOf = (address: string) => [...new URLSearchParams(address.replace(/^[^?]*/, ''))];

/** Returns the URLs that add only the given parameter to this URL. The screen has read the parameter from its URL. */
export function openedFrom(address: string, name: string): string[] {
  const [path = ''] = address.split('?');
  const all = addressesOf(path);
  const isKnown = LOOKS.includes(name) || all.some((one) => entriesOf(one).some(([key]) => key === name));
  if (!isKnown) throw new Error(`${path} reads the parameter ${name}, which is not in the catalog`);
  const here = entriesOf(address);
  return all.filter((one) => {
    const there = entriesOf(one);
    return there.at(-1)?.[0] === name && JSON.stringify(there.slice(0, -1)) === JSON.stringify(here);
  });
}
