import './account.css';
import { accountCalls } from '@evenkeel/contract/account';
import { settingsCalls } from '@evenkeel/contract/settings';
import { ask, useRead } from '../../client/api.ts';
import { Page } from '../../ui/page/Page.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { EmailCard } from './EmailCard.tsx';
import { FactorCard } from './FactorCard.tsx';
import { PasswordCard } from './PasswordCard.tsx';
import { SessionsCard } from './SessionsCard.tsx';

/** One's own account: second factor, sessions, password, e-mail. */
export function AccountScreen() {
  const { value, error, retry } = useRead(ask(accountCalls.getAccount, {}));
  const company = useRead(ask(settingsCalls.getCompany, {})).value;
  return (
    <Page title="Account" meta={value?.email} scroll>
      {value === undefined && error !== undefined && <ErrorState message={error} onRetry={retry} />}
      {value === undefined && error === undefined && (
        <p className="ek-page-pad ek-muted" role="status">
          Loading...
        </p>
      )}
      {value !== undefined && (
        <div className="ek-page-pad ac-cards">
          <div className="ac-column">
            <FactorCard factor={value.secondFactor} />
            <SessionsCard sessions={value.sessions} />
          </div>
          <div className="ac-column">
            <PasswordCard account={value} company={company?.displayname ?? ''} />
            <EmailCard account={value} />
          </div>
        </div>
      )}
    </Page>
  );
}
