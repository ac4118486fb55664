import { Form } from 'antd'
import type { CalculatorView } from '@outpost/contract/views'
import { t } from '../../../session/labels.ts'
import { useCompany } from '../../company.ts'
import { formatMoney, formatNumber } from '../../formats.ts'
import { StatePanel } from '../../states/index.tsx'
import { FormFields } from '../form/FormFields.tsx'
import { useFieldForm } from '../form/useFieldForm.ts'
import { checkValue, isVisible } from '../form/values.ts'
import { sums } from './sums.ts'

/** A sum with its inputs; the result follows what is typed. */
export function CalculatorKind({ view }: { view: CalculatorView, params: Record<string, string> }) {
  const { form, record, start } = useFieldForm(view.fields, undefined)
  const { currency } = useCompany()
  const sum = sums[view.sum]
  const isComplete = view.fields.every((field) => !isVisible(field, record) || checkValue(field, record) === undefined)
  const figures = sum && isComplete ? sum(record) : []
  const words = (value: number, unit = 'number') => unit === 'money' ? formatMoney(value, currency) : `${formatNumber(value)}${unit === 'percent' ? ' %' : ''}`
  return (
    <div className="calculator-view">
      <header className="view-header"><div className="view-header-title"><h1>{t(view.title)}</h1></div></header>
      <div className="detail-columns">
        <Form form={form} layout="vertical" initialValues={start} className="form-card" aria-label={t(view.title)}>
          <FormFields fields={view.fields} rows={view.fields.map((field) => [field.key])} record={record} />
        </Form>
        <section className="form-card" aria-labelledby="calculator-result">
          <h2 id="calculator-result">{t('Result')}</h2>
          {sum ? null : <StatePanel title="This calculator needs a newer console" body={`${t('The sum')} “${view.sum}” ${t('is not part of this version. Load the page again.')}`} />}
          {sum && !isComplete ? <p className="widget-none">{t('Fill in the fields to see the result.')}</p> : null}
          <div role="status"><dl className="field-grid" data-narrow>{figures.map(({ label, value, unit }) => <div key={label}><dt>{t(label)}</dt><dd>{words(value, unit)}</dd></div>)}</dl></div>
        </section>
      </div>
    </div>
  )
}
