import { useCallback } from 'react'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'

/** What is behind the ? of the address, parsed by the router (numbers, arrays and objects included). */
export type Address = Readonly<Record<string, unknown>>
export type PatchAddress = (changes: Record<string, unknown>, options?: { isStep?: boolean }) => void

/**
 * The view's state in the address. `patch` changes some entries (undefined removes one); with `isStep` the change is a
 * step of the history, so that Back undoes it.
 */
export function useAddress(): { address: Address; pathname: string; patch: PatchAddress } {
  const address = useSearch({ strict: false }) as Address
  const pathname = useLocation({ select: (location) => location.pathname })
  const navigate = useNavigate()
  const patch = useCallback<PatchAddress>(
    (changes, options) => {
      void navigate({
        to: '.',
        replace: !options?.isStep,
        resetScroll: false,
        search: ((before: Address) => merged(before, changes)) as never,
      })
    },
    [navigate],
  )
  return { address, pathname, patch }
}

/** The entries with the changes laid over them; undefined and null remove. */
export function merged(before: Address, changes: Address): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined && value !== null))
}

/** A text of the address; the router reads `?search=712` as a number. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
