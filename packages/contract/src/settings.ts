import type { FieldView } from './fields.ts'
import type { CallView } from './views.ts'

/** A record that holds settings: what loads it (`one` is its key in the answer), and what saves changes, for who may. */
export interface SettingsSource {
  key: string
  one: string
  load: CallView
  save?: CallView
  /** Of the tenant that is looked at: its id fills `:id` of the calls. */
  isOfPlace?: boolean
}

/** One setting: changed where it is (`field` of a source), on a screen of its own (`open`), or shown only. */
export interface SettingItem {
  key: string
  label: string
  /** What it does, in a sentence. */
  help: string
  source?: string
  field?: FieldView
  /** Stands behind the value, e.g. "days". */
  unit?: string
  /** What holds while nothing is chosen, and the value that says so. */
  standard?: { value: unknown; words: string }
  /** The deepest type of tenant with a value of its own (2 company, 3 branch, 4 team); those below inherit. */
  level?: number
  open?: string
  /** The present value in words, of what is not read from a source. */
  now?: string
}

export interface SettingsSection {
  key: string
  title: string
  about: string
  items: SettingItem[]
}

/** What the settings screen is made of, cut to the caller. */
export interface SettingsData {
  sources: SettingsSource[]
  sections: SettingsSection[]
  /** Tenants whose settings the caller may look at, from the top. */
  places: { Id: string; name: string; type: number }[]
  /** The one to begin with. */
  start?: string
  /** Who changed what at a tenant; its id fills `:id`. */
  history?: CallView
  /** Takes a logo for a tenant, whose id fills `:id`; where the caller may send one. */
  saveLogo?: CallView
}

/** Where the value of a setting comes from, as it is shown beside the values of a tenant. */
export interface SettingOrigin {
  value: number | string
  inherited: number | string
  /** Null: Outpost's own. */
  from: string | null
}
