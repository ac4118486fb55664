import { useQuery } from '@tanstack/react-query'
import type { FormView } from '@outpost/contract/views'
import { api } from '../../../data/api.ts'
import type { Query } from '../../../data/api.ts'
import { useConnection } from '../../../data/connection.ts'
import { useSettled } from '../../fields/use-options.ts'
import { isBlank } from '../../formats.ts'
import { checkValue } from './values.ts'
import type { RecordValues } from './values.ts'

const typingPause = 500

/** The warning of a form's duplicate check for what is entered now; the server still has the last word when saving. */
export function useDuplicateCheck(view: FormView, record: RecordValues, id: string | undefined): string | undefined {
  const { isOnline } = useConnection()
  const { check } = view
  const good = (check?.fields ?? []).filter((key) => !isBlank(record[key]) && view.fields.every((field) => field.key !== key || checkValue(field, record) === undefined))
  const values = useSettled(JSON.stringify(Object.fromEntries(good.map((key) => [key, record[key]]))), typingPause)
  const result = useQuery({
    queryKey: ['check', check?.call.path, values, id], enabled: check !== undefined && isOnline && values !== '{}', staleTime: 30_000, retry: false,
    queryFn: async ({ signal }) => {
      if (!check) return false
      const sent = { ...JSON.parse(values) as RecordValues, ...(id ? { Id: id } : {}) }
      const answer = await api.call<{ exists?: boolean }>(check.call.method, check.call.path, { signal, ...(check.call.method === 'GET' ? { query: sent as Query } : { body: sent }) })
      return answer.data.exists === true
    },
  })
  return result.data ? check?.message : undefined
}
