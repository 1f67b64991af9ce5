import './attachments.css';
import { useState } from 'react';
import { inAlert } from '../../client/api.ts';
import { useObjectUrl } from '../../ui/hooks/objectUrl.ts';
import { useStoredBytes } from './useStoredFile.ts';

export interface StoredPictureProps {
  /** 0 while it is not uploaded. */
  documentId: number;
  contentType: string;
  /** The bytes of one that is not uploaded yet. */
  file?: File | undefined;
  /** A description for those who do not see it. */
  alt: string;
}

/** Shows a picture that the server has or will get, on the white of the paper that it is printed on. */
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
