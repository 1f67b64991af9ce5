import { AREAS } from '@evenkeel/contract/areas';
import { fold } from '@evenkeel/core/words/search';
import { JOURNAL_TOUR } from '../../screens/accounting/journalTour.ts';
import { DISCOUNT_TOUR, PRODUCT_TOUR } from '../../screens/products/productTour.ts';
import type { TourStep } from '../../ui/tour/steps.ts';
import type { ScreenNeeds } from '../shell/access.ts';

/**
 * The topics of the help panel: Markdown files with a header of `name: value` lines. `screen` is the URL that the topic
 * describes, `at` is another URL that it covers, and `go` is the URL where the topic's walkthrough starts, if it
 * doesn't start at `screen`. `also` contains synonyms, and `needs` is the permission required to see the topic. The
 * walkthrough is either the form's own (`tour`) or defined in the topic by lines such as `step: selector | title |
 * text`.
 */
export interface Topic {
  id: string;
  title: string;
  group: string;
  /** The URL of the screen. Undefined if the topic has no screen to open. */
  screen: string | undefined;
  /** The URLs that the topic covers, including `screen`. */
  at: readonly string[];
  also: string;
  needs: ScreenNeeds;
  steps: readonly TourStep[];
  body: string;
}

/** The groups in the order in which the panel shows them, which is the menu order. */
export const GROUPS = ['Start', 'Money in', 'Money out', 'Books', 'Company'];

const FILES = import.meta.glob<string>('./topics/*.md', { query: '?raw', import: 'default', eager: true });

const TOURS: Readonly<Record<string, readonly TourStep[]>> = {
  journal: JOURNAL_TOUR,
  product: PRODUCT_TOUR,
  discount: DISCOUNT_TOUR,
};

const NEEDS: readonly ScreenNeeds[] = [
  'session',
  'changes',
  'Administrator',
  ...AREAS.flatMap((area) => [`View ${area}`, `Manage ${area}`] as const),
];

/** Reads a topic. Throws if the header is incomplete, which is a bug. */
function readTopic(id: string, file: string): Topic {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(file) ?? [];
  const lines = head.split('\n').map((line) => {
    const [, name = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
    return { name, value };
  });
  const all = (name: string) => lines.filter((line) => line.name === name).map(({ value }) => value);
  const [title] = all('title');
  const [group = ''] = all('group');
  const needs = NEEDS.find((each) => each === all('needs')[0]);
  if (title === undefined || needs === undefined || !GROUPS.includes(group)) throw new Error(`${id}.md has no header`);
  const own = all('screen');
  const [screen] = [...own, ...all('go')];
  const at = [...own, ...all('at')];
  const steps = [...all('step').map((value) => stepOf(id, value)), ...all('tour').flatMap((name) => TOURS[name] ?? [])];
  return { id, title, group, screen, at, also: all('also').join(' '), needs, steps, body: body.trim() };
}

function stepOf(id: string, value: string): TourStep {
  const [element, title, text] = value.split(' | ');
  if (element === undefined || title === undefined || text === undefined)
    throw new Error(`${id}.md has an incomplete step`);
  return { element, title, text };
}

/** All topics by group and title. */
export const TOPICS: readonly Topic[] = Object.entries(FILES)
  .map(([path, file]) => readTopic(path.replace(/^.*\/|\.md$/g, ''), file))
  .toSorted((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) || (a.title < b.title ? -1 : 1));

export const pathOf = (address: string): string => address.replace(/[?#].*$/, '');

/**
 * Returns whether the current URL shows the same content as another URL. This is the case if both paths match and the
 * current URL has all of the other URL's query parameters.
 */
export function isAt(address: string, here: string): boolean {
  if (pathOf(address).toLowerCase() !== pathOf(here).toLowerCase()) return false;
  const query = new URLSearchParams(here.slice(pathOf(here).length));
  const asked = new URLSearchParams(address.slice(pathOf(address).length));
  return [...asked].every(([name, value]) => query.get(name) === value);
}

/** Returns the most specific topic for a page. */
export function topicAt(topics: readonly Topic[], path: string, search: string): Topic | undefined {
  // A record's own path, such as a customer's, belongs to the screen for that type of record.
  const [, first = ''] = path.split('/');
  const here = `/${first}${search}`;
  const found = topics.flatMap((topic) => topic.at.filter((at) => isAt(at, here)).map((at) => ({ topic, at })));
  return found.toSorted((a, b) => b.at.length - a.at.length)[0]?.topic;
}

/** Returns the topics that contain every search word. Topics with the words in their titles come first. */
export function searchTopics(topics: readonly Topic[], text: string): Topic[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const has = (within: string) => {
    const folded = ` ${fold(within).replace(/[^\p{L}\p{N}]+/gu, ' ')}`;
    return words.every((word) => folded.includes(` ${word}`));
  };
  const rankOf = ({ title, also, body }: Topic): number =>
    has(title) ? 0 : has(`${title} ${also}`) ? 1 : has(`${title} ${also} ${body}`) ? 2 : 3;
  return topics
    .map((topic) => ({ topic, rank: rankOf(topic) }))
    .filter(({ rank }) => rank < 3)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ topic }) => topic);
}
