import './page.css';
import { ActionIcon, Button } from '@mantine/core';
import { IconChevronDown, IconDots, IconPlus, IconX } from '@tabler/icons-react';
import { type ReactNode, type UIEvent, useId, useRef, useState } from 'react';
import { useNarrow } from '../hooks/media.ts';
import { ICON, ICON_SMALL } from '../show/icons.ts';
import { ActionMenu } from '../overlay/ActionMenu.tsx';
import type { MenuAction } from '../overlay/MenuBox.tsx';
import { SplitPane } from '../overlay/SplitPane.tsx';
import { Fab } from './Fab.tsx';
import { neighbourTab, type Tab, Tabs } from './Tabs.tsx';
import { TabPane } from './TabPane.tsx';

export interface PageAction {
  label: string;
  onClick: () => void;
  disabled?: boolean;
  /** The icon. The default is a plus sign. Null shows no icon. */
  icon?: ReactNode;
}

/** A button that opens a menu. On a phone, its actions are in the More menu. */
export interface PageMenu extends Pick<PageAction, 'label'> {
  menu: readonly MenuAction[];
}

export interface PageTabs<Value extends string> {
  tabs: readonly Tab<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

export interface PageProps<Value extends string> {
  title: string;
  /** Muted text next to the title, for example a date. */
  meta?: ReactNode;
  /** The only filled action. Below 768 px, it is the floating button. */
  primary?: PageAction | undefined;
  /** The bordered buttons before the primary action. Below 768 px, they are a menu. */
  secondary?: readonly (PageAction | PageMenu)[];
  /**
   * The floating button's menu on a phone. Its items come after the primary action, if there is one (the accounting
   * page).
   */
  fabMenu?: readonly PageAction[] | undefined;
  /** Other content to the right of the title. */
  aside?: ReactNode;
  tabs?: PageTabs<Value> | undefined;
  /** The FilterBox and related controls. */
  filter?: ReactNode;
  /** Called by a close button that returns to the previous page (subpages of accounting). */
  onClose?: (() => void) | undefined;
  /** Whether the body scrolls as a whole. Omit if it contains a table with its own scrolling. */
  scroll?: boolean;
  /** A SidePanel next to the filter and the body (SplitPane). */
  panel?: ReactNode;
  children: ReactNode;
}

/**
 * Returns the props that make a scrolling body focusable. Without another focusable element, the keyboard could not
 * scroll it.
 */
const scrolling = (title: string) => ({ 'data-scroll': '', tabIndex: 0, role: 'region', 'aria-label': title });

/** The layout of a screen: title, primary action, tabs, filter, and body. */
export function Page<Value extends string = string>(props: PageProps<Value>) {
  const { tabs } = props;
  const idBase = useId();
  const [away, onScroll] = useScrollingDown();
  const list = (
    <>
      {props.filter !== undefined && <div className="ek-filter-row">{props.filter}</div>}
      {/* Keyed by tab, because the height of the filter row may differ. */}
      <div key={tabs?.value} className="ek-page-body" {...(props.scroll === true && scrolling(props.title))}>
        {props.children}
      </div>
    </>
  );
  const body = 'panel' in props ? <SplitPane list={list} panel={props.panel} /> : list;
  return (
    <div className="ek-page" onScrollCapture={onScroll}>
      <PageHead {...props} away={away} />
      {tabs !== undefined && <Tabs {...tabs} label={props.title} idBase={idBase} />}
      {tabs === undefined ? (
        body
      ) : (
        <TabPane
          idBase={idBase}
          value={tabs.value}
          onSwipe={(step) => tabs.onChange(neighbourTab(tabs.tabs, tabs.value, step))}
        >
          {body}
        </TabPane>
      )}
    </div>
  );
}

/** Returns true after scrolling down, so that the floating button doesn't cover the amounts. */
function useScrollingDown(): [boolean, (event: UIEvent) => void] {
  const [down, setDown] = useState(false);
  const last = useRef(0);
  const onScroll = (event: UIEvent) => {
    if (!(event.target instanceof HTMLElement)) return;
    const top = event.target.scrollTop;
    if (Math.abs(top - last.current) > 8) setDown(top > last.current && top > 40);
    last.current = top;
  };
  return [down, onScroll];
}

function PageHead<Value extends string>(props: PageProps<Value> & { away: boolean }) {
  const narrow = useNarrow();
  const { primary, secondary = [], fabMenu, onClose } = props;
  return (
    <div className="ek-page-head">
      <h1>{props.title}</h1>
      {props.meta !== undefined && <span className="ek-page-meta">{props.meta}</span>}
      <div className="ek-page-actions">
        {props.aside}
        {narrow ? <MoreMenu buttons={secondary} /> : secondary.map((action) => secondaryButton(action))}
        {primary !== undefined && !narrow && primaryButton(primary)}
        {onClose !== undefined && (
          <ActionIcon aria-label="Close" onClick={onClose}>
            <IconX {...ICON} />
          </ActionIcon>
        )}
      </div>
      {narrow && (primary ?? fabMenu) !== undefined && !isOpen(props.panel) && (
        <Fab primary={primary} menu={fabMenu} away={props.away} />
      )}
    </div>
  );
}

/** On a phone, an open panel covers the list, and the panel's own buttons are visible instead. */
function isOpen(panel: ReactNode): boolean {
  return panel !== undefined && panel !== null && panel !== false;
}

function primaryButton(action: PageAction) {
  const icon = action.icon === undefined ? <IconPlus {...ICON_SMALL} /> : action.icon;
  return (
    <Button onClick={action.onClick} disabled={action.disabled === true} leftSection={icon}>
      {action.label}
    </Button>
  );
}

function secondaryButton(action: PageAction | PageMenu) {
  const { label } = action;
  if ('menu' in action) {
    const button = (
      <Button variant="default" rightSection={<IconChevronDown {...ICON_SMALL} />}>
        {label}
      </Button>
    );
    return <ActionMenu key={label} actions={action.menu} button={button} />;
  }
  const { icon, onClick, disabled = false } = action;
  return (
    <Button key={label} variant="default" leftSection={icon} onClick={onClick} disabled={disabled}>
      {label}
    </Button>
  );
}

function MoreMenu({ buttons }: { buttons: readonly (PageAction | PageMenu)[] }) {
  const actions = buttons.flatMap((each): readonly MenuAction[] => ('menu' in each ? each.menu : [each]));
  if (actions.length === 0) return null;
  return (
    <ActionMenu
      actions={actions}
      button={
        <ActionIcon aria-label={`More: ${actions.map((action) => action.label).join(', ')}`}>
          <IconDots {...ICON} />
        </ActionIcon>
      }
    />
  );
}
