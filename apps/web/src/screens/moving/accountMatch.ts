import type { AccountItem } from '@evenkeel/contract/ledger';
import type { MoveAccount, MoveInput, NewAccount } from '@evenkeel/contract/moving';
import { MATCH_REASONS, type MatchReason } from '@evenkeel/core/moving/sources';
import type { PickerOption } from '../../ui/fields/pickerOptions.ts';

/** The match of one source account: the account in Evenkeel, and whether the user has to confirm it. */
export interface Match {
  account: MoveAccount;
  /** The account in Evenkeel. Null if a new account will be created, or if no account is selected. */
  accountId: number | null;
  create: NewAccount | null;
  isConfirmed: boolean;
  reason: MatchReason | 'chosen';
}

type Decision = NonNullable<NonNullable<MoveInput['accounts']>>[number];

/** Returns the matches, including decisions that are still being saved. */
export function matchesOf(accounts: readonly MoveAccount[], waiting: MoveInput['accounts']): Match[] {
  const decided = new Map((waiting ?? []).map((one) => [one.key, one]));
  return accounts.map((account) => {
    const own = decided.get(account.key);
    const choice =
      own === undefined ? account.choice : { accountId: own.accountId ?? null, create: own.create ?? null };
    const { accountId, create } = choice ?? account.suggestion;
    const isSuggested = isSame({ accountId, create }, account.suggestion);
    return {
      account,
      accountId,
      create,
      isConfirmed: choice !== null || account.confirmed,
      reason: isSuggested ? account.suggestion.reason : 'chosen',
    };
  });
}

const isSame = (one: Pick<Match, 'accountId' | 'create'>, other: Pick<Match, 'accountId' | 'create'>): boolean =>
  one.accountId === other.accountId && one.create?.name === other.create?.name;

/** Returns the reason for a match as text. */
export const reasonWords = ({ reason, create }: Match): string =>
  reason !== 'chosen' ? MATCH_REASONS[reason] : create === null ? 'Chosen by you' : 'Will be created';

/** Returns the account's own name, without the names of its parents. */
export const leafOf = (name: string): string => name.slice(name.lastIndexOf(':') + 1).trim();

/** Returns the new account for a source account, or undefined if its type isn't known. */
export function newAccountFor({ suggestion, number, name, type }: MoveAccount): NewAccount | undefined {
  if (suggestion.create !== null) return suggestion.create;
  return type === null ? undefined : { number, name: leafOf(name), type };
}

/** Returns text such as "2250 Gift Cards Outstanding". */
export const newLabel = ({ number, name }: NewAccount): string => `${number} ${name}`.trim();

/** The decision that confirms a match, or undefined if no account is chosen. */
export function confirming({ account: { key }, accountId, create }: Match): Decision | undefined {
  if (accountId !== null) return { key, accountId };
  return create === null ? undefined : { key, create };
}

/** The filters of the list. */
export const PARTS = ['all', 'confirm', 'create', 'confirmed'] as const;
export type Part = (typeof PARTS)[number];
export const PART_LABELS: Readonly<Record<Part, string>> = {
  all: 'All',
  confirm: 'To confirm',
  create: 'To create',
  confirmed: 'Confirmed',
};

/** Returns whether a filter of the list includes a match. */
export function isIn(part: Part, { isConfirmed, create }: Match): boolean {
  if (part === 'confirm') return !isConfirmed;
  if (part === 'create') return isConfirmed && create !== null;
  return part === 'all' || (isConfirmed && create === null);
}

/** Returns the matches whose source account or account in Evenkeel contains all words. */
export function found(matches: readonly Match[], text: string, labelOf: (match: Match) => string): Match[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return matches.filter((match) => {
    const { number, name, sourceType } = match.account;
    const all = `${number} ${name} ${sourceType} ${labelOf(match)}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** Returns the reason why an account can't receive the entries of a source account, or undefined if it can. */
export function refusalOf({ type, name }: MoveAccount, chosen: AccountItem | undefined): string | undefined {
  if (chosen === undefined || type === null || chosen.displayAccountType === type) return undefined;
  return `${leafOf(name)} is ${type}, and ${chosen.displayAccountName} is ${chosen.displayAccountType}`;
}

/** The ID of the option that creates an account. */
export const CREATE = 0;

/** Returns the accounts to choose from, with their types. The last option creates the source account. */
export function optionsFor(account: MoveAccount, items: readonly AccountItem[]): PickerOption<number>[] {
  const created = newAccountFor(account);
  const label = created === undefined ? `Create ${leafOf(account.name)}` : `Create ${newLabel(created)}`;
  return [
    ...items
      .filter(({ active }) => active)
      .map((item) => ({
        id: item.customerAccountID,
        label: item.displayAccountLabel,
        aside: item.displayAccountType,
      })),
    { id: CREATE, label, isAlways: true, ...(created === undefined ? {} : { aside: created.type }) },
  ];
}
