import { Form, Input, InputNumber, Select, Switch } from 'antd'
import { t } from '../../../session/labels.ts'
import type { DeviceOption } from '../commands/options.ts'
import { DeviceChoice } from '../DeviceChoice.tsx'
import { BranchChoice } from '../BranchChoice.tsx'

/** What is said of a fence beside its outline. */
export interface FenceForm {
  name: string
  type: 'geofence' | 'poi'
  radius: number | null
  speedLimit: number | null
  enterDelay: number
  exitDelay: number
  description: string
  tags: string[]
  tenantId: string | null
  isActive: boolean
  /** Watched at it. */
  devices: DeviceOption[]
}

interface FenceFieldsProps {
  form: FenceForm
  onChange: (changes: Partial<FenceForm>) => void
}

const numbers = [
  { key: 'enterDelay', label: 'Inside counts after (s)' },
  { key: 'exitDelay', label: 'Outside counts after (s)' },
] as const

/** The fields below the shape: how fast one may drive there, when a crossing counts, its tags and its branch. */
export function FenceFields({ form, onChange }: FenceFieldsProps) {
  // The watch over collateral reads these two; other tags are the company's own.
  const meanings = [
    { value: 'home', label: t('home: a vehicle that left it is looked after') },
    { value: 'border', label: t('border: a vehicle beyond it is at risk') },
  ]
  return (
    <>
      {form.type === 'poi' ? null : (
        <DeviceChoice
          id="fence-devices"
          label={t('Devices watched at it')}
          hint={t('Nothing is watched at it yet: no rule rings for it.')}
          value={form.devices}
          onChange={(devices) => onChange({ devices })}
        />
      )}
      <Form.Item label={t('Speed limit (km/h)')} htmlFor="fence-speed">
        <InputNumber id="fence-speed" min={1} max={300} value={form.speedLimit} onChange={(speedLimit) => onChange({ speedLimit })} />
      </Form.Item>
      {numbers.map(({ key, label }) => (
        <Form.Item key={key} label={t(label)} htmlFor={`fence-${key}`}>
          <InputNumber
            id={`fence-${key}`}
            min={0}
            max={600}
            precision={0}
            value={form[key]}
            onChange={(seconds) => onChange({ [key]: seconds ?? 0 })}
          />
        </Form.Item>
      ))}
      <Form.Item label={t('Tags')} htmlFor="fence-tags">
        <Select
          id="fence-tags"
          mode="tags"
          maxCount={20}
          optionLabelProp="value"
          options={meanings}
          value={form.tags}
          onChange={(tags: string[]) => onChange({ tags: tags.map((tag) => tag.trim().slice(0, 40)).filter(Boolean) })}
        />
      </Form.Item>
      <BranchChoice id="fence-branch" value={form.tenantId} onChange={(tenantId) => onChange({ tenantId })} />
      <Form.Item label={t('Description')} htmlFor="fence-description">
        <Input.TextArea
          id="fence-description"
          autoSize
          maxLength={1_000}
          value={form.description}
          onChange={(event) => onChange({ description: event.target.value })}
        />
      </Form.Item>
      <label className="fleet-switch">
        <Switch size="small" checked={form.type === 'poi'} onChange={(on) => onChange({ type: on ? 'poi' : 'geofence' })} />{' '}
        {t('A point of interest, not watched for crossings')}
      </label>
      <label className="fleet-switch">
        <Switch size="small" checked={form.isActive} onChange={(isActive) => onChange({ isActive })} /> {t('Watched')}
      </label>
    </>
  )
}
