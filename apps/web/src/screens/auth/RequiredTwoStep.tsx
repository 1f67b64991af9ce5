import { Button } from '@mantine/core';
import { useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { useSession } from '../../client/session.ts';
import { logout } from '../../client/transport.ts';
import { CompanySwitch } from './CompanySwitch.tsx';
import { FactorSetup } from './FactorSetup.tsx';
import { cameFrom } from './Login.tsx';
import { canUsePasskeys, type Has } from '../../client/passkeys.ts';
import { PasskeySetup } from './PasskeySetup.tsx';
import { PublicFrame } from './PublicFrame.tsx';

const NONE: Has = { code: false, passkey: false };

/**
 * Required setup of two-step verification. In a company that requires it, users can't open anything else until they
 * have set it up.
 */
export function RequiredTwoStep() {
  const user = useSession();
  const navigate = useNavigate();
  const [byPasskey, setByPasskey] = useState(false);
  const back = cameFrom(useLocation().state);
  if (user === null) return <Navigate to="/login" replace />;
  if (user.secondFactorMissing !== true) return <Navigate to={back} replace />;
  const done = () => void navigate(back, { replace: true });
  return (
    <PublicFrame title="Set up two-step verification" isWide>
      <p className="ek-muted">
        Your company requires two-step verification. After you enter your password, you use a passkey or a code from an
        authenticator app on your phone.
      </p>
      {byPasskey ? (
        <PasskeySetup has={NONE} device="" onDone={done} onCancel={() => setByPasskey(false)} />
      ) : (
        <FactorSetup onDone={done} />
      )}
      {!byPasskey && canUsePasskeys() && (
        <Button variant="default" onClick={() => setByPasskey(true)}>
          Use a passkey instead
        </Button>
      )}
      <CompanySwitch />
      <Button variant="subtle" onClick={() => logout()}>
        Sign out
      </Button>
    </PublicFrame>
  );
}
