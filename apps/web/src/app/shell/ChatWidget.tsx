import { useEffect } from 'react';
import { chatWidgetUrl } from './chat.ts';

export interface ChatWidgetProps {
  /** Whether the menu drawer is open, which is possible only below 768 px. */
  isShown: boolean;
}

/**
 * Loads the configured chat widget while this component is shown. Afterward, removes everything that the widget added.
 */
export function ChatWidget({ isShown }: ChatWidgetProps) {
  useEffect(() => {
    const address = chatWidgetUrl();
    return isShown && address !== undefined ? load(address) : undefined;
  }, [isShown]);
  return null;
}

/** The parts of the page that belong to the app: the root, dialog portals, and walkthroughs. */
const OURS = '#root, noscript, [data-portal], [data-mantine-shared-portal-node], [class*="driver-"]';

function load(address: string): () => void {
  const before = new Set<Element>([...document.head.children, ...document.body.children]);
  const script = document.createElement('script');
  script.src = address;
  script.async = true;
  document.body.append(script);
  return () => {
    script.remove();
    const added = [...document.body.children, ...document.head.querySelectorAll('script')];
    for (const element of added) if (!before.has(element) && !element.matches(OURS)) element.remove();
  };
}
