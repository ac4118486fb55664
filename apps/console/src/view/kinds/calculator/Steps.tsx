import { Tag, Tooltip } from 'antd'
import type { CalculatorRun } from '@outpost/rules/calculators/index'
import { t } from '../../../session/labels.ts'
import { formatFigure } from './run.ts'

/** How the result came about: every step with its formula, in words and in figures. */
export function Steps({ run, currency }: { run: CalculatorRun; currency: string }) {
  return (
    <details className="form-card calculator-steps" open>
      <summary>
        <h2>{t('How it was calculated')}</h2>
      </summary>
      <ol>
        {run.steps.map((step, index) => (
          <li key={`${index} ${step.label}`}>
            <span className="calculator-step-label">
              {t(step.label)}
              {step.unverified ? <Unverified /> : null}
            </span>
            <span className="calculator-step-value">{formatFigure(step.value, step.unit, currency)}</span>
            <span className="calculator-formula">{t(step.formula)}</span>
            {step.figures ? (
              <span className="calculator-formula" data-figures>
                {step.figures}
              </span>
            ) : null}
          </li>
        ))}
      </ol>
    </details>
  )
}

/** The mark of a figure whose source is not confirmed. */
export const Unverified = () => (
  <Tooltip title={t('No source we could read confirms this figure. Have it confirmed before you rely on it.')}>
    <Tag variant="filled" className="tag-warn calculator-mark" tabIndex={0}>
      {t('not confirmed')}
    </Tag>
  </Tooltip>
)
