import './page.css';
import { ActionIcon, Button } from '@mantine/core';
import { IconChevronDown, IconChevronLeft, IconDots, IconPlus, IconSearch, IconX } from '@tabler/icons-react';
import { type ReactNode, type UIEvent, useCallback, useId, useRef, useState } from 'react';
import { Link, type To } from 'react-router';
import { useNarrow } from '../hooks/media.ts';
import { ICON, ICON_SMALL } from '../show/icons.ts';
import { ActionMenu } from '../overlay/ActionMenu.tsx';
import type { MenuAction } from '../overlay/MenuBox.tsx';
import { SplitPane } from '../overlay/SplitPane.tsx';
import { Fab } from './Fab.tsx';
import { type PageList, PageLists } from './pageLists.ts';
import { neighbourTab, type Tab, Tabs, TabTitle } from './Tabs.tsx';
import { TabPane } from './TabPane.tsx';

export interface PageAction {
  label: string;
  onClick: () => void;
  disabled?: boolean;
  /** The icon. Defaults to a plus sign. Null shows no icon. */
  icon?: ReactNode;
  /** Whether a secondary button has no border. */
  quiet?: boolean;
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
  /** The only filled action or menu. Below 768 px, it is the floating button. */
  primary?: PageAction | PageMenu | undefined;
  /** The bordered buttons before the primary action. Below 768 px, they are a menu. */
  secondary?: readonly (PageAction | PageMenu)[];
  /** The less common actions, in the ⋯ menu before the actions of the page's list. */
  more?: readonly MenuAction[];
  /**
   * The floating button's menu on a phone. Its items come after the primary action, if there is one. Used on the
   * accounting page.
   */
  fabMenu?: readonly PageAction[] | undefined;
  /** Other content to the right of the title. */
  aside?: ReactNode;
  tabs?: PageTabs<Value> | undefined;
  /** The FilterBox and related controls. */
  filter?: ReactNode;
  /** Called by a close button that returns to the previous page. Used on the subpages of accounting. */
  onClose?: (() => void) | undefined;
  /** The page above this one, which the arrow before the title opens. */
  back?: { label: string; to: To } | undefined;
  /** Whether the body scrolls as a whole. Omit this for a body that contains a table with its own scrolling. */
  scroll?: boolean;
  /** A SidePanel, which a SplitPane shows next to the filter and the body. */
  panel?: ReactNode;
  children: ReactNode;
}

/**
 * Returns the props that make a scrolling body focusable. Without another focusable element, the keyboard could not
 * scroll the body.
 */
const scrolling = (title: string) => ({ 'data-scroll': '', tabIndex: 0, role: 'region', 'aria-label': title });

