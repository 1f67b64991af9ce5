import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { cents } from '@evenkeel/core/money';
import { useState } from 'react';
import { InlineAlert } from '../alerts/InlineAlert.tsx';
import { Key } from '../keys/Key.tsx';
import { ConfirmDelete } from '../overlay/ConfirmDelete.tsx';
import { Tabs } from '../page/Tabs.tsx';
import { Amount } from '../show/Amount.tsx';
import { Card } from '../show/Card.tsx';
import { Choice } from '../show/Choice.tsx';
import { Facts, Totals } from '../show/Facts.tsx';
import { Figure } from '../show/Figure.tsx';
import { FormErrorSummary } from '../show/FormErrorSummary.tsx';
import { ICON, ICON_SMALL } from '../show/icons.ts';
import { Level } from '../show/Level.tsx';
import { Status } from '../show/Status.tsx';
import { Section } from './Section.tsx';

export function Buttons() {
  return (
    <Section title="Buttons">
      <div className="ekg-row">
        <Button>Save</Button>
        <Button loading>Save</Button>
        <Button disabled>Save</Button>
        <ActionIcon aria-label="Close">
          <IconX {...ICON} />
        </ActionIcon>
      </div>
      <div className="ekg-row">
        <Button variant="default">Preview Invoice</Button>
        <Button variant="subtle">Cancel</Button>
        <Button variant="subtle" className="ek-btn-link" leftSection={<IconPlus {...ICON_SMALL} />}>
          Add Billing Line Item
        </Button>
      </div>
      <div className="ekg-row">
        <Button variant="subtle" className="ek-btn-delete">
          Delete
        </Button>
      </div>
      <div className="ekg-foot">
        <ConfirmDelete
          action={{ question: 'Delete invoice 10436?', onConfirm: () => undefined }}
          onCancel={() => undefined}
        />
      </div>
    </Section>
  );
}

export function Badges() {
  return (
    <Section title="Badges and level">
      <div className="ekg-row">
        <Key keys="Mod+K" />
        <Status look="draft">Draft</Status>
        <Status look="open">Open</Status>
        <Status look="sent">Sent</Status>
        <Status look="hold">On Hold</Status>
        <Status look="partial">Partially paid</Status>
        <Status look="done">Paid</Status>
        <Status look="late">Overdue 37 days</Status>
        <Status look="void">Void</Status>
        <Status look="plain">Bank</Status>
      </div>
      <div className="ekg-row">
        <Level />
        <Level heavier="debit" />
        <Level heavier="credit">Out by 412.80</Level>
      </div>
    </Section>
  );
}

export function Amounts() {
  return (
    <Section title="Figures">
      <Figure note="unpaid, due 6/25/2026">
        <Amount value={cents(220670)} sign />
      </Figure>
      <Facts
        facts={[
          { label: 'Customer', value: 'Fairlawn Heights HOA' },
          { label: 'Discount', value: <Amount value={cents(-9450)} /> },
          { label: 'Paid so far', value: <Amount value={cents(0)} zero="dash" /> },
        ]}
      />
      <Totals
        lines={[
          { label: 'Subtotal', value: <Amount value={cents(208550)} /> },
          { label: 'State tax 5.75%', value: <Amount value={cents(10324)} /> },
          { label: 'Total', value: <Amount value={cents(218874)} sign />, sum: true },
        ]}
      />
      <Card title="Cash Positions">
        <Facts facts={[{ label: 'Checking', value: <Amount value={cents(4831642)} /> }]} />
      </Card>
    </Section>
  );
}

export function TabsAndChoice() {
  const [tab, setTab] = useState<'open' | 'work' | 'history'>('open');
  const [side, setSide] = useState<'debit' | 'credit'>('debit');
  return (
    <Section title="Tabs and choices">
      <Tabs
        label="Billing"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'open', label: 'Open Invoices' },
          { value: 'work', label: 'Work Items', count: 4 },
          { value: 'history', label: 'Invoice History' },
        ]}
      />
      <Choice
        label="Debit/Credit"
        value={side}
        onChange={setSide}
        options={[
          { value: 'debit', label: 'Debit' },
          { value: 'credit', label: 'Credit' },
        ]}
      />
    </Section>
  );
}

export function Messages() {
  return (
    <Section title="Messages that stay">
      <InlineAlert kind="Success">Recon saved</InlineAlert>
      <InlineAlert kind="Info">Please enter text to search for.</InlineAlert>
      <InlineAlert kind="Warning">This vendor already has a bill numbered GS-7731.</InlineAlert>
      <InlineAlert kind="Error" action={{ label: 'Retry', run: () => undefined }}>
        Failure Saving Invoice
      </InlineAlert>
      <FormErrorSummary
        problems={[
          { message: 'Please Select an Account', fieldId: 'gallery-account' },
          { message: 'Please enter a name' },
        ]}
      />
    </Section>
  );
}
