import './overlay.css';
import { Button } from '@mantine/core';
import { memo, Suspense, useState } from 'react';
import { useObjectUrl } from '../hooks/objectUrl.ts';
import { saveFile } from '../hooks/saveFile.ts';
import { Boundary } from '../lazy/Boundary.tsx';
import { lazyPart } from '../lazy/lazyPart.tsx';
import { EmptyState } from '../show/EmptyState.tsx';
import type { Unshown } from './PdfPages.tsx';

const PdfPages = lazyPart(async () => (await import('./PdfPages.tsx')).default);

export interface FileViewProps {
  file: Blob;
  /** The name used for saving the file and for screen readers. */
  name: string;
  /** The zoom factor. 1 fits the available width. */
  zoom?: number;
}

/** Renders a PDF or a picture, or offers to save other files. The PDF library loads with the first PDF. */
export const FileView = memo(function FileView({ file, name, zoom = 1 }: FileViewProps) {
  const [unshown, setUnshown] = useState<{ file: Blob; reason: Unshown }>();
  const instead = (reason: Unshown) => <CannotShow reason={reason} onSave={() => saveFile(name, [file])} />;
  const onUnshown = (reason: Unshown) => setUnshown({ file, reason });
  if (unshown?.file === file) return instead(unshown.reason);
  if (file.type === 'application/pdf') {
    return (
      <Boundary instead={() => instead('unreadable')}>
        <Suspense fallback={<p role="status">Loading...</p>}>
          <PdfPages {...{ file, zoom, onUnshown }} />
        </Suspense>
      </Boundary>
    );
  }
  return file.type.startsWith('image/') ? <Picture {...{ file, name, zoom, onUnshown }} /> : instead('unreadable');
});

interface PictureProps extends Required<FileViewProps> {
  onUnshown: (reason: Unshown) => void;
}

function Picture({ file, name, zoom, onUnshown }: PictureProps) {
  const address = useObjectUrl(file);
  const width = zoom === 1 ? undefined : `calc(${zoom} * 100%)`;
  return (
    <img
      className="ek-pdf-picture"
      data-zoomed={zoom === 1 ? undefined : ''}
      style={{ width }}
      src={address}
      alt={name}
      onError={() => address !== undefined && onUnshown('unreadable')}
    />
  );
}

const WORDS: Record<Unshown, { title: string; hint: string }> = {
  locked: { title: 'This file is protected by a password', hint: 'Download the file and open it with its password.' },
  unreadable: { title: "This file can't be previewed", hint: 'Download the file to view it.' },
};

/** Shown in place of a file that can't be rendered: the reason, and a button to save it. */
export const CannotShow = ({ reason, onSave }: { reason: Unshown; onSave: () => void }) => (
  <div className="ek-unshown" role="status">
    <EmptyState
      {...WORDS[reason]}
      action={
        <Button variant="default" onClick={onSave}>
          Download
        </Button>
      }
    />
  </div>
);
