import type { ReactNode } from 'react';

export function Section({ title, wide = false, children }: { title: string; wide?: boolean; children: ReactNode }) {
  return (
    <section className={wide ? 'ekg-wide' : 'ekg-sec'}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
