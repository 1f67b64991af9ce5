import { kinds, sides } from '../documents/side.ts';
import type { DocumentKind } from '../kinds/kind.ts';
import { auditKindOf } from './audit.ts';

/** Webhook events, which are derived from the kinds of records in the audit log and the actions on these records. */

/** Kinds that have no events, because their records are set up or filed inside Evenkeel. */
const WITHOUT_EVENTS = new Set(['openingbalance', 'taxreturn']);

/**
 * The kinds that aren't documents. Statements are imported and removed as a whole. Bank transactions have only update
 * events.
 */
const OTHER_KINDS: readonly [kind: string, actions: readonly string[]][] = [
  ['customer', ['create', 'update', 'delete']],
  ['vendor', ['create', 'update', 'delete']],
  ['bankstatement', ['create', 'delete']],
  ['bankline', ['update']],
];

/** The names of kinds in events, where they differ from the names in the audit log. */
const NAMES: Readonly<Record<string, string>> = {
  creditmemo: 'credit_memo',
  writeoff: 'write_off',
  expense: 'bill',
  expensepayment: 'bill_payment',
  journal: 'journal_entry',
  bankstatement: 'bank_statement',
  bankline: 'bank_transaction',
};

const ACTIONS: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  send: 'sent',
  pay: 'paid',
  reverse: 'reversed',
};

export const TEST_ACT = 'test';
const TEST_EVENT = 'test';

/**
 * The actions on a kind of document. Journal entries and reconciliations aren't edited. Only invoices and bills are
 * paid.
 */
function actionsOn({ source, mail }: DocumentKind): readonly string[] {
  if (source === 'journal') return ['create', 'reverse'];
  if (source === 'reconciliation') return ['create', 'delete'];
  const isPaid = sides.some(({ document }) => document.source === source);
  const others = [...(mail?.hasLink === true ? ['send'] : []), ...(isPaid ? ['pay'] : [])];
  return ['create', 'update', ...others, 'delete'];
}

/** An event with the kind of record and the action that cause it. */
export interface WebhookEvent {
  /** The type that receivers see, such as `invoice.sent`. */
  type: string;
  /** The kind in the audit log and the action, such as `invoice send`. */
  act: string;
  /** The kind's name for users, such as "Invoice". */
  label: string;
}

/** Returns all events, grouped by kind. */
export function webhookEvents(): WebhookEvent[] {
  const documents = [...kinds.values()].filter(({ source }) => !WITHOUT_EVENTS.has(source));
  const all = [...documents.map((kind) => [kind.source, actionsOn(kind)] as const), ...OTHER_KINDS];
  return all.flatMap(([kind, actions]) =>
    actions.map((action) => ({
      type: `${NAMES[kind] ?? kind}.${ACTIONS[action]}`,
      act: `${kind} ${action}`,
      label: auditKindOf(kind).label,
    })),
  );
}

/** Returns the type of the event that an action causes. */
export function eventOf(act: string): string {
  if (act === TEST_ACT) return TEST_EVENT;
  const [kind = '', action = ''] = act.split(' ');
  return `${NAMES[kind] ?? kind}.${ACTIONS[action] ?? action}`;
}
