import list from './themes.json' with { type: 'json' }

export type Scheme = 'light' | 'dark'

/** The theme's own colours, per scheme. */
export interface Brand {
  primary: string
  link: string
  topBar: string
  topBarText: string
  avatar: string
}

export interface Theme {
  key: string
  productName: string
  /** Host names, or first labels of host names, that select this theme. */
  hosts: string[]
  light: Brand
  dark: Brand
  /** Paths of the logo in a 24 x 24 box; the first in full, the others lightened. */
  mark: string[]
}

/** The generic default and the eleven named themes. */
export const themes: readonly [Theme, ...Theme[]] = list as unknown as [Theme, ...Theme[]] // JSON arrays are not typed as tuples

/** The theme of a host: its full name first, then its first label, else the default. */
export function themeForHost(host: string): Theme {
  const name = host.toLowerCase()
  const label = name.split('.')[0] ?? ''
  return themes.find((theme) => theme.hosts.includes(name)) ?? themes.find((theme) => theme.hosts.includes(label)) ?? themes[0]
}

/** The theme with this key, or undefined; used in development for ?theme=<key>. */
export function themeByKey(key: string): Theme | undefined {
  return themes.find((theme) => theme.key === key)
}
