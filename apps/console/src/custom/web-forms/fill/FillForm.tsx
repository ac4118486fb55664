import { useEffect, useEffectEvent, useMemo } from 'react'
import { Alert, Button, Form } from 'antd'
import { useNavigate } from '@tanstack/react-router'
import { filesOf } from '@outpost/rules/forms/answer-files'
import { askedPages } from '@outpost/rules/forms/form-answers'
import { useConnection } from '../../../data/connection.ts'
import { t } from '../../../session/labels.ts'
import { useAddress } from '../../../view/address.ts'
import { useCompany } from '../../../view/company.ts'
import { draftKey } from '../../../view/kinds/form/drafts.ts'
import { FormFields } from '../../../view/kinds/form/FormFields.tsx'
import { FormNotices } from '../../../view/kinds/form/FormNotices.tsx'
import { useDraft } from '../../../view/kinds/form/useDraft.ts'
import { useFieldForm } from '../../../view/kinds/form/useFieldForm.ts'
import { useLeaveGuard } from '../../../view/kinds/form/useLeaveGuard.tsx'
import { useSaveKey } from '../../../view/kinds/form/useSaveKey.ts'
import { givenValues, storableValues } from '../../../view/kinds/form/values.ts'
import { Label } from '../../../view/fields/parts/tag.tsx'
import { answersOf, fieldOf, subjectFields } from '../questions.ts'
import type { FormVersion } from '../version.ts'
import { FormFilesContext, useFormFiles } from './form-files.ts'
import { Questions } from './Questions.tsx'
import { faultsOf, valuesOf, type RefusedForm } from './refused.ts'
import { useSending } from './useSending.ts'

interface FillFormProps {
  version: FormVersion
  /** What was sent before and refused: it is mended here and sent again. */
  refused?: RefusedForm
}

/** The questions of a form, page by page; what is not asked is not there. Kept as a draft until it is sent, with or without a network. */
export function FillForm({ version, refused }: FillFormProps) {
  const { pathname, address } = useAddress()
  const navigate = useNavigate()
  const { isOnline } = useConnection()
  const company = useCompany()
  const { about: kind, pages } = version
  const subject = useMemo(() => subjectFields[kind]?.(), [kind])
  const fields = useMemo(
    () => [...(subject ? [subject] : []), ...pages.flatMap(({ questions }) => questions.map(fieldOf))],
    [subject, pages],
  )
  const { form, record, start, read } = useFieldForm(fields, refused && valuesOf(version, refused), givenValues(fields, address))
  const answers = answersOf(pages, record)
  const asked = askedPages(pages, answers)
  const isDirty = JSON.stringify(answers) !== JSON.stringify(answersOf(pages, start))
  const about = refused?.id ?? (subject ? String(address[subject.key] ?? '') : '')
  const key = draftKey(pathname, about || undefined)
  const files = useFormFiles(key)
  const draft = useDraft({ key, values: storableValues(fields, record), isDirty, isReady: true })
  const guard = useLeaveGuard(isDirty, () =>
    asked.flatMap(({ questions }) => questions.filter(({ key: name }) => name in answers).map(({ label }) => label)),
  )
  const { send, place, error, isSending } = useSending({
    version,
    subject,
    form,
    read,
    files,
    refused,
    onSent: () => {
      guard.release()
      return draft.finish()
    },
  })
  const takeDraft = () => {
    form.setFieldsValue(draft.offered?.values ?? {})
    draft.accept()
  }
  const declineDraft = () => {
    for (const { Id } of filesOf(draft.offered?.values ?? {})) files.drop(Id)
    void draft.decline()
  }
  const showFaults = useEffectEvent(() => refused && place(faultsOf(version, refused, company)))
  useEffect(() => {
    showFaults()
  }, [])
  useSaveKey(() => form.submit())
  return (
    <FormFilesContext value={files}>
      <div className="form-view">
        <header className="view-header">
          <div className="view-header-title">
            <h1 tabIndex={-1}>{version.name}</h1>
            {isOnline ? null : <Label className="tag-info">{t('Offline: kept on this device')}</Label>}
          </div>
        </header>
        {version.description ? <p className="wf-description">{version.description}</p> : null}
        {refused ? (
          <Alert
            className="form-alert"
            type="error"
            showIcon
            title={t('The office did not take this form. Mend it and send it again.')}
            description={t(refused.message)}
          />
        ) : version.isInForce ? null : (
          <Alert className="form-alert" type="warning" showIcon title={t('This version of the form is not in force any more.')} />
        )}
        <FormNotices
          draft={draft.offered}
          onRestore={takeDraft}
          onDiscard={declineDraft}
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
              <Questions questions={page.questions} fields={fields} record={record} />
            </section>
          ))}
          <footer className="form-footer">
            <Button onClick={() => void navigate({ to: (refused ? '/offline/attention' : '/forms') as never })}>{t('Cancel')}</Button>
            <Button type="primary" htmlType="submit" loading={isSending} aria-keyshortcuts="Control+S" title="Ctrl+S">
              {t(refused ? 'Send again' : 'Send')}
            </Button>
          </footer>
        </Form>
        {guard.dialog}
      </div>
    </FormFilesContext>
  )
}
