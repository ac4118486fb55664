import { defaultStages, stageFaults, type PipelineEntity, type Stage } from '@outpost/rules/leads/pipeline-stages'

export interface EditedStage extends Stage {
  Id?: string
  /** Names the row while it is edited. */ key: string
}
export interface Pipeline {
  Id?: string
  name: string
  entity: PipelineEntity
  isDefault: boolean
  tenantId?: string
  tenantIdLabel?: string
  stages: (Stage & { Id?: string })[]
}

/** Statuses that each kind of record has. */
export interface EditorData {
  statuses: Record<PipelineEntity, string[]>
  mayEdit: boolean
}

let count = 0
const withKey = (stage: Stage & { Id?: string }): EditedStage => ({
  ...stage,
  statuses: [...stage.statuses],
  key: stage.Id ?? `new ${(count += 1)}`,
})

/** The stages of a pipeline for editing; a new one begins with the usual ones. */
export const editedStages = (pipeline: Pipeline): EditedStage[] => pipeline.stages.map(withKey)
export const newPipeline = (entity: PipelineEntity): Pipeline => ({
  name: '',
  entity,
  isDefault: false,
  stages: [...defaultStages[entity]],
})
export const newStage = (): EditedStage => withKey({ name: '', colour: 'default', probability: 50, type: 'open', statuses: [] })

/** Puts one stage where another one is. */
export function moveStage(stages: readonly EditedStage[], from: number, to: number): EditedStage[] {
  const rest = stages.filter((_, index) => index !== from)
  const moved = stages[from]
  return moved && to >= 0 && to < stages.length ? rest.toSpliced(to, 0, moved) : [...stages]
}

/** A stage's type settles its probability at the ends. */
export function changed(stage: EditedStage, over: Partial<EditedStage>): EditedStage {
  const next = { ...stage, ...over }
  if (over.type === 'won') return { ...next, probability: 100 }
  return over.type === 'lost' ? { ...next, probability: 0 } : next
}

/** Gives a status to one stage; whichever had it loses it, for each status has one stage. */
export function assignStatuses(stages: readonly EditedStage[], key: string, statuses: readonly string[]): EditedStage[] {
  return stages.map((stage) =>
    stage.key === key ? { ...stage, statuses } : { ...stage, statuses: stage.statuses.filter((status) => !statuses.includes(status)) },
  )
}

/** What is wrong, in words, by stage. */
export function faultsOf(entity: PipelineEntity, stages: readonly EditedStage[]): Map<number, string[]> {
  const unnamed = stages.flatMap((stage, index) => (stage.name.trim() === '' ? [{ index, message: 'The stage needs a name' }] : []))
  const others = stageFaults(entity, stages).map(({ index, part, message }) => ({
    index,
    message: part === 'name' ? `The name ${message}` : part === 'probability' ? `The probability ${message}` : message,
  }))
  return new Map(
    [...Map.groupBy([...unnamed, ...others], ({ index }) => index)].map(([index, faults]) => [index, faults.map(({ message }) => message)]),
  )
}
