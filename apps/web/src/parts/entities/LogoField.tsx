import { checkLogo, LOGO_TYPES } from '@evenkeel/core/logo';
import { Button } from '@mantine/core';
import { withDeleted } from '../attachments/attachmentForm.ts';
import { StoredPicture } from '../attachments/StoredPicture.tsx';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { DropArea, FilePicker } from '../../ui/fields/FileDrop.tsx';
import type { EntityTabProps } from './entityForm.ts';

/**
 * The company's logo. The user can pick or drop a file. Saving uploads or removes the logo. Until then, Undo reverts
 * the change.
 */
export function LogoField({ form, files }: Pick<EntityTabProps, 'form' | 'files'>) {
  const { documentLinks } = form.values;
  const shown = documentLinks.find(({ deleted }) => !deleted);
  const before = documentLinks.find(({ deleted }) => deleted);
  const isLost = shown?.documentId === 0 && files.fileOf(shown) === undefined;
  const mark = (deleted: boolean) => (id: number) =>
    form.change((values) => ({ ...values, documentLinks: withDeleted(values.documentLinks, id, deleted) }));
  const undo = () => {
    if (shown !== undefined) mark(true)(shown.id);
    if (before !== undefined) mark(false)(before.id);
  };
  const add = ([first]: File[]) => void (first === undefined ? undefined : files.add(form, [first], checkLogo));
  const said = [...files.problems, form.fields['logo']].filter((message) => message !== undefined);
  return (
    <div className="en-logo">
      <DropArea onFiles={add} disabled={form.busy}>
        <div className="en-logo-row">
          <div className="en-logo-what">
            <span className="en-logo-label" id="company-logo">
              Logo
            </span>
            {shown !== undefined && !isLost && (
              <StoredPicture {...shown} file={files.fileOf(shown)} alt={`Logo, ${shown.documentName}`} />
            )}
            <p className="ek-small ek-second">{noteOf({ shown, before, isLost })}</p>
          </div>
          <div className="en-logo-do" role="group" aria-labelledby="company-logo">
            <FilePicker
              single
              onFiles={add}
              accept={LOGO_TYPES.join()}
              disabled={form.busy}
              buttonLabel={shown === undefined ? 'Upload Logo' : 'Replace Logo'}
            />
            {shown !== undefined && before === undefined && (
              <Button variant="default" disabled={form.busy} onClick={() => mark(true)(shown.id)}>
                Remove Logo
              </Button>
            )}
            {before !== undefined && (
              <Button variant="default" disabled={form.busy} onClick={undo}>
                Undo
              </Button>
            )}
          </div>
        </div>
        {said.map((message) => (
          <InlineAlert key={message} kind="Error">
            {message}
          </InlineAlert>
        ))}
      </DropArea>
    </div>
  );
}

type Link = EntityTabProps['form']['values']['documentLinks'][number] | undefined;

function noteOf({ shown, before, isLost }: { shown: Link; before: Link; isLost: boolean }): string {
  if (isLost) return `${shown?.documentName ?? ''} was lost when the page was reloaded. Choose it again, or remove it.`;
  if (shown === undefined && before !== undefined) return 'The logo is removed when you save.';
  if (shown?.documentId === 0) return 'The logo is uploaded when you save.';
  return 'Shown on invoices and statements. Choose or drop a PNG or JPEG file of up to 2 MB.';
}
