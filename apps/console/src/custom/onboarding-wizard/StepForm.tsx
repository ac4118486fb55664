import { AimOutlined } from '@ant-design/icons'
import { Button, Input, InputNumber, Select } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../session/labels.ts'
import { groupedAmount } from '../../view/fields/parts/grouped.ts'
import type { StepDefinition, StepError, StepField, StepValues } from './steps.ts'

interface StepProps {
  step: StepDefinition
  values: StepValues
  errors: readonly StepError[]
  currency: string
  onChange: (values: StepValues) => void
}

/** The fields of one step; words of a failed check are at their field, and the first of them gets the focus. */
export function StepForm({ step, values, errors, currency, onChange }: StepProps) {
  const box = useRef<HTMLDivElement>(null)
  const firstWrong = errors[0]?.field
  useEffect(() => {
    if (firstWrong) box.current?.querySelector<HTMLElement>(`#ow-${firstWrong}`)?.focus()
  }, [errors, firstWrong])
  return (
    <div className="ow-fields" ref={box}>
      {step.fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name]}
          currency={currency}
          error={errors.find((error) => error.field === field.name)?.message}
          onChange={(value) => onChange({ [field.name]: value })}
        />
      ))}
      {step.key === 'address' && <PlaceButton values={values} onChange={onChange} />}
    </div>
  )
}

interface FieldProps {
  field: StepField
  value: unknown
  error: string | undefined
  currency: string
  onChange: (value: unknown) => void
}

function Field({ field, value, error, currency, onChange }: FieldProps) {
  const id = `ow-${field.name}`
  const about = [error && `${id}-error`, field.help && `${id}-help`].filter(Boolean).join(' ') || undefined
  const aria = {
    id,
    'aria-describedby': about,
    'aria-invalid': error ? true : undefined,
    'aria-required': field.isNeeded,
    status: error ? ('error' as const) : undefined,
    size: 'large' as const,
  }
  const text = typeof value === 'string' ? value : ''
  const number = typeof value === 'number' ? value : null
  return (
    <div className="ow-field" data-wrong={error ? true : undefined}>
      <label htmlFor={id}>
        {t(field.label)}
        {field.isNeeded && <span aria-hidden> *</span>}
      </label>
      {field.kind === 'choice' ? (
        <Select
          {...aria}
          value={text || undefined}
          allowClear
          options={field.options?.map((option) => ({ value: option, label: t(option) })) ?? []}
          onChange={(next) => onChange(next ?? null)}
        />
      ) : field.kind === 'money' || field.kind === 'number' ? (
        <InputNumber<number>
          {...aria}
          {...(field.kind === 'money' ? groupedAmount : {})}
          value={number}
          controls={false}
          inputMode="decimal"
          prefix={field.kind === 'money' ? currency : undefined}
          onChange={onChange}
          style={{ inlineSize: '100%' }}
        />
      ) : (
        <Input
          {...aria}
          value={text}
          type={field.kind === 'phone' ? 'tel' : field.kind === 'email' ? 'email' : 'text'}
          autoComplete={field.autoComplete ?? 'off'}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {field.help && (
        <span id={`${id}-help`} className="ow-help">
          {t(field.help)}
        </span>
      )}
      {error && (
        <span id={`${id}-error`} className="ow-wrong">
          {t(error)}
        </span>
      )}
    </div>
  )
}

/** Takes the place of the device as the place of the address. */
function PlaceButton({ values, onChange }: { values: StepValues; onChange: (values: StepValues) => void }) {
  const [state, setState] = useState<'idle' | 'asking' | 'failed'>('idle')
  const { latitude, longitude } = values
  const ask = () => {
    setState('asking')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        onChange({ latitude: Number(coords.latitude.toFixed(6)), longitude: Number(coords.longitude.toFixed(6)) })
        setState('idle')
      },
      () => setState('failed'),
      { enableHighAccuracy: true, timeout: 5_000, maximumAge: 5_000 },
    )
  }
  return (
    <div className="ow-field">
      <span className="ow-label">{t('Place on the map')}</span>
      <span className="ow-place">
        <Button icon={<AimOutlined />} loading={state === 'asking'} onClick={ask}>
          {t('Use my location')}
        </Button>
        <span role="status">
          {state === 'failed'
            ? t('The location could not be read.')
            : typeof latitude === 'number' && typeof longitude === 'number'
              ? `${latitude}, ${longitude}`
              : ''}
        </span>
      </span>
    </div>
  )
}
