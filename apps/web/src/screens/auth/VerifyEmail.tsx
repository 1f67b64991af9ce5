import { authCalls } from '@evenkeel/contract/auth';
import { useEffect, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { messageOf, useWrite } from '../../client/api.ts';
import { ApiError, endSession } from '../../client/transport.ts';
import { LinkFailed, PublicFrame } from './PublicFrame.tsx';

const FAILED = 'Verification failed, you can also verify your account using the forgot password page.';

/** Uses the token from the emailed link immediately. If this succeeds, opens the sign-in page. */
export function VerifyEmail() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const verify = useWrite(authCalls.verifyEmail);
  const token = query.get('token') ?? '';
  const isSent = useRef(false);
  const { mutateAsync } = verify;

  useEffect(() => {
    // The token works only once, so a second run of this effect must not use it.
    if (isSent.current) return;
    isSent.current = true;
    mutateAsync({ body: { token } }).then(
      () => {
        endSession();
        return navigate('/login', { replace: true, state: { notice: 'Verification success, you can now login' } });
      },
      () => undefined,
    );
  }, [mutateAsync, navigate, token]);

  const message = verify.error instanceof ApiError ? FAILED : messageOf(verify.error);
  return (
    <PublicFrame title="Verify your email" error={verify.isError ? message : null}>
      {!verify.isError && <p role="status">Checking your link...</p>}
      {verify.isError && <LinkFailed action="Forgot Password?" />}
    </PublicFrame>
  );
}
