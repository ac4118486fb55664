import { Form } from 'antd'
import { askedPages } from '@outpost/rules/forms/form-answers'
import { t } from '../../../session/labels.ts'
import { Questions } from '../fill/Questions.tsx'
import { answersOf, fieldOf } from '../questions.ts'
import type { EditedForm } from './useForm.ts'

/** The form as people will meet it. What is entered here is kept nowhere; it shows what the conditions do. */
export function Preview({ form: { name, description, pages } }: { form: EditedForm }) {
  const [form] = Form.useForm<Record<string, unknown>>()
  const record = Form.useWatch<Record<string, unknown> | undefined>([], form) ?? {}
  const asked = askedPages(pages, answersOf(pages, record))
  const fields = pages.flatMap(({ questions }) =>
    questions.map((question, place) => fieldOf({ ...question, label: question.label || `${t('Question')} ${place + 1}` })),
  )
  return (
    <aside className="wf-preview form-view" aria-label={t('Preview')}>
      <p className="wf-preview-word">{t('Preview')}</p>
      <h2>{name || t('Name')}</h2>
      {description ? <p className="wf-description">{description}</p> : null}
      <Form noValidate form={form} layout="vertical" component="div" requiredMark className="form-body">
        {asked.map((page) => (
          <section key={page.key} className="form-card">
            <h3>{page.title}</h3>
            {page.hint ? <p className="wf-description">{page.hint}</p> : null}
            <Questions questions={page.questions} fields={fields} record={record} />
          </section>
        ))}
      </Form>
    </aside>
  )
}
