import type { AnyResource } from '../types.ts'
import { ownWork } from './own-work.ts'
import { assertWorkflow, firstStates, stateOptions, workflowsOf } from './states.ts'

/**
 * A resource with what its workflows add, once they are checked: its fields offer the states and new records begin in the first;
 * under four eyes its records say whether they are the caller's own work.
 */
export function withWorkflow<One extends AnyResource>(resource: One): One {
  const workflows = workflowsOf(resource)
  if (workflows.length === 0) return resource
  for (const workflow of workflows) assertWorkflow(resource, workflow)
  const { fields, list } = resource
  const begun = Object.entries(firstStates(resource)).flatMap(([key, given]) => {
    const field = fields[key]
    return field ? [[key, { options: stateOptions(resource, key), ...field, given }]] : []
  })
  const withStates = { ...fields, ...Object.fromEntries(begun) }
  if (!workflows.some(({ moves }) => moves.some(({ fourEyes }) => fourEyes === true))) return { ...resource, fields: withStates }
  return {
    ...resource,
    fields: { ...withStates, isOwnWork: ownWork(resource) },
    list: { ...list, filters: [...(list.filters ?? []), 'isOwnWork'] },
  }
}
