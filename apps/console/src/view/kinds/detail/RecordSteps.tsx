import { Steps } from 'antd'
import type { StepView } from '@outpost/contract/call-views'
import { t } from '../../../session/labels.ts'
import { formatDate, formatDateTime } from '../../formats.ts'
import { useIsPhone } from '../../useIsPhone.ts'

/** Where a record's waiting decision and steps are drawn: above it, or in its history. */
export type HistoryPlace = 'above' | 'inHistory'

/** The states of a record as steps: when each was reached and by whom, and where the record is now. On a phone and in the history they are folded under the present one. */
export function RecordSteps({ steps, place: drawn }: { steps: readonly StepView[]; place: HistoryPlace }) {
  const isPhone = useIsPhone()
  const isNarrow = isPhone || drawn === 'inHistory'
  const place = steps.findIndex(({ is }) => is === 'current' || is === 'done' || is === 'ended')
  const now = steps[place]
  if (!now) return null
  const all = (
    <Steps
      size="small"
      type="dot"
      orientation={isNarrow ? 'vertical' : 'horizontal'}
      current={place}
      items={steps.map((step) => ({ status: looks[step.is], title: <StepName step={step} />, content: <StepFacts step={step} /> }))}
    />
  )
  const name = `${t('Step')} ${place + 1} ${t('of')} ${steps.length}: ${t(now.label)}`
  return (
    <section className={drawn === 'above' ? 'form-card record-steps' : 'record-steps-folded'} aria-label={t('Steps')}>
      {isNarrow ? (
        <details>
          <summary>{name}</summary>
          {all}
        </details>
      ) : (
        <div className="record-steps-row" tabIndex={0} role="group" aria-label={name}>
          {all}
        </div>
      )}
    </section>
  )
}

const looks = { passed: 'finish', skipped: 'wait', current: 'process', done: 'finish', ended: 'error', ahead: 'wait' } as const
/** What the colour of a step means, in words. */
const words: Partial<Record<StepView['is'], string>> = { skipped: 'Skipped', current: 'Now', ended: 'Ended here', ahead: 'Not yet' }

const StepName = ({ step: { label, is } }: { step: StepView }) => (
  <span className="record-step" data-is={is} aria-current={is === 'current' || is === 'done' || is === 'ended' ? 'step' : undefined}>
    {t(label)}
  </span>
)

function StepFacts({ step: { at, who, is } }: { step: StepView }) {
  const word = words[is]
  return (
    <span className="record-step-facts">
      {word === undefined ? null : <span>{t(word)}</span>}
      {who ? <span>{who}</span> : null}
      {at ? (
        <time dateTime={at} title={formatDateTime(at)}>
          {formatDate(at)}
        </time>
      ) : null}
    </span>
  )
}
