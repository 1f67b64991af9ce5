import './overlay.css';
import { memo, type ReactNode, Suspense, useState } from 'react';
import { useObjectUrl } from '../hooks/objectUrl.ts';
import { lazyPart } from '../lazy/lazyPart.tsx';

const PdfPages = lazyPart(async () => (await import('./PdfPages.tsx')).default);

export interface FileViewProps {
  file: Blob;
  /** A name for those who do not see it. */
  name: string;
  /** 1 is as wide as its place. */
  zoom?: number;
  /** Stands in the place of what cannot be shown. */
  instead?: ReactNode;
}

const FAILED = <p role="alert">Error Loading Document</p>;

/** Draws a PDF or a picture; the library is fetched when it first draws a PDF. */
export const FileView = memo(function FileView({ file, name, zoom = 1, instead = FAILED }: FileViewProps) {
  if (file.type === 'application/pdf') {
    return (
      <Suspense fallback={<p role="status">Loading...</p>}>
        <PdfPages file={file} zoom={zoom} failed={instead} />
      </Suspense>
    );
  }
  return file.type.startsWith('image/') ? <Picture {...{ file, name, zoom, instead }} /> : instead;
});

function Picture({ file, name, zoom, instead }: Required<FileViewProps>) {
  const address = useObjectUrl(file);
  const [broken, setBroken] = useState<Blob>();
  if (broken === file) return instead;
  const width = zoom === 1 ? undefined : `calc(${zoom} * 100%)`;
  return (
    <img
      className="ek-pdf-picture"
      data-zoomed={zoom === 1 ? undefined : ''}
      style={{ width }}
      src={address}
      alt={name}
      onError={() => address !== undefined && setBroken(file)}
    />
  );
}
