import { DndContext, closestCenter, type DragEndEvent } from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { Button, Input, InputNumber, Select } from 'antd'
import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, HolderOutlined } from '@ant-design/icons'
import type { PipelineEntity, StageType } from '@outpost/rules/leads/pipeline-stages'
import { t } from '../../session/labels.ts'
import { useSortSensors } from '../../view/sorting.ts'
import { assignStatuses, changed, moveStage, type EditedStage, type EditorData } from './pipelines.ts'

interface StageListProps {
  entity: PipelineEntity
  data: EditorData
  stages: EditedStage[]
  faults: ReadonlyMap<number, string[]>
  onChange: (stages: EditedStage[]) => void
}

/** The stages in their order, moved by hand, by keyboard, or by the arrows. */
export function StageList({ entity, data, stages, faults, onChange }: StageListProps) {
  const sensors = useSortSensors()
  const indexOf = (key: unknown) => stages.findIndex((stage) => stage.key === key)
  const drop = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id) onChange(moveStage(stages, indexOf(active.id), indexOf(over.id)))
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{
        screenReaderInstructions: {
          draggable: t('Press Space to lift the stage, the arrow keys to move it, Space to drop it, Escape to leave it.'),
        },
      }}
    >
      <SortableContext items={stages.map(({ key }) => key)} strategy={verticalListSortingStrategy} disabled={!data.mayEdit}>
        <ol className="pl-stages">
          {stages.map((stage, index) => (
            <StageRow
              key={stage.key}
              stage={stage}
              index={index}
              count={stages.length}
              faults={faults.get(index) ?? []}
              statuses={data.statuses[entity]}
              mayEdit={data.mayEdit}
              onChange={(over) => onChange(stages.map((one) => (one.key === stage.key ? changed(one, over) : one)))}
              onStatuses={(statuses) => onChange(assignStatuses(stages, stage.key, statuses))}
              onMove={(to) => onChange(moveStage(stages, index, to))}
              onRemove={() => onChange(stages.filter((one) => one.key !== stage.key))}
            />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  )
}

const colours = ['default', 'blue', 'geekblue', 'cyan', 'purple', 'gold', 'orange', 'volcano', 'lime', 'green', 'red', 'magenta']
const types: { value: StageType; label: string }[] = [
  { value: 'open', label: 'Open' },
  { value: 'won', label: 'Won' },
  { value: 'lost', label: 'Lost' },
]

interface StageRowProps {
  stage: EditedStage
  index: number
  count: number
  faults: readonly string[]
  statuses: readonly string[]
  mayEdit: boolean
  onChange: (over: Partial<EditedStage>) => void
  onStatuses: (statuses: string[]) => void
  onMove: (to: number) => void
  onRemove: () => void
}

function StageRow({ stage, index, count, faults, statuses, mayEdit, onChange, onStatuses, onMove, onRemove }: StageRowProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id: stage.key })
  const name = stage.name || `${t('Stage')} ${index + 1}`
  const of = (what: string) => `${t(what)}, ${name}`
  return (
    <li
      ref={setNodeRef}
      className="pl-stage"
      data-dragging={isDragging || undefined}
      data-faulty={faults.length > 0 || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <button
        ref={setActivatorNodeRef}
        type="button"
        className="pl-handle"
        {...attributes}
        {...listeners}
        disabled={!mayEdit}
        aria-label={of('Move')}
      >
        <HolderOutlined aria-hidden />
      </button>
      <Input
        className="pl-stage-name"
        aria-label={`${t('Name of stage')} ${index + 1}`}
        value={stage.name}
        maxLength={60}
        disabled={!mayEdit}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <Select
        className="pl-type"
        aria-label={of('Type')}
        value={stage.type}
        disabled={!mayEdit}
        options={types.map(({ value, label }) => ({ value, label: t(label) }))}
        onChange={(type) => onChange({ type })}
      />
      <InputNumber
        className="pl-probability"
        aria-label={of('Probability')}
        min={0}
        max={100}
        precision={0}
        suffix="%"
        controls={false}
        value={stage.probability}
        disabled={!mayEdit || stage.type !== 'open'}
        onChange={(probability) => onChange({ probability: probability ?? 0 })}
      />
      <Select
        className="pl-colour"
        aria-label={of('Colour')}
        value={stage.colour}
        disabled={!mayEdit}
        options={colours.map((value) => ({ value, label: t(value) }))}
        onChange={(colour) => onChange({ colour })}
      />
      <Select
        className="pl-statuses"
        mode="multiple"
        aria-label={of('Statuses')}
        placeholder={t('Statuses')}
        value={[...stage.statuses]}
        disabled={!mayEdit}
        options={statuses.map((value) => ({ value, label: value }))}
        onChange={onStatuses}
      />
      {mayEdit && (
        <span className="pl-buttons">
          <Button
            type="text"
            icon={<ArrowUpOutlined aria-hidden />}
            aria-label={of('Up')}
            disabled={index === 0}
            onClick={() => onMove(index - 1)}
          />
          <Button
            type="text"
            icon={<ArrowDownOutlined aria-hidden />}
            aria-label={of('Down')}
            disabled={index === count - 1}
            onClick={() => onMove(index + 1)}
          />
          <Button type="text" icon={<DeleteOutlined aria-hidden />} aria-label={of('Remove')} disabled={count === 1} onClick={onRemove} />
        </span>
      )}
      {faults.length > 0 && (
        <p className="field-note pl-faults" role="alert">
          {faults.map((fault) => t(fault)).join(' · ')}
        </p>
      )}
    </li>
  )
}
