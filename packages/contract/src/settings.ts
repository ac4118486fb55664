import type { FieldView } from './fields.ts'
import type { CallView } from './views.ts'

/** A record that holds settings: what loads it (`one` is its key in the answer), and what saves changes, for who may. */
export interface SettingsSource {
  key: string
  one: string
  load: CallView
  save?: CallView
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
}
