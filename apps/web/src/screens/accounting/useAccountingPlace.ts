import { type IsoDate, parseDate, PERIODS, periodRange } from '@evenkeel/core/dates';
import { useMemo } from 'react';
import { idInAddress, idInState, useAskedByState, useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';

/** The open account in the URL. */
export interface AccountAsk {
  accountId: number;
  from: IsoDate | undefined;
  to: IsoDate | undefined;
  showReversed: boolean;
  /** The search words, which apply to all of the account's entries, or '' without a search. */
  find: string;
  /**
   * True for only the entries in a saved reconciliation, false for only the other entries, and undefined for all
   * entries.
   */
  cleared: 'true' | 'false' | undefined;
}

/** The content of the entry form: a new entry, a draft, a copy of a posted entry, or opening balances. */
export type JournalFrom = { kind: 'new' | 'draft' | 'copy' | 'opening'; id: number };

const THIS_YEAR = PERIODS.indexOf('This Year');
const KINDS = { n: 'new', d: 'draft', c: 'copy', o: 'opening' } as const;

/** Returns the initial state of an account: the current fiscal year, with the balance brought forward. */
export function openedOn(accountId: number, { today, fyStartMonth }: { today: IsoDate; fyStartMonth: number }) {
  return {
    accountId,
    ...periodRange(THIS_YEAR, today, fyStartMonth),
    showReversed: false,
    find: '',
    cleared: undefined,
  };
}

/**
 * Reads the open account from the URL, for example `?account=138&from=2026-01-01&reversed=1&find=rent&cleared=0`.
 * Undefined if no account is open.
 */
export function readAccountAsk(query: URLSearchParams): AccountAsk | undefined {
  const account = query.get('account') ?? '';
  if (account === '') return undefined;
  return {
    accountId: idInAddress(account, false),
    from: parseDate(query.get('from') ?? ''),
    to: parseDate(query.get('to') ?? ''),
    showReversed: query.get('reversed') === '1',
    find: query.get('find') ?? '',
    cleared: query.get('cleared') === '1' ? 'true' : query.get('cleared') === '0' ? 'false' : undefined,
  };
}

/** Returns the URL parameters that readAccountAsk reads. */
export function writeAccountAsk({ accountId, from, to, showReversed, find, cleared }: AccountAsk) {
  return {
    account: accountId,
    from,
    to,
    reversed: showReversed ? '1' : undefined,
    find: find === '' ? undefined : find,
    cleared: cleared && (cleared === 'true' ? '1' : '0'),
  };
}

function journalFrom(text: string | null): JournalFrom | undefined {
  const letter = text?.charAt(0);
  if (letter !== 'n' && letter !== 'd' && letter !== 'c' && letter !== 'o') return undefined;
  return { kind: KINDS[letter], id: idInAddress(text?.slice(1) ?? '', letter === 'n' || letter === 'o') };
}

/**
 * The open panels and dialogs of accounting, all stored in the URL. `account`, with its dates, opens next to the chart.
 * The others open on top: `entry` (a transaction), `edit` (a GL account, 0 for a new one), `transfer` and `deposit` (0
 * for a new one), `saved` (the drafts), `repeat` (an entry to schedule), `signoff` (an account's sign-offs), and
 * `journal` (`n0` for a new entry, `d12` for draft 12, `c12` for a copy of entry 12, `o0` for opening balances).
 */
export function useAccountingPlace() {
  const { query, go } = usePlace();
  const ask = readAccountAsk(query);
  const over = {
    edit: undefined,
    entry: undefined,
    saved: undefined,
    journal: undefined,
    transfer: undefined,
    deposit: undefined,
    repeat: undefined,
    signoff: undefined,
    template: undefined,
  };
  const step = Object.keys(over);
  const [entry, transfer] = [useOpenRecord('entry', { hasNew: false }), useOpenRecord('transfer')];
  const deposit = useOpenRecord('deposit');
  const opens = useMemo(() => ({ entry, transfer, deposit }), [entry, transfer, deposit]);
  useAskedByState((state) => {
    const [transferId, depositId] = [idInState(state, 'transferId'), idInState(state, 'depositId')];
    if (transferId === undefined && depositId === undefined) return undefined;
    return { ...over, transfer: transferId, deposit: depositId };
  });
  return {
    ask,
    open: (next: AccountAsk) => go(writeAccountAsk(next), { step: ['account'] }),
    /** Changes the open account's parameters. Does nothing if the account has been closed in the meantime. */
    patch: (part: Partial<AccountAsk>) =>
      go((newest) => {
        const now = readAccountAsk(newest);
        return now === undefined ? {} : writeAccountAsk({ ...now, ...part });
      }),
    closeAccount: () =>
      go({
        account: undefined,
        from: undefined,
        to: undefined,
        reversed: undefined,
        find: undefined,
        cleared: undefined,
      }),
    opens,
    edit: useOpenRecord('edit'),
    repeat: useOpenRecord('repeat', { hasNew: false }),
    signOff: useOpenRecord('signoff', { hasNew: false }),
    openRepeat: (id: number) => go({ ...over, repeat: id }, { step }),
    isSavedOpen: query.has('saved'),
    openSaved: () => go({ ...over, saved: 1 }, { step }),
    journal: journalFrom(query.get('journal')),
    openJournal: ({ kind, id }: JournalFrom) => go({ ...over, journal: `${kind.charAt(0)}${id}` }, { step }),
    /** After a new account is saved, its register opens next to the chart. */
    added: (next: AccountAsk) => go({ ...over, ...writeAccountAsk(next) }),
    close: () => go((newest) => (newest.has('saved') ? { saved: undefined } : { journal: undefined })),
  };
}
export type AccountingPlace = ReturnType<typeof useAccountingPlace>;
