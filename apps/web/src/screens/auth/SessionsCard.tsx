import { accountCalls, type AccountSession } from '@evenkeel/contract/account';
import { Button } from '@mantine/core';
import { IconDeviceLaptop, IconDeviceMobile } from '@tabler/icons-react';
import { useWrite } from '../../client/api.ts';
import { Card } from '../../ui/show/Card.tsx';
import { ICON } from '../../ui/show/icons.ts';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { ConfirmButton } from './ConfirmButton.tsx';
import { useOutcome } from './useOutcome.ts';

/** The user's sessions. Other sessions can be ended one by one or all at once. */
export function SessionsCard({ sessions }: { sessions: readonly AccountSession[] }) {
  const { end, endOthers } = useEnding();
  const others = sessions.filter(({ isThis }) => !isThis);
  const all = others.length > 0 && (
    <ConfirmButton
      label="Sign Out Everywhere Else"
      question={`Sign out of ${others.length} sessions?`}
      onConfirm={endOthers}
    />
  );
  return (
    <Card title="Sessions" actions={all}>
      <ul className="ac-sessions">
        {sessions.map((session) => (
          <Session key={session.id} session={session} onEnd={() => end(session)} />
        ))}
      </ul>
    </Card>
  );
}

function useEnding() {
  const one = useWrite(accountCalls.endSession);
  const others = useWrite(accountCalls.endOtherSessions);
  const run = useOutcome();
  return {
    end: (session: AccountSession) =>
      void run(one.mutateAsync({ params: { id: session.id } }), `Signed out on ${session.device}`),
    endOthers: () => void run(others.mutateAsync({}), 'You were signed out on your other devices'),
  };
}

const isPhone = ({ device }: AccountSession): boolean => /iPhone|iPad|Android/.test(device);

function Session({ session, onEnd }: { session: AccountSession; onEnd: () => void }) {
  const { isThis, isNewPlace, network, lastSeenAt } = session;
  const Icon = isPhone(session) ? IconDeviceMobile : IconDeviceLaptop;
  return (
    <li>
      <Icon {...ICON} aria-hidden />
      <div className="ac-session-words">
        <span>
          <span className="ek-medium">{session.device}</span> {isThis && <Status look="done">This device</Status>}
          {isNewPlace && !isThis && <Status look="low">New location</Status>}
        </span>
        <span className="ek-second">
          {network === '' ? '' : `${network} · `}
          {isThis ? 'now' : <MomentText value={lastSeenAt} />}
        </span>
      </div>
      {!isThis && (
        <Button variant="default" size="xs" aria-label={`End ${session.device}`} onClick={onEnd}>
          End
        </Button>
      )}
    </li>
  );
}
