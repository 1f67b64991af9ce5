import './page.css';
import { IconChevronDown } from '@tabler/icons-react';
import { type KeyboardEvent, useRef } from 'react';
import { goToUnread } from '../fields/unread.ts';
import { useNarrow } from '../hooks/media.ts';
import type { OpenerButton } from '../lazy/Opener.tsx';
import { ActionMenu } from '../overlay/ActionMenu.tsx';
import { ICON } from '../show/icons.ts';
import { tabByKey } from '../keys/tabKeys.ts';

export interface Tab<Value extends string> {
  value: Value;
  label: string;
  /** Shown in parentheses unless it is zero. */
  count?: number | undefined;
}

export interface TabsProps<Value extends string> {
  tabs: readonly Tab<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** The accessible name of the tabs, for example `Billing`. */
  label: string;
  /**
   * The prefix for the IDs `{idBase}-tab-{value}` and `{idBase}-pane`. Omitted if no pane is linked for screen readers.
   */
  idBase?: string;
}

/** Returns the tab that a swipe from `value` opens, wrapping around at the ends. */
export function neighbourTab<Value extends string>(tabs: readonly Tab<Value>[], value: Value, step: 1 | -1): Value {
  const index = tabs.findIndex((tab) => tab.value === value);
  return tabs[(index + step + tabs.length) % tabs.length]?.value ?? value;
}

/**
 * An underlined tab bar with arrow keys. Below 768 px, it is a drop-down. If a field in a dialog has an unreadable
 * value, the dialog stays on its tab, because the value would disappear with the tab and count as empty.
 */
export function Tabs<Value extends string>(props: TabsProps<Value>) {
  const narrow = useNarrow();
  const onChange = (value: Value) => {
    if (!goToUnread('[role="dialog"]')) props.onChange(value);
  };
  const Shown = narrow ? TabSelect<Value> : TabBar<Value>;
  return <Shown {...props} onChange={onChange} />;
}

export interface TabsInProps<Value extends string> extends TabsProps<Value> {
  /** Above a modal's body, the tabs stay visible. In a panel, they scroll. */
  place: 'panel' | 'modal';
}

/** The full-width tabs of a panel or modal. */
export function TabsIn<Value extends string>({ place, ...props }: TabsInProps<Value>) {
  return (
    <div className="ek-tabs-in" data-place={place}>
      <Tabs {...props} />
    </div>
  );
}

function TabBar<Value extends string>({ tabs, value, onChange, label, idBase }: TabsProps<Value>) {
  const bar = useRef<HTMLDivElement>(null);
  const go = (index: number) => {
    const tab = tabs[(index + tabs.length) % tabs.length];
    if (tab === undefined) return;
    bar.current?.querySelectorAll('button')[tabs.indexOf(tab)]?.focus();
    onChange(tab.value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.value === value);
    const to = tabByKey(event, at, tabs.length);
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  };
  return (
    <div ref={bar} role="tablist" aria-label={label} className="ek-tabs" onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          id={idBase === undefined ? undefined : `${idBase}-tab-${tab.value}`}
          aria-selected={tab.value === value}
          aria-controls={idBase !== undefined && tab.value === value ? `${idBase}-pane` : undefined}
          tabIndex={tab.value === value ? 0 : -1}
          className="ek-tab"
          onClick={() => onChange(tab.value)}
        >
          {tab.label}
          <TabCount count={tab.count} />
        </button>
      ))}
    </div>
  );
}

function TabCount({ count }: { count: number | undefined }) {
  return count === undefined || count === 0 ? null : <span className="ek-tab-count ek-num">({count})</span>;
}

function TabSelect<Value extends string>(props: TabsProps<Value>) {
  const { tabs, value, label } = props;
  const at = tabs.findIndex((tab) => tab.value === value);
  return (
    <TabMenu
      {...props}
      wide
      button={
        <button type="button" className="ek-tab-select">
          <span className="ek-vh">{label}: </span>
          <span className="ek-grow ek-semi">
            <CurrentTab {...props} />
          </span>
          <span className="ek-muted ek-small">
            {at + 1} of {tabs.length}
          </span>
          <IconChevronDown {...ICON} />
        </button>
      }
    />
  );
}

/** The tabs of a page on a phone: the title shows the name of the selected tab and opens a menu of the tabs. */
export function TabTitle<Value extends string>(props: TabsProps<Value>) {
  return (
    <TabMenu
      {...props}
      button={
        <button type="button" className="ek-tab-title">
          <span className="ek-vh">{props.label}: </span>
          <span className="ek-ellipsis">
            <CurrentTab {...props} />
          </span>
          <IconChevronDown {...ICON} />
        </button>
      }
    />
  );
}

function CurrentTab<Value extends string>({ tabs, value }: TabsProps<Value>) {
  const current = tabs.find((tab) => tab.value === value);
  return current !== undefined && <TabWords tab={current} />;
}

type TabMenuProps<Value extends string> = TabsProps<Value> & { button: OpenerButton; wide?: boolean };

function TabMenu<Value extends string>({ tabs, value, onChange, button, wide = false }: TabMenuProps<Value>) {
  return (
    <ActionMenu
      position="bottom"
      wide={wide}
      actions={tabs.map((tab) => ({
        label: tab.label,
        content: <TabWords tab={tab} />,
        current: tab.value === value,
        onClick: () => onChange(tab.value),
      }))}
      button={button}
    />
  );
}

function TabWords({ tab }: { tab: Tab<string> }) {
  return (
    <>
      {tab.label} <TabCount count={tab.count} />
    </>
  );
}
