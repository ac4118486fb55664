import { useState } from 'react'
import { Alert, Button, Input, Segmented, Select, Tag } from 'antd'
import { PlusOutlined } from '@ant-design/icons'
import { formSubjects } from '@outpost/contract/web-forms/form'
import type { Row } from '../../../data/records.ts'
import { t } from '../../../session/labels.ts'
import { textOf, useAddress } from '../../../view/address.ts'
import { useLeaveGuard } from '../../../view/kinds/form/useLeaveGuard.tsx'
import { useSaveKey } from '../../../view/kinds/form/useSaveKey.ts'
import { ErrorText } from '../../../view/states/index.tsx'
import { useIsPhone } from '../../../view/useIsPhone.ts'
import { subjectLabels } from '../questions.ts'
import { faultsByPart, newPage } from './pages.ts'
import { PageList } from './PageList.tsx'
import { Preview } from './Preview.tsx'
import { useForm, type EditedForm } from './useForm.ts'

const statusTags: Record<string, string> = { Draft: 'tag-info', Published: 'tag-good', Archived: 'tag-quiet' }

/** The builder: what is asked on the left, how it will look on the right; on a phone one of the two. */
export function Builder({ title, start, onSaved }: { title: string; start: EditedForm; onSaved?: (form: Row) => void }) {
  const isPhone = useIsPhone()
  const { address, patch } = useAddress()
  const [open, setOpen] = useState<string>()
  const { form, change, isDirty, faults, error, doing, save, publish } = useForm(start, onSaved)
  const guard = useLeaveGuard(isDirty, () => [form.name || t('This form')])
  useSaveKey(save)
  const byPart = faultsByPart(form.pages, faults)
  const part = isPhone && textOf(address.part) === 'preview' ? 'preview' : 'questions'
  return (
    <div className="view wf">
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{t(title)}</h1>
          <FormState form={form} />
        </div>
        <div className="view-header-actions">
          <Button loading={doing === 'save'} onClick={save} aria-keyshortcuts="Control+S" title="Ctrl+S">
            {t('Save')}
          </Button>
          <Button type="primary" loading={doing === 'publish'} disabled={!isDirty && form.hasChanges === false} onClick={publish}>
            {t('Publish')}
          </Button>
        </div>
      </header>
      {error === undefined ? null : <Alert type="error" showIcon role="alert" title={<ErrorText error={error} />} />}
      {faults.length > 0 ? <Faults messages={faults.map(({ message }) => message)} /> : null}
      {isPhone ? (
        <Segmented
          block
          aria-label={t('Part of the form')}
          value={part}
          options={[
            { value: 'questions', label: t('Questions') },
            { value: 'preview', label: t('Preview') },
          ]}
          onChange={(next) => patch({ part: next })}
        />
      ) : null}
      <div className="wf-columns">
        {isPhone && part === 'preview' ? null : (
          <div className="wf-editor">
            <Details form={form} onChange={change} isUnnamed={faults.some(({ field }) => field === 'name')} />
            <PageList pages={form.pages} faults={byPart} open={open} onOpen={setOpen} onChange={(pages) => change({ pages })} />
            <Button
              type="dashed"
              block
              icon={<PlusOutlined aria-hidden />}
              onClick={() => change({ pages: [...form.pages, newPage(`${t('Page')} ${form.pages.length + 1}`)] })}
            >
              {t('Add a page')}
            </Button>
          </div>
        )}
        {isPhone && part === 'questions' ? null : <Preview form={form} />}
      </div>
      {guard.dialog}
    </div>
  )
}

function FormState({ form: { status, versionNumber, hasChanges } }: { form: EditedForm }) {
  if (status === undefined) return null
  return (
    <>
      <Tag variant="filled" className={`view-tag ${statusTags[status] ?? ''}`}>
        {t(status)}
      </Tag>
      <span className="view-count">
        {versionNumber ? t('version {{number}} is in force', { number: versionNumber }) : t('not published yet')}
        {versionNumber && hasChanges ? ` · ${t('this draft is not published')}` : null}
      </span>
    </>
  )
}

const Faults = ({ messages }: { messages: readonly string[] }) => (
  <Alert
    type="error"
    showIcon
    role="alert"
    title={t('Not saved: some parts are not complete yet.')}
    description={
      <ul className="wf-faults">
        {messages.map((message) => (
          <li key={message}>{t(message)}</li>
        ))}
      </ul>
    }
  />
)

interface DetailsProps {
  form: EditedForm
  onChange: (over: Partial<EditedForm>) => void
  isUnnamed: boolean
}

function Details({ form, onChange, isUnnamed }: DetailsProps) {
  return (
    <section className="form-card wf-details">
      <label className="wf-field">
        {t('Name')}
        <Input
          value={form.name}
          maxLength={120}
          aria-required
          aria-invalid={isUnnamed}
          status={isUnnamed ? 'error' : undefined}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </label>
      <div className="wf-field">
        <label htmlFor="wf-about">{t('Filled in about')}</label>
        <Select
          id="wf-about"
          value={form.about}
          options={formSubjects.map((value) => ({ value, label: t(subjectLabels[value]) }))}
          onChange={(about) => onChange({ about })}
        />
      </div>
      <label className="wf-field wf-wide">
        {t('Description')}
        <Input.TextArea
          value={form.description ?? ''}
          maxLength={1_000}
          autoSize={{ minRows: 2, maxRows: 6 }}
          onChange={(event) => onChange({ description: event.target.value })}
        />
      </label>
    </section>
  )
}