/** The layout of a screen: title, primary action, tabs, filter, and body. */
export function Page<Value extends string = string>(props: PageProps<Value>) {
  const { tabs } = props;
  const narrow = useNarrow();
  const idBase = useId();
  const [away, onScroll] = useScrollingDown();
  const { lists, add } = useLists();
  const search = useSearchRow();
  const list = (
    <>
      {props.filter !== undefined && (
        <div ref={search.row} className="ek-filter-row" data-folded={search.isOpen ? undefined : ''}>
          {props.filter}
        </div>
      )}
      {/* Keyed by tab, because the height of the filter row may differ. */}
      <div key={tabs?.value} className="ek-page-body" {...(props.scroll === true && scrolling(props.title))}>
        <PageLists value={add}>{props.children}</PageLists>
      </div>
    </>
  );
  const body = 'panel' in props ? <SplitPane list={list} panel={props.panel} /> : list;
  return (
    <div className="ek-page" onScrollCapture={onScroll}>
      <PageHead {...props} away={away} lists={lists} onSearch={search.toggle} />
      {tabs !== undefined && !narrow && <Tabs {...tabs} label={props.title} idBase={idBase} />}
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

/** The lists whose actions are in the ⋯ menu. */
function useLists() {
  const [lists, setLists] = useState<readonly PageList[]>([]);
  const add = useCallback((list: PageList) => {
    setLists((before) => [...before, list]);
    return () => setLists((before) => before.filter((one) => one !== list));
  }, []);
  return { lists, add };
}

/** On a phone, the search box appears when its icon is pressed, and stays as long as it contains text. */
function useSearchRow() {
  const row = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const toggle = () => {
    setOpen(!isOpen);
    // The box is hidden until the next frame.
    if (!isOpen) requestAnimationFrame(() => row.current?.querySelector<HTMLElement>('.ek-filter input')?.focus());
  };
  return { row, isOpen, toggle };
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

interface PageHeadProps<Value extends string> extends PageProps<Value> {
  away: boolean;
  lists: readonly PageList[];
  onSearch: () => void;
}

function PageHead<Value extends string>(props: PageHeadProps<Value>) {
  const narrow = useNarrow();
  const { primary, secondary = [], more = [], fabMenu, onClose, tabs, lists } = props;
  const isBeside = isOpen(props.panel);
  const buttons = narrow ? secondary.flatMap((each) => ('menu' in each ? each.menu : [each])) : [];
  return (
    <div className="ek-page-head">
      {props.back !== undefined && <BackLink {...props.back} />}
      <h1 className={narrow && tabs !== undefined ? 'ek-vh' : undefined}>{props.title}</h1>
      {narrow && tabs !== undefined && <TabTitle {...tabs} label={props.title} />}
      {props.meta !== undefined && <span className="ek-page-meta">{props.meta}</span>}
      <div className="ek-page-actions">
        {props.aside}
        {narrow && props.filter !== undefined && (
          <ActionIcon aria-label="Search" onClick={props.onSearch}>
            <IconSearch {...ICON} />
          </ActionIcon>
        )}
        <MoreMenu actions={[...buttons, ...more]} lists={lists} isPlain={narrow} />
        {!narrow && secondary.map((action) => secondaryButton(action))}
        {primary !== undefined && !narrow && primaryButton(primary, isBeside ? 'default' : 'filled')}
        {onClose !== undefined && (
          <ActionIcon aria-label="Close" onClick={onClose}>
            <IconX {...ICON} />
          </ActionIcon>
        )}
      </div>
      {narrow && (primary ?? fabMenu) !== undefined && !isBeside && (
        // Keyed by label, so that a new label renders a new button. A button that changed its width would visibly move.
        <Fab key={primary?.label} primary={primary} menu={fabMenu} away={props.away} />
      )}
    </div>
  );
}

function BackLink({ label, to }: { label: string; to: To }) {
  return (
    <ActionIcon component={Link} to={to} className="ek-page-back" aria-label={label} title={label}>
      <IconChevronLeft {...ICON} />
    </ActionIcon>
  );
}

/** On a phone, an open panel covers the list, and the panel's own buttons are visible instead. */
function isOpen(panel: ReactNode): boolean {
  return panel !== undefined && panel !== null && panel !== false;
}

/** The button of the primary action. Next to a panel, the only filled button is the panel's. */
function primaryButton(action: PageAction | PageMenu, variant: 'default' | 'filled') {
  if ('menu' in action) return menuButton(action, variant);
  const icon = action.icon === undefined ? <IconPlus {...ICON_SMALL} /> : action.icon;
  return (
    <Button variant={variant} onClick={action.onClick} disabled={action.disabled === true} leftSection={icon}>
      {action.label}
    </Button>
  );
}

function menuButton({ label, menu }: PageMenu, variant: 'default' | 'filled') {
  const button = (
    <Button variant={variant} rightSection={<IconChevronDown {...ICON_SMALL} />}>
      {label}
    </Button>
  );
  return <ActionMenu key={label} actions={menu} button={button} />;
}

function secondaryButton(action: PageAction | PageMenu) {
  if ('menu' in action) return menuButton(action, 'default');
  const { label, icon, onClick, disabled = false, quiet = false } = action;
  return (
    <Button key={label} variant={quiet ? 'subtle' : 'default'} leftSection={icon} onClick={onClick} disabled={disabled}>
      {label}
    </Button>
  );
}

interface MoreMenuProps {
  actions: readonly MenuAction[];
  lists: readonly PageList[];
  /** Whether the button has no border, as on a phone. */
  isPlain: boolean;
}

/** The ⋯ menu: the page's less common actions, and the actions of its lists. */
function MoreMenu({ actions, lists, isPlain }: MoreMenuProps) {
  const ofLists = lists.flatMap((list) => listActions(list, lists.length > 1));
  const all = [
    ...actions,
    ...ofLists.map((each, at) => (at === 0 && actions.length > 0 ? { ...each, divided: true } : each)),
  ];
  if (all.length === 0) return null;
  return (
    <ActionMenu
      actions={all}
      button={
        <ActionIcon
          {...(isPlain ? {} : { variant: 'default', size: 36 })}
          aria-label={`More: ${all.map((action) => action.label).join(', ')}`}
        >
          <IconDots {...ICON} />
        </ActionIcon>
      }
    />
  );
}

/** Returns a list's actions. If there are several lists, the labels include the name of the list. */
function listActions({ label, actions }: PageList, isOneOfSeveral: boolean): readonly MenuAction[] {
  return actions().map((each) => (isOneOfSeveral ? { ...each, label: `${each.label}: ${label}` } : each));
}
