import './review.css';
import type { BankLine } from '@evenkeel/contract/statements';
import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useRead } from '../../../client/api.ts';
import { type Banks, useBanks } from '../../../parts/banking/moves.ts';
import { useAccountChoices } from '../../../parts/choices/accounts.ts';
import { labelOf } from '../../../parts/choices/choice.ts';
import { InlineAlert } from '../../../ui/alerts/InlineAlert.tsx';
import { Chips } from '../../../ui/page/Chips.tsx';
import { FilterBox } from '../../../ui/page/FilterBox.tsx';
import { Page, type PageAction, type PageMenu, type PageTabs } from '../../../ui/page/Page.tsx';
import { useReviewKeys } from '../../../ui/keys/useReviewKeys.ts';
import { ICON_SMALL } from '../../../ui/show/icons.ts';
import type { BankingTab } from '../banking.ts';
import { ruleLine } from '../rules/ruleForm.ts';
import { RuleModal } from '../rules/RuleModal.tsx';
import { allStatements, candidatesFor, reviewAccounts } from '../statements/statements.ts';
import { AccountCards } from './AccountCards.tsx';
import { ReviewKeysBar, type KeysBarProps } from './KeysBar.tsx';
import { LineList } from './LineList.tsx';
import { type Rights, useRights } from './rights.ts';
import { confidentMatches, AcceptSuggestionsModal } from './AcceptSuggestionsModal.tsx';
import {
  countOf,
  LINE_PARTS,
  PART_LABELS,
  lineQuery,
  type Lines,
  type ReviewPlace,
  useLines,
  useReviewPlace,
} from './useLines.ts';
import { isTaken, type Review, type RuleOffer, useReview } from './useReview.ts';
import { isChoice, type KeyAct, keyAct, lineWord, type Names } from './work.ts';

export interface ReviewTabProps {
  tabs: PageTabs<BankingTab>;
  actions: readonly (PageAction | PageMenu)[];
  /** The import. Undefined for users with only view permission. */
  onImport: (() => void) | undefined;
  imported?: Imported;
}

/** Whether a statement was just imported. If so, the open bank transaction takes the focus. */
export interface Imported {
  isNow: boolean;
  onFocused: () => void;
}

function useNames(banks: Banks): Names {
  const { accounts } = useAccountChoices();
  return {
    account: (id) => labelOf(accounts, id),
    bank: (id) => banks.value?.find(({ bankingAccountID }) => bankingAccountID === id)?.name ?? '',
  };
}

/** Runs the action of a bank transaction's button: accepts its suggested match, or opens an editor. */
function acceptWith(review: Review, { mayDo }: Rights, list: RefObject<HTMLElement | null>) {
  return (line: BankLine) => {
    const picked = review.pickOf(line);
    if (picked !== undefined) {
      if (mayDo(line, picked)) review.act(line, { action: picked.action, candidate: picked.key });
      return;
    }
    review.setOpen(line.id);
    if (isChoice(line)) list.current?.querySelector<HTMLElement>('.rv-candidate input')?.focus();
    else review.setWay('add');
  };
}

/** Runs the action for a key, or for its button, on the open bank transaction. */
function actsOf(review: Review, accept: (line: BankLine) => void, { acts }: Rights) {
  return (act: Exclude<KeyAct['act'], 'take' | 'search'>) => {
    const { open } = review;
    if (act === 'up' || act === 'down') return review.step(act === 'up' ? -1 : 1);
    if (act === 'undo' && (open === undefined || open.state === 'review')) return review.undoLast?.();
    if (open === undefined || !acts) return;
    if (isTaken(review.noteOf(open.id))) return act === 'accept' ? review.seen(open.id) : undefined;
    if (open.state !== 'review') return act === 'undo' && !open.reconciled ? review.undo(open) : undefined;
    if (act === 'accept') return accept(open);
    return act === 'exclude'
      ? review.act(open, { action: 'exclude' })
      : review.setWay(act === 'undo' ? undefined : act);
  };
}

/**
 * Scrolls the opened bank transaction into view. The transaction takes the focus if no other element has it, or if the
 * transaction was opened with a key. The returned function records that a key was pressed.
 */
function useOpenInView(list: RefObject<HTMLElement | null>, openId: number | undefined): () => void {
  const before = useRef<number>(undefined);
  const byKey = useRef(false);
  useEffect(() => {
    const isFirst = before.current === undefined;
    before.current = openId;
    if (openId === undefined || (isFirst && !byKey.current)) return;
    const row = list.current?.querySelector<HTMLElement>(`[data-line="${openId}"]`);
    row?.scrollIntoView({ block: 'nearest' });
    const { activeElement } = document;
    const isFree = activeElement === document.body || list.current?.contains(activeElement) === true;
    if (isFree || byKey.current) row?.querySelector<HTMLElement>('.rv-head')?.focus({ preventScroll: true });
    byKey.current = false;
  }, [list, openId]);
  return () => {
    byKey.current = true;
  };
}

/**
 * Moves the focus from the button that opened the import to the open bank transaction, so that the keyboard shortcuts
 * work.
 */
function useFocusAfterImport(list: RefObject<HTMLElement | null>, openId: number | undefined, imported?: Imported) {
  const isNow = imported?.isNow === true && openId !== undefined;
  const focus = useEffectEvent(() => {
    list.current?.querySelector<HTMLElement>('[data-open] .rv-head')?.focus({ preventScroll: true });
    imported?.onFocused();
  });
  useEffect(() => {
    if (!isNow) return undefined;
    // The dialog first returns the focus to its button.
    const timer = setTimeout(() => focus());
    return () => clearTimeout(timer);
  }, [isNow]);
}

