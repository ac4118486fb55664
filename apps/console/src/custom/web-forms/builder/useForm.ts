import { useState } from 'react'
import { isEqual } from 'es-toolkit/predicate/isEqual'
import { useNavigate } from '@tanstack/react-router'
import type { CallBody } from '@outpost/client/client'
import type { FieldError } from '@outpost/contract/errors'
import type { FormPage, FormSubject } from '@outpost/contract/web-forms/form'
import { formFaults } from '@outpost/rules/forms/form-faults'
import { ApiError } from '../../../data/api.ts'
import { call } from '../../../data/calls.ts'
import { keys } from '../../../data/keys.ts'
import { queryClient } from '../../../data/query-client.ts'
import type { Row } from '../../../data/records.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { cleaned } from './pages.ts'

/** A form as it is edited; a new one has no Id yet. */
export interface EditedForm {
  Id?: string
  version?: number
  name: string
  description: string | null
  about: FormSubject
  status?: string
  versionNumber?: number | null
  hasChanges?: boolean
  pages: FormPage[]
}

const bodyOf = ({ name, description, about, pages }: EditedForm) => ({
  name: name.trim(),
  description: description?.trim() || null,
  about,
  pages: cleaned(pages),
})

/** A form on the screen: what is wrong with it, saving and publishing it. */
export function useForm(start: EditedForm, onSaved?: (form: Row) => void) {
  const navigate = useNavigate()
  const [form, setForm] = useState(start)
  const [saved, setSaved] = useState(start)
  const [faults, setFaults] = useState<readonly FieldError[]>([])
  const [error, setError] = useState<unknown>()
  const [doing, setDoing] = useState<'save' | 'publish'>()
  const change = (over: Partial<EditedForm>) => setForm((before) => ({ ...before, ...over }))
  const isDirty = !isEqual(bodyOf(form), bodyOf(saved))

  const store = async (): Promise<EditedForm> => {
    const body = bodyOf(form)
    const { Id, version } = saved
    const answer = Id
      ? await call('webForms.update', { params: { id: Id }, body: { ...body, version } as unknown as CallBody<'webForms.update'> })
      : await call('webForms.create', { body: body as unknown as CallBody<'webForms.create'> })
    return take(answer.data.webForm as unknown as EditedForm)
  }
  const take = (record: EditedForm): EditedForm => {
    setSaved(record)
    setForm(record)
    onSaved?.(record as unknown as Row)
    return record
  }
  const run = async (what: 'save' | 'publish') => {
    const body = bodyOf(form)
    const wrong = [...(body.name === '' ? [{ field: 'name', message: 'The form needs a name' }] : []), ...formFaults(body.pages)]
    setFaults(wrong)
    setError(undefined)
    if (wrong.length > 0) return
    setDoing(what)
    try {
      const before = isDirty || !saved.Id ? await store() : saved
      if (what === 'publish') {
        const { data, message } = await call('webForms.publish', { params: { id: String(before.Id) }, body: {} })
        take(data.webForm as unknown as EditedForm)
        toast.success({ title: message ?? t('Published') })
      } else toast.success({ title: t('Saved') })
      await Promise.all(
        ['webForm', 'webFormVersion'].map((resource) => queryClient.invalidateQueries({ queryKey: keys.records(resource) })),
      )
      if (!start.Id) void navigate({ to: `/admin/web-form/edit/${String(before.Id)}` as never, replace: true })
    } catch (cause) {
      if (cause instanceof ApiError && cause.fields?.length) setFaults(cause.fields)
      else setError(cause)
    } finally {
      setDoing(undefined)
    }
  }
  return { form, change, isDirty, faults, error, doing, save: () => void run('save'), publish: () => void run('publish') }
}
