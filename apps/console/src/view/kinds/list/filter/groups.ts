import { isGroup, maxConditions, partsOf } from '@outpost/contract/envelope'
import type { FilterGroup, FilterPart } from '@outpost/contract/envelope'
import type { ListView } from '@outpost/contract/views'
import { isWhole, newTerm, termOf } from './TermFields.tsx'
import type { DraftTerm } from './TermFields.tsx'

export type Join = 'all' | 'any'
/** A group while it is being put together; `id` distinguishes its parts as they come and go. */
export interface DraftGroup {
  id: number
  join: Join
  parts: DraftPart[]
}
export type DraftPart = DraftGroup | { id: number; term: DraftTerm }

let ids = 0
const newId = () => (ids += 1)

/** Conditions a person may put together; the layouts of a list add a few of their own. */
export const maxEntered = maxConditions - 5

export const isDraftGroup = (part: DraftPart): part is DraftGroup => 'parts' in part

/** A group of any with two conditions to fill in. */
export const newGroup = (view: ListView): DraftGroup => ({ id: newId(), join: 'any', parts: [newPart(view), newPart(view)] })
export const newPart = (view: ListView): DraftPart => ({ id: newId(), term: newTerm(view) })

export const draftOf = (group: FilterGroup): DraftGroup => ({
  id: newId(),
  join: 'all' in group ? 'all' : 'any',
  parts: partsOf(group).map((part) => (isGroup(part) ? draftOf(part) : { id: newId(), term: part })),
})

export const countOf = (group: DraftGroup): number => group.parts.reduce((sum, part) => sum + (isDraftGroup(part) ? countOf(part) : 1), 0)

/** True when every condition is filled in and no group is empty. */
export const isReady = ({ parts }: DraftGroup): boolean =>
  parts.length > 0 && parts.every((part) => (isDraftGroup(part) ? isReady(part) : isWhole(part.term)))

export function groupOf({ join, parts }: DraftGroup): FilterGroup {
  const made = parts.map((part): FilterPart => (isDraftGroup(part) ? groupOf(part) : termOf(part.term)))
  return join === 'all' ? { all: made } : { any: made }
}

/** The group with one of its parts replaced; without a replacement the part goes. */
export const withPart = (group: DraftGroup, id: number, next?: DraftPart): DraftGroup => ({
  ...group,
  parts: group.parts.flatMap((part) => (part.id !== id ? [part] : next ? [next] : [])),
})
