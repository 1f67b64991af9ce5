import '../theme/overlayStyles.ts';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';

/** An info button whose words show on hover, focus and touch (delays: 250 and 400 ms). */
export function InfoTip({ about, children }: { about: string; children: string }) {
  const [opened, setOpened] = useState<true | undefined>();
  return (
    <Tooltip label={children} multiline w={280} {...(opened === true ? { opened: true } : {})}>
      <ActionIcon
        size={24}
        aria-label={`About ${about}: ${children}`}
        onClick={() => setOpened(true)}
        onBlur={() => setOpened(undefined)}
        onMouseLeave={() => setOpened(undefined)}
      >
        <IconInfoCircle size={15} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
