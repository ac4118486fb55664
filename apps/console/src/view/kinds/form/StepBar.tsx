import { CheckOutlined } from '@ant-design/icons'
import { t } from '../../../session/labels.ts'
import type { FormSteps } from './useFormSteps.ts'
import './steps.css'

interface StepBarProps {
  titles: readonly string[]
  steps: FormSteps
}

/** Where somebody is in a form of steps; a step that was reached can be opened again. */
export function StepBar({ titles, steps: { active, furthest, go } }: StepBarProps) {
  const share = Math.round(((active + 1) / titles.length) * 100)
  return (
    <nav className="form-steps" aria-label={t('Steps')}>
      <p className="form-steps-count" role="status">
        {t('Step {{step}} of {{steps}}', { step: active + 1, steps: titles.length })}
      </p>
      <div className="form-steps-track" aria-hidden>
        <span style={{ inlineSize: `${share}%` }} />
      </div>
      <ol>
        {titles.map((title, step) => (
          <li key={title} data-state={step === active ? 'active' : step < furthest ? 'done' : 'open'}>
            <button type="button" disabled={step > furthest} aria-current={step === active ? 'step' : undefined} onClick={() => go(step)}>
              <span className="form-steps-mark" aria-hidden>
                {step < furthest && step !== active ? <CheckOutlined /> : step + 1}
              </span>
              <span className="form-steps-name">{t(title)}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
