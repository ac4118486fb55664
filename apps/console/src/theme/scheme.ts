import { useSyncExternalStore } from 'react'
import { schemeKey } from './boot-key.ts'
import type { Scheme } from '@outpost/rules/theme/themes'

const listeners = new Set<() => void>()
let scheme: Scheme = typeof document !== 'undefined' && document.documentElement.dataset.scheme === 'dark' ? 'dark' : 'light'

/** Light or dark as React state; the boot script has set the first value. */
export function useScheme(): Scheme {
  return useSyncExternalStore(subscribe, () => scheme)
}

/** Sets and stores the scheme on this device. */
export function setScheme(next: Scheme): void {
  try {
    localStorage.setItem(schemeKey, next)
  } catch (error) {
    console.info('The theme cannot be remembered on this device.', error)
  }
  show(next)
}

/** Follows the system's preference until the user has chosen; returns a function that stops it. */
export function followSystemScheme(): () => void {
  const query = matchMedia('(prefers-color-scheme: dark)')
  const follow = (): void => {
    if (localStorage.getItem(schemeKey) === null) show(query.matches ? 'dark' : 'light')
  }
  query.addEventListener('change', follow)
  return () => query.removeEventListener('change', follow)
}

function show(next: Scheme): void {
  scheme = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
