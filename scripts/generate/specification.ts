// Finds the file and the test for each fact in the specification.
import { billingCalls } from '@evenkeel/contract/billing';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { entityCalls } from '@evenkeel/contract/entities';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { workItemCalls } from '@evenkeel/contract/workitems';
import { type Area, areas, type Fact } from './specification.data.ts';
import { rootName, TESTS, titleOf } from './guarantees.ts';
import { child, children, isCode, isTest, parse, walk } from '../tidy/source.ts';
import type { Source } from '../tidy/source.ts';

/** A test by its file and title. Values in a title are replaced with …. */
export interface Shown {
  path: string;
  title: string;
}

/** A fact, with its file and test. A fact without a file is not implemented. */
export interface Row {
  area: string;
  fact: string;
  where: string | undefined;
  shown: Shown | undefined;
  /** The reason why the fact is not implemented or has no test. */
  open: string | undefined;
}

interface Block extends Shown {
  start: number;
  end: number;
}

/** The program without tests, help text, demo data, and the data file for this page. */
const isProduct = ({ path }: Source): boolean =>
  /^(apps|packages)\//.test(path) && isCode(path) && !isTest(path) && !/\/(demo|scenario)\//.test(path);

const isOwn = (path: string): boolean => /^scripts\/(specification|security)/.test(path);

/** Finds the files and tests for facts in the text of a whole checkout. */
export class Places {
  readonly #product: readonly Source[];
  readonly #tests: readonly Source[];
  readonly #blocks = new Map<string, Block[]>();

  constructor(sources: readonly Source[]) {
    const known = sources.filter(({ path }) => !isOwn(path)).toSorted((a, b) => (a.path < b.path ? -1 : 1));
    this.#product = known.filter(isProduct);
    this.#tests = known.filter(({ path }) => isTest(path) && isCode(path));
  }

  /** Returns the first program file that contains the text and has `within` in its path. */
  file(needle: string, within = ''): string | undefined {
    return this.#product.find(({ path, text }) => path.includes(within) && text.includes(needle))?.path;
  }

