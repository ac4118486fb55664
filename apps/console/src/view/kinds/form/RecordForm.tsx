import { useEffect, useRef, useState } from 'react'
import { Alert, Button, Form } from 'antd'
import { useNavigate } from '@tanstack/react-router'
import type { FormView } from '@outpost/contract/views'
import { useConnection } from '../../../data/connection.ts'
import { save } from '../../../data/gateway.ts'
import type { Row } from '../../../data/records.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { PageActions } from '../../actions/PageActions.tsx'
import { useActions } from '../../actions/useActions.tsx'
import { useAddress } from '../../address.ts'
import { useCompany } from '../../company.ts'
import { Label } from '../../fields/tag.tsx'
import { formatRelative } from '../../formats.ts'
import { pathOf } from '../../RecordLink.tsx'
import { ErrorWords } from '../../states/index.tsx'
import { ConflictDialog } from './ConflictDialog.tsx'
import { conflictsOf, currentOf } from './conflict.ts'
import { draftKey } from './drafts.ts'
import { FormFields } from './FormFields.tsx'
import { useDraft } from './useDraft.ts'
import { useDuplicateCheck } from './useDuplicateCheck.ts'
import { useFieldForm } from './useFieldForm.ts'
import { useLeaveGuard } from './useLeaveGuard.tsx'
import { changedValues, keepable } from './values.ts'
import type { RecordValues } from './values.ts'

interface RecordFormProps {
  view: FormView
  params: Record<string, string>
  id: string | undefined
  base: Row | undefined
  /** The record as the server has it now; another version than `base` means that somebody saved meanwhile. */
  newest: Row | undefined
  onReload: (record: Row) => void
}

