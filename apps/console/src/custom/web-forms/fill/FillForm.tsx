import { useMemo } from 'react'
import { Alert, Button, Form } from 'antd'
import { useNavigate } from '@tanstack/react-router'
import { askedPages } from '@outpost/rules/forms/form-answers'
import { useConnection } from '../../../data/connection.ts'
import { t } from '../../../session/labels.ts'
import { useAddress } from '../../../view/address.ts'
import { draftKey } from '../../../view/kinds/form/drafts.ts'
import { FormFields } from '../../../view/kinds/form/FormFields.tsx'
import { FormNotices } from '../../../view/kinds/form/FormNotices.tsx'
import { useDraft } from '../../../view/kinds/form/useDraft.ts'
import { useFieldForm } from '../../../view/kinds/form/useFieldForm.ts'
import { useLeaveGuard } from '../../../view/kinds/form/useLeaveGuard.tsx'
import { useSaveKey } from '../../../view/kinds/form/useSaveKey.ts'
import { givenValues, storableValues } from '../../../view/kinds/form/values.ts'
import { Label } from '../../../view/fields/parts/tag.tsx'
import { answersOf, fieldKey, fieldOf, subjectFields } from '../questions.ts'
import type { FormVersion } from '../version.ts'
import { useSending } from './useSending.ts'

/** The questions of a form, page by page; what is not asked is not there. Kept as a draft until it is sent, with or without a network. */
export function FillForm({ version }: { version: FormVersion }) {
  const { pathname, address } = useAddress()
  const navigate = useNavigate()
  const { isOnline } = useConnection()
  const { about: kind, pages } = version
  const subject = useMemo(() => subjectFields[kind]?.(), [kind])
  const fields = useMemo(
    () => [...(subject ? [subject] : []), ...pages.flatMap(({ questions }) => questions.map(fieldOf))],
    [subject, pages],
  )
  const { form, record, start, read } = useFieldForm(fields, undefined, givenValues(fields, address))
  const answers = answersOf(pages, record)
  const asked = askedPages(pages, answers)
  const isDirty = Object.keys(answers).length > 0
  const about = subject ? String(address[subject.key] ?? '') : ''
  const draft = useDraft({ key: draftKey(pathname, about || undefined), values: storableValues(fields, record), isDirty, isReady: true })
  const guard = useLeaveGuard(isDirty, () =>
    asked.flatMap(({ questions }) => questions.filter(({ key }) => key in answers).map(({ label }) => label)),
  )
  const { send, error, isSending } = useSending({
    version,
    subject,
    form,
    read,
    onSent: () => {
      guard.release()
      return draft.finish()
    },
  })
  const takeDraft = () => {
    form.setFieldsValue(draft.offered?.values ?? {})
    draft.accept()
  }
  useSaveKey(() => form.submit())
  return (
    <div className="form-view">
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{version.name}</h1>
          {isOnline ? null : <Label className="tag-info">{t('Offline: kept on this device')}</Label>}
        </div>
      </header>
      {version.description ? <p className="wf-description">{version.description}</p> : null}
      {version.isInForce ? null : (
        <Alert className="form-alert" type="warning" showIcon title={t('This version of the form is not in force any more.')} />
      )}
      <FormNotices
        draft={draft.offered}
        onRestore={takeDraft}
        onDiscard={() => void draft.decline()}
        isOutdated={false}
        isDirty={isDirty}
        onTakeTheirs={() => undefined}
        error={error}
      />
      <Form
        noValidate
        form={form}
        layout="vertical"
        initialValues={start}
        onFinish={() => void send()}
        requiredMark
        size="large"
        scrollToFirstError={{ focus: true, block: 'center' }}
        aria-label={version.name}
        className="form-body"
      >
        {subject ? (
          <section className="form-card">
            <FormFields fields={fields} rows={[[subject.key]]} record={record} />
          </section>
        ) : null}
        {asked.map((page) => (
          <section key={page.key} className="form-card" aria-labelledby={`wf-${page.key}`}>
            <h2 id={`wf-${page.key}`}>{page.title}</h2>
            {page.hint ? <p className="form-hint">{page.hint}</p> : null}
            <FormFields fields={fields} rows={page.questions.map((question) => [fieldKey(question)])} record={record} />
          </section>
        ))}
        <footer className="form-footer">
          <Button onClick={() => void navigate({ to: '/forms' as never })}>{t('Cancel')}</Button>
          <Button type="primary" htmlType="submit" loading={isSending} aria-keyshortcuts="Control+S" title="Ctrl+S">
            {t('Send')}
          </Button>
        </footer>
      </Form>
      {guard.dialog}
    </div>
  )
}
