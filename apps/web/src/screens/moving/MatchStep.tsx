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
import { AccountMatches } from './AccountMatches.tsx';
import { matchesOf } from './accountMatch.ts';
import { MoveFrame } from './MoveFrame.tsx';
import type { StepProps } from './steps.ts';
import { useChoices, useMoveActions } from './moves.ts';
import { answered, PartyMatches } from './PartyMatches.tsx';
import { useKeysHere } from './useKeysHere.ts';

const ACCOUNTS = ask(ledgerCalls.listAccounts, { query: {} });

/** The account in Evenkeel for each source account, and the questions about customers and vendors. */
export function MatchStep({ move }: StepProps) {
  const { go } = usePlace();
  const actions = useMoveActions(move.id);
  const { waiting, decide } = useChoices(move, actions);
  const items = useRead(ACCOUNTS);
  const [tab, setTab] = useAddressChoice('tab', ['accounts', 'parties']);
  const idBase = useId();
  const matches = matchesOf(move.accounts, waiting.accounts);
  const open = matches.filter(({ isConfirmed }) => !isConfirmed).length;
  const questions = answered(move.parties.questions, waiting.parties);
  const asked = questions.filter(({ answer }) => answer === null).length;
  const tabs = [
    { value: 'accounts' as const, label: 'Accounts', count: open },
    { value: 'parties' as const, label: 'Customers and Vendors', count: asked },
  ];
  const isSaving = (waiting.accounts?.length ?? 0) + (waiting.parties?.length ?? 0) > 0;
  const point = pointOf({ tab, open, asked, blocked: isSaving ? '' : move.blocked.match });
  const preview = async () => {
    const after = move.status === 'previewed' ? move : await actions.preview();
    if (after !== undefined) go({ step: 'preview', tab: undefined }, { step: [] });
  };
  const next = () => (tab === 'accounts' ? setTab('parties') : void preview());
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
            onClick: () => (tab === 'parties' ? setTab('accounts') : go({ step: 'files' }, { step: [] })),
          }}
          note={point}
        >
          <Button
            disabled={point !== '' || (tab === 'parties' && isSaving)}
            loading={actions.busy === 'preview'}
            onClick={next}
          >
            {tab === 'accounts' ? 'Next: Customers' : 'Next: Preview'}
          </Button>
        </StepFoot>
      }
    >
      <div className="mv-tabs">
        <Tabs tabs={tabs} value={tab} onChange={setTab} label="Match" idBase={idBase} />
      </div>
      <TabPane idBase={idBase} value={tab}>
        {items.error !== undefined && <ErrorState message={items.error} onRetry={() => void items.retry()} />}
        {tab === 'accounts' ? (
          <AccountMatches move={move} matches={matches} items={items.value ?? []} onDecide={decide} />
        ) : (
          <PartyMatches
            move={move}
            questions={questions}
            onAnswer={(key, answer) => decide({ parties: [{ key, answer }] })}
          />
        )}
      </TabPane>
    </MoveFrame>
  );
}

interface Point {
  tab: 'accounts' | 'parties';
  open: number;
  asked: number;
  /** The server's reason. */
  blocked: string;
}

const QUESTIONS = { one: 'question', many: 'questions' };

/** Returns the reason why Next is off, or an empty string. */
function pointOf({ tab, open, asked, blocked }: Point): string {
  const accounts = open === 0 ? '' : `Confirm ${counted(open, { one: 'account', many: 'accounts' })} to continue`;
  if (tab === 'accounts' || accounts !== '') return accounts;
  return asked === 0 ? blocked : `Answer ${counted(asked, QUESTIONS)} to continue`;
}
