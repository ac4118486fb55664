import type { Preferences } from './preferences.ts'

/** One entry of the left menu; already cut to what the caller may open. */
export interface MenuEntry {
  key: string
  label: string
  icon: string
  path?: string
  children?: MenuEntry[]
  hiddenOffline?: boolean
}

/** The outline of a screen: rows, fields to fill in, a record, tiles, or one large part. */
export type ScreenShape = 'list' | 'form' | 'detail' | 'board' | 'page'

/** One screen the console may route to. `id` addresses GET /api/console/screens/:id. */
export interface ScreenEntry {
  id: string
  /** Path with :params, as the specification writes it. */
  path: string
  title: string
  layout: 'standard' | 'plain'
  offline: boolean
  /** False when the caller lacks the permission: the guard goes to /not-authorized. */
  permitted: boolean
  kind: string
  /** What is on the screen while its view is awaited, where the kind does not say it. */
  shape?: ScreenShape
  /** Its place among what the palette offers to make; those without one come after. */
  createOrder?: number
  /** The record that it shows is named by ?id=. */
  takesId?: boolean
}

export interface ConsoleTenant {
  Id: string
  parentId: string | null
  name: string
  shortCode: string
  /** 1 Group, 2 Company, 3 Branch, 4 Team */
  type: number
  locationRequired: boolean
}

/** Where map tiles come from; the host of the address is in TILE_HOSTS. */
export interface TileSource {
  url: string
  attribution: string
  maxZoom?: number
}

export interface ConsoleUser {
  Id: string
  userName: string
  emailAddress: string
  firstName: string
  lastName: string
  roles: { name: string }[]
  permissions: { hierarchy: string }[]
  rolepermissions: { hierarchy: string }[]
  tenants: ConsoleTenant[]
  selectedTenant: ConsoleTenant
  tours: Record<string, unknown>
  preferences: Preferences
  /** Address of the person's picture. */
  picture: string | null
}

/** How the company writes days (a pattern of Day.js), numbers and amounts; rules/formats.ts says which there are. Layouts kept by older versions have none. */
export interface CompanyFormats {
  date: string
  number: string
  firstDay: string
  currency: string
}

/** The company's own colour (#rrggbb) and the address of its logo. */
export interface CompanyLook {
  colour?: string
  logo?: string
}

/** A label of the console in a company's own word; without a language it is English. */
export interface CompanyWord {
  label: string
  value: string
  language?: string
}

/** Answer of GET /api/console: all the shell needs in one call. */
export interface ConsoleLayout {
  user: ConsoleUser
  realUser?: { Id: string; firstName: string; lastName: string }
  impersonation?: { reason: string; endsAt: string }
  /** Only the screen to choose another password works until that is done. */
  mustChangePassword?: boolean
  company: {
    Id: string
    name: string
    country: string
    currency: string
    timeZone: string
    tiles?: TileSource
    formats?: CompanyFormats
    look?: CompanyLook
  }
  /** Loan officers and team leaders see their tenant as fixed text. */
  maySwitchTenant: boolean
  /** Field roles keep an offline store and sync. */
  isFieldRole: boolean
  /** For field roles: the tenants in reach, each with itself and all above it, so that the device knows what lies below a branch. */
  reach?: { Id: string; path: string[] }[]
  /** For field roles: the place of the user's tenant, which work that names none is given. */
  place?: { location: string; lat: string; lng: string }
  /** For field roles: how many days after its last contact a device opens without the server. */
  offlineDays?: number
  /** A site outside the installation: when the server cannot be reached, its answer says that the internet is there. */
  connectivityUrl?: string
  landing: string
  menu: MenuEntry[]
  screens: ScreenEntry[]
  /** The company's own words; the English ones come last and stand in for those that another language has not. */
  language: CompanyWord[]
  version: string
  build: string
  serverNow: string
}
