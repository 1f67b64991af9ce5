import type { AccountItem } from '@evenkeel/contract/ledger';
import type { Move, MoveInput, NewAccount } from '@evenkeel/contract/moving';
import { masterAccounts } from '@evenkeel/core/books/accounts';
import { formatDate } from '@evenkeel/core/dates';
import { cents, formatAmount, sum } from '@evenkeel/core/money';
import { moveSource } from '@evenkeel/core/moving/sources';
import { IconArrowRight, IconCheck, IconHelpCircle, IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useAddressChoice, useAddressText } from '../../records/openRecord.ts';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useNarrow } from '../../ui/hooks/media.ts';
import { isKey } from '../../ui/keys/keys.ts';
import { KeyButton } from '../../ui/keys/KeyButton.tsx';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { FooterQuestion } from '../../ui/overlay/ConfirmDelete.tsx';
import { Chips } from '../../ui/page/Chips.tsx';
import { FilterBox } from '../../ui/page/FilterBox.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { EmptyState } from '../../ui/show/EmptyState.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { counted } from '../../ui/show/words.ts';
import { TableFrame } from '../../ui/table/TableFrame.tsx';
import { useRowKeys } from '../../ui/table/useRowKeys.ts';
import {
  confirming,
  CREATE,
  found,
  isIn,
  leafOf,
  type Match,
  newAccountFor,
  newLabel,
  optionsFor,
  PART_LABELS,
  PARTS,
  reasonWords,
  refusalOf,
} from './accountMatch.ts';
import { useKeysHere } from '../../ui/keys/useKeysHere.ts';

const ACCOUNTS = { one: 'account', many: 'accounts' };

export interface AccountMatchesProps {
  move: Move;
  matches: readonly Match[];
  items: readonly AccountItem[];
  onDecide: (choices: Pick<MoveInput, 'accounts'>) => void;
}

/** Two source accounts that would become a single account. */
interface Merging {
  match: Match;
  other: Match;
  accountId: number;
}

