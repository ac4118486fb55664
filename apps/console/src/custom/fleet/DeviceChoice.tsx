import { Button, Form, Select } from 'antd'
import { useState } from 'react'
import { t } from '../../session/labels.ts'
import { useDeviceOptions, type DeviceOption } from './commands/options.ts'

interface DeviceChoiceProps {
  id: string
  label: string
  value: readonly DeviceOption[]
  onChange: (devices: DeviceOption[]) => void
  required?: boolean
  hint?: string
}

/** Chooses devices by name or identifier, one by one or all that were found; says how many are chosen. */
export function DeviceChoice({ id, label, value, onChange, required = false, hint }: DeviceChoiceProps) {
  const [search, setSearch] = useState('')
  const { options, isFetching } = useDeviceOptions(search)
  return (
    <>
      {search.trim() !== '' && options.length > 1 ? (
        <Button
          size="small"
          // The list of devices stays open, and what was searched for stays written.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChange(merged(value, options))}
        >
          {t('Add all {{count}} found', { count: options.length })}
        </Button>
      ) : null}
      <Form.Item
        label={label}
        htmlFor={id}
        required={required}
        extra={value.length === 0 && hint ? hint : t('{{count}} chosen', { count: value.length })}
      >
        <Select
          id={id}
          mode="multiple"
          labelInValue
          filterOption={false}
          loading={isFetching}
          showSearch={{ onSearch: setSearch, filterOption: false }}
          placeholder={t('Name or identifier')}
          maxTagCount={20}
          value={[...value]}
          options={options}
          onChange={(chosen: DeviceOption[]) => {
            const known = new Map([...value, ...options].map((one) => [one.value, one]))
            onChange(chosen.map(({ value: one, label: name }) => known.get(one) ?? { value: one, label: name, protocol: null }))
          }}
        />
      </Form.Item>
    </>
  )
}

const merged = (before: readonly DeviceOption[], more: readonly DeviceOption[]): DeviceOption[] => [
  ...new Map([...before, ...more].map((one) => [one.value, one])).values(),
]
