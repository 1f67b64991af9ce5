import type { SearchResult } from '@evenkeel/contract/search';
import { IconChevronDown } from '@tabler/icons-react';
import { may, type SessionUser } from '../../client/session.ts';
import type { MenuItem } from '../../ui/frame/SideMenu.tsx';
import { type Books, type Command, commandsOf, GROUPS, readWanted, reportOfChoice, reportsOf } from './commands.ts';
import { entityCommands, readText } from './entityActions.ts';
import type { Recent } from './recents.ts';
import { CUSTOMER, type Laid, layOut, RESULT_KINDS, VENDOR } from './results.ts';

/** The rows of the palette, in groups and in order. */

/** A row that can be selected. */
export interface Row extends Laid {
  id: string;
  icon: MenuItem['icon'];
  to?: string;
  /** The name of the new record, which is passed to the screen. */
  state?: { name: string };
  run?: () => void;
  recent?: Recent;
  /** Whether the row matches only approximately, for example because of a typing error. */
  isClosest?: boolean;
  /** The type to expand. Selecting the row shows the type's whole group and keeps the palette open. */
  expands?: number;
}

export interface Group {
  title: string;
  /** The text on the right, for example `5 of 12`. */
  aside?: string;
  rows: readonly Row[];
}

export interface Asked {
  text: string;
  /**
   * The response to the search text. While a new response loads, this is the previous response. Undefined before the
   * first response.
   */
  results: readonly SearchResult[] | undefined;
  isAnswered: boolean;
  commands: readonly Command[];
  recents: readonly Recent[];
  /** The result types whose groups are fully expanded. */
  expanded: readonly number[];
  user: SessionUser | null;
  books: Books;
}

export interface Shown {
  groups: readonly Group[];
  /** Whether the first rows are known before the server responds, so that the response doesn't change them. */
  isFirstKnown: boolean;
  /**
   * Whether nothing matches exactly. In this case, the palette shows only approximate matches, and actions that create
   * a record with the name.
   */
  isNothing: boolean;
}

/**
 * The maximum numbers of rows: for records of one type in a mixed list, for commands of one type, and for actions if
 * the search text is empty.
 */
const MOST_RECORDS = 4;
const MOST_COMMANDS = 3;
const MOST_OFFERED = 4;
/** The maximum number of companies that fit without scrolling. Accountants can have many. */
const MOST_COMPANIES = 8;

/** Returns the groups for the search text. If it is empty, returns the recent choices and the main actions. */
export function groupsOf(asked: Asked): Shown {
  const { text, results, isAnswered, user, books } = asked;
  const { search, action, isOf } = readText(text);
  if (search === '' && action === undefined)
    return { groups: withoutText(asked), isFirstKnown: true, isNothing: false };
  const found = (results ?? []).filter(isOf);
  if (action !== undefined) {
    const rows = entityCommands(found, { user, books, action: action.word }).map(rowOf);
    // Until a record is found, shows only the action.
    const alone = rows.length === 0 ? commandGroups({ ...asked, text: action.command }) : [];
    const groups = filled([{ title: GROUPS.action, rows }, ...alone, ...recordGroups(found, asked)]);
    return { groups, isFirstKnown: false, isNothing: isAnswered && found.length === 0 };
  }
  const known = commandGroups(asked);
  const late = lateGroups(asked);
  const groups = recordGroups(found, asked);
  // The actions for the first record that was found stay in view.
  const records = [...groups.slice(0, 2), ...besideFirst(found, asked), ...groups.slice(2)];
  const isNothing =
    known.length === 0 && late.length === 0 && isAnswered && found.every(({ isClosest }) => isClosest === true);
  const ways = isNothing ? [{ title: GROUPS.action, rows: waysToMake(search, asked) }] : [];
  return { groups: filled([...known, ...records, ...ways, ...late]), isFirstKnown: known.length > 0, isNothing };
}

const filled = (groups: readonly Group[]): Group[] => groups.filter(({ rows }) => rows.length > 0);

function withoutText({ recents, commands, user, books }: Asked): Group[] {
  const recent = recents.flatMap((each) => rowOfRecent(each, { commands, user, books }) ?? []);
  const actions = offered(commands);
  const screens = commands.filter(({ kind }) => kind === 'screen').map(rowOf);
  return filled([
    { title: 'Recent', rows: recent },
    { title: GROUPS.action, rows: actions },
    ...(actions.length === 0 ? [{ title: GROUPS.screen, rows: screens }] : []),
  ]);
}

/** Returns the main actions that create records. */
const offered = (commands: readonly Command[]): Row[] =>
  commands
    .filter(({ kind, to }) => kind === 'action' && to !== undefined)
    .slice(0, MOST_OFFERED)
    .map(rowOf);

/** Returns actions that create a customer or vendor with the searched name, which was not found. */
const waysToMake = (name: string, { commands }: Asked): Row[] =>
  commands
    .filter(({ id }) => id === '/customers?edit=0' || id === '/vendors?edit=0')
    .map((command) => ({ ...rowOf(command), text: `${command.text} “${name}”`, state: { name } }));

