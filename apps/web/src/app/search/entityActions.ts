import { reportKinds } from '@evenkeel/core/reports/kinds';
import { LEAST_SEARCHED } from '@evenkeel/core/words/search';
import type { SearchResult } from '@evenkeel/contract/search';
import { IconCashBanknote, IconPlus } from '@tabler/icons-react';
import { may, type SessionUser } from '../../client/session.ts';
import { type Books, type Command, reportCommand } from './commands.ts';
import { CUSTOMER, VENDOR } from './results.ts';

/** Actions for a customer or vendor that the search finds: a new invoice, a payment, or a statement. */

interface EntityAction {
  itemType: typeof CUSTOMER | typeof VENDOR;
  /** The search text for the action, for example `new invoice for` in `new invoice for ridge`. */
  words: readonly string[];
  make: (entity: SearchResult, user: SessionUser | null, books: Books) => Command | undefined;
}

const statement = reportKinds.customerStatement;

function form(text: string, needs: 'Manage Billing' | 'Manage Expenses', to: (id: number) => string) {
  return ({ itemId, itemText }: SearchResult, user: SessionUser | null): Command | undefined => {
    const icon = text.includes('Payment') ? IconCashBanknote : IconPlus;
    const command: Command = { id: to(itemId), kind: 'action', text: `${text} ${itemText}`, icon, to: to(itemId) };
    return may(user, needs) ? command : undefined;
  };
}

const ACTIONS: readonly EntityAction[] = [
  {
    itemType: CUSTOMER,
    words: ['statement'],
    make: ({ itemId, itemText }, user, books) => {
      if (!may(user, 'View Reports')) return undefined;
      const command = reportCommand(statement, undefined, books, itemId);
      return { ...command, id: `${command.id} of ${itemId}`, text: `${statement.title}, ${itemText}` };
    },
  },
  {
    itemType: CUSTOMER,
    words: ['invoice', 'billing'],
    make: form('New Invoice for', 'Manage Billing', (id) => `/customers?customer=${id}&new=${id}`),
  },
  {
    itemType: CUSTOMER,
    words: ['payment'],
    make: form('Post Payment for', 'Manage Billing', (id) => `/customers?customer=${id}&pay=e${id}`),
  },
  {
    itemType: VENDOR,
    words: ['bill', 'expense'],
    make: form('New Bill from', 'Manage Expenses', (id) => `/vendors?vendor=${id}&new=${id}`),
  },
  {
    itemType: VENDOR,
    words: ['payment'],
    make: form('Add Payment to', 'Manage Expenses', (id) => `/vendors?vendor=${id}&pay=e${id}`),
  },
];

const FOR = new RegExp(
  String.raw`^((?:(?:new|add|create|post|take|make|receive|record)\s+)?` +
    String.raw`(invoice|billing|bill|expense|payment|statement)s?)\s+(?:for|from|of|to)(?:\s+(.+))?$`,
  'i',
);

/** The result types by the word before a number, for example `invoice 10554` or `bill #77`. */
const NUMBERED: readonly (readonly [words: RegExp, itemTypes: readonly number[]])[] = [
  [/^invoice\s+#?/i, [2, 3]],
  [/^bill\s+#?/i, [3]],
  [/^(?:bill )?payment\s+#?/i, [6, 7]],
  [/^(?:journal )?entry\s+#?/i, [8]],
  [/^account\s+#?/i, [9]],
];

interface TextRead {
  search: string;
  /** The word for the action, and the command to suggest until a customer or vendor is found. */
  action: { word: string; command: string } | undefined;
  /** Returns whether a result has the type that the search names. */
  isOf: (result: Pick<SearchResult, 'itemType'>) => boolean;
}

const ofAny = () => true;

/** Parses a search for an action, such as `new invoice for ridge`, or for a type, such as `invoice 10554`. */
export function readText(text: string): TextRead {
  const numbered = NUMBERED.find(([words]) => words.test(text.trim()));
  if (numbered !== undefined) {
    const number = text.trim().replace(numbered[0], '');
    const isNumber = /\d/.test(number) && Array.from(number).length >= LEAST_SEARCHED;
    if (isNumber) {
      return { search: number, action: undefined, isOf: ({ itemType }) => numbered[1].includes(itemType) };
    }
  }
  const [, command, action, rest = ''] = FOR.exec(text.trim()) ?? [];
  if (action === undefined) return { search: text.trim(), action: undefined, isOf: ofAny };
  return { search: rest.trim(), action: { word: action.toLowerCase(), command: command ?? '' }, isOf: ofAny };
}

interface Doing {
  user: SessionUser | null;
  books: Books;
  /** Limits the commands to one action. */
  action: string | undefined;
}

/** Returns the actions and reports for the customers and vendors in the results. Other results are ignored. */
export function entityCommands(found: readonly SearchResult[], { user, books, action }: Doing): Command[] {
  return found.flatMap((entity) =>
    ACTIONS.filter(({ itemType, words }) => {
      return itemType === entity.itemType && (action === undefined || words.includes(action));
    }).flatMap(({ make }) => make(entity, user, books) ?? []),
  );
}
