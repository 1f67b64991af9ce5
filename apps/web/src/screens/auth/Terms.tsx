import { Button } from '@mantine/core';
import { authCalls } from '@evenkeel/contract/auth';
import { Link, useNavigate } from 'react-router';
import { messageOf, useWrite } from '../../client/api.ts';
import { updateSession, useSession } from '../../client/session.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { LegalPage } from './LegalPage.tsx';

/**
 * The terms. A signed-in user who has not accepted them can accept them here, and continues to '/' with a new token.
 */
export function Terms() {
  const user = useSession();
  const navigate = useNavigate();
  const accept = useWrite(authCalls.updateUserTerms);

  const submit = async () => {
    const token = await accept.mutateAsync({ body: { termsAccepted: true } });
    updateSession({ token, termsAccepted: true });
    await navigate('/', { replace: true });
  };

  return (
    <LegalPage
      title="Terms of Service"
      document={authCalls.termsOfService}
      other={{ to: '/privacy-policy', label: 'Privacy policy' }}
    >
      {accept.isError && <InlineAlert kind="Error">{messageOf(accept.error)}</InlineAlert>}
      {user === null && <Link to="/login">Sign in</Link>}
      {user?.termsAccepted === true && <span role="status">Current Terms Already Accepted</span>}
      {user?.termsAccepted === false && (
        <Button loading={accept.isPending} onClick={() => void submit().catch(() => undefined)}>
          Accept
        </Button>
      )}
      {user !== null && <Link to="/">Back to Evenkeel</Link>}
    </LegalPage>
  );
}