/** The source accounts with their accounts in Evenkeel. Keyboard users go from one open decision to the next. */
export function AccountMatches(props: AccountMatchesProps) {
  const { matches, items } = props;
  const isNarrow = useNarrow();
  const [part, setPart] = useAddressChoice('part', PARTS);
  const [text, setText] = useAddressText('q');
  const filter = useRef<HTMLDivElement>(null);
  const work = useMatchWork(props);
  const byId = useMemo(() => new Map(items.map((item) => [item.customerAccountID, item])), [items]);
  const labelOf = (match: Match): string => {
    if (match.accountId !== null) return byId.get(match.accountId)?.displayAccountLabel ?? '';
    return match.create === null ? '' : newLabel(match.create);
  };
  const shown = found(
    matches.filter((match) => isIn(part, match)),
    text,
    labelOf,
  );
  const suggested = matches.filter((match) => !match.isConfirmed && confirming(match) !== undefined);
  const confirmAll = () => props.onDecide({ accounts: suggested.flatMap((match) => confirming(match) ?? []) });
  const search = () => filter.current?.querySelector('input')?.focus();
  useKeysHere((event) => {
    if (isKey(event, 'save')) confirmAll();
    else if (isKey(event, 'find')) search();
    else return false;
    return true;
  });
  const count = (one: (typeof PARTS)[number]) => matches.filter((match) => isIn(one, match)).length;
  const done = matches.length - count('confirm');
  const list = { ...props, shown, labelOf, work, byId };
  return (
    <>
      <div className="ek-filter-row mv-filters" ref={filter}>
        <Chips
          label="Filter the list"
          chips={PARTS.map((value) => ({ value, label: PART_LABELS[value], part: { count: count(value) } }))}
          value={part}
          onChange={setPart}
        />
        <FilterBox placeholder="Search accounts..." value={text} onChange={setText} />
      </div>
      {shown.length === 0 && (
        <div className="mv-scroll">
          <EmptyState
            title={part === 'confirm' && text === '' ? 'Every account is confirmed' : 'No accounts match these filters'}
          />
        </div>
      )}
      {shown.length > 0 && (isNarrow ? <List {...list} /> : <Table {...list} />)}
      {work.merging !== undefined && (
        <FooterQuestion
          question={`Merge ${leafOf(work.merging.match.account.name)} and ${leafOf(work.merging.other.account.name)}?`}
          stay={{ label: 'Cancel', onClick: () => work.merge(false) }}
          go={{ label: 'Merge', onClick: () => work.merge(true) }}
        />
      )}
      {!isNarrow && work.merging === undefined && (
        <div className="mv-keys" role="toolbar" aria-label="Actions for the accounts">
          <KeyButton keys={['↑']} label="Previous account" short onClick={() => work.step(-1)} />
          <KeyButton keys={['↓']} label="Account" onClick={() => work.step(1)} />
          <KeyButton keys={['Enter']} label="Confirm" onClick={() => work.press(shown, 'confirm')} />
          <KeyButton keys={['c']} label="Create" onClick={() => work.press(shown, 'create')} />
          <KeyButton keys={['/']} label="Search" onClick={search} />
          {suggested.length > 0 && (
            <KeyButton
              keys={['Ctrl', 'Enter']}
              label={`Confirm ${counted(suggested.length, { one: 'Suggestion', many: 'Suggestions' })}`}
              onClick={confirmAll}
            />
          )}
          <span className="ek-muted ek-small mv-done" role="status">
            {`${done.toLocaleString('en-US')} of ${matches.length.toLocaleString('en-US')} confirmed`}
          </span>
        </div>
      )}
      {work.creating !== undefined && (
        <CreateAccount
          match={work.creating}
          onClose={() => work.setCreating(undefined)}
          onCreate={(create) => work.created(create)}
        />
      )}
    </>
  );
}

/** Returns the rows on the screen. */
const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-match]')];

/** The decisions about matches, and the row that gets the focus after each decision. */
function useMatchWork({ matches, items, onDecide }: AccountMatchesProps) {
  const [merging, setMerging] = useState<Merging>();
  const [creating, setCreating] = useState<Match>();
  const [refused, setRefused] = useState<{ key: string; text: string }>();
  const [merged, setMerged] = useState<ReadonlySet<number>>(new Set());
  /** The key of the row that has the focus, or that had the focus last. */
  const current = useRef<string>(undefined);
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    const row = rows().find(({ dataset }) => dataset['match'] === wanted.current);
    wanted.current = undefined;
    row?.focus();
  });
  /** Goes to the next match that isn't confirmed. After the last one, starts again with the first. */
  const advance = (match: Match) => {
    const at = matches.findIndex(({ account }) => account.key === match.account.key);
    const next = [...matches.slice(at + 1), ...matches.slice(0, at)].find(({ isConfirmed }) => !isConfirmed);
    wanted.current = (next ?? matches[at + 1] ?? match).account.key;
  };
  const decide = (match: Match, decision: { accountId: number } | { create: NewAccount }) => {
    setRefused(undefined);
    onDecide({ accounts: [{ key: match.account.key, ...decision }] });
    advance(match);
  };
  const create = (match: Match) => {
    const made = newAccountFor(match.account);
    if (made === undefined) setCreating(match);
    else decide(match, { create: made });
  };
  const choose = (match: Match, accountId: number | null) => {
    if (accountId === null) return;
    if (accountId === CREATE) return create(match);
    const text = refusalOf(
      match.account,
      items.find((item) => item.customerAccountID === accountId),
    );
    if (text !== undefined) return setRefused({ key: match.account.key, text });
    const other = matches.find((one) => one.accountId === accountId && one.account.key !== match.account.key);
    if (other === undefined || merged.has(accountId)) decide(match, { accountId });
    else setMerging({ match, other, accountId });
  };
  const confirm = (match: Match) => {
    if (match.accountId !== null) choose(match, match.accountId);
    else if (match.create !== null) decide(match, { create: match.create });
  };
  const step = (by: 1 | -1) => {
    const all = rows();
    const at = all.findIndex(({ dataset }) => dataset['match'] === current.current);
    all[Math.max(0, Math.min(all.length - 1, at + by))]?.focus();
  };
  return {
    merging,
    merge: (isWanted: boolean) => {
      if (merging === undefined) return;
      setMerging(undefined);
      if (!isWanted) return;
      setMerged(new Set([...merged, merging.accountId]));
      decide(merging.match, { accountId: merging.accountId });
    },
    creating,
    setCreating,
    created: (made: NewAccount) => {
      if (creating === undefined) return;
      setCreating(undefined);
      decide(creating, { create: made });
    },
    refusal: (key: string) => (refused?.key === key ? refused.text : undefined),
    choose,
    create,
    confirm,
    step,
    setCurrent: (key: string) => {
      current.current = key;
    },
    /** Runs an action for the row that has the focus or had the focus last. */
    press: (shown: readonly Match[], action: 'confirm' | 'create') => {
      const match = shown.find(({ account }) => account.key === current.current) ?? shown[0];
      if (match !== undefined) (action === 'confirm' ? confirm : create)(match);
    },
  };
}

