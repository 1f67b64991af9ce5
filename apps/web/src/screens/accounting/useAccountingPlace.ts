import { type IsoDate, parseDate, PERIODS, periodRange } from '@evenkeel/core/dates';
import { useMemo } from 'react';
import { idInAddress, idInState, useAskedByState, useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';

/** The open account in the address. */
export interface AccountAsk {
  accountId: number;
  from: IsoDate | undefined;
  to: IsoDate | undefined;
  showReversed: boolean;
  /** Words that are looked for in all of the account's entries; '' for none. */
  find: string;
}

/** The entry being made: a new one, a saved one, a copy of a posted one, or the one with which books begin. */
export type JournalFrom = { kind: 'new' | 'draft' | 'copy' | 'opening'; id: number };

const THIS_YEAR = PERIODS.indexOf('This Year');
const KINDS = { n: 'new', d: 'draft', c: 'copy', o: 'opening' } as const;

/** An account as it opens: on the fiscal year, above it what was brought forward. */
export function openedOn(accountId: number, { today, fyStartMonth }: { today: IsoDate; fyStartMonth: number }) {
  return { accountId, ...periodRange(THIS_YEAR, today, fyStartMonth), showReversed: false, find: '' };
}

/** The open account as the address says it (`?account=138&from=2026-01-01&reversed=1&find=rent`), or undefined. */
export function readAccountAsk(query: URLSearchParams): AccountAsk | undefined {
  const account = query.get('account') ?? '';
  if (account === '') return undefined;
  return {
    accountId: idInAddress(account, false),
    from: parseDate(query.get('from') ?? ''),
    to: parseDate(query.get('to') ?? ''),
    showReversed: query.get('reversed') === '1',
    find: query.get('find') ?? '',
  };
}

/** The change of the address that readAccountAsk reads back. */
export function writeAccountAsk({ accountId, from, to, showReversed, find }: AccountAsk) {
  return {
    account: accountId,
    from,
    to,
    reversed: showReversed ? '1' : undefined,
    find: find === '' ? undefined : find,
  };
}

function journalFrom(text: string | null): JournalFrom | undefined {
  const letter = text?.charAt(0);
  if (letter !== 'n' && letter !== 'd' && letter !== 'c' && letter !== 'o') return undefined;
  return { kind: KINDS[letter], id: idInAddress(text?.slice(1) ?? '', letter === 'n' || letter === 'o') };
}

/**
 * The open parts of accounting, all of them in the address: `account` with its dates beside the chart; over it `entry`
 * (a transaction), `edit` (a GL account, 0 a new one), `transfer` and `deposit` (0 a new one), `saved` (the saved
 * entries), `repeat` (an entry that is to come again) or `journal` (`n0` a new entry, `d12` saved entry 12, `c12` a
 * copy of entry 12, `o0` opening balances).
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
    /** Changes of the open account; nothing of one that was closed meanwhile. */
    patch: (part: Partial<AccountAsk>) =>
      go((newest) => {
        const now = readAccountAsk(newest);
        return now === undefined ? {} : writeAccountAsk({ ...now, ...part });
      }),
    closeAccount: () =>
      go({ account: undefined, from: undefined, to: undefined, reversed: undefined, find: undefined }),
    opens,
    edit: useOpenRecord('edit'),
    repeat: useOpenRecord('repeat', { hasNew: false }),
    openRepeat: (id: number) => go({ ...over, repeat: id }, { step }),
    isSavedOpen: query.has('saved'),
    openSaved: () => go({ ...over, saved: 1 }, { step }),
    journal: journalFrom(query.get('journal')),
    openJournal: ({ kind, id }: JournalFrom) => go({ ...over, journal: `${kind.charAt(0)}${id}` }, { step }),
    /** The form of a new account has saved it: its ledger stands beside the chart. */
    added: (next: AccountAsk) => go({ ...over, ...writeAccountAsk(next) }),
    close: () => go((newest) => (newest.has('saved') ? { saved: undefined } : { journal: undefined })),
  };
}
export type AccountingPlace = ReturnType<typeof useAccountingPlace>;
