import type { BankRule } from '@evenkeel/contract/bankRules';
import { formatAmount } from '@evenkeel/core/money';
import { ActionIcon, Button } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useState } from 'react';
import { messageOf } from '../../../client/api.ts';
import { useBanks } from '../../../parts/banking/moves.ts';
import { useAccountChoices } from '../../../parts/choices/accounts.ts';
import { labelOf } from '../../../parts/choices/choice.ts';
import { useManages } from '../../../records/active.tsx';
import { useOpenRecord } from '../../../records/openRecord.ts';
import { useList, useSave } from '../../../records/records.ts';
import { wholeList } from '../../../records/reads.ts';
import { useAlerts } from '../../../ui/alerts/Alerts.tsx';
import { Page } from '../../../ui/page/Page.tsx';
import { ICON_SMALL } from '../../../ui/show/icons.ts';
import { NameLink } from '../../../ui/show/NameLink.tsx';
import { Status } from '../../../ui/show/Status.tsx';
import { counted } from '../../../ui/show/words.ts';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { bankRules } from '../statements/statements.ts';
import { movedRule } from './ruleForm.ts';
import { RuleModal } from './RuleModal.tsx';

/** Moves a rule to another position. The other rules move accordingly. */
function useMoving() {
  const alerts = useAlerts();
  const save = useSave(bankRules);
  const [isBusy, setBusy] = useState(false);
  const move = async (rule: BankRule, position: number) => {
    setBusy(true);
    try {
      await save(rule.id, movedRule(rule, position));
    } catch (error) {
      alerts.error(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, move: (rule: BankRule, position: number) => void move(rule, position) };
}

const OPERATORS = { contains: 'contains', is: 'is', begins: 'starts with' } as const;
const SIDES = { in: 'Money in', out: 'Money out', both: 'Money in or out' } as const;

/** Formats a rule's condition: `Money out, text contains FUEL, 10.00 to 50.00`. */
export function testWords({ direction, operator, text, from, to }: BankRule): string {
  const parts = [SIDES[direction]];
  const words: string[] = [...parts, ...(text === '' ? [] : [`text ${OPERATORS[operator]} ${text}`])];
  if (from !== null && to !== null) words.push(`${formatAmount(from)} to ${formatAmount(to)}`);
  else if (from !== null) words.push(`${formatAmount(from)} or more`);
  else if (to !== null) words.push(`up to ${formatAmount(to)}`);
  return words.join(', ');
}

/** The bank rules in the order in which they run. The first rule that matches applies. */
export function RulesPage({ onClose }: { onClose: () => void }) {
  const read = useList(bankRules);
  const rules = wholeList(Array.isArray(read.value) ? read.value : undefined);
  const banks = useBanks();
  const { accounts } = useAccountChoices();
  const manages = useManages('Manage Banking');
  const open = useOpenRecord('rule');
  const { isBusy, move } = useMoving();
  const books = ({ lines }: BankRule) => lines.map(({ accountID }) => labelOf(accounts, accountID)).join(', ');
  const bankOf = ({ bankAccountId }: BankRule) =>
    bankAccountId === null
      ? 'All accounts'
      : (banks.value?.find(({ bankingAccountID }) => bankingAccountID === bankAccountId)?.name ?? '');
  const add = () => open.open(0);
  const moves = (rule: BankRule) => (
    <span className="ru-moves">
      <ActionIcon
        aria-label={`Move ${rule.name} up`}
        disabled={isBusy || rule.position === 1}
        onClick={() => move(rule, rule.position - 1)}
      >
        <IconArrowUp {...ICON_SMALL} />
      </ActionIcon>
      <ActionIcon
        aria-label={`Move ${rule.name} down`}
        disabled={isBusy || rule.position === rules?.length}
        onClick={() => move(rule, rule.position + 1)}
      >
        <IconArrowDown {...ICON_SMALL} />
      </ActionIcon>
    </span>
  );
  const columns: readonly Column<BankRule>[] = [
    { id: 'position', header: 'Order', kind: 'number', value: (one) => one.position, width: '80px' },
    {
      id: 'name',
      header: 'Rule',
      value: (one) => one.name,
      render: (one) => <NameLink {...open.link(one.id)}>{one.name}</NameLink>,
    },
    { id: 'text', header: 'Fits', value: testWords },
    { id: 'account', header: 'Bank Account', value: bankOf, width: '184px', quiet: true },
    { id: 'lines', header: 'Account', value: books },
    { id: 'posts', header: 'Then', kind: 'status', value: thenOf, render: statusOf, width: '140px' },
    ...(manages ? [{ id: 'moves', header: 'Move', render: moves, width: '96px' } satisfies Column<BankRule>] : []),
  ];
  return (
    <Page
      title="Rules"
      meta="Rules run in this order. The first match is used."
      onClose={onClose}
      primary={manages ? { label: 'Add Rule', onClick: add } : undefined}
    >
      <DataTable<BankRule>
        label="Rules"
        columns={columns}
        rows={rules}
        rowId={(one) => String(one.id)}
        defaultSort={{ id: 'position' }}
        error={read.error}
        onRetry={read.retry}
        onOpen={(one) => open.open(one.id)}
        phoneRow={(one) => ({ title: `${one.position}. ${one.name}`, amount: thenOf(one), detail: testWords(one) })}
        empty={{
          title: 'No rules',
          hint: "A rule categorizes similar bank transactions for you, so that you don't have to categorize each one.",
          action: manages ? <Button onClick={add}>Add Rule</Button> : undefined,
        }}
        count={(count) => counted(count, bankRules.words)}
      />
      {open.id !== undefined && <RuleModal key={open.id} id={open.id} onClose={open.close} />}
    </Page>
  );
}

function thenOf({ active, posts }: BankRule): string {
  if (!active) return 'Off';
  return posts ? 'Categorizes automatically' : 'Suggests';
}

const statusOf = (rule: BankRule) => <Status look={rule.active ? 'plain' : 'void'}>{thenOf(rule)}</Status>;
