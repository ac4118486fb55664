import type { Row } from '../../data/records.ts'
import { t } from '../../session/labels.ts'
import { formatPhone } from '../../view/phone.ts'
import { formatDate } from '../../view/formats.ts'
import { nameOf, type Side } from './choice.ts'

/** One of the two records as a choice: enough to tell which one is which. */
export function PersonCard({ side, person, isChosen, onChoose }: { side: Side; person: Row; isChosen: boolean; onChoose: () => void }) {
  const captor = String(person.leadCreatedBy ?? '')
  return (
    <label className="lm-card" data-chosen={isChosen}>
      <input type="radio" name="stays" value={side} checked={isChosen} onChange={onChoose} />
      <span className="lm-name">{nameOf(person)}</span>
      <span>
        {formatPhone(person.phonenumber)} · {t(String(person.status))}
      </span>
      <span className="lm-soft">
        {t('Captured')} {formatDate(person.dateCreated)} {captor ? `${t('by')} ${captor}` : ''} · {String(person.tenantIdLabel ?? '')}
      </span>
      <span className="lm-verdict">{isChosen ? t('Stays') : t('Is merged into the other')}</span>
    </label>
  )
}
