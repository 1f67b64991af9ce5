import { accountCalls, type FactorRule } from '@evenkeel/contract/account';
import { ask, messageOf, useRead, useWrite } from '../../client/api.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { Choice } from '../../ui/show/Choice.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { Section } from './Section.tsx';

const RULES: readonly { value: FactorRule; label: string; says: string }[] = [
  { value: 'nobody', label: 'Nobody', says: 'Each user can turn two-step verification on or off on the Account page.' },
  {
    value: 'administrators',
    label: 'Administrators',
    says: 'Administrators without two-step verification must set it up before they can continue.',
  },
  {
    value: 'everybody',
    label: 'Everybody',
    says: 'Users without two-step verification must set it up before they can continue.',
  },
];

/**
 * Determines which users need two-step verification. The setting is saved when selected and applies to each user's next
 * request.
 */
export function SignInCard() {
  const alerts = useAlerts();
  const { value, error, retry } = useRead(ask(accountCalls.getSignInRules, {}), {
    alert: 'Error Loading Sign-in Settings',
  });
  const write = useWrite(accountCalls.saveSignInRules);
  const chosen = write.isPending ? write.variables.body.secondFactor : value?.secondFactor;
  const choose = async (secondFactor: FactorRule) => {
    try {
      await write.mutateAsync({ body: { secondFactor } });
      alerts.success('Sign-in settings saved');
    } catch (failure) {
      alerts.error(messageOf(failure));
    }
  };
  return (
    <Section title="Sign-in">
      {error !== undefined && <ErrorState message={error} onRetry={retry} />}
      {chosen !== undefined && (
        <div className="st-rows">
          <Choice
            label="Require Two-Step Verification For"
            hint={RULES.find((rule) => rule.value === chosen)?.says}
            options={RULES}
            value={chosen}
            disabled={write.isPending}
            onChange={(rule) => void choose(rule)}
          />
        </div>
      )}
    </Section>
  );
}
