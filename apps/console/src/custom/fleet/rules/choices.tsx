import { useQueries, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { ApiError } from '../../../data/api.ts'
import { call } from '../../../data/calls.ts'
import { t } from '../../../session/labels.ts'
import { useDeviceOptions } from '../commands/options.ts'

interface ChoiceProps {
  id: string
  value: string[]
  onChange: (ids: string[]) => void
}
const none: readonly never[] = []
/** Names of so many chosen devices are asked for; a rule of more is about all of them. */
const mostNamed = 50

/** Devices by name, found by search; those that a rule names already are named too. */
export function DeviceChoice({ id, value, onChange }: ChoiceProps) {
  const [search, setSearch] = useState('')
  const { options, isFetching } = useDeviceOptions(search)
  const found = new Set(options.map((one) => one.value))
  const named = useDeviceNames(value.filter((one) => !found.has(one)).slice(0, mostNamed))
  return (
    <Select
      id={id}
      mode="multiple"
      loading={isFetching}
      showSearch={{ onSearch: setSearch, filterOption: false }}
      placeholder={t('Name or identifier')}
      value={value}
      onChange={onChange}
      options={[...options.map(({ value: one, label }) => ({ value: one, label })), ...named]}
    />
  )
}

function useDeviceNames(ids: readonly string[]): { value: string; label: string }[] {
  const answers = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['records', 'device', 'name', id],
      staleTime: 300_000,
      retry: false,
      queryFn: async ({ signal }: { signal: AbortSignal }) => (await call('devices.get', { params: { id } }, { signal })).data.device.name,
    })),
  })
  return ids.map((value, at) => {
    const { data, error } = answers[at] ?? {}
    const isGone = error instanceof ApiError && error.status === 404
    return { value, label: data ?? (isGone ? t('No longer there') : '…') }
  })
}

/** Fences by name; one that was deleted says so. */
export function FenceChoice({ id, value, onChange }: ChoiceProps) {
  const { data } = useQuery({
    queryKey: ['records', 'fence', 'all'],
    queryFn: async ({ signal }) => (await call('fences.all', { params: { x: 'rule' } }, { signal })).data.geofences,
  })
  const known = new Set(data?.map((fence) => fence.id))
  const gone = value.filter((one) => !known.has(one)).map((one) => ({ value: one, label: data ? t('No longer there') : '…' }))
  return (
    <Select
      id={id}
      mode="multiple"
      loading={data === undefined}
      showSearch={{ optionFilterProp: 'label' }}
      value={value}
      onChange={onChange}
      options={[...(data ?? none).map((fence) => ({ value: fence.id, label: fence.name })), ...gone]}
    />
  )
}
