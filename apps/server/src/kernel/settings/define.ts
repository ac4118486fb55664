import type { Option } from '@outpost/contract/fields'

/** How deep in the tree a setting may have a value of its own, by the type of the tenant. */
export const settingLevels = { company: 2, branch: 3, any: 4 } as const

interface Declared {
  /** Unique among all areas. */
  name: string
  /** Key of the section of the settings screen. */
  section: string
  label: string
  /** What it does, in a sentence. */
  help: string
  /** The deepest tenant with a value of its own. */
  level: keyof typeof settingLevels
  /** Only the group's own global administrators choose it, for all their companies or for one. */
  chosenBy?: 'group'
}

/** A number that a company may choose within bounds. Tenants below inherit it; an area declares it. */
export interface Setting extends Declared {
  kind?: 'number'
  /** Stands behind the value, e.g. "minutes". */
  unit: string
  min: number
  max: number
  /** What holds while nobody has chosen. */
  standard: number
}

/** A word, a colour or a picture that a company may choose. */
export interface TextSetting extends Declared {
  /** A picture is sent by a call of its own; its value is the id of what was stored. */
  kind: 'choice' | 'colour' | 'picture'
  /** What a choice chooses from. */
  options?: readonly Option[]
  /** Why a text does not do, in words after the label; undefined when it does. */
  refuse: (value: string) => string | undefined
  /** What holds while nobody has chosen; '' is none. */
  standard: string
}

export type AnySetting = Setting | TextSetting
/** The value of a setting of that kind. */
export type ValueOf<Declared extends AnySetting> = Declared['standard']

/** A setting with a closed list of values; the first is the standard. */
export const choiceSetting = ({ options, ...declared }: Declared & { options: readonly [Option, ...Option[]] }): TextSetting => ({
  ...declared,
  kind: 'choice',
  options,
  refuse: (value) =>
    options.some((option) => option.value === value) ? undefined : `must be one of ${options.map((one) => one.value).join(', ')}`,
  standard: options[0].value,
})