type Work = ReturnType<typeof useMatchWork>;

interface ListProps extends AccountMatchesProps {
  shown: readonly Match[];
  labelOf: (match: Match) => string;
  work: Work;
}

/** Keys that the table handles itself. All other letters open the list of accounts in the row. */
const isLetter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;

function Table({ move, matches, items: accounts, shown, labelOf, work }: ListProps) {
  const container = useRef<HTMLDivElement>(null);
  const [isFocused, setFocused] = useState(false);
  const items = useMemo(
    () => shown.map((row, index) => ({ kind: 'row' as const, key: row.account.key, row, index })),
    [shown],
  );
  const reveal = (at: number) =>
    container.current?.querySelectorAll('[data-match]')[at]?.scrollIntoView({ block: 'nearest' });
  const keys = useRowKeys<Match>({
    items,
    container,
    reveal,
    selectedId: undefined,
    onOpen: work.confirm,
    onEscape: undefined,
  });
  const { short } = moveSource(move.system);
  const balance = sum(matches.map(({ account }) => account.balance));
  const debits = sum(matches.map(({ account }) => cents(Math.max(0, account.balance))));
  return (
    <TableFrame container={container} aria-label="Accounts" className="ek-t ek-heads mv-match">
      <thead>
        <tr>
          <th scope="col">{`${short} Account`}</th>
          <th scope="col" className="mv-type">
            Type
          </th>
          <th scope="col" data-right="" className="mv-balance">
            {move.to === null ? 'Balance' : `Balance ${formatDate(move.to)}`}
          </th>
          <th scope="col" className="mv-to">
            Evenkeel Account
          </th>
          <th scope="col" className="mv-how">
            Match
          </th>
        </tr>
      </thead>
      <tbody
        onKeyDown={keys.onKeyDown}
        onFocus={() => setFocused(true)}
        onBlur={(event) => setFocused(event.currentTarget.contains(event.relatedTarget))}
      >
        {shown.map((match, at) => (
          <Row
            key={match.account.key}
            {...{ match, labelOf, work }}
            items={accounts}
            at={at}
            isActive={at === keys.active}
            isOpen={isFocused && at === keys.active}
            onActive={() => keys.setActive(at)}
          />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td>{counted(matches.length, ACCOUNTS)}</td>
          <td className="mv-type" />
          <td data-right="" data-kind="amount">
            <Amount value={balance} />
          </td>
          <td colSpan={2}>
            <span className="mv-arrow" />
            <span className="ek-muted mv-debits">{`Debits and credits of ${formatAmount(debits)}`}</span>
          </td>
        </tr>
      </tfoot>
    </TableFrame>
  );
}

interface RowProps {
  match: Match;
  items: readonly AccountItem[];
  labelOf: (match: Match) => string;
  work: Work;
  at: number;
  /** Whether Tab reaches the row. */
  isActive: boolean;
  /** Whether the row has the focus, so that its account can be typed. */
  isOpen: boolean;
  onActive: () => void;
}

function Row({ match, items, labelOf, work, at, isActive, isOpen, onActive }: RowProps) {
  const { account } = match;
  const row = useRef<HTMLTableRowElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== row.current || event.defaultPrevented) return;
    if (isKey(event, 'create')) {
      event.preventDefault();
      work.create(match);
    } else if (isLetter(event)) {
      // The typed letter is entered in the field that gets the focus.
      row.current?.querySelector('input')?.focus();
    }
  };
  return (
    <tr
      ref={row}
      data-match={account.key}
      data-item={at}
      data-active-row={isActive ? '' : undefined}
      aria-current={isOpen ? 'true' : undefined}
      tabIndex={isActive ? 0 : -1}
      onKeyDown={onKeyDown}
      onFocus={() => {
        work.setCurrent(account.key);
        onActive();
      }}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('input, button') === null) row.current?.focus();
      }}
    >
      <td data-kind="text" title={account.name}>
        {`${account.number} ${account.name}`.trim()}
        {!account.active && <span className="ek-muted"> (inactive)</span>}
      </td>
      <td data-kind="text" data-quiet="" className="mv-type" title={account.sourceType}>
        {account.sourceType}
      </td>
      <td data-right="" data-kind="amount">
        <Amount value={account.balance} />
      </td>
      <td data-kind="text" className="mv-to" title={labelOf(match)}>
        <span className="mv-arrow">
          <IconArrowRight {...ICON_SMALL} />
        </span>
        {isOpen ? (
          <AccountPicker match={match} items={items} work={work} onEscape={() => row.current?.focus()} />
        ) : (
          <Target match={match} labelOf={labelOf} />
        )}
      </td>
      <td className="mv-how">
        <How match={match} refusal={work.refusal(account.key)} />
      </td>
    </tr>
  );
}

