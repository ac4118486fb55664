import { describe, expect, it } from 'vitest'
import { defaultStages, pipelineEntities, stageFaults, type Stage } from './pipeline-stages.ts'

const [first, ...others] = defaultStages.case
const withFirst = (over: Partial<Stage>) =>
  stageFaults('case', [{ ...(first as Stage), ...over }, ...others]).map(({ part, message }) => `${part} ${message}`)

describe('stages of a pipeline', () => {
  it.each(pipelineEntities)('are valid by default for a %s', (entity) => expect(stageFaults(entity, defaultStages[entity])).toEqual([]))
  it('give each status one stage', () => {
    expect(withFirst({ statuses: [] })).toEqual(['statuses needs at least one status', 'statuses no stage is for New'])
    expect(withFirst({ statuses: ['New', 'Waiting'] })).toEqual(['statuses Waiting is in New already'])
    expect(withFirst({ statuses: ['New', 'Lunch'] })).toEqual(['statuses Lunch is not a status'])
  })
  it('are of the type of their statuses', () => {
    expect(withFirst({ type: 'won', probability: 100 })).toEqual(['type New is open, the stage is won'])
    expect(withFirst({ type: 'lost', probability: 5 })).toContain('probability is 0 once lost')
  })
  it('have names of their own', () => expect(withFirst({ name: ' RESOLVED ' })).toEqual(['name is the name of another stage']))
})
