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
  /** A plus sign unless given; null for none. */
  icon?: ReactNode;
}

/** A button that opens a menu. On a phone its actions are in the More menu. */
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
  /** Beside the title, quiet, e.g. a date. */
  meta?: ReactNode;
  /** The one filled action; below 768 px the floating button. */
  primary?: PageAction | undefined;
  /** Bordered buttons before the primary; below 768 px a menu. */
  secondary?: readonly (PageAction | PageMenu)[];
  /** On a phone the floating button opens these, behind the primary action where there is one (the accounting page). */
  fabMenu?: readonly PageAction[] | undefined;
  /** Anything else at the right of the title. */
  aside?: ReactNode;
  tabs?: PageTabs<Value> | undefined;
  /** FilterBox and its companions. */
  filter?: ReactNode;
  /** A close button that goes back (sub-pages of accounting). */
  onClose?: (() => void) | undefined;
  /** The body scrolls as a whole; leave out when it holds a table that scrolls itself. */
  scroll?: boolean;
  /** A SidePanel beside the filter and the body (SplitPane). */
  panel?: ReactNode;
  children: ReactNode;
}

/** A body that scrolls can take the focus: with nothing else in it to focus, no key would scroll it. */
const scrolling = (title: string) => ({ 'data-scroll': '', tabIndex: 0, role: 'region', 'aria-label': title });

/** A screen: one title, one primary action, its tabs, its filter, its body. */
export function Page<Value extends string = string>(props: PageProps<Value>) {
  const { tabs } = props;
  const idBase = useId();
  const [away, onScroll] = useScrollingDown();
  const list = (
    <>
      {props.filter !== undefined && <div className="ek-filter-row">{props.filter}</div>}
      {/* Another tab is another body: its filter row may be higher. */}
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

/** True while the last scroll inside went down: the floating button then leaves the figures free. */
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

/** On a phone an open panel covers the list: its own buttons are then the ones in view. */
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
