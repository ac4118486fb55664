import { useQuery } from '@tanstack/react-query'
import type { FormPage, FormSubject } from '@outpost/contract/web-forms/form'
import { callOf, pathOf } from '../../data/calls.ts'
import { listRecords } from '../../data/gateway.ts'
import { keys } from '../../data/keys.ts'
import { useRecord } from '../../data/queries.ts'

/** A form as it is filled in. */
export interface FormVersion {
  Id: string
  name: string
  description: string | null
  about: FormSubject
  number: number
  isInForce: boolean
  pages: FormPage[]
}

const resource = 'webFormVersion'
const [mostForms, many] = [1_000, 'webFormVersions']

/** One version, from the office or, of those in force, from this device. */
export const useFormVersion = (id: string) => useRecord(callOf('webForms.getVersion'), resource, id, { entityType: resource })

/** The forms that are filled in now. */
export function useFormsToFill() {
  const query = { page: 1, size: mostForms }
  return useQuery({
    queryKey: keys.list(resource, pathOf('webForms.toFill'), query),
    queryFn: async ({ signal }) =>
      (await listRecords({ source: callOf('webForms.toFill'), resource, many, query, signal })).rows as unknown as FormVersion[],
    networkMode: 'always',
  })
}
