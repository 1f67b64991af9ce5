// @vitest-environment jsdom
import '../../testing/setup.ts';
import { expect, it } from 'vitest';
import { privateRoutes } from '../routes.tsx';
import source from '../routes.tsx?raw';
import { isAt, pathOf, searchTopics, topicAt, TOPICS } from './topics.ts';

/** The paths of all pages and screens in the route table. */
const paths = [...source.matchAll(/\b(?:page\(|screen\('[^']+', )'(\/[^':*]*)/g)].flatMap(([, path]) =>
  path === undefined || path.startsWith('/ui') ? [] : [path.replace(/(.)\/$/, '$1')],
);

it('every page and screen in the route table has a topic, and no topic refers to any other URL', () => {
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => topicAt(TOPICS, path, '') === undefined)).toEqual([]);
  const known = paths.map((path) => path.toLowerCase());
  expect(TOPICS.flatMap(({ at }) => at).filter((at) => !known.includes(pathOf(at).toLowerCase()))).toEqual([]);
  const titles = TOPICS.map(({ title }) => title);
  expect(titles).toEqual(expect.arrayContaining(['Work Items', 'Open Invoices', 'Scheduled', 'FAQ']));
  expect(new Set(titles).size).toBe(titles.length);
});

it('a topic requires at least the permission that is required for its screen', () => {
  const needs = privateRoutes.flatMap(({ element, children = [] }) =>
    children.map(({ path = '/' }) => ({
      path: path.replace(/\/:.*/, ''),
      needs: (element as { props: { needs: string } }).props.needs,
    })),
  );
  const wrong = TOPICS.flatMap((topic) => {
    if (topic.screen === undefined) return [];
    const route = needs.find(({ path }) => path === pathOf(topic.screen ?? ''));
    const allowed = [route?.needs, route?.needs.replace('View ', 'Manage ')];
    return allowed.includes(topic.needs) ? [] : [`${topic.id} needs ${topic.needs}, its screen ${route?.needs}`];
  });
  expect(wrong).toEqual([]);
});

it('links in topics point to existing topics and screens', () => {
  const links = TOPICS.flatMap(({ id, body }) =>
    [...body.matchAll(/\]\(([^)]+)\)/g)].map(([, to = '']) => ({ id, to })),
  );
  const lost = links.filter(({ to }) =>
    to.startsWith('#') ? !TOPICS.some(({ id }) => id === to.slice(1)) : !paths.includes(pathOf(to)),
  );
  expect([links.length > 10, lost]).toEqual([true, []]);
});

it('the topic for a tab takes precedence, and a record’s own path has the topic of its screen', () => {
  const at = (path: string, search: string) => topicAt(TOPICS, path, search)?.id;
  expect([at('/billing', ''), at('/billing', '?tab=work&workitem=3'), at('/customers/12/true', '')]).toEqual([
    'open-invoices',
    'work-items',
    'customers',
  ]);
  expect(isAt('/billing?tab=work', '/billing')).toBe(false);
});

it.each([
  ['work items', 'work-items'],
  ['scheduled', 'scheduled'],
  ['reconcile', 'bank-accounts'],
  ['forgotten pass', 'signing-in'],
  ['digits swapped', 'bank-accounts'],
])('a search for “%s” finds the topic %s', (text, id) => {
  expect(searchTopics(TOPICS, text)[0]?.id).toBe(id);
});

it('a search for a word that no topic contains finds nothing', () => {
  expect(searchTopics(TOPICS, 'zebra')).toEqual([]);
  expect(searchTopics(TOPICS, ' ')).toEqual([]);
});
