import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { Section } from './Section.tsx';

/** Leads to the API keys and webhooks. */
export function KeysCard() {
  return (
    <>
      <Section
        title="API Keys"
        hint="With an API key, a program such as a web shop can use Evenkeel for one of your users."
        actions={
          <Button component={Link} to="/apikeys" variant="default" size="xs">
            Manage API Keys
          </Button>
        }
      >
        {null}
      </Section>
      <Section
        title="Webhooks"
        hint="A webhook tells a program about changes in your books as soon as they are saved."
        actions={
          <Button component={Link} to="/webhooks" variant="default" size="xs">
            Manage Webhooks
          </Button>
        }
      >
        {null}
      </Section>
    </>
  );
}
