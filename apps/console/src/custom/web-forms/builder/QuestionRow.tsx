import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { Button } from 'antd'
import {
  ArrowDownOutlined,
  ArrowUpOutlined,
  CopyOutlined,
  DeleteOutlined,
  DownOutlined,
  HolderOutlined,
  UpOutlined,
} from '@ant-design/icons'
import type { Question } from '@outpost/contract/web-forms/form'
import { t } from '../../../session/labels.ts'
import { kindLabels } from '../questions.ts'
import { QuestionEditor } from './QuestionEditor.tsx'

interface QuestionRowProps {
  question: Question
  /** Its label, or its place while it has none. */
  name: string
  earlier: readonly Question[]
  faults: readonly string[]
  isOpen: boolean
  isFirst: boolean
  isLast: boolean
  onOpen: (isOpen: boolean) => void
  onChange: (question: Question) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
  onDuplicate: () => void
}

/** A question in the list of its page: its handle, its name, what can be done with it, and its editor when it is open. */
export function QuestionRow(props: QuestionRowProps) {
  const { question, name, earlier, faults, isOpen, isFirst, isLast, onOpen, onChange, onMove, onRemove, onDuplicate } = props
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id: question.key })
  const of = (what: string) => `${t(what)}, ${name}`
  return (
    <li
      ref={setNodeRef}
      className="wf-question"
      data-dragging={isDragging || undefined}
      data-faulty={faults.length > 0 || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <div className="wf-question-head">
        <button ref={setActivatorNodeRef} type="button" className="wf-handle" {...attributes} {...listeners} aria-label={of('Move')}>
          <HolderOutlined aria-hidden />
        </button>
        <button type="button" className="wf-question-name" aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
          <span>
            {name}
            {question.required ? <span aria-hidden> *</span> : null}
          </span>
          <small>{t(kindLabels[question.kind])}</small>
          {isOpen ? <UpOutlined aria-hidden /> : <DownOutlined aria-hidden />}
        </button>
        <span className="wf-buttons">
          <Button type="text" icon={<ArrowUpOutlined aria-hidden />} aria-label={of('Up')} disabled={isFirst} onClick={() => onMove(-1)} />
          <Button
            type="text"
            icon={<ArrowDownOutlined aria-hidden />}
            aria-label={of('Down')}
            disabled={isLast}
            onClick={() => onMove(1)}
          />
          <Button type="text" icon={<CopyOutlined aria-hidden />} aria-label={of('Duplicate')} onClick={onDuplicate} />
          <Button type="text" icon={<DeleteOutlined aria-hidden />} aria-label={of('Remove')} onClick={onRemove} />
        </span>
      </div>
      {faults.length > 0 ? (
        <p className="field-note wf-note" role="alert">
          {faults.map((fault) => t(fault)).join(' · ')}
        </p>
      ) : null}
      {isOpen ? <QuestionEditor question={question} earlier={earlier} onChange={onChange} /> : null}
    </li>
  )
}
