import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { FormView } from '@outpost/contract/views'
import { api } from '../../../data/api.ts'
import type { Query } from '../../../data/api.ts'
import { useConnection } from '../../../data/connection.ts'
import { useCompany } from '../../company.ts'
import { useSettled } from '../../fields/parts/use-options.ts'
import { isBlank } from '../../formats.ts'
import { pathOf } from '../../RecordLink.tsx'
import { checkValue } from './values.ts'
import type { RecordValues } from './values.ts'

const typingPause = 500

/** What is said below a field whose value another record holds; that record's name and place as far as the caller may see it. */
export interface Duplicate {
  message: string
  name?: string | undefined
  path?: string | undefined
  /** Of a record of another kind: which one. */
  id?: string | undefined
}
export type Duplicates = Readonly<Record<string, Duplicate>>
const none: Duplicates = {}

interface Answer {
  exists?: boolean
  fields?: string[]
  existing?: Record<string, string>[]
  others?: Record<string, string>[]
  message?: string
}

/** The warnings of a form's duplicate check for what is entered now, by field; the server still has the last word when saving. */
export function useDuplicateCheck(view: FormView, record: RecordValues, id: string | undefined): Duplicates {
  const { isOnline } = useConnection()
  const { country } = useCompany()
  const { check } = view
  const isGood = (key: string) =>
    !isBlank(record[key]) && view.fields.every((field) => field.key !== key || checkValue(field, record, country) === undefined)
  const good = (check?.fields ?? []).filter(isGood)
  const values = useSettled(JSON.stringify(Object.fromEntries(good.map((key) => [key, record[key]]))), typingPause)
  const result = useQuery({
    queryKey: ['check', check?.call.path, values, id],
    enabled: check !== undefined && isOnline && values !== '{}',
    staleTime: 30_000,
    retry: false,
    queryFn: async ({ signal }) => {
      if (!check) return none
      const typed = JSON.parse(values) as RecordValues
      const sent = { ...typed, ...(id ? { Id: id } : {}) }
      const answer = await api.call<Answer>(check.call.method, check.call.path, {
        signal,
        ...(check.call.method === 'GET' ? { query: sent as Query } : { body: sent }),
      })
      const about = { check, titleKey: view.titleKey }
      return { ...othersOf(about, answer.data), ...duplicatesOf(about, Object.keys(typed), answer.data) }
    },
  })
  const own = record[check?.other?.own ?? '']
  return useMemo<Duplicates>(
    () => Object.fromEntries(Object.entries(result.data ?? none).filter(([, { id: other }]) => other === undefined || other !== own)),
    [result.data, own],
  )
}

interface About {
  check: NonNullable<FormView['check']>
  titleKey: string
}

/** Records of another kind that may be the same: who is said, and nothing is in the way. */
function othersOf({ check: { other }, titleKey }: About, { others = [] }: Answer): Duplicates {
  if (!other) return none
  return Object.fromEntries(
    others.map((one) => [
      one['field'],
      { message: other.message, name: one[titleKey], path: pathOf(other.open, { id: one['Id'] }), id: one['Id'] },
    ]),
  )
}

/** An answer that names no fields is about all that were asked for. */
function duplicatesOf(
  { check: { message, open }, titleKey }: About,
  asked: readonly string[],
  { exists, fields, existing = [], message: said }: Answer,
): Duplicates {
  if (!exists) return none
  return Object.fromEntries(
    (fields?.length ? fields : asked).map((field) => {
      const found = existing.find((one) => one['field'] === field)
      return [
        field,
        {
          message: said || message,
          ...(found ? { name: found[titleKey], path: open ? pathOf(open, { id: found['Id'] }) : undefined } : {}),
        },
      ]
    }),
  )
}
