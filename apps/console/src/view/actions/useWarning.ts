import { useQuery } from '@tanstack/react-query'
import type { CallView } from '@outpost/contract/views'
import { api } from '../../data/api.ts'

const mostIds = 500

/** What the server has to say before an action. */
export interface Warned {
  message?: string
  /** The same in numbers: of whom or what, and where the rows of each number are listed. */
  counts?: { subject: string; counts: { count: number; words: string; open: string }[] }[]
}

/** What is to be known before an action is done to these records; the call itself still has the last word. */
export function useWarning(call: CallView | undefined, ids: readonly string[]): Warned | undefined {
  const { data } = useQuery({
    queryKey: ['warning', call?.path, ids],
    // More at once than one call takes are warned of by their refusals.
    enabled: call !== undefined && ids.length > 0 && ids.length <= mostIds,
    retry: false,
    staleTime: 0,
    queryFn: async ({ signal }) => {
      if (!call) return {}
      return (await api.call<Warned>(call.method, call.path, { signal, body: { ids } })).data
    },
  })
  return data?.message ? data : undefined
}
