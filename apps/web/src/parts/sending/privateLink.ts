import { sendingCalls } from '@evenkeel/contract/sending';
import { messageOf, useWrite } from '../../client/api.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';

/** Copies and revokes the private link to a document or, for the kind `portal`, to a customer's portal. */
export function usePrivateLink({ kind, id }: { kind: string; id: number }) {
  const alerts = useAlerts();
  const [renewDocument, renewPortal] = [useWrite(sendingCalls.renewLink), useWrite(sendingCalls.renewPortalLink)];
  const [revokeDocument, revokePortal] = [useWrite(sendingCalls.revokeLink), useWrite(sendingCalls.revokePortalLink)];
  const isPortal = kind === 'portal';
  const tell = (error: unknown) => alerts.error(messageOf(error));
  const renewed = () =>
    isPortal
      ? renewPortal.mutateAsync({ params: { customerId: id } })
      : renewDocument.mutateAsync({ params: { documentId: id } });
  const revoked = () =>
    isPortal
      ? revokePortal.mutateAsync({ params: { customerId: id } })
      : revokeDocument.mutateAsync({ params: { documentId: id } });
  const copy = async () => {
    try {
      const { url } = await renewed();
      await navigator.clipboard.writeText(url).then(
        () => alerts.success('New link copied. Earlier links no longer work.'),
        () => alerts.info(url, { autoClose: false }),
      );
    } catch (error) {
      tell(error);
    }
  };
  return {
    copy,
    isCopying: renewDocument.isPending || renewPortal.isPending,
    revoke: () => revoked().then(() => alerts.success('The link no longer works'), tell),
    isRevoking: revokeDocument.isPending || revokePortal.isPending,
  };
}
