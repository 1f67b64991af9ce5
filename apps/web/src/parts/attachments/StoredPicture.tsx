import './attachments.css';
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

/** A picture that the server has or will get, on the white of the paper that it is printed on. */
export function StoredPicture({ documentId, contentType, file, alt }: StoredPictureProps) {
  const { blob } = useStoredBytes({ documentId, contentType, file }, inAlert('Error Loading Document'));
  const address = useObjectUrl(blob);
  return <span className="at-picture">{address !== undefined && <img src={address} alt={alt} />}</span>;
}
