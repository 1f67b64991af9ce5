import type { Permission } from '@evenkeel/contract/areas';
import type { ComponentType, ReactNode } from 'react';
import type { DocumentPlace } from '../../parts/documents/useDocumentPlace.ts';

/** The data that the screen passes to its lists. */
export interface ListPlace {
  place: DocumentPlace;
  filter: string;
  /** The tab's action. Undefined for users who have no permission to change anything. */
  onAdd: (() => void) | undefined;
  manages: boolean;
  onEscape: () => void;
}

/** A button that opens a form, and the form's name and value in the URL. */
export interface Opens {
  label: string;
  name: string;
  /** The value. Defaults to 0, which is a new record. */
  value?: number | string;
  /** The required permission. Defaults to Manage Billing. */
  needs?: Permission;
  /** The icon. Defaults to a plus sign for the primary button, and to no icon for other buttons. */
  icon?: ReactNode;
}

/**
 * A tab in Billing. The screen shows the tab's list and, whichever tab is selected, the panels and forms of all tabs.
 */
export interface BillingTab {
  value: string;
  label: string;
  /** The placeholder of the search box. */
  search: string;
  /** The button that creates a record for the tab's list. */
  primary: Opens;
  /** The bordered button next to the primary one. */
  second?: Opens;
  /** The actions in the ⋯ menu. */
  more?: readonly Opens[];
  List: ComponentType<ListPlace>;
  /** Controls next to the search box. */
  Filter?: ComponentType<{ filter: string }>;
  /** The panel for a record, by its URL parameter. An `isOwn` panel appears only next to its own list. */
  beside?: { key: string; Panel: ComponentType<{ id: number; onClose: () => void }>; isOwn?: true };
  /** The forms on top of the page. */
  Forms?: ComponentType<{ manages: boolean }>;
}

/** The part of a tab that opens records of one kind, for kinds that share a tab. */
export type BillingPart = Pick<BillingTab, 'value' | 'beside' | 'Forms'>;
