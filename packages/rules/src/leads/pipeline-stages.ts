import { leadStatuses, leadStatusNames } from './lead-status.ts'

export const pipelineEntities = ['lead', 'case'] as const
export type PipelineEntity = (typeof pipelineEntities)[number]
export const stageTypes = ['open', 'won', 'lost'] as const
export type StageType = (typeof stageTypes)[number]

/** Statuses of a case: the meaning of its stage, whatever the company calls the stage. */
export const caseStatuses = {
  New: { type: 'open', colour: 'blue' },
  'In progress': { type: 'open', colour: 'cyan' },
  Waiting: { type: 'open', colour: 'gold' },
  Resolved: { type: 'won', colour: 'green' },
  Rejected: { type: 'lost', colour: 'default' },
} as const satisfies Record<string, { type: StageType; colour: string }>
export type CaseStatus = keyof typeof caseStatuses
export const caseStatusNames = Object.keys(caseStatuses) as CaseStatus[]

/** The fixed statuses that stages of an entity may represent. */
export const statusesOf = (entity: PipelineEntity): readonly string[] => (entity === 'lead' ? leadStatusNames : caseStatusNames)

export interface Stage {
  name: string
  colour: string
  probability: number
  type: StageType
  statuses: readonly string[]
}

/** The type of a status: its stage must have the same. */
export function typeOfStatus(entity: PipelineEntity, status: string): StageType | undefined {
  if (entity === 'case') return Object.hasOwn(caseStatuses, status) ? caseStatuses[status as CaseStatus].type : undefined
  const type = Object.hasOwn(leadStatuses, status) ? leadStatuses[status as keyof typeof leadStatuses].type : undefined
  return type === undefined ? undefined : type === 'Won' ? 'won' : type === 'Lost' ? 'lost' : 'open'
}

/** The stages of a new company. */
export const defaultStages: Record<PipelineEntity, readonly Stage[]> = {
  lead: [
    { name: 'New', colour: 'blue', probability: 10, type: 'open', statuses: ['New', 'Assigned', 'Recycled'] },
    { name: 'In contact', colour: 'cyan', probability: 25, type: 'open', statuses: ['Contacted', 'Nurture'] },
    { name: 'Consent', colour: 'gold', probability: 40, type: 'open', statuses: ['Consent requested'] },
    { name: 'Qualified', colour: 'lime', probability: 60, type: 'open', statuses: ['Qualified', 'Onboarding'] },
    { name: 'With credit', colour: 'volcano', probability: 80, type: 'open', statuses: ['Submitted', 'Approved'] },
    { name: 'Converted', colour: 'green', probability: 100, type: 'won', statuses: ['Converted'] },
    {
      name: 'Lost',
      colour: 'default',
      probability: 0,
      type: 'lost',
      statuses: ['Unqualified', 'Declined by client', 'Declined by credit', 'Junk', 'Dormant'],
    },
  ],
  case: [
    { name: 'New', colour: 'blue', probability: 10, type: 'open', statuses: ['New'] },
    { name: 'In progress', colour: 'cyan', probability: 50, type: 'open', statuses: ['In progress'] },
    { name: 'Waiting for others', colour: 'gold', probability: 50, type: 'open', statuses: ['Waiting'] },
    { name: 'Resolved', colour: 'green', probability: 100, type: 'won', statuses: ['Resolved'] },
    { name: 'Rejected', colour: 'default', probability: 0, type: 'lost', statuses: ['Rejected'] },
  ],
}

export interface StageFault {
  index: number
  part: 'name' | 'statuses' | 'type' | 'probability'
  message: string
}

/** The faults of a pipeline's stages: every status must have exactly one stage of its own type, and names must be unique. */
export function stageFaults(entity: PipelineEntity, stages: readonly Stage[]): StageFault[] {
  const faults: StageFault[] = []
  const names = new Set<string>()
  const taken = new Map<string, string>()
  stages.forEach((stage, index) => {
    const name = stage.name.trim().toLowerCase()
    if (names.has(name)) faults.push({ index, part: 'name', message: 'is the name of another stage' })
    names.add(name)
    if (stage.statuses.length === 0) faults.push({ index, part: 'statuses', message: 'needs at least one status' })
    if (stage.type === 'won' && stage.probability !== 100) faults.push({ index, part: 'probability', message: 'is 100 once won' })
    if (stage.type === 'lost' && stage.probability !== 0) faults.push({ index, part: 'probability', message: 'is 0 once lost' })
    for (const status of stage.statuses) faults.push(...statusFaults(entity, { stage, index, status, taken }))
  })
  const missing = statusesOf(entity).filter((status) => !taken.has(status))
  if (missing.length > 0) faults.push({ index: stages.length - 1, part: 'statuses', message: `no stage is for ${missing.join(', ')}` })
  return faults
}

function statusFaults(
  entity: PipelineEntity,
  { stage, index, status, taken }: { stage: Stage; index: number; status: string; taken: Map<string, string> },
): StageFault[] {
  const type = typeOfStatus(entity, status)
  if (type === undefined) return [{ index, part: 'statuses', message: `${status} is not a status` }]
  const holder = taken.get(status)
  taken.set(status, stage.name)
  if (holder !== undefined) return [{ index, part: 'statuses', message: `${status} is in ${holder} already` }]
  return type === stage.type ? [] : [{ index, part: 'type', message: `${status} is ${type}, the stage is ${stage.type}` }]
}
