import { metresBetween, type Point } from '../places/distance.ts'

export const assignmentMethods = ['ROUND ROBIN', 'NEAREST', 'LOAD'] as const
export type AssignmentMethod = (typeof assignmentMethods)[number]

/** A person who may receive a lead. `place`: where they were seen today, else their workplace. */
export interface Candidate {
  id: string
  name: string
  openLeads: number
  place: Point | null
  isSeen: boolean
}

export interface Choice<Person extends Candidate> {
  candidate: Person
  why: string
}

/** The candidate that a method chooses and the reason, as text for the history; undefined without candidates. Deterministic. */
export function chooseCandidate<Person extends Candidate>(
  method: AssignmentMethod,
  candidates: readonly Person[],
  { lastId, place }: { lastId: string | null; place: Point | null },
): Choice<Person> | undefined {
  const inOrder = [...candidates].sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id))
  if (inOrder.length === 0) return undefined
  if (method === 'ROUND ROBIN') return nextInTurn(inOrder, lastId)
  return (
    (method === 'NEAREST' ? nearest(inOrder, place) : undefined) ??
    leastLoaded(inOrder, method === 'NEAREST' ? (place ? 'Nobody has a known place; ' : 'The lead has no position; ') : '')
  )
}

function nextInTurn<Person extends Candidate>(inOrder: readonly Person[], lastId: string | null): Choice<Person> | undefined {
  const index = inOrder.findIndex(({ id }) => id === lastId)
  const candidate = inOrder[(index + 1) % inOrder.length]
  return candidate && { candidate, why: `Next in turn of ${inOrder.length}` }
}

function nearest<Person extends Candidate>(inOrder: readonly Person[], place: Point | null): Choice<Person> | undefined {
  if (!place) return undefined
  const [first] = inOrder
    .flatMap((candidate) => (candidate.place ? [{ candidate, metres: metresBetween(place, candidate.place) }] : []))
    .sort((a, b) => a.metres - b.metres)
  return (
    first && {
      candidate: first.candidate,
      why: `${(first.metres / 1000).toFixed(1)} km away${first.candidate.isSeen ? '' : ' by place of work'}, nearest of ${inOrder.length}`,
    }
  )
}

function leastLoaded<Person extends Candidate>(inOrder: readonly Person[], begin: string): Choice<Person> | undefined {
  const [candidate] = [...inOrder].sort((a, b) => a.openLeads - b.openLeads)
  const words = `${candidate?.openLeads} open leads, fewest of ${inOrder.length}`
  return candidate && { candidate, why: `${begin}${words}` }
}

export interface RuleConditions {
  source: string | null
  type: string | null
  city: string | null
  branchId: string | null
}

/** True when all conditions of the rule hold; `path`: the tenant of the lead and its ancestors. */
export function fitsRule(
  rule: RuleConditions,
  lead: { source: string; type: string | null; city: string | null; path: readonly string[] },
): boolean {
  if (rule.source && rule.source !== lead.source) return false
  if (rule.type && rule.type !== lead.type) return false
  if (rule.city && rule.city.trim().toLowerCase() !== lead.city?.trim().toLowerCase()) return false
  return !rule.branchId || lead.path.includes(rule.branchId)
}
