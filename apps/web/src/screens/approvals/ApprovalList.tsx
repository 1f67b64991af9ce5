import type { Approval } from '@evenkeel/contract/agents';
import { IconArrowLeft, IconInfoCircle, IconRobot } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { OpenRecord } from '../../records/openRecord.ts';
import { useNarrow } from '../../ui/hooks/media.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { ICON, ICON_SMALL } from '../../ui/show/icons.ts';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { whenWords } from './approvalWords.ts';

export interface PartProps {
  list: readonly Approval[];
  /** The change that is shown. Undefined on a phone while the list is shown. */
  id: number | undefined;
  open: OpenRecord;
}

/** The list of changes, with the selected change next to it. On a phone, the selected change covers the list. */
export function ListAndDetail({ list, id, open, children }: PartProps & { children: ReactNode }) {
  const narrow = useNarrow();
  const shown = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    shown.current?.scrollIntoView({ block: 'nearest' });
  }, [id]);
  return (
    <div className="ap">
      {!(narrow && id !== undefined) && (
        <ol className="ap-list" aria-label="Proposals">
          {list.map((one) => (
            <li key={one.id}>
              <Row one={one} isShown={one.id === id} shown={shown} onOpen={() => open.open(one.id)} />
            </li>
          ))}
        </ol>
      )}
      {id !== undefined && (
        <section className="ap-detail" aria-label="Proposal" tabIndex={0}>
          {narrow && (
            <button type="button" className="ek-link ap-back" onClick={open.close}>
              <IconArrowLeft {...ICON_SMALL} /> All Proposals
            </button>
          )}
          {children}
        </section>
      )}
    </div>
  );
}

interface RowProps {
  one: Approval;
  isShown: boolean;
  shown: RefObject<HTMLButtonElement | null>;
  onOpen: () => void;
}

function Row({ one, isShown, shown, onOpen }: RowProps) {
  const { title, amount, keyName, createdAt, decidedAt, decidedBy, status, why, reason } = one;
  const third = status === 'waiting' ? why : [decidedBy ?? '', reason ?? ''].filter((text) => text !== '').join(': ');
  return (
    <button
      type="button"
      className="ap-row"
      ref={isShown ? shown : undefined}
      aria-current={isShown ? 'true' : undefined}
      onClick={onOpen}
    >
      <span className="ap-icon">
        <IconRobot {...ICON} aria-hidden />
      </span>
      <span className="ap-words">
        <span className="ap-pair">
          <span className="ek-medium ek-ellipsis">{title}</span>
          {amount !== 0 && (
            <span className="ek-medium">
              <Amount value={amount} />
            </span>
          )}
        </span>
        <span className="ap-pair ek-muted ek-small">
          <span className="ek-ellipsis">{keyName}</span>
          <span className="ek-num">{whenWords(decidedAt ?? createdAt)}</span>
        </span>
        <span className="ap-why ek-second ek-small">
          <IconInfoCircle {...ICON_SMALL} aria-hidden />
          <span className="ek-ellipsis">{third}</span>
          {status === 'undone' && <Status look="void">Undone</Status>}
        </span>
      </span>
    </button>
  );
}

/** The title of a change, its agent, and its amount. */
export function DetailHead({ one, when }: { one: Approval; when: ReactNode }) {
  const { title, amount, keyName, keyPrefix, userName, client, changedBy, changedAt } = one;
  const program = client === '' ? '' : ` (${client})`;
  return (
    <div className="ap-head">
      <div>
        <h2>{title}</h2>
        <p className="ek-muted ek-small">
          {keyName}
          {program}, key <span className="ap-code">{keyPrefix}…</span> of {userName} · {when}
        </p>
        {changedBy !== null && (
          <p className="ap-changed ek-small">
            Changed by {changedBy}, <MomentText value={changedAt} />
          </p>
        )}
      </div>
      {amount !== 0 && (
        <span className="ap-amount">
          <Amount value={amount} />
        </span>
      )}
    </div>
  );
}

/** The agent's own explanation, which is shown as plain text and never treated as an instruction. */
export function AgentMessage({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <div className="ap-untrusted">
      <div className="ap-pair">
        <h3>Message from the Agent</h3>
        <Status look="low">Untrusted text</Status>
      </div>
      <p>“{text}”</p>
    </div>
  );
}