/** The account in Evenkeel as text. */
function Target({ match, labelOf }: Pick<RowProps, 'match' | 'labelOf'>) {
  return (
    <span className="ek-ellipsis">
      {match.create !== null && <span className="mv-create">Create </span>}
      {labelOf(match) || <span className="ek-muted">Choose or create</span>}
    </span>
  );
}

interface AccountPickerProps extends Pick<RowProps, 'match' | 'items' | 'work'> {
  onEscape?: () => void;
}

function AccountPicker({ match, items, work, onEscape }: AccountPickerProps) {
  const options = useMemo(() => optionsFor(match.account, items), [match.account, items]);
  return (
    <span
      role="presentation"
      className="mv-picker"
      onKeyDown={(event) => {
        if (event.defaultPrevented) return;
        if (isKey(event, 'close')) onEscape?.();
        // Enter in a closed list confirms the account that the list shows.
        if (isKey(event, 'open') && document.querySelector('[role="listbox"]') === null) work.confirm(match);
      }}
    >
      <Picker
        label={`Account for ${match.account.name}`}
        inRow
        placeholder="Choose or create"
        options={options}
        value={match.accountId ?? (match.create === null ? null : CREATE)}
        onChange={(id) => work.choose(match, id)}
      />
    </span>
  );
}

