import { authCalls, type OwnCompanies } from '@evenkeel/contract/auth';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { Button } from '@mantine/core';
import { IconBuilding, IconMail, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'react-router';
import { ask, useRead, useWrite } from '../../client/api.ts';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { Card } from '../../ui/show/Card.tsx';
import { ICON, ICON_SMALL } from '../../ui/show/icons.ts';
import { Status } from '../../ui/show/Status.tsx';
import { ConfirmButton } from './ConfirmButton.tsx';
import { NEW_COMPANY, NewCompany } from './NewCompany.tsx';
import { useOutcome } from './useOutcome.ts';
import { useEntering } from './useEntering.ts';

/** Loads the user's companies and invitations, and checks whether the user can create a company. */
export const useOwnCompanies = () => useRead(ask(authCalls.listCompanies, {}));

/**
 * The user's companies and pending invitations. The card is shown if the user has more than one company, or if the user
 * can create a company. `/account#new-company` opens the form for a new company.
 */
export function CompaniesCard() {
  const { value: own, error, retry } = useOwnCompanies();
  const { busy, enter } = useEntering();
  const { hash, key } = useLocation();
  const [closed, setClosed] = useState<string>();
  const [opened, setOpened] = useState(false);
  if (own === undefined && error !== undefined) {
    return (
      <Card title="Companies">
        <ErrorState message={error} onRetry={retry} />
      </Card>
    );
  }
  if (own === undefined || (own.companies.length + own.invitations.length < 2 && !own.mayAdd)) return null;
  const isMaking = own.mayAdd && (opened || (hash === NEW_COMPANY && closed !== key));
  const add = (
    <Button variant="default" size="xs" leftSection={<IconPlus {...ICON_SMALL} />} onClick={() => setOpened(true)}>
      New Company
    </Button>
  );
  const close = () => {
    setOpened(false);
    setClosed(key);
  };
  return (
    <Card title="Companies" actions={own.mayAdd && !isMaking && add}>
      <ul className="ac-sessions">
        {own.companies.map((company) => (
          <Line key={company.companyId} company={company} icon={<IconBuilding {...ICON} aria-hidden />}>
            {company.isThis ? (
              <Status look="done">Current</Status>
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
      {isMaking && <NewCompany onCancel={close} />}
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
        onConfirm={() => void run(declining.mutateAsync(asked), `You declined the invitation from ${companyName}`)}
      />
      <Button
        size="xs"
        aria-label={`Accept ${companyName}`}
        loading={accepting.isPending}
        onClick={() => void run(accepting.mutateAsync(asked), `You now have access to ${companyName}`)}
      >
        Accept
      </Button>
    </span>
  );
}
