import './setup.css';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { Button } from '@mantine/core';
import { type ComponentType, useEffect, useState } from 'react';
import { Navigate } from 'react-router';
import { ask, useRead } from '../../client/api.ts';
import { isAdministrator, updateSession, useSession } from '../../client/session.ts';
import { logout } from '../../client/transport.ts';
import { useKeptElsewhere } from '../../ui/hooks/localState.ts';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { setupFormOf } from './setupForm.ts';
import { DRAFT } from './useSetup.ts';
import { Wizard } from './Wizard.tsx';

/**
 * The first-time setup. Administrators of a new company see it once, after the terms. Other users, and users whose
 * company is already set up, continue to the dashboard.
 */
export function FirstTimeSetup({ Companies }: WithCompanies) {
  const user = useSession();
  const [next, setNext] = useState('/');
  useEffect(() => {
    document.title = 'First-time setup · Evenkeel';
  }, []);
  if (user === null) return <Navigate to="/login" replace />;
  if (!user.termsAccepted) return <Navigate to="/TOS" replace />;
  if (user.secondFactorMissing === true) return <Navigate to="/second-factor" replace />;
  if (user.setupCompleted || !isAdministrator(user)) return <Navigate to={next} replace />;
  return <Setup Companies={Companies} onMoveIn={() => setNext('/movein')} />;
}

interface WithCompanies {
  /** The user's other companies. The user can continue in one of them and set up this company later. */
  Companies?: ComponentType<{ lead: string }> | undefined;
}

interface SetupProps extends WithCompanies {
  /** Called before the setup is skipped, so that the import opens next. */
  onMoveIn: () => void;
}

/** Starts with the company's data. Answers entered in another tab appear here too. */
function Setup({ Companies, onMoveIn }: SetupProps) {
  const company = useRead(ask(settingsCalls.getCompany, {}), { isFresh: true });
  const settings = useRead(ask(settingsCalls.getSettings, {}));
  const accounts = useRead(ask(ledgerCalls.listAccounts, { query: {} }));
  const [round, setRound] = useState(0);
  useKeptElsewhere(`draft:${DRAFT}`, () => setRound((before) => before + 1));
  const isOver = company.value?.setupCompleted === true;
  useEffect(() => {
    // A colleague has completed the setup since this session started.
    if (isOver) updateSession({ setupCompleted: true });
  }, [isOver]);
  if (company.value !== undefined && settings.value !== undefined && accounts.value !== undefined && !isOver) {
    const initial = setupFormOf(company.value, settings.value.customerSettingItems);
    return <Wizard key={round} initial={initial} accounts={accounts.value} Companies={Companies} onMoveIn={onMoveIn} />;
  }
  const failed = [company, settings, accounts].filter(({ error }) => error !== undefined);
  if (failed.length === 0) return null;
  const retry = async () => void (await Promise.all(failed.map((read) => read.retry())));
  return (
    <main className="su-failed">
      <ErrorState message={failed[0]?.error ?? ''} onRetry={() => void retry()} />
      <Button variant="subtle" onClick={() => logout()}>
        Logout
      </Button>
    </main>
  );
}
