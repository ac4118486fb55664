import { Modal } from 'antd'
import type { PlanConflict } from '@outpost/rules/routes/route-conflicts'
import { t } from '../../../session/labels.ts'
import type { Known, Person } from '../api.ts'
import { conflictText, formatDay } from '../formats.ts'

const maxLines = 8

/** Asks before a plan is saved that cannot be kept, naming what is in the way. */
export function ConflictQuestion({ lines, onSave, onClose }: { lines: readonly string[]; onSave: () => void; onClose: () => void }) {
  return (
    <Modal
      open
      title={`${t('Save with')} ${lines.length} ${t(lines.length === 1 ? 'conflict' : 'conflicts')}?`}
      okText={t('Save anyway')}
      cancelText={t('Back to the plan')}
      onOk={onSave}
      onCancel={onClose}
    >
      <p>{t('The agents cannot keep this plan as it is:')}</p>
      <ul className="rp-broken">
        {lines.slice(0, maxLines).map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ul>
      {lines.length > maxLines ? (
        <p>
          {t('and')} {lines.length - maxLines} {t('more')}
        </p>
      ) : null}
    </Modal>
  )
}

/** "Tue 24 Nov, Amina Otieno, Visit market: Outside working hours, 20 min". */
export function describeConflict(
  conflict: PlanConflict,
  { known, people }: { known: ReadonlyMap<string, Known>; people: readonly Person[] },
): string {
  const { day, userId, stopId } = conflict
  const where = [formatDay(day), people.find(({ Id }) => Id === userId)?.label, stopId === undefined ? undefined : known.get(stopId)?.name]
  return `${where.filter(Boolean).join(', ')}: ${conflictText(conflict)}`
}
