import { ledgerCalls } from '@evenkeel/contract/ledger';
import { Button } from '@mantine/core';
import { useId } from 'react';
import { ask, useRead } from '../../client/api.ts';
import { useAddressChoice } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { isKey } from '../../ui/keys/keys.ts';
import { StepFoot } from '../../ui/overlay/StepFoot.tsx';
import { neighbourTab, Tabs } from '../../ui/page/Tabs.tsx';
import { TabPane } from '../../ui/page/TabPane.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { counted } from '../../ui/show/words.ts';
import type { MoveListKind } from '@evenkeel/core/moving/lists';
import { AccountMatches } from './AccountMatches.tsx';
import { matchesOf } from './accountMatch.ts';
import { BankMatches } from './BankMatches.tsx';
import { decided, ListMatches, undecided } from './ListMatches.tsx';
import { MoveFrame } from './MoveFrame.tsx';
import type { StepProps } from './steps.ts';
import { isWaiting, useChoices, useMoveActions } from './moves.ts';
import { answered, PartyMatches } from './PartyMatches.tsx';
import { useKeysHere } from '../../ui/keys/useKeysHere.ts';

const ACCOUNTS = ask(ledgerCalls.listAccounts, { query: {} });

/** The account in Evenkeel for each source account, and the questions about customers and vendors. */
export function MatchStep({ move }: StepProps) {
  const { go } = usePlace();
  const actions = useMoveActions(move.id);
  const { waiting, decide } = useChoices(move, actions);
  const items = useRead(ACCOUNTS);
  const [askedTab, setTab] = useAddressChoice('tab', TABS);
  const idBase = useId();
  const matches = matchesOf(move.accounts, waiting.accounts);
  const open = matches.filter(({ isConfirmed }) => !isConfirmed).length;
  const questions = answered(move.parties.questions, waiting.parties);
  const asked = questions.filter(({ answer }) => answer === null).length;
  const banks = move.accounts.filter(({ isBank }) => isBank);
  const lists = decided(move.lists, waiting.lists);
  const inTab = (of: Tab) => lists.filter(({ kind }) => LISTS[kind] === of);
  const tabs = TABS.flatMap((value) => {
    const own = inTab(value);
    const isShown =
      value === 'banks' ? banks.length > 0 : value === 'accounts' || value === 'parties' || own.length > 0;
    const count = value === 'accounts' ? open : value === 'parties' ? asked : undecided(own);
    return isShown ? [{ value, label: LABELS[value], count }] : [];
  });
  const at = Math.max(
    0,
    tabs.findIndex(({ value }) => value === askedTab),
  );
  const tab = tabs[at]?.value ?? 'accounts';
  const [before, after] = [tabs[at - 1], tabs[at + 1]];
  const isSaving = isWaiting(waiting);
  const questionsLeft = asked + undecided(lists);
  const point = pointOf({
    open,
    left: after === undefined ? questionsLeft : 0,
    blocked: isSaving || after !== undefined ? '' : move.blocked.match,
  });
  const preview = async () => {
    const previewed = move.status === 'previewed' ? move : await actions.preview();
    if (previewed !== undefined) go({ step: 'preview', tab: undefined }, { step: [] });
  };
  const next = () => (after === undefined ? void preview() : setTab(after.value));
  useKeysHere((event) => {
    if (!isKey(event, 'nextTab')) return false;
    setTab(neighbourTab(tabs, tab, 1));
    return true;
  });
  return (
    <MoveFrame
      step="match"
      system={move.system}
      files={move.files.length}
      foot={
        <StepFoot
          back={{
            label: 'Back',
            onClick: () => (before === undefined ? go({ step: 'files' }, { step: [] }) : setTab(before.value)),
          }}
          note={point}
        >
          <Button
            disabled={point !== '' || (after === undefined && isSaving)}
            loading={actions.busy === 'preview'}
            onClick={next}
          >
            {`Next: ${after === undefined ? 'Preview' : NEXT[after.value]}`}
          </Button>
        </StepFoot>
      }
    >
      <div className="mv-tabs">
        <Tabs tabs={tabs} value={tab} onChange={setTab} label="Match" idBase={idBase} />
      </div>
      <TabPane idBase={idBase} value={tab}>
        {items.error !== undefined && <ErrorState message={items.error} onRetry={() => void items.retry()} />}
        {tab === 'accounts' && (
          <AccountMatches move={move} matches={matches} items={items.value ?? []} onDecide={decide} />
        )}
        {tab === 'banks' && <BankMatches move={move} banks={banks} onDecide={decide} />}
        {tab === 'parties' && (
          <PartyMatches
            move={move}
            questions={questions}
            onAnswer={(key, answer) => decide({ parties: [{ key, answer }] })}
          />
        )}
        {inTab(tab).length > 0 && <ListMatches lists={inTab(tab)} onDecide={decide} />}
      </TabPane>
    </MoveFrame>
  );
}

const TABS = ['accounts', 'banks', 'parties', 'tax', 'terms', 'products'] as const;
type Tab = (typeof TABS)[number];

const LABELS: Readonly<Record<Tab, string>> = {
  accounts: 'Accounts',
  banks: 'Bank Accounts',
  parties: 'Customers and Vendors',
  tax: 'Sales Tax',
  terms: 'Payment Types and Terms',
  products: 'Products',
};
const NEXT: Readonly<Record<Tab, string>> = { ...LABELS, parties: 'Customers', terms: 'Payment Types' };

/** The tab for each list. */
const LISTS: Readonly<Record<MoveListKind, Tab>> = {
  tax: 'tax',
  paymentType: 'terms',
  terms: 'terms',
  product: 'products',
};

interface Point {
  /** The number of accounts to confirm. */
  open: number;
  /** The number of questions to answer before the preview. */
  left: number;
  /** The server's reason why Next is disabled. Empty if there is none. */
  blocked: string;
}

const QUESTIONS = { one: 'question', many: 'questions' };

/** Returns the reason why Next is disabled, or an empty string. */
function pointOf({ open, left, blocked }: Point): string {
  if (open > 0) return `Confirm ${counted(open, { one: 'account', many: 'accounts' })} to continue`;
  return left === 0 ? blocked : `Answer ${counted(left, QUESTIONS)} to continue`;
}
