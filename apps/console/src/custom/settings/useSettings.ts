import { useState } from 'react'
import { Form } from 'antd'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import type { FieldView } from '@outpost/contract/fields'
import type { SettingItem, SettingsData, SettingsSource } from '@outpost/contract/settings'
import { api, ApiError } from '../../data/api.ts'
import type { Row } from '../../data/records.ts'
import { t } from '../../session/labels.ts'
import { reloadLayout } from '../../session/enter.ts'
import { sentence } from '../../view/kinds/form/useFieldForm.ts'
import { changedValues, startValues, wireValues, type RecordValues } from '../../view/kinds/form/values.ts'

/** What became of the last attempt to save: when it was saved, or why not. */
export type SaveState = { kind: 'none' } | { kind: 'saving' } | { kind: 'saved'; at: Date } | { kind: 'failed'; message: string }
type Entered = Record<string, RecordValues>
interface Change {
  source: SettingsSource
  values: RecordValues
  items: SettingItem[]
}

/** What the server finds wrong, at the settings it names. */
function faultsOf(error: unknown, source: SettingsSource, items: readonly SettingItem[]) {
  const faults = error instanceof ApiError ? (error.fields ?? []) : []
  return items.flatMap(({ field, label }) => {
    const errors = faults.filter((fault) => fault.field === field?.key).map(({ message }) => sentence(t(label), message))
    return errors.length === 0 ? [] : [{ name: [source.key, field?.key ?? ''] as never, errors }]
  })
}

const outcomeOf = (failures: readonly string[]): SaveState =>
  failures.length > 0 ? { kind: 'failed', message: failures.join(' ') } : { kind: 'saved', at: new Date() }

/** Where the record of a source is kept. */
export const sourceKey = (source: SettingsSource) => ['settings', source.load.path] as const
const load = async (source: SettingsSource): Promise<Row> =>
  (await api.get<Record<string, Row>>(source.load.path)).data[source.one] ?? ({} as Row)

/** What was entered of a record and differs from it. */
function changeOf(
  source: SettingsSource,
  record: Row | undefined,
  items: readonly SettingItem[],
  given: RecordValues | undefined,
): Change[] {
  if (!source.save || !record) return []
  const fields = items.flatMap(({ field }) => field ?? [])
  const values = changedValues(fields, wireValues(fields, { ...startValues(fields, record), ...given }), record)
  return Object.keys(values).length === 0 ? [] : [{ source, values, items: items.filter(({ field }) => field && field.key in values) }]
}

/** The records behind the settings, what was entered and not saved, and the ways to save, discard and go back to the standard. */
export function useSettings({ sources, sections }: SettingsData) {
  const client = useQueryClient()
  const [form] = Form.useForm<Entered>()
  const entered = Form.useWatch<Entered | undefined>([], form)
  const [state, setState] = useState<SaveState>({ kind: 'none' })
  const queries = useQueries({
    queries: sources.map((source) => ({ queryKey: sourceKey(source), queryFn: () => load(source), gcTime: 0, staleTime: Infinity })),
  })
  const records = new Map(sources.map((source, index) => [source.key, queries[index]]))
  const items = sections.flatMap((section) => section.items)
  const itemsOf = (source: SettingsSource) => items.filter((item) => item.source === source.key)
  const fieldsOf = (source: SettingsSource): FieldView[] => itemsOf(source).flatMap(({ field }) => field ?? [])
  const changesOf = (given: Entered | undefined): Change[] =>
    sources.flatMap((source) => changeOf(source, records.get(source.key)?.data, itemsOf(source), given?.[source.key]))
  const changes = changesOf(entered)
  const show = (source: SettingsSource, record: Row) => form.setFieldsValue({ [source.key]: startValues(fieldsOf(source), record) })
  const discard = () => {
    for (const { source } of changes) show(source, records.get(source.key)?.data ?? ({} as Row))
    form.setFields(form.getFieldsError().map(({ name }) => ({ name: name as never, errors: [] })))
    setState({ kind: 'none' })
  }
  const saveOne = async ({ source, values }: Change) => {
    const version = records.get(source.key)?.data?.version
    const { data } = await api.put<Record<string, Row>>(source.save?.path ?? '', {
      ...values,
      ...(version === undefined ? {} : { version }),
    })
    const record = data[source.one] ?? (await load(source))
    client.setQueryData(sourceKey(source), record)
    show(source, record)
  }
  const refused = async ({ source, values, items: own }: Change, error: unknown): Promise<string> => {
    form.setFields(faultsOf(error, source, own))
    if (error instanceof ApiError && error.code === 'CONFLICT') {
      // What others changed meanwhile comes in; what was entered here stays and is saved over it next time.
      const [mine, theirs] = [form.getFieldValue([source.key]) as RecordValues, await load(source)]
      client.setQueryData(sourceKey(source), theirs)
      form.setFieldsValue({
        [source.key]: {
          ...startValues(fieldsOf(source), theirs),
          ...Object.fromEntries(Object.keys(values).map((key) => [key, mine[key]])),
        },
      })
      return t('Somebody changed these settings meanwhile. Look at them again, then save.')
    }
    return error instanceof Error ? error.message : String(error)
  }
  const save = async () => {
    // What is watched comes a moment later than what was entered: the form itself is asked.
    const entering = changesOf(form.getFieldsValue(true) as Entered)
    if (entering.length === 0 || state.kind === 'saving') return
    setState({ kind: 'saving' })
    const failures: string[] = []
    for (const change of entering)
      await saveOne(change).catch(async (error: unknown) => {
        failures.push(await refused(change, error))
      })
    setState(outcomeOf(failures))
    // Name, country, formats and colour are in the layout of the console, counts in the view.
    await reloadLayout().catch((error: unknown) => console.info('The layout of the console could not be loaded anew.', error))
  }
  return { form, records, changed: changes.flatMap((change) => change.items), state, save, discard }
}
export type SettingsState = ReturnType<typeof useSettings>