/** The form itself: entering, saving (Ctrl+S), drafts, duplicates, conflicts, and the guard against losing it all. */
export function RecordForm({ view, params, id, base, newest, onReload }: RecordFormProps) {
  const { form, record, start, read, restart, toWire, place } = useFieldForm(view.fields, base)
  const { pathname } = useAddress()
  const { isOnline } = useConnection()
  const { currency } = useCompany()
  const navigate = useNavigate()
  const [error, setError] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const [theirs, setTheirs] = useState<Row>()
  const changed = changedValues(view.fields, toWire(), base ?? startBase(view, start))
  const isDirty = Object.keys(changed).length > 0
  const draft = useDraft({ key: draftKey(pathname, id), values: keepable(view.fields, record), isDirty, isReady: true })
  const guard = useLeaveGuard(isDirty, () => view.fields.filter((field) => field.key in changed).map((field) => t(field.label)))
  const duplicate = useDuplicateCheck(view, record, id)
  const { run, dialog, running } = useActions({ resource: view.resource, idKey: view.idKey, titleKey: view.titleKey, params })
  const mayWork = isOnline || view.offline !== undefined

  const store = async (values: RecordValues, over: Row | undefined) => {
    setSaving(true)
    setError(undefined)
    try {
      const saved = await save({ call: view.submit, entityType: view.offline, resource: view.resource, one: view.one, values, base: over, id, params })
      guard.release()
      await draft.finish()
      toast[saved.queued ? 'info' : 'success']({
        title: saved.queued ? t('Saved on this device') : saved.message ?? t('Saved'),
        body: saved.queued ? t('It will be sent as soon as there is a connection.') : undefined,
      })
      const after = pathOf(view.after, { ...params, ...saved.record, id: saved.record[view.idKey] ?? id })
      if (after) void navigate({ to: after })
    } catch (cause) {
      const current = currentOf(cause)
      if (current) setTheirs(current)
      else if (!place(cause)) setError(cause)
    } finally {
      setSaving(false)
    }
  }
  const submit = () => void store(base ? changedValues(view.fields, toWire(), base) : withoutBlanks(toWire()), base)
  const resolve = (chosen: RecordValues) => {
    if (!theirs || !base) return
    setTheirs(undefined)
    const mine = { ...changedValues(view.fields, toWire(), base), ...chosen }
    void store(changedValues(view.fields, mine, theirs), theirs)
  }
  const takeDraft = () => {
    form.setFieldsValue(draft.offered?.values ?? {})
    draft.accept()
  }
  const takeNewest = () => {
    if (!newest) return
    onReload(newest)
    restart(newest)
  }
  useSaveKey(() => form.submit())
  useFocusOnError(error)
  const isOutdated = base !== undefined && newest !== undefined && newest.version !== undefined && newest.version !== base.version
  return (
    <div className="form-view">
      <header className="view-header">
        <div className="view-header-title">
          <h1>{t(view.title)}</h1>
          {base ? <span className="view-count">{String(base[view.titleKey] ?? '')}</span> : null}
          {!isOnline ? <Label className={view.offline ? 'tag-info' : 'tag-warn'}>{t(view.offline ? 'Offline: kept on this device' : 'Offline: saving needs a connection')}</Label> : null}
        </div>
        <div className="view-header-actions">{base ? <PageActions actions={view.actions} running={running} onRun={(action) => run(action, base)} /> : null}</div>
      </header>
      {draft.offered ? (
        <Alert
          className="form-alert" type="info" showIcon title={`${t('An unsaved draft from')} ${formatRelative(draft.offered.at)} ${t('is on this device.')}`}
          action={<><Button size="small" type="primary" onClick={takeDraft}>{t('Restore')}</Button> <Button size="small" onClick={() => void draft.decline()}>{t('Discard')}</Button></>}
        />
      ) : null}
      {isOutdated ? (
        <Alert className="form-alert" type="warning" showIcon title={t('Somebody else changed this record meanwhile.')} action={<Button size="small" onClick={takeNewest}>{t(isDirty ? 'Show theirs (loses mine)' : 'Show theirs')}</Button>} />
      ) : null}
      {error === undefined ? null : <Alert id="form-error" className="form-alert" type="error" showIcon title={<ErrorWords error={error} />} role="alert" />}
      <Form
        form={form} layout="vertical" initialValues={start} onFinish={submit} requiredMark scrollToFirstError={{ focus: true, block: 'center' }}
        aria-label={t(view.title)} className="form-body"
      >
        {view.sections.map((section, index) => (
          <section key={section.title ?? index} className="form-card">
            {section.title ? <h2>{t(section.title)}</h2> : null}
            <FormFields fields={view.fields} rows={section.rows} record={record} isNew={base === undefined} autoFocus={index === 0 && base === undefined} />
          </section>
        ))}
        <div role="status">{duplicate ? <Alert className="form-alert" type="warning" showIcon title={t(duplicate)} /> : null}</div>
        <footer className="form-footer">
          <Button onClick={() => leave(navigate, pathOf(view.after, { ...params, ...read(), id }))}>{t('Cancel')}</Button>
          <Button type="primary" htmlType="submit" loading={isSaving} disabled={!mayWork} aria-keyshortcuts="Control+S" title="Ctrl+S">{t('Save')}</Button>
        </footer>
      </Form>
      {theirs && base ? <ConflictDialog conflicts={conflictsOf(view.fields, toWire(), base, theirs)} theirs={theirs} currency={currency} onResolve={resolve} onClose={() => setTheirs(undefined)} /> : null}
      {guard.dialog}
      {dialog}
    </div>
  )
}

/** A new form is dirty when it differs from what it began with, defaults included. */
const startBase = (view: FormView, start: RecordValues): RecordValues => Object.fromEntries(view.fields.map((field) => [field.key, start[field.key] ?? null]))

const withoutBlanks = (values: RecordValues): RecordValues => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== ''))

function leave(navigate: ReturnType<typeof useNavigate>, to: string | undefined): void {
  if (to) void navigate({ to })
  else history.back()
}

function useSaveKey(submit: () => void) {
  const latest = useRef(submit)
  latest.current = submit
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** An error that has no field is brought into sight. */
function useFocusOnError(error: unknown) {
  useEffect(() => { if (error !== undefined) document.getElementById('form-error')?.scrollIntoView({ block: 'center' }) }, [error])
}
