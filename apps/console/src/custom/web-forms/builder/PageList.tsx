import { DndContext, closestCenter, type DragEndEvent } from '@dnd-kit/core'
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { Button, Dropdown, Input } from 'antd'
import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { questionKinds, type FormPage } from '@outpost/contract/web-forms/form'
import { t } from '../../../session/labels.ts'
import { useSortSensors } from '../../../view/sorting.ts'
import { kindLabels } from '../questions.ts'
import { ConditionEditor } from './ConditionEditor.tsx'
import * as part from './pages.ts'
import { QuestionRow } from './QuestionRow.tsx'

interface PageListProps {
  pages: FormPage[]
  faults: ReadonlyMap<string, string[]>
  /** Key of the question that is being edited. */
  open: string | undefined
  onOpen: (key: string | undefined) => void
  onChange: (pages: FormPage[]) => void
}

/** The pages with their questions, moved by hand, by keyboard or by the arrows. */
export function PageList(props: PageListProps) {
  const { pages, onChange } = props
  const sensors = useSortSensors()
  const drop = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id) onChange(part.dropQuestion(pages, String(active.id), String(over.id)))
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{
        screenReaderInstructions: {
          draggable: t('Press Space to lift the question, the arrow keys to move it, Space to drop it, Escape to leave it.'),
        },
      }}
    >
      {pages.map((page, index) => (
        <PageCard key={page.key} {...props} page={page} index={index} />
      ))}
    </DndContext>
  )
}

function PageCard({ pages, faults, open, onOpen, onChange, page, index }: PageListProps & { page: FormPage; index: number }) {
  const of = (what: string) => `${t(what)}, ${t('page')} ${index + 1}`
  const own = faults.get(page.key) ?? []
  const add = (kind: (typeof questionKinds)[number]) => {
    const question = part.newQuestion(kind)
    onChange(part.addQuestion(pages, page.key, question))
    onOpen(question.key)
  }
  return (
    <section className="form-card wf-page" aria-label={`${t('Page')} ${index + 1}`} data-faulty={own.length > 0 || undefined}>
      <div className="wf-page-head">
        <Input
          className="wf-page-title"
          aria-label={of('Title')}
          value={page.title}
          maxLength={120}
          onChange={(event) => onChange(part.changePage(pages, page.key, { title: event.target.value }))}
        />
        <Button
          type="text"
          icon={<ArrowUpOutlined aria-hidden />}
          aria-label={of('Up')}
          disabled={index === 0}
          onClick={() => onChange(part.stepPage(pages, page.key, -1))}
        />
        <Button
          type="text"
          icon={<ArrowDownOutlined aria-hidden />}
          aria-label={of('Down')}
          disabled={index === pages.length - 1}
          onClick={() => onChange(part.stepPage(pages, page.key, 1))}
        />
        <Button
          type="text"
          icon={<DeleteOutlined aria-hidden />}
          aria-label={of('Remove')}
          disabled={pages.length === 1}
          onClick={() => onChange(pages.filter(({ key }) => key !== page.key))}
        />
      </div>
      <Input
        aria-label={of('Hint')}
        placeholder={t('A sentence below the title (optional)')}
        value={page.hint ?? ''}
        maxLength={500}
        onChange={(event) => onChange(part.changePage(pages, page.key, { hint: event.target.value }))}
      />
      <ConditionEditor
        of={`${t('page')} ${index + 1}`}
        condition={page.showWhen}
        earlier={part.questionsBefore(pages, page.key)}
        onChange={(showWhen) => onChange(part.changePage(pages, page.key, { showWhen }))}
      />
      <Faults messages={own} />
      <SortableContext items={page.questions.map(({ key }) => key)} strategy={verticalListSortingStrategy}>
        <ol className="wf-questions">
          {page.questions.map((question, place) => (
            <QuestionRow
              key={question.key}
              question={question}
              name={question.label.trim() || `${t('Question')} ${place + 1}`}
              earlier={part.questionsBefore(pages, question.key)}
              faults={faults.get(question.key) ?? []}
              isOpen={open === question.key}
              isFirst={index === 0 && place === 0}
              isLast={index === pages.length - 1 && place === page.questions.length - 1}
              onOpen={(isOpen) => onOpen(isOpen ? question.key : undefined)}
              onChange={(next) => onChange(part.changeQuestion(pages, question.key, next))}
              onMove={(by) => onChange(part.stepQuestion(pages, question.key, by))}
              onRemove={() => onChange(part.removeQuestion(pages, question.key))}
              onDuplicate={() => {
                const copy = part.duplicateQuestion(pages, question.key)
                onChange(copy.pages)
                onOpen(copy.key)
              }}
            />
          ))}
        </ol>
      </SortableContext>
      <Dropdown
        trigger={['click']}
        menu={{ items: questionKinds.map((kind) => ({ key: kind, label: t(kindLabels[kind]), onClick: () => add(kind) })) }}
      >
        <Button icon={<PlusOutlined aria-hidden />} aria-haspopup="menu">
          {t('Add a question')}
        </Button>
      </Dropdown>
    </section>
  )
}

export const Faults = ({ messages }: { messages: readonly string[] }) =>
  messages.length === 0 ? null : (
    <p className="field-note wf-note" role="alert">
      {messages.map((message) => t(message)).join(' · ')}
    </p>
  )
