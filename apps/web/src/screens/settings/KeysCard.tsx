import { agentCalls } from '@evenkeel/contract/agents';
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { ask, inAlert, messageOf, useRead, useWrite } from '../../client/api.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { Section } from './Section.tsx';

/** Links to the API keys and webhooks, and the setting that lets agents connect. */
export function KeysCard() {
  return (
    <>
      <Section
        title="API Keys"
        hint="With an API key, a program such as an online store can use Evenkeel as one of your users."
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
        hint="A webhook notifies a program of changes in your books as soon as they are saved."
        actions={
          <Button component={Link} to="/webhooks" variant="default" size="xs">
            Manage Webhooks
          </Button>
        }
      >
        {null}
      </Section>
      <Agents />
    </>
  );
}

/** The setting that determines whether agents can connect with API keys. */
function Agents() {
  const alerts = useAlerts();
  const read = useRead(ask(agentCalls.getAgentAccess, {}), inAlert('Error Loading Agents'));
  const isOn = read.value?.isOn;
  const change = useWrite(agentCalls.setAgentAccess);
  const turn = async (wanted: boolean) => {
    try {
      await change.mutateAsync({ body: { isOn: wanted } });
      alerts.success(wanted ? 'Agents can connect at /mcp' : 'Agents can no longer connect');
    } catch (error) {
      alerts.error(messageOf(error));
    }
  };
  return (
    <Section
      title="Agents"
      hint={
        "An agent, such as an assistant, uses an API key to read your books and propose changes. The key's policy " +
        'lists the changes that the agent can make without approval.'
      }
      actions={
        <Button
          variant="default"
          size="xs"
          disabled={isOn === undefined}
          loading={change.isPending}
          onClick={() => void turn(isOn !== true)}
        >
          {isOn === true ? 'Stop Agents' : 'Let Agents Connect'}
        </Button>
      }
    >
      {null}
    </Section>
  );
}
