import type { ComponentType } from 'react';
import { NavLink } from 'react-router';
import { ICON } from '../show/icons.ts';
import { Mark } from '../show/Mark.tsx';
import { useRailTip } from './RailTip.tsx';

export interface MenuItem {
  /** The route, for example `/billing`. */
  to: string;
  label: string;
  icon: ComponentType<{ size?: number; stroke?: number }>;
  /** A number after the label, for example the number of waiting records. Empty if there are none. */
  count?: string | undefined;
}

export interface MenuSection {
  /** The section heading. Omitted to show no heading. */
  label?: string;
  items: readonly MenuItem[];
}

export interface SideMenuProps {
  sections: readonly MenuSection[];
  /** Whether to show only icons. The labels become tooltips and stay available to screen readers. */
  rail?: boolean;
  onNavigate?: (() => void) | undefined;
}

/** The side menu with sections of links, in which the current link is marked. Used in the column, rail, and drawer. */
export function SideMenu({ sections, rail = false, onNavigate }: SideMenuProps) {
  return (
    <nav aria-label="Main">
      <div className="ek-brand">
        <Mark />
        <span className="ek-brand-word">Evenkeel</span>
      </div>
      <div className="ek-menu-list">
        {sections.map((section, index) => (
          <div key={section.label ?? index} className="ek-menu-list-part">
            {section.label !== undefined && <div className="ek-menu-section">{section.label}</div>}
            {section.items.map((item) => (
              <MenuLink key={item.to} item={item} rail={rail} onNavigate={onNavigate} />
            ))}
          </div>
        ))}
      </div>
    </nav>
  );
}

interface MenuLinkProps {
  item: MenuItem;
  rail: boolean;
  onNavigate: (() => void) | undefined;
}

function MenuLink({ item, rail, onNavigate }: MenuLinkProps) {
  const Icon = item.icon;
  const { handlers, tip } = useRailTip(item.label, rail);
  return (
    <NavLink to={item.to} end={item.to === '/'} className="ek-menu-link" onClick={onNavigate} {...handlers}>
      <Icon {...ICON} />
      <span className="ek-menu-word">{item.label}</span>
      {item.count && <span className="ek-menu-count">{item.count}</span>}
      {tip}
    </NavLink>
  );
}