  /** Returns the first test that contains the text and has `within` in its path. Tests near a file come first. */
  test(
    needle: string | RegExp,
    { within = '', near = '' }: { within?: string; near?: string } = {},
  ): Shown | undefined {
    const pattern = typeof needle === 'string' ? new RegExp(needle.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : needle;
    const found = this.#tests
      .filter(({ path, text }) => path.includes(within) && text.search(pattern) >= 0)
      .toSorted((a, b) => shared(b.path, near) - shared(a.path, near));
    // A test that contains the text itself is preferred to a test that gets the text from a function in its file.
    for (const among of [inTest, byFunction]) {
      for (const source of found) {
        const block = among(this.#blocksOf(source), source, pattern);
        if (block !== undefined) return { path: block.path, title: block.title };
      }
    }
    return undefined;
  }

  /** Returns a file's test that has the text in its title. */
  titled(path: string, words: string): Shown | undefined {
    const source = this.#tests.find((each) => each.path === path);
    const block = source && this.#blocksOf(source).find(({ title }) => title.includes(words));
    return block && { path, title: block.title };
  }

  #blocksOf(source: Source): Block[] {
    const known = this.#blocks.get(source.path);
    if (known !== undefined) return known;
    const code = parse(source);
    const blocks: Block[] = [];
    if (code !== undefined) {
      walk(code.program, (node) => {
        const name = node.type === 'CallExpression' ? (rootName(child(node, 'callee')) ?? '') : '';
        const title = TESTS.includes(name) && name !== 'describe' ? titleOf(children(node, 'arguments')[0]) : undefined;
        if (title !== undefined) blocks.push({ path: source.path, title, start: node.start, end: node.end });
      });
    }
    this.#blocks.set(source.path, blocks);
    return blocks;
  }
}

/** Returns the first test that contains the text. */
function inTest(blocks: readonly Block[], { text }: Source, pattern: RegExp): Block | undefined {
  const places = [...text.matchAll(new RegExp(pattern.source, 'g'))].map(({ index }) => index);
  return blocks.find(({ start, end }) => places.some((at) => start <= at && at < end));
}

/**
 * Finds the function or constant outside tests that contains the text. Returns the first test that calls or uses it.
 */
function byFunction(blocks: readonly Block[], { text }: Source, pattern: RegExp): Block | undefined {
  const before = text.slice(0, text.search(pattern) + 1);
  const name = [...before.matchAll(/^(?:export )?(?:async )?(?:function|const) (\w+)/gm)].at(-1)?.[1];
  if (name === undefined) return undefined;
  const use = new RegExp(`\\b${name}\\b`);
  return blocks.find(({ start, end }) => use.test(text.slice(start, end)));
}

/** Returns the number of folders that two paths share. */
function shared(path: string, near: string): number {
  const [one, other] = [path.split('/'), near.split('/')];
  const at = one.findIndex((part, index) => part !== other[index]);
  return at < 0 ? one.length : at;
}

/** Normalizes `PUT company/{id}` for comparison: lowercase, with any parameter name. */
const asCall = (text: string): string => text.toLowerCase().replace(/\{\w+\}/g, '{}');

/** Files whose calls are created by a function for a kind of document, so that the files do not contain the paths. */
const MADE: readonly (readonly [string, object])[] = [
  ['entities', entityCalls],
  ['workitems', workItemCalls],
  ['billing', billingCalls],
  ['expenses', expenseCalls],
];

const fileOfMade = (name: string): string | undefined => {
  const file = MADE.find(([, calls]) => name in calls)?.[0];
  return file === undefined ? undefined : `packages/contract/src/${file}.ts`;
};

/** The test that tries every call without a session, as another user, and with invalid input. */
const GENERIC = { path: 'apps/server/src/platform/http/endpoints.test.ts', title: 'returns' };

/** Returns a call's row by its name in the contract, with a test that makes the call. */
function callRow(places: Places, calls: Readonly<Record<string, Endpoint>>, call: string): Omit<Row, 'area' | 'open'> {
  const found = Object.entries(calls).find(
    ([, { method, path }]) => asCall(`${method} ${path.slice(1)}`) === asCall(call),
  );
  if (found === undefined) return { fact: call, where: undefined, shown: undefined };
  const [name, { path }] = found;
  const where = places.file(`path: '${path}'`, 'contract/src') ?? fileOfMade(name);
  const within = 'apps/server/src/';
  const shown = [new RegExp(`[cC]alls\\.${name}\\b`), new RegExp(`\\.${name}\\b`)]
    .map((needle) => places.test(needle, { within }))
    .find(Boolean);
  return { fact: call, where, shown: shown ?? places.titled(GENERIC.path, GENERIC.title) };
}

function textRow(places: Places, given: Fact): Omit<Row, 'area'> {
  const { fact, text = fact, at = text, within, test, open } = typeof given === 'string' ? { fact: given } : given;
  const where = places.file(at, within);
  const [file = '', title] = test?.split(' :: ') ?? [];
  if (title !== undefined) return { fact, where, shown: places.titled(file, title), open };
  // Facts that have a reason for not being tested are not searched for.
  const needle = test ?? (open === undefined ? text : undefined);
  return { fact, where, shown: needle === undefined ? undefined : places.test(needle, { near: where ?? '' }), open };
}

/** Returns all facts in the specification with their files and tests. */
export function specificationRows(sources: readonly Source[], calls: Readonly<Record<string, Endpoint>>): Row[] {
  const places = new Places(sources);
  return areas.flatMap(({ title, facts, isCalls = false }: Area) =>
    facts.map((fact) => ({
      area: title,
      ...(isCalls && typeof fact === 'string'
        ? { ...callRow(places, calls, fact), open: undefined }
        : textRow(places, fact)),
    })),
  );
}