/** The reason for the match, as text with an icon. */
function How({ match, refusal }: { match: Match; refusal: string | undefined }) {
  if (refusal !== undefined) {
    return (
      <span className="mv-reason" data-tone="bad" role="alert" title={refusal}>
        <IconHelpCircle {...ICON_SMALL} />
        <span className="ek-ellipsis">{refusal}</span>
      </span>
    );
  }
  const tone = match.isConfirmed ? (match.create === null ? 'good' : 'brand') : 'warn';
  const Icon = { good: IconCheck, brand: IconPlus, warn: IconHelpCircle }[tone];
  return (
    <span className="mv-reason" data-tone={tone}>
      <Icon {...ICON_SMALL} />
      <span className="ek-ellipsis">{reasonWords(match)}</span>
    </span>
  );
}

/** On a phone, a row opens a sheet with its account. */
function List({ shown, labelOf, items, work }: ListProps) {
  const [key, open] = useState<string>();
  const match = shown.find(({ account }) => account.key === key);
  return (
    <div className="ek-tw mv-list">
      <ul className="ek-list" aria-label="Accounts">
        {shown.map((one) => (
          <li key={one.account.key} className="ek-list-row" aria-current={one.isConfirmed ? undefined : 'true'}>
            <button
              type="button"
              className="ek-list-main"
              data-match={one.account.key}
              onClick={() => open(one.account.key)}
            >
              <span className="ek-list-title ek-ellipsis">{one.account.name}</span>
              <span className="ek-list-amount ek-num">
                <Amount value={one.account.balance} />
              </span>
              <span className="ek-list-detail ek-ellipsis">
                {`→ ${one.create === null ? '' : 'Create '}${labelOf(one) || 'Choose or create'}`}
              </span>
              <span className="ek-list-aside mv-aside" data-tone={one.isConfirmed ? 'good' : 'warn'}>
                {one.isConfirmed ? (one.create === null ? 'Matched' : 'New') : 'Confirm'}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {match !== undefined && (
        <AppModal
          opened
          title={leafOf(match.account.name)}
          onClose={() => open(undefined)}
          footer={{
            primary: {
              label: 'Confirm',
              disabled: confirming(match) === undefined,
              onClick: () => {
                work.confirm(match);
                open(undefined);
              },
            },
            actions: [
              {
                label: 'Create',
                onClick: () => {
                  work.create(match);
                  open(undefined);
                },
              },
            ],
          }}
        >
          <div className="ek-stack">
            <How match={match} refusal={work.refusal(match.account.key)} />
            <Picker
              label="Evenkeel Account"
              options={optionsFor(match.account, items)}
              value={match.accountId ?? (match.create === null ? null : CREATE)}
              onChange={(id) => work.choose(match, id)}
            />
          </div>
        </AppModal>
      )}
    </div>
  );
}

interface CreateAccountProps {
  match: Match;
  onClose: () => void;
  onCreate: (account: NewAccount) => void;
}

const TYPES = [...new Set(masterAccounts.map(({ accountTypeLabel }) => accountTypeLabel))];

/** The new account for a source account whose type no file contains. */
function CreateAccount({ match: { account }, onClose, onCreate }: CreateAccountProps) {
  const [made, setMade] = useState<NewAccount>({ number: account.number, name: leafOf(account.name), type: '' });
  const change = (part: Partial<NewAccount>) => setMade({ ...made, ...part });
  return (
    <AppModal
      opened
      size="sm"
      title="Create Account"
      enterSaves
      onClose={onClose}
      footer={{
        primary: {
          label: 'Create',
          disabled: made.name.trim() === '' || made.type === '',
          onClick: () => onCreate(made),
        },
      }}
    >
      <div className="ek-form">
        <TextField label="Account Name" value={made.name} maxLength={100} onChange={(name) => change({ name })} />
        <TextField
          label="Account Number"
          value={made.number}
          maxLength={20}
          onChange={(number) => change({ number })}
        />
        <Picker
          label="Account Type"
          autoFocus
          options={TYPES.map((type) => ({ id: type, label: type }))}
          value={made.type === '' ? null : made.type}
          onChange={(type) => change({ type: type ?? '' })}
        />
      </div>
    </AppModal>
  );
}