/** Returns a recent choice with its current text, or undefined if it no longer exists or isn't permitted. */
function rowOfRecent(recent: Recent, { commands, user, books }: Pick<Asked, 'commands' | 'user' | 'books'>) {
  if (recent.kind === 'record') {
    const kind = RESULT_KINDS[recent.itemType];
    if (kind === undefined || !may(user, kind.needs)) return undefined;
    const { icon, to } = kind;
    const row: Row = {
      id: `recent ${recent.itemType} ${recent.itemId}`,
      text: recent.text,
      notes: recent.name === '' ? [] : [recent.name],
      icon,
      to: to(recent.itemId),
      recent,
    };
    return row;
  }
  const report = may(user, 'View Reports') ? reportOfChoice(recent.id, books) : undefined;
  const command = commands.find(({ id }) => id === recent.id) ?? report;
  return command === undefined ? undefined : { ...rowOf(command), id: `recent ${command.id}` };
}

/** Returns a command as a row. A command about a record isn't remembered, because the record itself is. */
function rowOf({ id, text, note, icon, to, run }: Command): Row {
  const isKept = !/( of |new=|pay=)/.test(id);
  return {
    id,
    text,
    notes: note === undefined ? [] : [note],
    icon,
    ...(to === undefined ? {} : { to }),
    ...(run === undefined ? {} : { run }),
    ...(isKept ? { recent: { kind: 'command', id } as const } : {}),
  };
}

/**
 * Returns the screens, actions, and reports that match the search. Groups that have a row starting with the search text
 * come first.
 */
function commandGroups({ text, commands, user, books }: Asked): Group[] {
  const wanted = readWanted(text, books.today);
  if (wanted === undefined) return [];
  const own = commands.filter(({ kind }) => !isLate(kind));
  const found = [...commandsOf(own, wanted), ...(may(user, 'View Reports') ? reportsOf(wanted, books) : [])];
  const start = text.trim().toLowerCase();
  const begins = ({ rows: [first] }: Group): number => (first?.text.toLowerCase().startsWith(start) === true ? 0 : 1);
  const groups = (['action', 'screen', 'report'] as const).map((each): Group => ({
    title: GROUPS[each],
    rows: found
      .filter(({ kind }) => kind === each)
      .slice(0, MOST_COMMANDS)
      .map(rowOf),
  }));
  return filled(groups.toSorted((a, b) => begins(a) - begins(b)));
}

const LATE = { company: MOST_COMPANIES, help: MOST_COMMANDS } as const;

const isLate = (kind: Command['kind']): kind is keyof typeof LATE => kind in LATE;

/** Filler words in a question, which the search ignores. */
const FILLERS = new Set('a an and are can do does how i in is it my of the to what where'.split(' '));

/**
 * Returns companies and help topics. They come last, because they load after the palette and must not move other rows.
 */
function lateGroups({ text, commands, books }: Asked): Group[] {
  const wanted = readWanted(text, books.today);
  if (wanted === undefined) return [];
  const asked = { ...wanted, words: wanted.words.filter((word) => !FILLERS.has(word.trim())) };
  const groups = (['company', 'help'] as const).map((each): Group => ({
    title: GROUPS[each],
    rows: commandsOf(
      commands.filter(({ kind }) => kind === each),
      asked,
    )
      .slice(0, LATE[each])
      .map(rowOf),
  }));
  return filled(groups);
}

/** Returns records by type, ordered by each type's best match. Approximate matches are in one group. */
function recordGroups(found: readonly SearchResult[], { expanded }: Pick<Asked, 'expanded'>): Group[] {
  if (found[0]?.isClosest === true) {
    return [{ title: 'Closest', rows: found.slice(0, MOST_RECORDS).map((result) => rowOfResult(result, true)) }];
  }
  const kinds = [...new Set(found.map(({ itemType }) => itemType))];
  return kinds.map((kind) => {
    const all = found.filter(({ itemType }) => itemType === kind);
    const isWhole = kinds.length === 1 || expanded.includes(kind) || all.length <= MOST_RECORDS + 1;
    const title = RESULT_KINDS[kind]?.group ?? '';
    const rows = (isWhole ? all : all.slice(0, MOST_RECORDS)).map((result) => rowOfResult(result));
    if (isWhole) return { title, rows };
    return { title, aside: `${rows.length} of ${all.length}`, rows: [...rows, allOf(kind, all.length)] };
  });
}

function allOf(kind: number, count: number): Row {
  const { group = '' } = RESULT_KINDS[kind] ?? {};
  return {
    id: `all ${kind}`,
    text: `Show all ${count} ${group.toLowerCase()}`,
    notes: [],
    icon: IconChevronDown,
    expands: kind,
  };
}

function rowOfResult(result: SearchResult, isAlone = false): Row {
  const { itemType, itemId } = result;
  const kind = RESULT_KINDS[itemType];
  if (kind === undefined) throw new Error(`unknown kind ${itemType}`);
  const laid = layOut(result, isAlone);
  const whole = layOut(result, true);
  return {
    ...laid,
    id: `record ${itemType} ${itemId}`,
    icon: kind.icon,
    to: kind.to(itemId),
    recent: {
      kind: 'record',
      itemType,
      itemId,
      text: whole.text,
      name: kind.label === undefined ? kind.group.replace(/s$/, '') : '',
    },
    ...(result.isClosest === true && { isClosest: true }),
  };
}

/** Returns reports and actions for the customer or vendor that matches best. */
function besideFirst(found: readonly SearchResult[], { user, books }: Asked): Group[] {
  const [first] = found;
  if (first === undefined || first.isClosest === true || ![CUSTOMER, VENDOR].includes(first.itemType)) return [];
  const commands = entityCommands([first], { user, books, action: undefined });
  return (['report', 'action'] as const).map((each) => ({
    title: GROUPS[each],
    rows: commands.filter(({ kind }) => kind === each).map(rowOf),
  }));
}
