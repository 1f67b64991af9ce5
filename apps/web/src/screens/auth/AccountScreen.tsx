import './account.css';
import { type Account, accountCalls } from '@evenkeel/contract/account';
import { settingsCalls } from '@evenkeel/contract/settings';
import { ask, useRead } from '../../client/api.ts';
import { Page } from '../../ui/page/Page.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { CompaniesCard, useOwnCompanies } from './CompaniesCard.tsx';
import { DeleteCard } from './DeleteCard.tsx';
import { EmailCard } from './EmailCard.tsx';
import { FactorCard } from './FactorCard.tsx';
import { NameCard, useOwnUser } from './NameCard.tsx';
import type { Has } from '../../client/passkeys.ts';
import { PasskeysCard } from './PasskeysCard.tsx';
import { PasswordCard } from './PasswordCard.tsx';
import { PreferencesCard, type StartPage } from './PreferencesCard.tsx';
import { SessionsCard } from './SessionsCard.tsx';

const hasOf = ({ secondFactor, passkeys }: Account): Has => ({
  code: secondFactor.isOn,
  passkey: passkeys.length > 0,
});

const deviceOf = ({ sessions }: Account): string => sessions.find(({ isThis }) => isThis)?.device ?? '';

/**
 * The user's account: companies, two-step verification, passkeys, sessions, name, device preferences, password, and
 * email.
 */
export function AccountScreen({ starts }: { starts: readonly StartPage[] }) {
  const { value, error, retry } = useRead(ask(accountCalls.getAccount, {}));
  const company = useRead(ask(settingsCalls.getCompany, {})).value;
  // Waits for both reads, because cards that appear later would move the cards below them.
  const [user, companies] = [useOwnUser(), useOwnCompanies()];
  const isWhole = !user.isLoading && !companies.isLoading;
  return (
    <Page title="Account" meta={value?.email} scroll>
      {value === undefined && error !== undefined && <ErrorState message={error} onRetry={retry} />}
      {error === undefined && (value === undefined || !isWhole) && (
        <p className="ek-page-pad ek-muted" role="status">
          Loading...
        </p>
      )}
      {value !== undefined && isWhole && (
        <div className="ek-page-pad ac-cards">
          <div className="ac-column">
            <CompaniesCard />
            <FactorCard factor={value.secondFactor} hasPasskeys={value.passkeys.length > 0} />
            <PasskeysCard passkeys={value.passkeys} has={hasOf(value)} device={deviceOf(value)} />
            <SessionsCard sessions={value.sessions} />
          </div>
          <div className="ac-column">
            <NameCard />
            <PreferencesCard starts={starts} />
            <PasswordCard account={value} company={company?.displayname ?? ''} />
            <EmailCard account={value} has={hasOf(value)} />
            <DeleteCard />
          </div>
        </div>
      )}
    </Page>
  );
}
