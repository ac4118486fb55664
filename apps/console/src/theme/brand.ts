import type { ConsoleLayout } from '@outpost/contract/console'
import { faultOfColour, withColour } from '@outpost/rules/theme/brand'
import type { Theme } from '@outpost/rules/theme/themes'
import { useSyncExternalStore } from 'react'
import { currentTheme } from './current.ts'

/** The company whose colour and logo are shown. */
export interface CompanyBrand {
  name: string
  colour?: string
  logo?: string
}

const storageKey = 'outpost.brand'
const listeners = new Set<() => void>()
let brand: CompanyBrand | null = read()
let theme: Theme = themeOf(brand)

/**
 * Shows the colour and logo of a company, and keeps them on this device: its sign-in page has them from then on, and so has the console
 * before it knows who is there.
 */
export function setBrand({ name, look = {} }: Pick<ConsoleLayout['company'], 'name' | 'look'>): void {
  const next = look.colour === undefined && look.logo === undefined ? null : { name, ...look }
  if (JSON.stringify(next) === JSON.stringify(brand)) return
  brand = next
  theme = themeOf(brand)
  keep()
  for (const listener of listeners) listener()
}

/** The company's colour and logo, as React state; null where it has none of its own. */
export const useBrand = (): CompanyBrand | null => useSyncExternalStore(subscribe, () => brand)
/** The host's theme in the company's colour, as React state. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => theme)

function themeOf(of: CompanyBrand | null): Theme {
  return of?.colour === undefined ? currentTheme : withColour(currentTheme, of.colour)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function keep(): void {
  try {
    if (brand) localStorage.setItem(storageKey, JSON.stringify(brand))
    else localStorage.removeItem(storageKey)
  } catch (error) {
    console.info('The look of the company cannot be remembered on this device.', error)
  }
}

/** What was kept; whoever can write into the storage gets a colour and an address of ours, or nothing. */
function read(): CompanyBrand | null {
  try {
    const { name, colour, logo } = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<Record<keyof CompanyBrand, unknown>>
    if (typeof name !== 'string') return null
    return {
      name,
      ...(typeof colour === 'string' && faultOfColour(colour) === undefined ? { colour } : {}),
      ...(typeof logo === 'string' && /^\/api\/brand\/logo\/[0-9a-f-]{36}$/.test(logo) ? { logo } : {}),
    }
  } catch {
    return null
  }
}
