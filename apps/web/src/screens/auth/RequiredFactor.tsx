import { Button } from '@mantine/core';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { useSession } from '../../client/session.ts';
import { logout } from '../../client/transport.ts';
import { FactorSetup } from './FactorSetup.tsx';
import { cameFrom } from './Login.tsx';
import { PublicFrame } from './PublicFrame.tsx';

/** Who has no second factor in a company that requires one sets it up here, and can do nothing else. */
export function RequiredFactor() {
  const user = useSession();
  const navigate = useNavigate();
  const back = cameFrom(useLocation().state);
  if (user === null) return <Navigate to="/login" replace />;
  if (user.secondFactorMissing !== true) return <Navigate to={back} replace />;
  return (
    <PublicFrame title="Set up your second factor" isWide>
      <p className="ek-muted">
        Your company asks for one at sign-in, after the password: a code of an authenticator on your phone.
      </p>
      <FactorSetup onDone={() => void navigate(back, { replace: true })} />
      <Button variant="subtle" onClick={() => logout()}>
        Sign out
      </Button>
    </PublicFrame>
  );
}
