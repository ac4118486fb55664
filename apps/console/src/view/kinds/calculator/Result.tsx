import { Tag } from 'antd'
import type { Calculator, CalculatorRun } from '@outpost/rules/calculators/index'
import { t } from '../../../session/labels.ts'
import { formatFigure } from './run.ts'

interface ResultProps {
  calculator: Calculator
  run: CalculatorRun | undefined
  missing: readonly string[]
  wrong: readonly string[]
  currency: string
}

const outcomes = {
  PASS: { words: 'Affordable', tag: 'tag-good' },
  REFER: { words: 'Needs a decision', tag: 'tag-warn' },
  FAIL: { words: 'Not possible as entered', tag: 'tag-bad' },
} as const

/** Verdict and figures; while inputs are missing, what is missing. */
export function Result({ calculator, run, missing, wrong, currency }: ResultProps) {
  const main = calculator.figures.filter((figure) => figure.isMain)
  const more = calculator.figures.filter((figure) => !figure.isMain)
  return (
    <section className="form-card calculator-result" aria-labelledby="calculator-result">
      <h2 id="calculator-result">{t('Result')}</h2>
      <div role="status" className="calculator-verdict">
        {run && run.outcome !== 'NONE' ? (
          <>
            <Tag variant="filled" className={outcomes[run.outcome].tag}>
              {run.outcome}
            </Tag>
            <strong>{t(outcomes[run.outcome].words)}</strong>
          </>
        ) : null}
        {run?.reasons.map((reason) => (
          <span key={reason}>{t(reason)}</span>
        ))}
        {missing.length > 0 ? (
          <span className="calculator-missing">
            {t('Still needed')}: {missing.join('; ')}
          </span>
        ) : null}
        {wrong.map((words) => (
          <span key={words} className="calculator-wrong">
            {words}
          </span>
        ))}
      </div>
      <dl className="calculator-main">
        {main.map(({ key, label, unit }) => (
          <div key={key}>
            <dt>{t(label)}</dt>
            <dd>{formatFigure(run?.result[key], unit, currency)}</dd>
          </div>
        ))}
      </dl>
      <dl className="calculator-figures">
        {more.map(({ key, label, unit }) => (
          <div key={key}>
            <dt>{t(label)}</dt>
            <dd>{formatFigure(run?.result[key], unit, currency)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
