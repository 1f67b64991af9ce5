import './account.css';
import { authCalls } from '@evenkeel/contract/auth';
import { Button } from '@mantine/core';
import { IconBuilding, IconCheck, IconMail, IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ask, useRead } from '../../client/api.ts';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { NEW_COMPANY } from './NewCompany.tsx';
import { useEntering } from './useEntering.ts';

export interface CompanySwitchProps {
  onAccount?: () => void;
  /** The text shown above the companies. */
  lead?: string;
}

/**
 * A list for switching companies, in the account menu and on the page for a company that the user can't open. Empty if
 * the user has only one company and can't create another.
 */
export function CompanySwitch({ onAccount, lead }: CompanySwitchProps) {
  const { value: own, error, retry } = useRead(ask(authCalls.listCompanies, {}), { isFresh: true });
  const { busy, enter } = useEntering();
  if (own === undefined && error !== undefined) return <ErrorState message={error} onRetry={retry} />;
  const isAdding = onAccount !== undefined && own?.mayAdd === true;
  const hasSeveral = own !== undefined && own.companies.length + own.invitations.length > 1;
  if (own === undefined || !(hasSeveral || isAdding)) return null;
  const companies = hasSeveral ? own.companies : [];
  return (
    <div className="ac-switch" role="group" aria-label="Companies">
      {lead !== undefined && <p className="ek-second">{lead}</p>}
      {companies.map(({ companyId, companyName, isThis }) => (
        <Button
          key={companyId}
          variant={isThis ? 'light' : 'default'}
          justify="flex-start"
          aria-current={isThis}
          leftSection={isThis ? <IconCheck {...ICON_SMALL} /> : <IconBuilding {...ICON_SMALL} />}
          loading={busy === companyId}
          onClick={() => !isThis && enter(companyId)}
        >
          <span className="ek-ellipsis" title={companyName}>
            {companyName}
          </span>
        </Button>
      ))}
      {onAccount !== undefined && own.invitations.length > 0 && (
        <Button
          component={Link}
          to="/account"
          variant="default"
          justify="flex-start"
          leftSection={<IconMail {...ICON_SMALL} />}
          onClick={onAccount}
        >
          {own.invitations.length === 1 ? '1 invitation' : `${own.invitations.length} invitations`}
        </Button>
      )}
      {isAdding && (
        <Button
          component={Link}
          to={`/account${NEW_COMPANY}`}
          variant="default"
          justify={hasSeveral ? 'flex-start' : 'center'}
          leftSection={<IconPlus {...ICON_SMALL} />}
          onClick={onAccount}
        >
          New Company
        </Button>
      )}
    </div>
  );
}
