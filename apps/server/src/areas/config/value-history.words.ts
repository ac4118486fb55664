import type { SettingItem } from '@outpost/contract/settings'
import type { AnySetting } from '../../kernel/settings/define.ts'
import { itemsOfSource } from './settings.ts'

type Value = number | string | null
type Row = Readonly<Record<string, unknown>>

/** A row of the audit about settings; `about` is the record it names, where it names one of several. */
export interface Recorded {
  at: Date
  who: string
  kind: string
  before: Row | null
  after: Row | null
  about: Row | null
}

interface Told {
  name: string
  label: string
  about: string | null
  unit: string
  before: Value
  after: Value
}

/** What one row of the audit says of settings, a line for each. */
export function toldOf(settings: readonly AnySetting[], row: Recorded): Told[] {
  switch (row.kind) {
    case 'setting':
      return [ofChosen(settings, row)]
    case 'tenant':
      return ofRecord(itemsOfSource('company'), row)
    case 'settings':
      return ofRecord(itemsOfSource('tracking'), row)
    case 'label':
      return ofSeveral(row, { label: 'Word of the console', title: 'label', shown: ['value', 'label'] })
    default:
      return ofSeveral(row, { label: 'Holiday', title: 'name', shown: ['date', 'name', 'isWorked'] })
  }
}

function ofChosen(settings: readonly AnySetting[], { before, after }: Recorded): Told {
  const name = String(after?.['name'])
  const setting = settings.find((one) => one.name === name)
  const unit = setting && 'unit' in setting ? setting.unit : ''
  const inWords = (value: unknown) => wordOfChosen(setting, value as Value)
  return { name, label: setting?.label ?? name, about: null, unit, before: inWords(before?.['value']), after: inWords(after?.['value']) }
}

/** A value as people read it: a choice by its label, a picture by being one. */
function wordOfChosen(setting: AnySetting | undefined, value: Value): Value {
  if (!setting || !('refuse' in setting) || value === null) return value
  if (setting.kind === 'picture') return 'a picture'
  return setting.options?.find((option) => option.value === value)?.label ?? value
}

/** Fields of a record that are settings, as far as they differ. */
function ofRecord(items: readonly SettingItem[], { before, after }: Recorded): Told[] {
  return items.flatMap((item) => {
    const key = item.field?.key ?? item.key
    if (!after || !Object.hasOwn(after, key) || JSON.stringify(before?.[key] ?? null) === JSON.stringify(after[key])) return []
    const words = { before: wordOfField(item, before?.[key]), after: wordOfField(item, after[key]) }
    return [{ name: key, label: item.label, about: null, unit: item.unit ?? '', ...words }]
  })
}

/** What holds without a value has words of its own: nothing of these is inherited. */
function wordOfField({ field, standard }: SettingItem, value: unknown): Value {
  if (value === null || value === undefined || value === '') return standard?.value === null ? standard.words : 'none'
  if (typeof value === 'number') return value
  return field?.options?.find((option) => option.value === value)?.label ?? String(value)
}

/** One of several records behind a setting: made, changed or deleted. */
function ofSeveral(
  { kind, before, after, about }: Recorded,
  { label, title, shown }: { label: string; title: string; shown: readonly string[] },
): Told[] {
  const wordOf = (row: Row | null, key: string): Value => plain(row?.[key])
  const keys = before && after ? shown.filter((key) => Object.hasOwn(after, key)) : shown.slice(0, 1)
  const which = plain(about?.[title])
  return keys.map((key) => ({
    name: `${kind}.${key}`,
    label,
    about: which === null ? null : String(which),
    unit: '',
    before: wordOf(before, key) ?? 'none',
    after: wordOf(after, key) ?? 'none',
  }))
}

function plain(value: unknown): Value {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return typeof value === 'number' ? value : String(value).replace(/T00:00:00(\.000)?Z?$/, '')
}
