import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { call } from '../../../data/calls.ts'
import { commandWords } from './words.ts'

export interface DeviceOption {
  value: string
  label: string
  protocol: string | null
}
const none: readonly never[] = []

/** Devices whose name or identifier holds the text. */
export function useDeviceOptions(search: string): { options: DeviceOption[]; isFetching: boolean } {
  const text = useDeferredValue(search.trim())
  const { data = none, isFetching } = useQuery({
    queryKey: ['records', 'device', 'options', text],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await call('devices.list', { query: { size: 100, ...(text === '' ? {} : { search: text }) } }, { signal })).data.devices,
  })
  return {
    options: data.map(({ Id, name, uniqueId, protocol }) => ({
      value: Id,
      label: name === uniqueId ? name : `${name} · ${uniqueId}`,
      protocol,
    })),
    isFetching,
  }
}

/** Commands that are kept under a name. */
export function useSavedCommands(): { value: string; label: string; commandType: string }[] {
  const { data = none } = useQuery({
    queryKey: ['records', 'command', 'options'],
    queryFn: async ({ signal }) => (await call('commands.list', { query: { size: 200 } }, { signal })).data.commands,
  })
  return data.map(({ Id, name, commandType }) => ({
    value: Id,
    label: `${name} (${commandWords(commandType)})`,
    commandType,
  }))
}
