import type { Permission } from '@evenkeel/contract/areas';
import type { ComponentType, ReactNode } from 'react';
import type { DocumentPlace } from '../../parts/documents/useDocumentPlace.ts';

/** The facts of the screen that its lists need. */
export interface ListPlace {
  place: DocumentPlace;
  filter: string;
  /** The tab's action. Undefined for users who may not change anything. */
  onAdd: (() => void) | undefined;
  manages: boolean;
  onEscape: () => void;
}

/** A button that opens a form, with the form's name and value in the URL. */
export interface Opens {
  label: string;
  name: string;
  /** The default is 0, a new record. */
  value?: number | string;
  /** The default is Manage Billing. */
  needs?: Permission;
  /** The icon. The default is a plus sign for the primary button, and none for others. */
  icon?: ReactNode;
}

/** A tab of Billing. The screen shows its list and, over any tab, its panels and forms. */
export interface BillingTab {
  value: string;
  label: string;
  /** The placeholder of the search box. */
  search: string;
  /** Creates what the tab lists. */
  primary: Opens;
  /** The bordered button next to the primary one. */
  second?: Opens;
  /** The actions in the ⋯ menu. */
  more?: readonly Opens[];
  List: ComponentType<ListPlace>;
  /** Controls next to the search box. */
  Filter?: ComponentType<{ filter: string }>;
  /** The panel of a record, by its URL parameter. `isOwn` panels appear only next to their own list. */
  beside?: { key: string; Panel: ComponentType<{ id: number; onClose: () => void }>; isOwn?: true };
  /** The forms over the page. */
  Forms?: ComponentType<{ manages: boolean }>;
}

/** The part of a tab that opens records of a kind, for kinds that share a tab. */
export type BillingPart = Pick<BillingTab, 'value' | 'beside' | 'Forms'>;
