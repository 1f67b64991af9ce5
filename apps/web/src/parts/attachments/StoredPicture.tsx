import './attachments.css';
import { attachmentCalls } from '@evenkeel/contract/attachments';
import { useMemo } from 'react';
import { ask, inAlert, useRead } from '../../client/api.ts';
import { useObjectUrl } from '../../ui/hooks/objectUrl.ts';

export interface StoredPictureProps {
  /** 0 while it is not uploaded. */
  documentId: number;
  contentType: string;
  /** The bytes of one that is not uploaded yet. */
  file?: File | undefined;
  /** A description for those who do not see it. */
  alt: string;
}

/** A picture that the server has or will get, on the white of the paper that it is printed on. */
export function StoredPicture({ documentId, contentType, file, alt }: StoredPictureProps) {
  const isStored = file === undefined && documentId > 0;
  const { value: stored } = useRead(ask(attachmentCalls.getDocument, { params: { documentId } }), {
    enabled: isStored,
    ...inAlert('Error Loading Document'),
  });
  const blob = useMemo(() => {
    // The kind was judged by the bytes: what the device or the name says of it does not count.
    if (file !== undefined) return new Blob([file], { type: contentType });
    return stored === undefined ? null : new Blob([new Uint8Array(stored.bytes)], { type: stored.contentType });
  }, [file, contentType, stored]);
  const address = useObjectUrl(blob);
  return <span className="at-picture">{address !== undefined && <img src={address} alt={alt} />}</span>;
}
