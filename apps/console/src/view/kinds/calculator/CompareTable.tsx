import { Button } from 'antd'
import { SwapOutlined } from '@ant-design/icons'
import type { Calculator, CalculatorRun, FigureDefinition } from '@outpost/rules/calculators/index'
import { Decimal } from '@outpost/rules/money'
import { t } from '../../../session/labels.ts'
import { noValue } from '../../formats.ts'
import { formatFigure } from './run.ts'

interface CompareProps {
  calculator: Calculator
  kept: CalculatorRun
  run: CalculatorRun
  currency: string
  onDrop: () => void
  onSwap: () => void
}

/** The kept scenario beside the one on the screen. */
export function CompareTable({ calculator, kept, run, currency, onDrop, onSwap }: CompareProps) {
  const cells = ({ key, unit }: FigureDefinition) => [
    formatFigure(kept.result[key], unit, ''),
    formatFigure(run.result[key], unit, ''),
    difference(kept.result[key], run.result[key], unit),
  ]
  return (
    <section className="form-card" aria-labelledby="calculator-compare">
      <div className="calculator-compare-head">
        <h2 id="calculator-compare">{t('Compared')}</h2>
        <Button size="small" icon={<SwapOutlined aria-hidden />} onClick={onSwap}>
          {t('Swap')}
        </Button>
        <Button size="small" onClick={onDrop}>
          {t('End comparison')}
        </Button>
      </div>
      <div className="widget-table calculator-compare" tabIndex={0} role="group" aria-label={t('Compared')}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                {t('Figure')} ({currency})
              </th>
              {['A (kept)', 'B (now)', 'Difference'].map((head) => (
                <th key={head} scope="col" data-number>
                  {t(head)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{t('Outcome')}</th>
              <td data-number>{kept.outcome}</td>
              <td data-number>{run.outcome}</td>
              <td data-number>{noValue}</td>
            </tr>
            {calculator.figures.map((figure) => (
              <tr key={figure.key}>
                <th scope="row">{t(figure.label)}</th>
                {cells(figure).map((words, index) => (
                  <td key={index} data-number>
                    {words}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function difference(before: string | null | undefined, after: string | null | undefined, unit: FigureDefinition['unit']): string {
  if (!before || !after) return noValue
  const change = new Decimal(after).minus(before)
  return `${change.gt(0) ? '+' : ''}${formatFigure(change.toFixed(unit === 'money' ? 2 : undefined), unit, '')}`
}