/** The Review tab, where users handle bank transactions one by one. */
export function ReviewTab({ tabs, actions, onImport, imported }: ReviewTabProps) {
  const place = useReviewPlace();
  const rights = useRights();
  const banks = useBanks();
  const names = useNames(banks);
  const accounts = useRead(reviewAccounts, { keep: true });
  const read = useLines(lineQuery(place));
  const review = useReview(read.lines, place.first);
  const [isSureOpen, setSureOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const accept = acceptWith(review, rights, root);
  const act = actsOf(review, accept, rights);
  const { open } = review;
  const offered = useRead(candidatesFor(open?.id ?? 0), { enabled: open?.state === 'review' });
  const isReady = useReady(!read.isLoading && (open?.state !== 'review' || offered.isAnswered));
  const tellKey = useOpenInView(root, open?.id);
  useFocusAfterImport(root, isReady ? open?.id : undefined, imported);
  const onKey = (key: KeyAct) => {
    tellKey();
    const candidate = key.act === 'take' ? offered.value?.candidates[key.at] : undefined;
    if (key.act === 'search') root.current?.querySelector<HTMLInputElement>('.ek-filter input')?.focus();
    else if (key.act !== 'take') act(key.act);
    else if (open?.state === 'review' && candidate !== undefined && rights.acts) review.pick(open, candidate);
  };
  useReviewKeys({ read: keyAct, head: '[data-open] .rv-head', isOn: review.way === undefined, onAct: onKey });
  const shownId = open?.bankAccountId ?? place.bankAccountId;
  const account = accounts.value?.find(({ bankAccountId }) => bankAccountId === shownId);
  const keys = keysOf(review, act, rights);
  return (
    <Page<BankingTab> title="Banking" tabs={tabs} secondary={actions}>
      <div className="rv" ref={root}>
        <AccountCards
          reviews={accounts.value}
          banks={banks.value ?? []}
          chosen={place.bankAccountId}
          onChoose={place.choose}
        />
        <Filter place={place} read={read} rights={rights} onSure={() => setSureOpen(true)} />
        {review.offer !== undefined && <Offer offer={review.offer} onClose={review.forgetOffer} />}
        <LineList
          {...{ review, read, names, banks, rights, accept, keys, isReady }}
          reviews={accounts.value ?? []}
          place={place}
          onImport={onImport}
        />
        <ReviewKeysBar {...keys} account={account && { name: names.bank(account.bankAccountId), review: account }} />
      </div>
      {isSureOpen && (
        <AcceptSuggestionsModal
          query={{ ...lineQuery(place), state: 'review' }}
          names={names}
          mayAccept={rights.mayAccept}
          onClose={() => setSureOpen(false)}
        />
      )}
    </Page>
  );
}

/**
 * Returns whether everything that the first open bank transaction needs has loaded, so that nothing moves afterward.
 * Once true, the result stays true.
 */
function useReady(isNow: boolean): boolean {
  const statements = useRead(allStatements, { keep: true });
  const [isReady, setReady] = useState(false);
  if (isNow && statements.isAnswered && !isReady) setReady(true);
  return isReady;
}

function keysOf(review: Review, act: ReturnType<typeof actsOf>, { acts }: Rights): KeysBarProps {
  const { open, undoLast, way } = review;
  const isOpen = open !== undefined && open.state === 'review' && acts;
  return {
    word: isOpen ? lineWord(open, review.pickOf(open)) : undefined,
    canUndo: undoLast !== undefined || (open !== undefined && open.state !== 'review' && !open.reconciled && acts),
    isTyping: way !== undefined,
    onAct: act,
    onClose: () => review.setWay(undefined),
  };
}

interface FilterProps {
  place: ReviewPlace;
  read: Lines;
  rights: Rights;
  onSure: () => void;
}

function Filter({ place, read, rights, onSure }: FilterProps) {
  const chips = LINE_PARTS.map((value) => ({ value, label: PART_LABELS[value], part: countOf(read.parts, value) }));
  const sure = confidentMatches(read.lines).filter(rights.mayAccept).length;
  return (
    <div className="ek-filter-row">
      <Chips label="List filters" chips={chips} value={place.part} onChange={place.setPart} />
      <FilterBox placeholder="Search text or amount..." value={place.q} onChange={place.setQ} />
      {rights.acts && (sure > 0 || read.more !== undefined) && (
        <Button
          className="rv-sure"
          variant="default"
          leftSection={<IconCheck {...ICON_SMALL} />}
          disabled={sure === 0}
          onClick={onSure}
        >
          {read.more === undefined
            ? `Accept ${sure} Suggested ${sure === 1 ? 'Match' : 'Matches'}`
            : 'Accept Suggested Matches'}
        </Button>
      )}
    </div>
  );
}

/** Suggests a rule after two similar actions. */
function Offer({ offer, onClose }: { offer: RuleOffer; onClose: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const { text, bankAccountId, line, accountLabel } = offer;
  const { percent: _, ...booked } = line;
  const starts = {
    name: text.slice(0, 100),
    direction: 'both' as const,
    text,
    bankAccountId,
    lines: [ruleLine(1, booked)],
  };
  return (
    <div className="rv-offer">
      <InlineAlert kind="Info" action={{ label: 'Create Rule', run: () => setOpen(true) }} onClose={onClose}>
        {`Always categorize ${text} as ${accountLabel}?`}
      </InlineAlert>
      {isOpen && <RuleModal id={0} starts={starts} onClose={onClose} />}
    </div>
  );
}
