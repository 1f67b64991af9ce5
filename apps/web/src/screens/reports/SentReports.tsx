import { sendingCalls, type SentReport } from '@evenkeel/contract/sending';
import { useState } from 'react';
import { ask, useRead } from '../../client/api.ts';
import { usePapers } from '../../parts/documents/panel/usePdf.tsx';
import { MailDetails } from '../../parts/sending/SendHistory.tsx';
import { Loaded } from '../../records/Loaded.tsx';
import { DrawnList } from '../../ui/lines/DrawnList.tsx';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';

/** The height of a report with one recipient in px. */
const ROW = 132;

/** The reports that were emailed, newest first. Selecting one shows the PDF that was sent. */
export default function SentReports({ onClose }: { onClose: () => void }) {
  const read = useRead(ask(sendingCalls.listSentReports, {}), { alert: 'Error Loading Sent Reports' });
  return (
    <AppModal opened title="Sent Reports" grows onClose={onClose}>
      <Loaded read={read}>
        {(reports) =>
          reports.length === 0 ? (
            <p className="ek-muted">No reports have been emailed yet. To email a report, run it and select Export.</p>
          ) : (
            <List reports={reports} />
          )
        }
      </Loaded>
    </AppModal>
  );
}

function List({ reports }: { reports: readonly SentReport[] }) {
  const [title, setTitle] = useState('');
  const paper = usePapers({ title, fileName: `${title}.pdf` });
  const show = (report: SentReport) => {
    setTitle(report.title);
    paper.show(ask(sendingCalls.sentReportFile, { params: { id: report.id } }));
  };
  return (
    <>
      <DrawnList className="rp-sent" label="Sent Reports" rows={reports} keyOf={({ id }) => id} height={ROW}>
        {(report) => <Sent report={report} onShow={() => show(report)} />}
      </DrawnList>
      {paper.panel}
    </>
  );
}

function Sent({ report: { title, facts, mail }, onShow }: { report: SentReport; onShow: () => void }) {
  return (
    <>
      <div className="rp-sent-head">
        <button type="button" className="ek-link" onClick={onShow}>
          {title}
        </button>
        <span className="ek-muted ek-small">
          <MomentText value={mail.sentAt} />
        </span>
      </div>
      <div className="ek-small">{facts.join(' \u00b7 ')}</div>
      <MailDetails mail={mail} />
    </>
  );
}
