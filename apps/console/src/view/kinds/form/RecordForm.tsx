import { useEffect } from 'react'
import { Form } from 'antd'
import { useNavigate } from '@tanstack/react-router'
import type { FormView } from '@outpost/contract/views'
import { useConnection } from '../../../data/connection.ts'
import type { Row } from '../../../data/records.ts'
import { t } from '../../../session/labels.ts'
import { PageActions } from '../../actions/PageActions.tsx'
import { useActions } from '../../actions/useActions.tsx'
import { useAddress } from '../../address.ts'
import { useCompany } from '../../company.ts'
import { Label } from '../../fields/parts/tag.tsx'
import { pathOf } from '../../RecordLink.tsx'
import { ConflictDialog } from './ConflictDialog.tsx'
import { conflictsOf } from './conflict.ts'
import { draftKey } from './drafts.ts'
import { FormFooter } from './FormFooter.tsx'
import { FormNotices } from './FormNotices.tsx'
import { FormSections } from './FormSections.tsx'
import { useKeptFields } from './kept-fields.ts'
import { StepBar } from './StepBar.tsx'
import { useDraft } from './useDraft.ts'
import { useDuplicateCheck } from './useDuplicateCheck.ts'
import { useFieldForm } from './useFieldForm.ts'
import { useFormSteps } from './useFormSteps.ts'
import { useFills } from './useFills.ts'
import { useLeaveGuard } from './useLeaveGuard.tsx'
import { useRecordSave } from './useRecordSave.ts'
import { useSaveKey } from './useSaveKey.ts'
import { changedValues, givenValues, storableValues } from './values.ts'
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
export function RecordForm({ view: given, params, id, base, newest, onReload }: RecordFormProps) {
  const { fields, isKept } = useKeptFields(given)
  const view = { ...given, fields }
  const { pathname, address } = useAddress()
  const { form, record, start, read, restart, toWire, place } = useFieldForm(
    view.fields,
    base,
    base ? {} : givenValues(view.fields, address),
  )
  useFills({ form, fields: base ? [] : view.fields, record })
  const { isOnline } = useConnection()
  const { currency } = useCompany()
  const navigate = useNavigate()
  const changed = changedValues(view.fields, toWire(), base ?? startBase(view, start))
  const isDirty = Object.keys(changed).length > 0
  const draft = useDraft({ key: draftKey(pathname, id), values: storableValues(view.fields, record), isDirty, isReady: true })
  const guard = useLeaveGuard(isDirty, () => view.fields.filter((field) => field.key in changed).map((field) => t(field.label)))
  const duplicates = useDuplicateCheck(view, record, id)
  const onSaved = () => {
    guard.release()
    return draft.finish()
  }
  const steps = useFormSteps(view, form, base === undefined)
  const placeInStep: typeof place = (cause, sentFrom) => {
    const isPlaced = place(cause, sentFrom)
    steps?.showWrong()
    return isPlaced
  }
  const { submit, resolve, error, isSaving, theirs, dismiss } = useRecordSave({
    view,
    params,
    id,
    base,
    toWire,
    place: placeInStep,
    onSaved,
  })
  const takeDraft = () => {
    form.setFieldsValue(draft.offered?.values ?? {})
    draft.accept()
  }
  const takeNewest = () => {
    if (!newest) return
    onReload(newest)
    restart(newest)
  }
  const cancel = () => {
    const to = pathOf(view.after, { ...params, ...read(), id })
    if (to) void navigate({ to })
    else history.back()
  }
  useSaveKey(() => form.submit())
  useFocusOnError(error)
  return (
    <div className="form-view">
      <FormHeader view={view} params={params} base={base} isOnline={isOnline} isKept={isKept} />
      <FormNotices
        draft={draft.offered}
        onRestore={takeDraft}
        onDiscard={() => void draft.decline()}
        isOutdated={isOlder(base, newest)}
        isDirty={isDirty}
        onTakeTheirs={takeNewest}
        error={error}
      />
      <Form
        form={form}
        noValidate
        layout="vertical"
        initialValues={start}
        onFinish={submit}
        onFinishFailed={() => steps?.showWrong()}
        requiredMark
        size="large"
        scrollToFirstError={{ focus: true, block: 'center' }}
        aria-label={t(view.title)}
        className="form-body"
      >
        {steps ? <StepBar titles={view.sections.map(({ title = '' }) => title)} steps={steps} /> : null}
        <FormSections view={view} record={record} duplicates={duplicates} isNew={base === undefined} active={steps?.active} />
        <FormFooter
          steps={steps}
          last={view.sections.length - 1}
          isNew={base === undefined}
          isSaving={isSaving}
          maySave={isOnline || isKept}
          onCancel={cancel}
        />
      </Form>
      {theirs && base ? (
        <ConflictDialog
          conflicts={conflictsOf(view.fields, toWire(), base, theirs)}
          theirs={theirs}
          currency={currency}
          onResolve={resolve}
          onClose={dismiss}
        />
      ) : null}
      {guard.dialog}
    </div>
  )
}

/** Title, the record's name, what the connection means for saving, and the record's actions. */
function FormHeader({
  view,
  params,
  base,
  isOnline,
  isKept,
}: Pick<RecordFormProps, 'view' | 'params' | 'base'> & { isOnline: boolean; isKept: boolean }) {
  const { run, dialog, running } = useActions({ resource: view.resource, idKey: view.idKey, titleKey: view.titleKey, params })
  const offlineWords = isKept ? 'Offline: kept on this device' : 'Offline: saving needs a connection'
  return (
    <header className="view-header">
      <div className="view-header-title">
        <h1>{t(view.title)}</h1>
        {base ? <span className="view-count">{String(base[view.titleKey] ?? '')}</span> : null}
        {isOnline ? null : <Label className={isKept ? 'tag-info' : 'tag-warn'}>{t(offlineWords)}</Label>}
      </div>
      <div className="view-header-actions">
        {base ? <PageActions actions={view.actions} running={running} onRun={(action) => run(action, base)} /> : null}
      </div>
      {dialog}
    </header>
  )
}

/** A new form is dirty when it differs from what it began with, defaults included. */
const startBase = (view: FormView, start: RecordValues): RecordValues =>
  Object.fromEntries(view.fields.map((field) => [field.key, start[field.key] ?? null]))

const isOlder = (base: Row | undefined, newest: Row | undefined): boolean =>
  base !== undefined && newest?.version !== undefined && newest.version !== base.version

/** An error that has no field is brought into sight. */
function useFocusOnError(error: unknown) {
  useEffect(() => {
    if (error !== undefined) document.getElementById('form-error')?.scrollIntoView({ block: 'center' })
  }, [error])
}
