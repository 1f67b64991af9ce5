import './attachments.css';
import { useState } from 'react';
import { inAlert } from '../../client/api.ts';
import { useObjectUrl } from '../../ui/hooks/objectUrl.ts';
import { useStoredBytes } from './useStoredFile.ts';

export interface StoredPictureProps {
  /** The ID of the uploaded file. 0 until the file is uploaded. */
  documentId: number;
  contentType: string;
  /** The bytes of a file that has not been uploaded yet. */
  file?: File | undefined;
  /** The alternative text for screen readers. */
  alt: string;
}

/** Shows an uploaded or pending picture on a white background, as it will be printed. */
export function StoredPicture({ documentId, contentType, file, alt }: StoredPictureProps) {
  const { blob } = useStoredBytes({ documentId, contentType, file }, inAlert('Error Loading Document'));
  const address = useObjectUrl(blob);
  const [broken, setBroken] = useState<Blob>();
  if (blob !== null && broken === blob) return <span className="ek-small ek-second">This picture can't be shown</span>;
  return (
    <span className="at-picture">
      {address !== undefined && <img src={address} alt={alt} onError={() => setBroken(blob ?? undefined)} />}
    </span>
  );
}
