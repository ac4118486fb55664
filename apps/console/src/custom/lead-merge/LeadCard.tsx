import type { Row } from '../../data/records.ts'
import { t } from '../../session/labels.ts'
import { formatPhone } from '../../view/phone.ts'
import { formatDate } from '../../view/formats.ts'
import { nameOf, type Side } from './choice.ts'

/** One of the two leads as a choice: enough to tell which one is which. */
export function LeadCard({ side, lead, isChosen, onChoose }: { side: Side; lead: Row; isChosen: boolean; onChoose: () => void }) {
  return (
    <label className="lm-card" data-chosen={isChosen}>
      <input type="radio" name="stays" value={side} checked={isChosen} onChange={onChoose} />
      <span className="lm-name">{nameOf(lead)}</span>
      <span>
        {formatPhone(lead.phonenumber)} · {t(String(lead.status))}
      </span>
      <span className="lm-soft">
        {t('Captured')} {formatDate(lead.dateCreated)} {t('by')} {String(lead.leadCreatedBy ?? '')} · {String(lead.tenantIdLabel ?? '')}
      </span>
      <span className="lm-verdict">{isChosen ? t('Stays') : t('Is merged into the other')}</span>
    </label>
  )
}
