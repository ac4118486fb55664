import { Checkbox } from 'antd'
import { t } from '../../session/labels.ts'
import { formatMoney } from '../../view/formats.ts'
import { steps, type StepField, type StepValues, type WizardData } from './steps.ts'

interface ConfirmProps {
  data: WizardData
  currency: string
  onChange: (values: StepValues) => void
  onEdit: (step: number) => void
}

/** Everything entered, with a way back to each step, and the request for consent. */
export function ConfirmStep({ data, currency, onChange, onEdit }: ConfirmProps) {
  const shown = (field: StepField, value: unknown) => (field.kind === 'money' ? formatMoney(value, currency) : String(value ?? ''))
  return (
    <div className="ow-confirm">
      {steps.slice(0, -1).map((step, index) => {
        const filled = step.fields.filter((field) => ![undefined, null, ''].includes(data[step.key]?.[field.name] as never))
        return (
          <section key={step.key}>
            <div className="ow-confirm-head">
              <h3>{t(step.title)}</h3>
              <button type="button" className="o-text-button" onClick={() => onEdit(index)}>
                {t('Change')}
                <span className="o-hidden"> {t(step.title)}</span>
              </button>
            </div>
            {filled.length === 0 ? (
              <p className="ow-none">{t('Nothing entered')}</p>
            ) : (
              <dl>
                {filled.map((field) => (
                  <div key={field.name}>
                    <dt>{t(field.label)}</dt>
                    <dd>{shown(field, data[step.key]?.[field.name])}</dd>
                  </div>
                ))}
              </dl>
            )}
          </section>
        )
      })}
      <Checkbox className="ow-consent" checked={data.consent?.send === true} onChange={(event) => onChange({ send: event.target.checked })}>
        {t('Ask the client for consent to a credit check now')}
        <span className="ow-help">
          {t('A message with a link goes to the phone above. The application can go on once consent is granted.')}
        </span>
      </Checkbox>
    </div>
  )
}
