import { type ReactNode, useId } from 'react';
import { TabPane } from './TabPane.tsx';
import { neighbourTab, type Tab, TabsIn, type TabsInProps } from './Tabs.tsx';

export interface TabbedPaneProps<Value extends string> extends Omit<TabsInProps<Value>, 'idBase'> {
  tabs: readonly Tab<Value>[];
  /** The content of the chosen tab. */
  children: ReactNode;
}

/** Tabs over what they show, in a panel or modal; swiping moves between them. One tab alone is left out. */
export function TabbedPane<Value extends string>({ place, children, ...props }: TabbedPaneProps<Value>) {
  const { tabs, value, onChange } = props;
  const idBase = useId();
  if (tabs.length < 2) return children;
  return (
    <div>
      <TabsIn {...props} place={place} idBase={idBase} />
      <TabPane idBase={idBase} value={value} onSwipe={(step) => onChange(neighbourTab(tabs, value, step))}>
        {children}
      </TabPane>
    </div>
  );
}
