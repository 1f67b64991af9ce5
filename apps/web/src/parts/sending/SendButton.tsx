import { ActionIcon } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { ICON } from '../../ui/show/icons.ts';
import type { FooterAction } from '../../ui/overlay/FooterBar.tsx';

/** The button at the top of a record's panel that opens its email. */
export function SendButton({ action: { label, onClick } }: { action: FooterAction }) {
  return (
    <ActionIcon aria-label={label} title={label} onClick={onClick}>
      <IconMail {...ICON} />
    </ActionIcon>
  );
}
