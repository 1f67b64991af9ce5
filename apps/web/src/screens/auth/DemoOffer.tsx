import { Button } from '@mantine/core';
import { authCalls } from '@evenkeel/contract/auth';
import { useNavigate } from 'react-router';
import { messageOf, useWrite } from '../../client/api.ts';
import { signIn } from '../../client/session.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';

/**
 * The page that the first-start link opens. It offers a demo company: two years of a fictional landscaping business.
 */
export function DemoOffer({ token }: { token: string }) {
  const navigate = useNavigate();
  const open = useWrite(authCalls.lookAround);

  const lookAround = async () => {
    const user = await open.mutateAsync({ body: { token } });
    signIn(user);
    await navigate('/', { replace: true });
  };

  return (
    <>
      <Button variant="default" loading={open.isPending} onClick={() => void lookAround().catch(() => undefined)}>
        Explore a demo company
      </Button>
      {open.isError && <InlineAlert kind="Error">{messageOf(open.error)}</InlineAlert>}
      <p className="ek-muted">
        A sample business with two years of data. Your registration link still works afterward.
      </p>
    </>
  );
}
