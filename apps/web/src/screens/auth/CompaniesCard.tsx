import { authCalls, type OwnCompanies } from '@evenkeel/contract/auth';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { Button } from '@mantine/core';
import { IconBuilding, IconMail } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ask, useRead, useWrite } from '../../client/api.ts';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { Card } from '../../ui/show/Card.tsx';
import { ICON } from '../../ui/show/icons.ts';
import { Status } from '../../ui/show/Status.tsx';
import { ConfirmButton } from './ConfirmButton.tsx';
import { useOutcome } from './useOutcome.ts';
import { useEntering } from './useEntering.ts';

/** One's companies and the invitations that wait for an answer, for who has more than one of both. */
export function CompaniesCard() {
  const { value: own, error, retry } = useRead(ask(authCalls.listCompanies, {}));
  const { busy, enter } = useEntering();
  if (own === undefined && error !== undefined) {
    return (
      <Card title="Companies">
        <ErrorState message={error} onRetry={retry} />
      </Card>
    );
  }
  if (own === undefined || own.companies.length + own.invitations.length < 2) return null;
  return (
    <Card title="Companies">
      <ul className="ac-sessions">
        {own.companies.map((company) => (
          <Line key={company.companyId} company={company} icon={<IconBuilding {...ICON} aria-hidden />}>
            {company.isThis ? (
              <Status look="done">This one</Status>
            ) : (
              <Button
                variant="default"
                size="xs"
                aria-label={`Switch to ${company.companyName}`}
                loading={busy === company.companyId}
                onClick={() => enter(company.companyId)}
              >
                Switch
              </Button>
            )}
          </Line>
        ))}
        {own.invitations.map((company) => (
          <Line key={company.companyId} company={company} icon={<IconMail {...ICON} aria-hidden />}>
            <Invitation company={company} />
          </Line>
        ))}
      </ul>
    </Card>
  );
}

type Company = OwnCompanies['invitations'][number];

const untilOf = (endsOn: IsoDate | null): string => (endsOn === null ? '' : ` · until ${formatDate(endsOn)}`);

function Line({ company, icon, children }: { company: Company; icon: ReactNode; children: ReactNode }) {
  return (
    <li>
      {icon}
      <div className="ac-session-words">
        <span className="ek-medium">{company.companyName}</span>
        <span className="ek-second">
          {company.userRole}
          {untilOf(company.endsOn)}
        </span>
      </div>
      {children}
    </li>
  );
}

function Invitation({ company: { companyId, companyName } }: { company: Company }) {
  const accepting = useWrite(authCalls.acceptInvitation);
  const declining = useWrite(authCalls.declineInvitation);
  const run = useOutcome();
  const asked = { params: { companyId } };
  return (
    <span className="ac-ask">
      <ConfirmButton
        label="Decline"
        question={`Decline ${companyName}?`}
        onConfirm={() => void run(declining.mutateAsync(asked), `The invitation of ${companyName} is declined`)}
      />
      <Button
        size="xs"
        aria-label={`Accept ${companyName}`}
        loading={accepting.isPending}
        onClick={() => void run(accepting.mutateAsync(asked), `${companyName} is among your companies now`)}
      >
        Accept
      </Button>
    </span>
  );
}
