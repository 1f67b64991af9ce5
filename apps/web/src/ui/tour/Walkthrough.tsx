import { ActionIcon, Button } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import { useNarrow } from '../hooks/media.ts';
import { ICON, ICON_SMALL } from '../show/icons.ts';
import type { TourStep } from './steps.ts';

/** Starts a walkthrough. Going past the first or last step ends it. The library loads on the first start. */
export async function startTour(steps: readonly TourStep[]): Promise<void> {
  const present = steps.filter((step) => document.querySelector(step.element) !== null);
  if (present.length === 0) return;
  const { runTour } = await import('./runTour.ts');
  runTour(present);
}

/** The button that starts a walkthrough, shown among a modal's tools. */
export function WalkthroughButton({ steps }: { steps: readonly TourStep[] }) {
  const narrow = useNarrow();
  if (narrow) {
    return (
      <ActionIcon aria-label="Walkthrough" onClick={() => void startTour(steps)}>
        <IconHelpCircle {...ICON} />
      </ActionIcon>
    );
  }
  return (
    <Button
      variant="subtle"
      leftSection={<IconHelpCircle {...ICON_SMALL} />}
      onClick={() => {
        void startTour(steps);
      }}
    >
      Walkthrough
    </Button>
  );
}
