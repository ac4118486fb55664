import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

/** A refusal is final; only failures of the way or of the server are worth a second try. */
function mayRetry(failures: number, error: unknown): boolean {
  if (error instanceof ApiError) return failures < 2 && error.status >= 500 && error.status !== 501
  return failures < 1
}

/** The one cache of server answers. Network mode 'always': offline, queries answer from the device's store. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: mayRetry, staleTime: 15_000, gcTime: 10 * 60_000, networkMode: 'always', refetchOnWindowFocus: true },
    mutations: { retry: false, networkMode: 'always' },
  },
})
