/** How deep in the tree a setting may have a value of its own, by the type of the tenant. */
export const settingLevels = { company: 2, branch: 3, any: 4 } as const

/** A value that a company may choose within bounds. Tenants below inherit it; an area declares it. */
export interface Setting {
  /** Unique among all areas. */
  name: string
  /** Key of the section of the settings screen. */
  section: string
  label: string
  /** What it does, in a sentence. */
  help: string
  /** Stands behind the value, e.g. "minutes". */
  unit: string
  min: number
  max: number
  /** What holds while nobody has chosen. */
  standard: number
  /** The deepest tenant with a value of its own. */
  level: keyof typeof settingLevels
}
