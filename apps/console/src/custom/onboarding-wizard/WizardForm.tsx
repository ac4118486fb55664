import { CheckOutlined, ExclamationOutlined } from '@ant-design/icons'
import { Link } from '@tanstack/react-router'
import { Button } from 'antd'
import { useEffect, useRef } from 'react'
import { t } from '../../session/labels.ts'
import { ConfirmStep } from './ConfirmStep.tsx'
import type { Draft } from './draft.ts'
import { percentOf, type Progress } from './progress.ts'
import { StepForm } from './StepForm.tsx'
import { leftOver, steps } from './steps.ts'
import { useWizard, type Saving } from './useWizard.ts'
import { formatMoney } from '../../view/formats.ts'
import { ProgressBar } from '../../view/ProgressBar.tsx'

interface WizardProps {
  draft: Draft
  country: string
  currency: string
  onSent: (leadId: string, message?: string) => void
}

/** The six steps with their bar above, and the way back and forward below. */
export function WizardForm({ draft, country, currency, onSent }: WizardProps) {
  const { data, progress, step, block, saving, change, next, back, jump } = useWizard(draft, { country, onSent })
  const heading = useRef<HTMLHeadingElement>(null)
  const wasActive = useRef(progress.active)
  useEffect(() => {
    if (wasActive.current !== progress.active) heading.current?.focus()
    wasActive.current = progress.active
  }, [progress.active])
  if (!step) return null
  const isLast = progress.active === steps.length - 1
  const left = step.key === 'affordability' ? leftOver(data) : null
  return (
    <>
      <StepBar progress={progress} onJump={jump} />
      <form
        className="ow-card"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void next()
        }}
        aria-busy={progress.isChecking}
      >
        <div className="ow-step-head">
          <div>
            <h2 ref={heading} tabIndex={-1}>
              {t(step.title)}
            </h2>
            <p>{t(step.hint)}</p>
          </div>
          <SavingNote saving={saving} />
        </div>
        {progress.error && (
          <p className="ow-error" role="alert">
            <ExclamationOutlined aria-hidden /> {t(progress.error)}{' '}
            {block?.existingId && <Link to={`/sales/leads/edit/${block.existingId}`}>{t('Open existing')}</Link>}
          </p>
        )}
        {isLast ? (
          <ConfirmStep data={data} currency={currency} onChange={change} onEdit={jump} />
        ) : (
          <StepForm
            key={step.key}
            step={step}
            values={data[step.key] ?? {}}
            errors={block?.fields ?? []}
            currency={currency}
            onChange={change}
          />
        )}
        {left !== null && (
          <p className="ow-left" data-tone={left < 0 ? 'bad' : undefined}>
            {t('Left at the end of the month')}: <strong>{formatMoney(left, currency)}</strong>
          </p>
        )}
        <div className="ow-buttons">
          <Button onClick={back} disabled={progress.active === 0 || progress.isChecking}>
            {t('Back')}
          </Button>
          <Button type="primary" htmlType="submit" loading={progress.isChecking}>
            {isLast ? t('Send application') : t('Next')}
          </Button>
        </div>
      </form>
    </>
  )
}

function StepBar({ progress, onJump }: { progress: Progress; onJump: (to: number) => void }) {
  const { active, furthest, error } = progress
  return (
    <nav className="ow-bar" aria-label={t('Steps')}>
      <p className="ow-count">
        {t('Step')} {active + 1} {t('of')} {steps.length}
      </p>
      <ProgressBar className="ow-track" label={t('Progress')} value={percentOf(progress)} />
      <ol>
        {steps.map((step, index) => {
          const isDone = index < furthest && index !== active
          const state = index === active ? (error ? 'error' : 'active') : isDone ? 'done' : index <= furthest ? 'open' : 'locked'
          return (
            <li key={step.key} data-state={state}>
              <button
                type="button"
                disabled={index > furthest}
                aria-current={index === active ? 'step' : undefined}
                onClick={() => onJump(index)}
              >
                <span className="ow-mark" aria-hidden>
                  {state === 'error' ? <ExclamationOutlined /> : isDone ? <CheckOutlined /> : index + 1}
                </span>
                <span className="ow-name">{t(step.title)}</span>
                {isDone && <span className="o-hidden">, {t('done')}</span>}
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

const savingWords: Record<Saving, string> = { none: '', saving: 'Saving…', saved: 'Draft saved', device: 'Draft kept on this device' }
const SavingNote = ({ saving }: { saving: Saving }) => (
  <span className="ow-saving" role="status">
    {t(savingWords[saving])}
  </span>
)
