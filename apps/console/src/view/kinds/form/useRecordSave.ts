import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import type { FormView } from '@outpost/contract/views'
import { save } from '../../../data/gateway.ts'
import type { Saved } from '../../../data/saving.ts'
import type { Row } from '../../../data/records.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { pathOf } from '../../RecordLink.tsx'
import { currentOf } from './conflict.ts'
import { changedValues } from './values.ts'
import type { RecordValues } from './values.ts'

interface RecordSaveInput {
  view: FormView
  params: Record<string, string>
  id: string | undefined
  base: Row | undefined
  toWire: () => RecordValues
  /** Puts field errors on their fields; false when the error needs a place of its own. */
  place: (error: unknown, sentFrom: Element | null) => boolean
  /** Called before leaving: the draft goes, the guard lets through. */
  onSaved: () => Promise<void>
}

/**
 * Saves a form and leaves it. A record is sent as what changed, with the version it was loaded at; when somebody else
 * saved meanwhile, `theirs` is their record until `resolve` is called with the values chosen.
 */
export function useRecordSave({ view, params, id, base, toWire, place, onSaved }: RecordSaveInput) {
  const navigate = useNavigate()
  const [error, setError] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const [theirs, setTheirs] = useState<Row>()
  const store = async (values: RecordValues, over: Row | undefined) => {
    const sentFrom = document.activeElement
    setSaving(true)
    setError(undefined)
    try {
      const saved = await save({
        call: view.submit,
        entityType: view.offline,
        resource: view.resource,
        one: view.one,
        values,
        base: over,
        id,
        params,
      })
      await onSaved()
      tell(saved)
      const after = pathOf(view.after, { ...params, ...saved.record, id: saved.record[view.idKey] ?? id })
      if (after) void navigate({ to: after })
    } catch (cause) {
      const current = currentOf(cause)
      if (current) setTheirs(current)
      else if (!place(cause, sentFrom)) setError(cause)
    } finally {
      setSaving(false)
    }
  }
  const resolve = (chosen: RecordValues) => {
    if (!theirs || !base) return
    setTheirs(undefined)
    const mine = { ...changedValues(view.fields, toWire(), base), ...chosen }
    void store(changedValues(view.fields, mine, theirs), theirs)
  }
  const submit = () => void store(base ? changedValues(view.fields, toWire(), base) : withoutBlanks(toWire()), base)
  return { submit, resolve, error, isSaving, theirs, dismiss: () => setTheirs(undefined) }
}

function tell({ queued, message }: Saved): void {
  if (queued) toast.info({ title: t('Saved on this device'), body: t('It will be sent as soon as there is a connection.') })
  else toast.success({ title: message ?? t('Saved') })
}

const withoutBlanks = (values: RecordValues): RecordValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== ''))
