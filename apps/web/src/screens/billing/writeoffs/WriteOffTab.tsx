import { documentKinds } from '@evenkeel/core/documents/side';
import type { BillingPart } from '../tab.ts';
import { WriteOffForm, WriteOffPanel } from './WriteOffs.tsx';

export const WRITE_OFF = { label: 'Write Off', name: 'writeoff' };

/** The panel and the form of write-offs, whose list is on the Credits tab. */
export const WRITE_OFFS: BillingPart = {
  value: 'writeoffs',
  beside: { key: documentKinds.writeoff.screen.key, Panel: WriteOffPanel },
  Forms: WriteOffForm,
};
