import { describe, expect, it } from 'vitest'
import { assignStatuses, changed, editedStages, faultsOf, moveStage, newPipeline, newStage } from './pipelines.ts'

const stages = editedStages(newPipeline('case'))
const names = (given: typeof stages) => given.map(({ name }) => name)

describe('editing a pipeline', () => {
  it('moves a stage and never loses one', () => {
    expect(names(moveStage(stages, 0, 2))).toEqual(['In progress', 'Waiting for others', 'New', 'Resolved', 'Rejected'])
    expect(names(moveStage(stages, 0, -1))).toEqual(names(stages))
  })
  it('settles the probability of the ends', () =>
    expect([changed(newStage(), { type: 'won' }).probability, changed(newStage(), { type: 'lost' }).probability]).toEqual([100, 0]))
  it('takes a status away from the stage that had it', () => {
    const next = assignStatuses(stages, stages[1]?.key ?? '', ['In progress', 'Waiting'])
    expect(next.map(({ statuses }) => statuses)).toEqual([['New'], ['In progress', 'Waiting'], [], ['Resolved'], ['Rejected']])
    expect([...faultsOf('case', next)]).toEqual([[2, ['needs at least one status']]])
  })
  it('begins sound, and wants a name for each stage', () => {
    expect(faultsOf('lead', editedStages(newPipeline('lead'))).size).toBe(0)
    expect(faultsOf('case', [...stages, newStage()]).get(5)).toEqual(['The stage needs a name', 'needs at least one status'])
  })
})
